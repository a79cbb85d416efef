"""Keys that nobody names: characters of no meaning, of two cases and digits, and nothing says what else they are."""

import re
from collections.abc import Iterator
from re import Match

from reverie.policy.safety.secrets.checks import form
from reverie.policy.safety.secrets.looks import random

LONGEST, MARKED = 120, 48  # a longer one is a file; the characters before it that may say what it is
_RUN = re.compile(r"(?<![\w+/=.%@:~-])[A-Za-z0-9_+/-]{20,240}={0,2}(?![\w+/=.%@(:~-])")
_TURN = re.compile(r"[a-z][A-Z]|[A-Z][a-z]|[a-zA-Z]\d|\d[a-zA-Z]")
# Pictures, archives, public keys and certificates begin so; and ids, with what they are of.
_OTHERS = re.compile(
    r"(?:iVBOR|R0lGOD|/9j/|PHN2Zy|UEsDB|JVBERi|AAAA|MI[IGHE]|LS0tLS1CRUdJTi|UklGR|H4sI|eyJ|Qm[1-9A-Za-z]{40,46}$"
    r"|1[A-Za-z0-9]{32,33}$"
    r"|sha\d{1,3}-|nonce-|0x|[a-z]{1,12}[_-](?![A-Za-z0-9]{0,4}[_-])|[A-Z]{2,10}[-_]|/|[a-z]{1,20}\d{0,6}/)"
)
_SAYS_WHAT = re.compile(
    r"""(?ix)(?:hash|sha-?\d*|h1:|md5|integrity|checksum|digest|e-?tag|finger-?print|thumb|image|img|icon|png|gif
    |jpe?g|svg|data:|base64|blob|pub(?:lic)?[ _-]?key
    |public|verif(?:y|ication)|ssh-\w+|ecdsa|certificate|\bcert|begin[ ]|csr|nonce|salt|(?:\b|_)ids?\b|[a-z]Id\b|uuid
    |ulid|guid|ipfs|\bcid|swarm|magnet|cursor|page|next|offset|kid|"[xyne]"|\bbh?=|\bp=|commit|\brev|build|version|\bref
    |track|video|file|\bdoc|path|url|href|src|link|address|wallet|contract|account[ ]\w*[ ]?id|snapshot|container|pod
    |node|instance|trace|span|request|session[ ]id|message|channel
    |object|entry|record|serial|model|sku|order|invoice|recipient|key[ ]?id|cache|chunk|asset|bundle|font
    |class(?:name)?|selector|token[ ]of|encoded|encode|decodes?|rot13|example|sample|placeholder|type|name)
    [^\n]{0,16}\Z"""
)


_SAID_AFTER = re.compile(
    r"(?i)[\"'`)]{0,2}\s{1,2}(?:is|was|=|as)\s[^\n.]{0,24}\b(?:address|contract|hash|ids?|fingerprint|commit|entry"
    r"|wallet|tx|transaction|digest|checksum|public)\b"
)


def unnamed_keys(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of what can only be a key, token or password that was generated.

    >>> texts = ("use 38AibNyyurlGFb0EkjKWREhbiGjl there", "sha256 38AibNyyurlGFb0EkjKWREhbiGjl", "getUserById2Async")
    >>> [t[a:b] for t in texts for a, b, _ in unnamed_keys(t)]
    ['38AibNyyurlGFb0EkjKWREhbiGjl']
    """
    for match in _RUN.finditer(text):
        if scattered(match[0]) and not _is_something_else(text, match):
            yield match.start(), match.end(), "secret"


def scattered(run: str) -> bool:
    """Two cases and digits that take turns, as no name of a program has them."""
    digits = sum(map(str.isdigit, run))
    return (
        digits >= 2
        and len(run) <= LONGEST
        and any(map(str.isupper, run))
        and any(map(str.islower, run))
        and len(_TURN.findall(run)) >= len(run) / 4
        and random(run)
        and not form(run)
        and "0123456789" not in run
    )


def _is_something_else(text: str, match: Match[str]) -> bool:
    start, end = match.span()
    line = text[text.rfind("\n", 0, start) + 1 : start]
    alone = not line.strip() and text[end : end + 1] in ("\n", "")
    return (
        _OTHERS.match(match[0]) is not None
        or _SAYS_WHAT.search(line[-MARKED:]) is not None
        or _SAID_AFTER.match(text, end) is not None
        or (alone and len(match[0]) >= 48)  # lines of a certificate or a file
    )
