"""The shapes that secrets come in, as one table: what to look for first, the pattern, and what makes a find real.

A pattern's group `secret` is what is taken out (the whole match, without such a group), so that "password: hunter2"
keeps the words around it. No pattern has a run that another run can give back to: each is linear or bounded.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from re import Pattern

from reverie.policy.safety.secrets import checks
from reverie.policy.safety.secrets.commands import COMMANDS, ENDS_OF_CARDS, NEW, STATE, Line, generated_or_hex
from reverie.policy.safety.secrets.cues import CUES
from reverie.policy.safety.secrets.provider_tokens import TOKENS, shape


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of secret. `marks` are lower-case substrings, one of which every text with a match contains."""

    kind: str
    marks: tuple[str, ...]
    source: str
    real: Callable[[str], bool] = bool
    within: str = ""  # looked for in the group `secret` only, which is then a place, no secret
    before: str = ""  # what the text before a match must end with

    @property
    def pattern(self) -> Pattern[str]:
        return compiled(self.source)


@cache
def compiled(source: str) -> Pattern[str]:
    """When first needed: few of these patterns ever are, and a command line should start at once."""
    return re.compile(source)


def _shape(
    kind: str, marks: str, source: str, real: Callable[[str], bool] = bool, within: str = "", before: str = ""
) -> Shape:
    return Shape(kind, tuple(marks.split("|")), source, real, within, before)


TOKEN_SHAPES = tuple(
    Shape("api_key", tuple(marks.split()), shape(written), checks.token) for _, marks, written in TOKENS
)
# Looked for where there is a long word.
GENERATED: tuple[Shape, ...] = (
    _shape("jwt", "eyj", r"(?<![\w-])eyJ[\w-]{8,4000}\.(?:eyJ)?[\w-]{8,8000}\.[\w-]{0,2000}"),
    _shape(
        "webhook",
        "hooks.slack.com|/api/webhooks|webhook.office.com|hooks.zapier.com",
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks"
        r"|webhook\.office\.com/webhookb2|hooks\.zapier\.com/hooks/catch)/(?P<secret>[\w/@.-]{16,400})",
        checks.no_form,
    ),
    _shape(
        "bearer",
        "bearer|authorization",
        rf"(?i:\bbearer|\bauthorization[\"']?\s{{0,3}}[:=]\s{{0,3}}[\"']?(?:[a-z-]{{2,12}}\s{{1,3}})?)\s{{0,3}}"
        rf"{NEW}(?P<secret>[A-Za-z0-9._~+/=-]{{16,4000}})",
        checks.generated,
    ),
    _shape(
        "secret",
        "twilio|account_sid|accountsid",
        r"\bAC[0-9a-f]{32}\b[^\n]{0,60}?(?P<secret>(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f]))",
    ),
    _shape("secret", "sharedaccess|otpauth", r"(?i:otpauth://\S{0,200}[?&]secret=)(?P<secret>[A-Z2-7]{16,64})"),
    _shape("password", "://", rf"://{NEW}(?P<secret>[\w-]{{20,200}})@", checks.generated),
    _shape(
        "secret",
        "cookie",
        r"(?i:\bcookie[\"']?\s{0,3}[:=])(?P<secret>[^\n]{1,4000})",
        checks.generated,
        r"=(?P<secret>[^\s;\"',]{16,2000})",
    ),
)  # fmt: skip

