"""Is this value a secret? Checksums where there are any; else whether it looks generated, like a word, like a form."""

import base64
import binascii
import re

# How long an account number is, by country.
IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FI FO GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV", 22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB NI PL SV", 29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC",
        32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
_BLANKS = str.maketrans("", "", " -")
_ISSUER = re.compile(r"4(?:\d{12}|\d{15}|\d{18})$|(?:5[1-5]|2[2-7]|35|6\d)\d{14}$|3[47]\d{13}$|3[068]\d{12}$")
_PIECES = re.compile(r"[A-Za-z0-9+=%~]+")
_SWITCH = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[a-zA-Z]\d|\d[a-zA-Z]")
_REFERENCE = re.compile(  # to a secret that stands elsewhere, or to none: a variable, a call, a template, a file
    r"[<${%(\[*@]|\.{3}|…|(?:os|process|env|self|this|config|settings|secrets|vault|request|req|args|params)\b[.\[(]"
    r"|getpass|[\w.]{1,80}[(\[]|(?:[A-Za-z]:)?[\\/~.]{0,2}/(?:[\w.-]{1,60}/)|/run/|/etc/|file:|%[sd]\b|\?$"
    r"|:\w{1,40}$|[^\W\d]\w{0,40}(?:\.[^\W\d]\w{0,40}){1,5}[,;)]?$"  # no part of a name begins with a digit
)
_FORM = re.compile(
    r"(?i)x{4,}|\*{3,}|[•●·∙]{3}|example|your[-_ ]|placeholder|redacted|change[-_]?me|dummy|insert[-_ ]|<[\w"
    r" \-./]{1,40}>|^<|todo|0{8}"
    r"|replace[-_]?me|not[-_]?(?:a[-_])?real|^(?:fake|test|mock|sample)[-_](?:key|token|secret|password|pass|value"
    r"|api)\b|-here$|_here$"
    r"|1234567890abcdef|^!vault\b|^[a-z]{1,20}_(?:password|passwd|secret|token)$"
)
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d\b|\d{1,2}[. /-]\d{1,2}[. /-](?:19|20)\d\d\b")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PLACEHOLDERS_TEXT = """
    required optional string str text none null nil true false undefined hidden empty missing wrong invalid
    incorrect expired protected field input varchar bytes secretstr your password passwd secret token changed
    reset user username admin_password pass credentials default value unknown unset blank disabled enabled char
    int any object yes no bool boolean basic bearer include same-origin omit prompt stdin ask generated encrypted
    hashed masked hash falsch erforderlich vergessen pflicht incorrecta obligatoria requise obligatoire
    nieprawidłowe filtered await async yield lambda return typeof const datetime timestamp date integer bigint float
    double decimal uuid json jsonb binary blob references citext interface struct
"""
PLACEHOLDERS = frozenset(_PLACEHOLDERS_TEXT.split())
# What a password may be said to be without being told: "my password is weak".
_PLAIN_WORDS_TEXT = """
    weak strong long short old new safe secure insecure easy hard simple complex wrong right correct incorrect
    valid invalid broken lost gone here there above below missing required optional set unset empty blank secret
    unknown known stored saved hashed encrypted expired stale outdated leaked public private shared different
    same unique ready late working refused rejected accepted blocked locked ok okay fine good bad best better
    worse enough needed mandatory important protected hidden visible written printed case not now back down up
    true false it that this yours mine his hers theirs ours everything nothing something anything everywhere
    nowhere forgotten compromised temporary permanent random numeric alphanumeric sensitive changed reset sent
    emailed rotated disabled enabled default impossible possible unchanged active inactive available unavailable
    cached see siehe ask check look frag voir vedi zie again elsewhere attached provided stronger weaker longer shorter
    case-sensitive case-insensitive read-only write-only up-to-date out-of-date base64-encoded url-encoded
    hard-coded hardcoded pre-filled key-based password-based
"""
PLAIN_WORDS = frozenset(_PLAIN_WORDS_TEXT.split())


def no_form(value: str) -> bool:
    """Whether it is not what a page puts in a secret's place."""
    return _FORM.search(value) is None


def luhn(digits: str) -> bool:
    """The checksum that every payment card number carries.

    >>> luhn("4242424242424242"), luhn("4242424242424241")
    (True, False)
    """
    doubled = [int(d) * (1 + i % 2) for i, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def card(text: str) -> bool:
    digits = text.translate(_BLANKS)
    return _ISSUER.match(digits) is not None and luhn(digits)


def iban(text: str) -> bool:
    """
    >>> iban("DE89 3704 0044 0532 0130 00"), iban("DE88 3704 0044 0532 0130 00")
    (True, False)
    """
    number = text.translate(_BLANKS).upper()
    number = number[: IBAN_LENGTHS.get(number[:2], 0)]
    spelled = "".join(str(int(c, 36)) for c in number[4:] + number[:4])
    return len(text.translate(_BLANKS)) >= len(number) > 0 and int(spelled) % 97 == 1


def state_number(text: str) -> bool:
    """Seven signs or more, most of them digits, and no date."""
    digits = [c for c in text if c.isdigit()]
    return sum(map(str.isalnum, text)) >= 7 and len(digits) >= 6 and len(set(digits)) > 2 and not _DATE.match(text)


def generated(text: str) -> bool:
    """Characters of no meaning: a piece in which letters and digits, or cases, take turns. Words and dates are none.

    >>> [generated(t) for t in ("q7Gx02mKpL9rTz4w", "order-2026-11-17-0001", "created_at_descending")]
    [True, False, False]
    """
    mixed = [len(_SWITCH.findall(piece)) * (len(piece) >= 8) for piece in _PIECES.findall(text)]
    return not form(text) and (
        _UUID.search(text) is not None or max(mixed, default=0) >= 2 or len(_SWITCH.findall(text)) >= 4
    )


def token(text: str) -> bool:
    """What follows a provider's prefix is no blank form ("sk-xxxx") and no word ("sk-learn-is-nice-to-have")."""
    return not form(text) and (_SWITCH.search(text) is not None or text.isupper())


def form(text: str) -> bool:
    """A placeholder: something that says what should stand there."""
    return _FORM.search(text) is not None or len(set(text)) < 4


def labelled(text: str) -> bool:
    """Behind "password:" nearly everything is one, but blank forms, types, and references to where it stands."""
    plain = text.strip("\"'`.,;)]}").lower()
    return plain not in PLACEHOLDERS and len(set(plain)) > 1 and not _REFERENCE.match(text) and not form(text)


def url_password(text: str) -> bool:
    return text.lower() not in PLACEHOLDERS and text[0] not in "$<{%*[(" and not text.startswith("...")


def spoken(text: str) -> bool:
    """In "my password is X", X is one if it is no ordinary word: "hunter2", "4711", "tea-rose-attic", not "2nd"."""
    word = text.strip("\"'`“”„«».,;!?")
    if word.isdigit():
        return len(word) >= 4
    if not word or {word.lower()} & (PLACEHOLDERS | PLAIN_WORDS) or form(word) or _REFERENCE.match(word):
        return False
    mixed = any(map(str.isdigit, word)) and any(map(str.isalpha, word)) and not word[0].isdigit()
    parts = word.split("-")
    return mixed or re.search(r"\w[@#$%^&*_+=~!]\w", word) is not None or (len(parts) > 2 and min(map(len, parts)) > 3)


def basic(text: str) -> bool:
    """Base64 of "user:password", as Basic headers and Docker's configuration have it, or something as long."""
    try:
        said = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in said or (len(text) >= 20 and generated(text))
