"""A question as the guards see it: words with their case, contractions opened, polite wrapping taken off."""

import re
import unicodedata
from dataclasses import dataclass

from reverie.language.vocabulary import APOSTROPHES, BARE, CLITICS, IRREGULAR, word_set

_SIGNS = {**APOSTROPHES, ord("`"): "'"}
_TOKEN = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]\b)*(?:'[^\W\d_]*)?(?:\+\+|#)?|\d+(?:[.,:/]\d+)*[^\W\d_]*|[$€£¥%?]")
_SPLIT = re.compile(r"[.!?;]\s+(?=\S)")

_IS_AFTER = word_set("what where who when how why which that there it he she this here")

# "Can you remind me where I live again, please?" asks what "where do I live?" asks.
_OPENING = re.compile(
    r"""^(?:
      hey|hi|hello|ok|okay|so|and|well|um|uh|please|sorry|wait|btw|by\ the\ way|quick\ question|question|just|also
    | (?:can|could|would|will)\ you\ (?:please\ |kindly\ |quickly\ |just\ )?(?:tell|remind|show|give)\ me(?!\ to\b)
    | (?:can|could|would|will)\ you\ (?:please\ )?(?:look\ up|check|say|recall|remember)
    | (?:do|did|would)\ you\ (?:happen\ to\ |still\ |even\ )?(?:know|remember|recall)
    | (?:please\ )?(?:tell|remind|show)\ me(?!\ to\b)(?:\ again)?
    | i\ (?:forgot|forget|wonder|keep\ forgetting|have\ forgotten|am\ wondering|was\ wondering|need\ to\ know)
    | i\ (?:can|do|could)\ not\ (?:remember|recall|know)
    | i\ (?:want|would\ like|would\ love)\ to\ know
    | (?:do\ you\ have\ )?any\ idea|any\ chance\ you\ (?:know|remember)|remember|recall|look\ up
    )\b[\s,:]*""",
    re.VERBOSE,
)
_CLOSING = re.compile(
    r"(?<![\s,])[\s,]+"
    r"(?:again|please|btw|by the way|anyway|exactly|actually|right now|at the moment|these days|nowadays|now"
    r"|currently|at present|once more|once again|do you know|do you remember|thanks|thank you|then|though|i forgot"
    r"|or not|remind me|tell me|at the minute|today again)\s*$"
)


@dataclass(frozen=True, slots=True)
class Words:
    """The same words three ways: as written, in lower case, and which of them own the next one ("Anna's")."""

    cased: tuple[str, ...]
    low: tuple[str, ...]
    owners: frozenset[int]
    starts: frozenset[int]  # where a sentence begins: a capital there says nothing


def words(text: str) -> Words:
    """
    >>> words("Hey, can you remind me what's my Zoë's size again?").low
    ('what', 'is', 'my', 'zoe', 'size')
    """
    cased: list[str] = []
    owners: set[int] = set()
    starts: set[int] = {0}
    for sentence in _SPLIT.split(text if text.isascii() else _plain(text)):
        starts.add(len(cased))
        for token in _TOKEN.findall(sentence):
            _open(token, cased, owners)
    return _unwrapped(cased, owners, starts)


def _plain(text: str) -> str:
    """Without accents and typographic apostrophes: people type "Zoe" for "Zoë"."""
    folded = unicodedata.normalize("NFKD", text.translate(_SIGNS))
    return "".join(sign for sign in folded if not unicodedata.combining(sign))


def _open(token: str, cased: list[str], owners: set[int]) -> None:
    """Append a token, its contraction opened: "don't" is "do not", "Anna's" is "Anna", who owns what follows."""
    if token == "?":
        return
    token = BARE.get(token.lower(), token)
    if "'" not in token:
        cased.extend(IRREGULAR.get(token.lower(), (token,)))
        return
    low = token.lower()
    head, _, tail = token.partition("'")
    if low in IRREGULAR:
        cased.extend(IRREGULAR[low])
    elif low.endswith("n't"):
        cased.extend((token[:-3], "not"))
    elif tail.lower() in CLITICS:
        cased.extend((head, CLITICS[tail.lower()]))
    elif tail.lower() == "s" and head.lower() in _IS_AFTER:
        cased.extend((head, "is"))
    else:
        if tail or head.endswith("s"):  # "my parents' house"; a closing quote after any other letter owns nothing
            owners.add(len(cased))
        cased.append(head)


def _unwrapped(cased: list[str], owners: set[int], starts: set[int]) -> Words:
    """Take the wrapping off both ends, as often as there is some; never all of the question."""
    low = [word.lower() for word in cased]
    first, last = _bounds(low)
    keep = [i for i in range(first, last) if not (low[i] in _FILLERS and last - first > 3)]
    place = {old: new for new, old in enumerate(keep)}
    return Words(
        tuple(cased[i] for i in keep),
        tuple(low[i] for i in keep),
        frozenset(place[i] for i in owners if i in place),
        frozenset(place[i] for i in (*starts, first) if i in place),
    )


_FILLERS = word_set(
    "currently presently exactly actually really nowadays please kindly again still basically usually normally"
    " typically generally"
)


def _bounds(low: list[str]) -> tuple[int, int]:
    line = " ".join(low)
    first, last = 0, len(low)
    while (opening := _OPENING.match(line)) and opening.end() < len(line):
        first += len(opening.group().split())
        line = line[opening.end() :]
    while (closing := _CLOSING.search(line)) and closing.start() > 0:
        last -= len(closing.group().split())
        line = line[: closing.start()]
    return first, last
