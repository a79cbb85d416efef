"""Where the subject of a clause ends, and what stands before it."""

import re

from reverie.minds.rules.lexicon import words
from reverie.minds.rules.people import is_name
from reverie.minds.rules.verbs import AUXILIARIES, reading, readings

ADVERBS = words("adverb")
WORD = re.compile(r"[^\s,;()]+")

_SPLIT_SUBJECT = re.compile(r"^(?P<front>.{2,60}?),?\s+(?P<main>(?:I|we|my|our|he|she|the team)\s.+)$")
_NO_FRONT = re.compile(r"\w+ing\b|to\b|.*\b(?:that|who|which|what|how|why|said|let)\b", re.I)
_BARE_START = re.compile(
    r"^(?:(?:just|recently|finally|also|still|currently|already)\s+)*"
    r"(?P<verb>got|went|moved|bought|started|finished|quit|adopted|switched|joined|signed|visited|ran|met|passed|broke|"
    r"sold|left|lost|won|booked|had|made|tried|saw|took|became|turned|been|going to|moving|allergic|born|based|living|"
    r"working|learning|planning|getting|married|thinking|decided|used to|vegan|vegetarian|retired|"
    r"ordered|upgraded|"
    r"migrated|read|watched|picked|not|love|hate|prefer|need to|want to)\b"
)
_BARE_AUX = {
    **dict.fromkeys(
        "moving allergic born based living working learning planning getting married vegan vegetarian retired".split(),
        "I am ",
    ),
    "going to": "I am ",
    "not": "I am ",
    "been": "I have ",
}


def completed(text: str) -> tuple[str, str]:
    """The clause with its subject first, and what stood before it; a dropped "I" is put back."""
    match = _SPLIT_SUBJECT.match(text)
    if match and not subject_end(text) and not _NO_FRONT.match(match["front"]):
        return match["main"], match["front"]
    return bare(text), ""


def bare(text: str) -> str:
    """The clause with the "I" that its speaker left out.

    >>> bare("moved to Kiel"), bare("allergic to nuts")
    ('I moved to Kiel', 'I am allergic to nuts')
    """
    begun = text[:1].lower() + text[1:]
    match = _BARE_START.match(begun)
    if not match or subject_end(text):
        return text
    if match["verb"] in ("love", "hate", "prefer", "need to", "want to") and re.match(
        r"\w+ (?:that|this|it|your|the|you|how|when|to see|to hear|to have you|to join)\b", text, re.I
    ):
        return text
    return _BARE_AUX.get(match["verb"], "I ") + begun


def _finite(word: str, plural: bool) -> bool:
    if word in AUXILIARIES:
        return True
    return any(r.form in ("past", "s") or (plural and r.form == "base") for r in readings(word))


def subject_end(text: str) -> int:
    """How many words the subject takes; 0 when the clause does not open with one."""
    words = [m.group() for m in WORD.finditer(text)]
    if not words:
        return 0
    first = words[0].lower()
    if first in ("i", "we", "he", "she", "they", "you", "it", "there"):
        return 1
    if first in ("my", "our", "his", "her", "their", "the", "this") or words[0].endswith("'s"):
        return _noun_end(words, 2)
    if words[0][0].isupper() and is_name(words[0].removesuffix("'s")) and not reading(words[0], "past", "ing", "part"):
        size = _noun_end(words, 1, named=True)
        return size if all(w[0].isupper() or w == "and" for w in words[:size]) else 0
    return 0


def _noun_end(words: list[str], start: int, named: bool = False) -> int:
    plural = False
    for i in range(start, min(len(words), start + 9)):
        low = words[i].lower()
        if words[i] in ("I", "we", "my", "he", "she") and words[i - 1].lower() != "and":
            return 0  # another subject begins: "this summer I …"
        if low == "and":
            plural = True
            if i + 1 < len(words) and words[i + 1] in ("I", "me"):
                return i + 2
            continue
        plural = plural or (not named and words[i - 1].lower().endswith("s") and not words[i - 1].endswith("'s"))
        following = words[i + 1].lower() if i + 1 < len(words) else ""
        if low in ADVERBS or (low == "no" and following == "longer"):
            if i + 1 < len(words) and (_finite(following, plural) or following in ADVERBS):
                return i
            if low == "no":
                return i
            continue
        if _finite(low, plural) and not (words[i][0].isupper() and is_name(words[i])):
            return i
    return 0