# Written by people, so of any length.
SPOKEN: tuple[Shape, ...] = (
    _shape(
        "private_key",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?=\s{0,3}(?:\\?[nr]|\n|[A-Za-z0-9+/]{40}))"
        r"(?s:.*?)(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    _shape(
        "private_key",
        "private-lines",
        r"Private-Lines: \d{1,4}\s{1,2}(?P<secret>(?:[A-Za-z0-9+/=]{1,100}\s{0,2}){1,200})",
    ),
    _shape(
        "secret",
        "$ansible_vault",
        r"\$ANSIBLE_VAULT;[^\n]{1,60}\n(?P<secret>(?:[ \t]{0,20}[0-9a-f]{16,200}(?:\n|\Z)){1,400})",
    ),
    _shape(
        "password",
        "://",
        rf"""[a-z][a-z0-9+.-]{{1,20}}://{NEW}(?!(\w{{1,20}}):\1@)[^\s:/@"'<>]{{0,80}}:{NEW}"""
        r"""(?P<secret>[^\s/"'<>@]{2,200}(?:@[^\s/"'<>@:]{1,60}(?=@))?)@""",
        checks.url_password,
    ),
    _shape(  # a password as systems keep it: whoever has it can try words against it
        "password",
        "$",
        r"(?<![\w$])(?P<secret>\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{50,60}|(?:[1567y]|apr1|sha1|md5)\$"
        r"(?:[\w=,./]{1,40}\$){1,2}[./A-Za-z0-9]{20,120}"
        r"|argon2[a-z]{0,2}\$(?:v=\d{1,3}\$)?[\w=,]{5,60}\$[A-Za-z0-9+/]{8,100}\$[A-Za-z0-9+/]{16,200}))",
    ),
    _shape(
        "password",
        "jdbc:oracle",
        rf"jdbc:oracle:\w{{1,10}}:[\w.-]{{1,60}}/{NEW}(?P<secret>[^\s@/]{{3,100}})@",
        checks.url_password,
    ),
    _shape(
        "secret",
        "curl|wget|http",
        r"""\b(?:curl|wget|http|xh)\b[^\n]{0,300}?\s(?:-u|--user|-a)[ =]{0,2}["']?"""
        rf"""{NEW}(?P<secret>[^\s:"'$]{{16,200}}):(?=["'\s])""",
        generated_or_hex,
    ),
    _shape(
        "password",
        "curl|wget|http",
        r"""\b(?:curl|wget|http|xh)\b[^\n]{0,300}?\s(?:-u|--user|-a)[ =]{0,2}["']?[^\s:"'$]{0,80}["']?:["']?"""
        rf"""{NEW}(?P<secret>[^\s"']{{3,200}})""",
        checks.labelled,
    ),
    _shape(
        "bearer",
        "basic|\"auth\"",
        rf"(?i:\bauthorization[\"']?\s{{0,3}}[:=]\s{{0,3}}[\"']?basic\s{{1,3}}|\"auth\":\s{{0,3}}\"){NEW}"
        r"(?P<secret>[A-Za-z0-9+/=]{8,400})",
        checks.basic,
    ),
    _shape(
        "password",
        "auth=|auth =|basicauth",
        rf"""(?:(?:\b|_)auth\s?=\s?|BasicAuth)\(\s?["'][^"'\n]{{1,80}}["'],\s{{0,2}}["']{NEW}(?P<secret>[^"'\n]{{3,200}})["']""",
        checks.labelled,
    ),
    _shape(
        "password",
        " -u ",
        rf"""\s-u\s{{1,2}}\S{{1,80}}[^\n]{{0,80}}?\s-[pP]\s{{1,2}}["']?{NEW}(?P<secret>[^\s"']{{4,200}})""",
        checks.spoken,
    ),
    _shape("password", "sqlplus", rf"\bsqlplus\s{{1,3}}[\w.-]{{1,60}}/{NEW}(?P<secret>[^\s@/]{{3,100}})@"),
    _shape(
        "password",
        "pgpass|:5432:",
        rf"(?<![^\s\"'`])[^\s:]{{1,80}}:(?:\d{{1,5}}|\*):[^\s:]{{1,60}}:[^\s:]{{1,60}}:{NEW}(?P<secret>\S{{3,200}})"
        rf"(?m:$)",
    ),
    _shape("secret", "/bot", r"/bot(?P<secret>\d{6,12}:[\w-]{30,40})"),
    _shape(
        "private_key",
        "0x",
        r"(?i:private|accounts|signer|wallet|\bpk\b)[^\n]{0,60}?(?P<secret>0x[0-9a-fA-F]{64})(?![0-9a-fA-F])",
    ),
    _shape("password", "wifi:", rf"WIFI:[^\n]{{0,120}}?;P:{NEW}(?P<secret>[^\n;]{{4,63}});"),
    _shape(
        "password",
        "login",
        rf"\blogin\s{{1,3}}\S{{1,80}}\s{{1,3}}password\s{{1,3}}{NEW}(?P<secret>\S{{3,200}})",
        checks.labelled,
    ),
    _shape(
        "password",
        "--pass|--pwd|sshpass|docker login|mysql|mariadb|redis-cli|ldap|htpasswd|sqlcmd|mongo|smbclient|zip -p",
        r"""(?:--pass(?:word|phrase)?(?:=|\s{1,2})(?!-|["'][^"'\n]{1,60} )"""
        r"""|\bsshpass\s{1,2}-p\s{0,2}|\bredis-cli\b[^\n]{0,100}?\s-a\s{1,2}"""
        r"""|\b(?:docker login|mongosh?|mongodump)\b[^\n]{0,100}?\s-p\s{1,2}"""
        r"""|\bldap[a-z]{3,10}\b[^\n]{0,200}?\s-w\s{1,2}"""
        r"""|\bhtpasswd\s{1,2}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\s{1,2}\S{1,200}\s{1,2}\S{1,80}\s{1,2}"""
        r"""|\b(?:sqlcmd|zip|unzip)\b[^\n]{0,200}?\s-P\s{0,2}|\bsmbclient\b[^\n]{0,200}?\s-U\s{1,2}[^\s%]{1,80}%"""
        r"""|\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|]{0,200}?\s-p(?=\S))["']?"""
        rf"""{NEW}(?P<secret>[^\s"'`|]{{3,200}})""",
        checks.labelled,
    ),
    _shape(
        "secret",
        "kind: secret",
        r"\b(?:stringData|data):[ \t]{0,4}\n(?P<secret>(?:[ \t]{1,20}[\w.-]{1,80}:[^\n]{0,4000}(?:\n|\Z)){1,100})",
        checks.labelled,
        r":[ \t]{1,4}[\"']?(?P<secret>[^\s\"']{4,4000})",
    ),
    _shape(
        "password",
        "密码|密碼|パスワード|비밀번호",
        rf"(?:密码|密碼|パスワード|비밀번호)\s{{0,2}}(?:是|为|為|は|는|은|：|:)\s{{0,2}}{NEW}"
        rf"(?P<secret>[!-~]{{4,100}})",
        checks.spoken,
    ),
    _shape(
        "recovery_phrase",
        "phrase|mnemonic|words",
        r"(?i:\b(?:seed|recovery|mnemonic|secret|backup|wallet)\s(?:phrase|words)|mnemonic)[^\n]{0,40}?[:\s(]\s{0,3}"
        r"(?P<secret>(?:#?\d{1,2}[.):=]?\s{0,2}[a-z]{3,8}[\s,;]{1,3}){2,23}#?\d{1,2}[.):=]?\s{0,2}[a-z]{3,8})(?![a-z])",
    ),
    _shape(
        "recovery_phrase",
        "phrase|mnemonic|recovery words|seed",
        r"(?i:\b(?:seed|recovery|mnemonic|secret|backup|wallet)\s(?:phrase|words)|mnemonic|\bseed)[^\n:]{0,30}?(?::"
        r"|\sis)\s{1,3}"
        r"[\"']?"
        r"(?P<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})",
    ),
)  # fmt: skip


