"""Secrets are taken out of a text before anything is stored: precise shapes, a cheap look first.

The hot path pays for a handful of substring searches; a pattern runs only where one of its marks occurs.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from re import Match, Pattern


@dataclass(frozen=True, slots=True)
class Redacted:
    text: str
    count: int = 0
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of secret. `marks` are lower-case substrings, one of which every match contains.

    The pattern's group `secret` is what is taken out (the whole match, without such a group), so that
    "password: hunter2" keeps the words around it.
    """

    kind: str
    marks: tuple[str, ...]
    pattern: Pattern[str]
    real: Callable[[str], bool] = bool


def luhn(digits: str) -> bool:
    """The checksum that every payment card number carries.

    >>> luhn("4242424242424242"), luhn("4242424242424241")
    (True, False)
    """
    doubled = [int(d) * (1 + i % 2) for i, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def _card(text: str) -> bool:
    digits = re.sub(r"[ -]", "", text)
    issuer = re.match(r"4(?:\d{12}|\d{15}|\d{18})$|(?:5[1-5]|2[2-7]|35|6\d)\d{14}$|3[47]\d{13}$|3[068]\d{12}$", digits)
    return issuer is not None and luhn(digits)


def _random_looking(text: str) -> bool:
    """A generated value has digits among its letters; "password is wrong" and "token: something" do not."""
    return any(c.isdigit() for c in text) and any(c.isalpha() for c in text)


def _said_password(text: str) -> bool:
    """In "my password is X", X is one only if no ordinary word: "hunter2" and "4711", not "long" or "2nd"."""
    word = text.rstrip(".!?")
    return word.isdigit() or (_random_looking(word) and not word[0].isdigit())


def _not_a_placeholder(text: str) -> bool:
    return text.lower().strip("\"'`.,;)") not in _PLACEHOLDERS and len(set(text)) > 1


_PLACEHOLDERS = frozenset(
    {"required", "optional", "string", "str", "text", "none", "null", "true", "false", "undefined", "hidden", "empty"}
    | {"missing", "wrong", "invalid", "incorrect", "expired", "protected", "field", "input", "varchar", "bytes"}
    | {"secretstr", "your", "password", "changed", "reset"}
)
_VALUE = r"""(?P<secret>(?!\[redacted|[<${*]|os\.|process\.|getpass|env[.(\[])[^\s"'`,;]{4,200})"""
_SECRET_WORD = r"api[_ -]?key|secret(?:[_ -]?(?:access[_ -]?)?key)?|token"
_LABEL = r"""["'`]?\s{0,3}(?::=|=>|[:=])\s{0,3}["'`]?"""  # a colon or an equals sign, quoted or not


def _shape(kind: str, marks: str, pattern: str, real: Callable[[str], bool] = bool) -> Shape:
    return Shape(kind, tuple(marks.split("|")), re.compile(pattern), real)


# Written by people, so of any length.
SPOKEN: tuple[Shape, ...] = (
    _shape(
        "private_key",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"(?s:.*?)(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    _shape(
        "password",
        "://",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,60}:(?P<secret>(?!\[redacted)[^\s/@]{3,100})@",
        _not_a_placeholder,
    ),
    _shape(
        "password",
        "passw|pwd|passphrase|passcode",
        rf"(?i:passw(?:or)?d|pwd|passphrase|passcode){_LABEL}{_VALUE}",
        _not_a_placeholder,
    ),
    _shape(
        "password",
        "passw|passphrase|passcode|pin is",
        rf"""(?i:\b(?:passw(?:or)?d|passphrase|passcode|pin)(?:\s+\w+){{0,3}}?\s+(?:is|was|to))\s+["'`]?{_VALUE}""",
        _said_password,
    ),
)

# Made by machines: one long word each.
LONG_WORD = 16
GENERATED: tuple[Shape, ...] = (
    _shape("jwt", "eyj", r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
    _shape("api_key", "sk-", r"\bsk-(?:ant-|proj-|svcacct-|or-)?[\w-]{20,}", _random_looking),
    _shape("api_key", "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,})"),
    _shape("api_key", "glpat-|xox|xapp-", r"\b(?:glpat-[\w-]{20,}|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{20,})"),
    _shape("api_key", "akia|asia", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    _shape("api_key", "aiza|ya29.", r"\b(?:AIza[\w-]{35}|ya29\.[\w-]{20,})"),
    _shape("api_key", "k_live_|k_test_", r"\b[srp]k_(?:live|test)_[A-Za-z0-9]{10,}"),
    _shape("api_key", "whsec_|npm_|hf_", r"\b(?:whsec_[A-Za-z0-9+/=]{20,}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,})"),
    _shape("api_key", "pypi-|dop_v1_", r"\b(?:pypi-[\w-]{50,}|dop_v1_[0-9a-f]{40,})"),
    _shape("api_key", "sg.|:aa", r"\b(?:SG\.[\w-]{16,}\.[\w-]{16,}|\d{8,10}:AA[\w-]{33})"),
    _shape(
        "webhook",
        "hooks.slack.com|discord.com/api/webhooks",
        r"https://(?:hooks\.slack\.com/services|discord\.com/api/webhooks)/(?P<secret>[\w/-]{20,})",
    ),
    _shape(
        "bearer",
        "bearer|authorization",
        r"\b(?i:bearer|authorization:\s{0,3}(?:basic|token))\s{1,3}(?P<secret>[A-Za-z0-9._~+/=-]{16,})",
        _random_looking,
    ),
    _shape(
        "secret",
        "key|token|secret",
        rf"(?i:{_SECRET_WORD}){_LABEL}(?P<secret>(?!\[redacted)[\w./+=-]{{16,200}})",
        _random_looking,
    ),
)

CARD_DIGITS = 13
CARD = Shape("card", (), re.compile(r"[2-6](?<![\d.-].)\d{3}(?:[ -]?\d){9,15}(?![\d-])"), _card)
_NO_DIGIT = bytes(i for i in range(256) if not 48 <= i <= 57)


def redact(text: str) -> Redacted:
    """The text without its secrets, how many there were and of which kinds.

    >>> redact("my key is sk-abcdefghijklmnop1234567890, password: hunter2")
    Redacted(text='my key is [redacted:api_key], password: [redacted:password]', count=2, kinds=('api_key', 'password'))
    >>> redact("The password is on the whiteboard.").count
    0
    """
    found: list[str] = []
    lower = text.lower()
    digits = len(text.encode(errors="ignore").translate(None, _NO_DIGIT))
    longest = max(map(len, text.split()), default=0)
    # Keys before passwords: "password: sk-…" is a key, and counts once.
    for shape in GENERATED if longest >= LONG_WORD else ():
        text = _take_out(shape, text, lower, found)
    for shape in SPOKEN:
        text = _take_out(shape, text, lower, found)
    if digits >= CARD_DIGITS:
        text = _take_out(CARD, text, lower, found)
    return Redacted(text, len(found), tuple(dict.fromkeys(found))) if found else Redacted(text)


def _take_out(shape: Shape, text: str, lower: str, found: list[str]) -> str:
    for mark in shape.marks:
        if mark in lower:
            break
    else:
        if shape.marks:
            return text
    group = "secret" if "secret" in shape.pattern.groupindex else 0

    def replace(match: Match[str]) -> str:
        if not shape.real(match[group]):
            return match[0]
        found.append(shape.kind)
        before, after = match.span(group)
        start, end = match.span()
        return f"{text[start:before]}[redacted:{shape.kind}]{text[after:end]}"

    return shape.pattern.sub(replace, text)
