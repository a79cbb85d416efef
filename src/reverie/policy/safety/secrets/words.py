"""The words of a text as a reader of secrets sees them: a password is one word, whatever signs are in it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reverie.language.vocabulary import STOP_WORDS, word_set
from reverie.policy.safety.secrets.cues import Cue
from reverie.policy.safety.secrets.looks import look_of, made_up, unlikely

# What is said of passwords, and is in none: "must have 8 characters", "is required".
SAYS = word_set("""
    password passwords passwort must should required please enter your invalid incorrect expired characters letters
    failed error changed reset missing empty provide choose forgot least mot contraseña senha strength match matches
    type default field create confirm update show hide remember session again account api key code sign
""")
BEFORE, AFTER = 140, 220  # characters around a cue that are read
_TOKEN = re.compile(
    r"""(?x)
    (?P<gone>\[redacted(?::[\w]{1,60})?\]|\[private\])
    | (?P<op>[:：][ \t]{0,2}[|>][+-]?(?=[ \t]{0,4}\n)|:=|=>|->|→|=base64:|={1,3}|[:：](?!//))
    | (?P<name>[^\W\d][\w.-]{0,80})(?=\s{0,3}(?:=|:(?!//)|：))
    | (?P<word>(?:[^\s"'`“”„«»<>|,;()\[\]{}\\&?=：→は]|=(?=[=\s]|\Z)|(?<![\w.-])=
        |(?<=[^\W\d])['’](?=[a-z]{1,2}\b)|[&?](?![\w.-]{1,40}=)(?=\S))+)
    """
)
GROUPS = re.compile(  # 493 027, JBSW BMBN R62C INDX, abcd-efgh-ijkl
    r"(?<![\w-])(?:\d(?: \d){3,7}|\d\d \d\d \d\d(?! \d)"
    r"|\d{4}[ -]\d{4}|\d{3}[ -]\d{3}|\d{4}(?:[ -]\d{4}){2,7}|\d{6}(?:[ -]\d{6}){2,7}"
    r"|[A-Z0-9]{5}(?:[ -][A-Z0-9]{5}){2,15}"
    r"|[A-Z0-9]{4}(?:[ -][A-Z0-9]{4}){2,15}|[a-z0-9]{4}(?:[ -][a-z0-9]{4}){2,15})(?![\w-])"
)
_TYPED_SIGNS = "!@#$%^&*~+{"
_TYPED = re.compile(r"(?<![^\s\"'`(:=,;])[\w.-]{1,30}[!@#$%^&*~+{][\w!@#$%^&*~+{}-]{1,30}(?![^\s\"'`),;.:?])")


@dataclass(slots=True)
class SecretWord:
    text: str
    start: int
    end: int
    sort: str
    low: str
    before: str  # what stands between the one before and this
    cues: list["NamedNear"] = field(default_factory=list)


@dataclass(slots=True)
class NamedNear:
    """A cue in a text, and the numbers of its first and last token."""

    cue: Cue
    points: float
    first: int
    last: int
    used: bool = False


def look_at(value: str, quoted: bool) -> str:
    """Of a value that may be several words: groups, a phrase between quotes; or of one word."""
    look = look_of(value)
    if GROUPS.fullmatch(value):
        joined = value.replace(" ", "").replace("-", "")
        if joined.isdigit():
            return "digits" if len(joined) < 9 else "grouped"
        mixed = any(map(str.isdigit, joined)) or unlikely(joined)
        return "grouped" if mixed else look
    if look == "words" and quoted:
        words = {*re.findall(r"[^\W\d]+", value.lower())}
        if words & SAYS:
            return "reference"
        if not {value.lower().split()[0], value.lower().split()[-1]} & STOP_WORDS or re.search(r"[\d&!#*+]", value):
            return "phrase" if len(value.split()) > 2 else "two words"
    if look == "reference" and quoted and re.fullmatch(r"[a-z]+(?:\.[a-z]+)+", value):
        return "joined"
    return look


def words_of(text: str, start: int, end: int) -> Iterator[SecretWord]:
    last = start
    for match in _TOKEN.finditer(text, start, end):
        sort = match.lastgroup or "word"
        low = match[0].lower().strip(".,:;!?…()")
        yield SecretWord(
            match[0], match.start(), match.end(), "word" if sort == "name" else sort, low, text[last : match.start()]
        )
        last = match.end()


def made_up_in(text: str) -> list[tuple[int, int]]:
    """Where words stand that can only be passwords, whatever is said near them."""
    if not any(sign in text for sign in _TYPED_SIGNS):
        return []
    return [match.span() for match in _TYPED.finditer(text) if made_up(match[0])]


def passages(text: str, said: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, int, list[tuple[int, int, int]]]]:
    """Where cues are, with what is around them; passages that touch are one."""
    cues: list[tuple[int, int, int]] = []
    start = end = 0
    for one in said:
        if cues and one[0] - BEFORE > end:
            yield start, end, cues
            cues = []
        if not cues:
            start = max(0, one[0] - BEFORE, end)
        cues.append(one)
        end = min(len(text), one[1] + AFTER)
    if cues:
        yield start, end, cues
