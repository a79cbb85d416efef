"""Secrets in tables and lists: what stands under "password" (Markdown, CSV, tabs), and lists of recovery codes."""

import re
from collections.abc import Iterator, Sequence
from re import Match

from reverie.policy.safety.secrets.cues import CUES, PATTERNS, Cue, cues_of
from reverie.policy.safety.secrets.looks import KEY, NEVER, PASSWORD, POINTS, look_of, unlikely

BETWEEN = "|\t;,"
MOST_ROWS = 2_000
LONGEST_HEAD, LONGEST_LINE = 40, 1_000
Cell = tuple[int, int]
Column = tuple[int, str, int]  # its place in a row, the kind of what stands in it, what it wants

_LIST_HEAD = re.compile(
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
_HEAD = re.compile(r"[^\W\d_][\w .#/&'*-]{0,40}(?: ?\([^()\n]{1,24}\))?")
_DUMP = re.compile(r"(?i)COPY [\w.\"]{1,100} \((?P<heads>[\w\", ]{3,800})\) FROM stdin")
_SIGN = re.compile(r"[A-Za-z0-9]")
BLANK_LINES, FEWEST = 2, 2


def cells(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of the cells that hold secrets.

    >>> text = "user,password\\nana,Crab-Apple-55"
    >>> [text[start:end] for start, end, kind in cells(text)]
    ['Crab-Apple-55']
    """
    sep, columns, rows, width = "", list[Column](), 0, 0
    at = 0
    for line in text.split("\n"):
        row = _cells(line, at, sep) if columns else []
        if columns and len(row) == width and rows < MOST_ROWS:
            rows += 1
            yield from _taken(text, row, columns)
        else:
            sep, columns, width = _heads(text, line, at)
            rows = 0
        at += len(line) + 1


def _heads(text: str, line: str, at: int) -> tuple[str, list[Column], int]:
    """The separator, columns with secrets and width of the table that a line begins, if it does."""
    if dump := _DUMP.match(line):
        heads = [head.strip(' "') for head in dump["heads"].split(",")]
        return "\t", [(n, cue.kind, cue.wants) for n, head in enumerate(heads) for cue in _named(head)], len(heads)
    for sep in BETWEEN:
        if sep in line:
            if len(line) > LONGEST_LINE or not cues_of(line.lower()):
                break
            row = _cells(line, at, sep)
            if not _are_heads(text, row, sep):
                break
            named = [(n, cue.kind, cue.wants) for n, (a, b) in enumerate(row) for cue in _named(text[a:b])]
            return sep, named if sum(b > a for a, b in row) > 1 else [], len(row)
    return "", [], 0


def _are_heads(text: str, row: Sequence[Cell], sep: str) -> bool:
    """Whether each cell names something: "user name", "API key (prod)", and not "#", "464/tcp" or nothing."""
    heads = row[1:-1] if sep == "|" and len(row) > 2 else row
    return all(_HEAD.fullmatch(text[start:end]) for start, end in heads)


def _named(head: str) -> list[Cue]:
    """What a column's head says of it: "password", "db password", "API key"."""
    head = head.lower()
    if not 1 < len(head) <= LONGEST_HEAD:
        return []
    head = "password" if head.endswith(("pass", "credential", "credentials")) else head
    named = [CUES[n] for n in cues_of(head) if any(match.end() == len(head) for match in PATTERNS[n].finditer(head))]
    least = {PASSWORD: 1.5, KEY: 0.0}  # a column "login" has names of users
    return [cue for cue in named if cue.label and cue.wants in least and cue.points > least[cue.wants]][:1]


def _cells(line: str, at: int, sep: str) -> list[Cell]:
    """Where each cell's text begins and ends, without the blanks, quotes and stars around it."""
    found = []
    for cell in line.split(sep):
        plain = cell.strip(" \r*`\"'")
        start = at + cell.find(plain)
        found.append((start, start + len(plain)))
        at += len(cell) + 1
    return found


def _taken(text: str, row: Sequence[Cell], columns: Sequence[Column]) -> Iterator[tuple[int, int, str]]:
    for n, kind, wants in columns:
        start, end = row[n]
        value = text[start:end]
        if end - start > 2 and not value.startswith("[redacted"):
            points = POINTS[look_of(value)][wants]
            if points > NEVER and (points > 0 or wants == PASSWORD) and value.strip("-: "):
                yield start, end, kind


def code_lists(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of each line's codes below a head that names them.

    >>> text = "GitHub recovery codes\\n\\n1. 9b1f0-77c2e\\n2. 04dd1-c83a5\\nKeep them."
    >>> [text[start:end] for start, end, _ in code_lists(text)]
    ['9b1f0-77c2e', '04dd1-c83a5']
    """
    if not _LIST_HEAD.search(text):
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
            items, shape, blank, open_list = [], "", 0, _LIST_HEAD.search(line) is not None
        else:
            blank += 1
        at += len(line) + 1
    yield from items if len(items) >= FEWEST else ()


def _is_code(item: Match[str]) -> bool:
    """Every piece has a digit, or letters as in no word."""
    pieces = re.split(r"[ -]+", item["codes"])
    return any(any(map(str.isdigit, piece)) for piece in pieces) or unlikely("".join(pieces))
