"""Lists of codes: a line that speaks of recovery codes, then a line for each, all made alike."""

import re
from collections.abc import Iterator
from re import Match

from reverie.policy.safety.secrets.looks import unlikely

_HEAD = re.compile(
    r"(?i)(?:back-?up|recovery|rescue|scratch|emergency|one-time|single-use|2fa|two-factor|mfa|otp|reserve|ersatz"
    r"|wiederherstellungs|notfall)[ -]?(?:codes?|keys?|tans?|passwords?)\b|\b(?:codes? de (?:secours|récupération)"
    r"|c[oó]digos? de (?:recupera\w{3,5}|respaldo|backup|segurança)|codici di (?:recupero|backup)|herstelcodes?"
    r"|kod\w{1,2} (?:zapasow\w{1,3}|odzyskiwania)|tan-liste|резервные коды|коды восстановления)"
    r"|备用(?:验证)?码|恢复(?:代)?码|バックアップ ?コード|リカバリー ?コード|백업 ?코드|복구 ?코드"
)
_ITEM = re.compile(
    r"[ \t>]{0,12}(?:\d{1,2}[.):]?[ \t]{1,3}|[-*•·][ \t]{1,3})?(?:\[[ x]?\][ \t]{1,3})?[\"'`]?"
    r"(?P<codes>[A-Za-z0-9]{4,12}(?:[ -]{1,4}[A-Za-z0-9]{4,12}){0,9})[\"'`]?,?"
    r"[ \t]{0,4}(?:\([^()\n]{1,30}\))?[ \t\r]{0,4}"
)
_SIGN = re.compile(r"[A-Za-z0-9]")
BLANK_LINES, FEWEST = 2, 2


def code_lists(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of each line's codes below a head that names them.

    >>> text = "GitHub recovery codes\\n\\n1. 9b1f0-77c2e\\n2. 04dd1-c83a5\\nKeep them."
    >>> [text[start:end] for start, end, _ in code_lists(text)]
    ['9b1f0-77c2e', '04dd1-c83a5']
    """
    if not _HEAD.search(text):
        return
    at, blank, items, shape = 0, 0, list[tuple[int, int, str]](), ""
    open_list = False
    for line in text.split("\n"):
        item = _ITEM.fullmatch(line) if open_list else None
        if item and _is_code(item) and (made := _SIGN.sub("x", item["codes"])) and made.startswith(shape):
            shape = shape or made
            items.append((at + item.start("codes"), at + item.end("codes"), "recovery_code"))
        elif line.strip() or not open_list or items or blank >= BLANK_LINES:
            yield from items if len(items) >= FEWEST else ()
            items, shape, blank, open_list = [], "", 0, _HEAD.search(line) is not None
        else:
            blank += 1
        at += len(line) + 1
    yield from items if len(items) >= FEWEST else ()


def _is_code(item: Match[str]) -> bool:
    """Every piece has a digit, or letters as in no word."""
    pieces = re.split(r"[ -]+", item["codes"])
    return any(any(map(str.isdigit, piece)) for piece in pieces) or unlikely("".join(pieces))