def _lines(lines: Iterable[Line]) -> tuple[Shape, ...]:
    return tuple(_shape(*line) for line in lines)


OF_COMMANDS, OF_STATES = _lines(COMMANDS), _lines(STATE)
CARD_ENDS = _lines(ENDS_OF_CARDS)
DIGIT_RUNS: tuple[Shape, ...] = (
    _shape(
        "iban",
        "",
        r"[A-Z](?<![A-Za-z0-9].)[A-Z]\d{2}[ -]?(?:[A-Z0-9]{4}[ -]?){2,7}[A-Z0-9]{0,4}(?![A-Za-z0-9])",
        checks.iban,
    ),
    _shape("card", "", r"(?<![\d.-])[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}(?!\d)", checks.card),
    _shape("card", "", r"[2-6](?<![\d.-].)\d{3}(?:[ -]?\d){9,15}(?![\d-])", checks.card),
)  # fmt: skip
PRIVATE = "private"
ALL_SHAPES = (*TOKEN_SHAPES, *GENERATED, *SPOKEN, *OF_COMMANDS, *OF_STATES, *DIGIT_RUNS, *CARD_ENDS)
KINDS = tuple(dict.fromkeys((*(shape.kind for shape in ALL_SHAPES), *(cue.kind for cue in CUES), PRIVATE)))
