"""What a sentence shows for and against being a directive: cues that read aloud, its words and pairs of words.

The words of each cue are in `directives.toml`; how much each weighs is in `directives.tsv`.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from reverie.language.vocabulary import APOSTROPHES, BARE, word_set

FOLLOWS = "after a directive"
LONGEST = 400  # characters of a sentence that is looked at: beyond that nobody gives an order
ENDS = word_set("only ever always never please pls tops max again")
JUDGES = word_set("is are be stays stay strictly not isn't aren't always")
THE_ONE = word_set("the this that it")
ALWAYS = word_set("always never")
ANY = word_set("a an any someone anyone somebody something")
PAST = re.compile(
    r"\b(?:was|were|had|did|didn't|went|got|said|told|made|took|came|gave|found|thought|used to|\w{3,}ed)\b"
)
HABIT = re.compile(
    r"\b(?:i|we|he|she|they|it|who|everyone|nobody) (?:always|never|only|hardly|usually|rarely|mostly|almost never) "
    r"(?!want|need|like|prefer|accept|read)\w+"
)
ANNOUNCES = re.compile(
    r"\b(?:rules?|one thing|things|request|going forward|for the future|from now on|remember|note|preferences?)\b", re.I
)
_OPAQUE = re.compile(
    r"```.*?```|`[^`\n]{1,200}`|\"[^\"\n]{2,300}\"|“[^”\n]{2,300}”|„[^“”\n]{2,300}[“”]|«[^»]{2,300}»|https?://\S+"
)
_TOKEN = re.compile(
    r"(?P<path>(?:[\w.-]*/[\w.*/-]+|[\w-]+/(?=\s|$)|\*?\.?[\w-]+\.(?:py|go|js|ts|md|yaml|yml|json|toml|txt|csv|sql|rs|java)\b))"
    r"|(?P<number>[~€$£#]?\d[\d.,:%h]*)|(?P<word>[^\W\d_][\w'-]*)|(?P<mark>[.,;:!?…()–—=+-]+)|(?P<quoted>§)"
)


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """Where a sentence stands in its turn."""

    before: str = ""  # the sentence before it
    after_one: bool = False  # which is a directive
    answers: bool = False  # it is the first, and somebody had just asked something


@dataclass(frozen=True, slots=True)
class OrderClause:
    """The words of one clause, and those among them that are left when its lead-in is taken away."""

    words: tuple[str, ...]
    bare: tuple[str, ...]

    @property
    def head(self) -> str:
        return self.bare[0] if self.bare else ""


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("directives.toml").read_text("utf-8"))


@lru_cache(maxsize=8)
def _table(section: str) -> dict[str, frozenset[str]]:
    return {name: word_set(text) for name, text in _tables()[section].items()}


@lru_cache(maxsize=1)
def _phrases_table() -> dict[str, tuple[str, ...]]:
    parted = {name: text.split(",") for name, text in _tables()["phrases"].items()}
    return {name: tuple(" ".join(phrase.split()) for phrase in phrases) for name, phrases in parted.items()}


@lru_cache(maxsize=64)
def _words(name: str, section: str = "words") -> frozenset[str]:
    return _table(section)[name]


ALONE = SentencePlace()


def features(sentence: str, where: SentencePlace = ALONE) -> set[str]:
    """What a sentence shows: its cues by name, its words and pairs of words."""
    words = said(sentence)
    plain = [word for word in words if word[0].isalnum() or word in ("#", "/", "§")]
    return {
        *cues(words, sentence, where),
        *(f"w {word}" for word in plain),
        *(f"p {a} {b}" for a, b in pairwise(["^", *words, "$"])),
    }


def said(sentence: str) -> list[str]:
    """The words as the cues read them: lower case, numbers, paths and quotations closed to view.

    >>> said('Dont touch legacy/ at 5pm, say "hi"')
    ["don't", 'touch', '/', 'at', '#', 'pm', ',', 'say', '§']
    """
    text = _OPAQUE.sub(" § ", sentence[:LONGEST].translate(APOSTROPHES)).lower()
    short = {"path": "/", "number": "#", "quoted": "§"}
    return [
        short.get(token.lastgroup or "", "") or BARE.get(token[0], token[0][:1] if token["mark"] else token[0])
        for token in _TOKEN.finditer(text)
    ]


def clauses(words: Sequence[str]) -> list[OrderClause]:
    parts: list[list[str]] = [[]]
    for word in words:
        if not word[0].isalnum() and word not in "#/§":
            parts.append([])
        elif word in _words("join") and parts[-1]:
            parts.append([word])
        else:
            parts[-1].append(word)
    return [OrderClause(tuple(part), _without_lead_in(part)) for part in parts if part]


def _without_lead_in(words: Sequence[str]) -> tuple[str, ...]:
    start = next((i for i, word in enumerate(words) if word not in _words("lead-in")), len(words))
    return tuple(words[start:])


def cues(words: Sequence[str], sentence: str, where: SentencePlace) -> Iterator[str]:
    """The named signs for and against."""
    parts = clauses(words)
    text = " ".join(words)
    everything = set(words)
    heads = [part.head for part in parts if part.head]
    for i, head in enumerate(heads):
        yield from _opening(head, ", later" if i else "")
    for part in parts:
        yield from _orders(part)
        yield from _bans(part)
        yield from _addressed(part)
    yield from _shape(words, parts)
    yield from _phrases(text, everything)
    if sentence.rstrip(" )\"'").endswith("?"):
        yield "asked"
    if PAST.search(text):
        yield "past"
    if HABIT.search(text):
        yield "a habit"
    yield from _place(where)
    yield _length(len(words))


def _place(where: SentencePlace) -> Iterator[str]:
    if ANNOUNCES.search(where.before):
        yield "after a rule was announced"
    if "a text for others" in _phrases(" ".join(said(where.before)), set()):
        yield "after a text was asked for"
    if where.after_one:
        yield FOLLOWS
    if where.answers:
        yield "answers a question"


def _opening(head: str, where: str) -> Iterator[str]:
    """How a clause begins: with an order, a ban, a condition, or somebody who does something."""
    for name, table in _table("openings").items():
        if head in table:
            yield f"{name}{where}"


def _orders(part: OrderClause) -> Iterator[str]:
    """What is ordered, and of what: of all things of a kind, or of the one at hand."""
    for i, word in enumerate(part.bare):
        leads = i == 0 or part.bare[i - 1] in _words("modifier")
        if not (leads and word in _words("an order", "openings")):
            continue
        verb = "manner" if word in _words("manner") else "task" if word in _words("task") else "order"
        banned = bool(set(part.bare[:i]) & {"don't", "never", "not", "stop", "avoid", "no"})
        kind = object_of(part.bare[i + 1 :])
        if ALWAYS & {*part.bare[max(0, i - 1) : i], *part.bare[-1:]}:
            yield "an order for always"
        yield f"{verb}{', not' if banned else ''}"
        yield f"order of {kind}{', not' if banned else ''}"
        yield f"{verb} of {kind}{', not' if banned else ''}"


def _bans(part: OrderClause) -> Iterator[str]:
    for first, second in pairwise((*part.bare, "$")):
        if first in ("no", "zero", "keine", "kein", "fewer", "less"):
            yield f"no {'more' if second == 'more' else 'things' if _plural(second) else 'thing'}"
        if first in ("stop", "quit", "avoid", "start", "keep") and second.endswith("ing"):
            yield f"{first} doing"


def _addressed(part: OrderClause) -> Iterator[str]:
    first, second = (*part.bare, "", "")[:2]
    if first in _words("you"):
        yield "you may" if second in _words("allowed") else "you don't" if second == "don't" else "you"
    if first in ("can", "could", "would", "will") and second in _words("you"):
        yield "would you"
    if first in ("i", "i'd", "we", "we'd") and set(part.bare[1:4]) & _words("wish"):
        yield "a wish to you" if set(part.bare) & _words("you") else "a wish"


def object_of(words: Sequence[str]) -> str:
    """What kind of thing an order is about: "the one", "it", "things", "all", …

    >>> object_of(["answers", "short"]), object_of(["me", "the", "table"]), object_of(["it"]), object_of(["a", "poem"])
    ('things', 'the one', 'it', 'a new one')
    """
    left = [word for word in words if word not in _words("skipped")]
    if not left:
        return "nothing"
    for kind, table in _table("objects").items():
        if left[0] in table:
            return f"{kind} things" if kind == "my" and any(map(_plural, left[1:3])) else kind
    if left[0] == "#":
        return "a new one"
    return "things" if _plural(left[0]) or any(map(_plural, left[1:2])) else "something"


def _plural(word: str) -> bool:
    return word in _words("mass") or (
        len(word) > 3
        and word.endswith("s")
        and not word.endswith(("ss", "us", "is", "'s"))
        and word not in _words("not plural")
    )


def _shape(words: Sequence[str], parts: Sequence[OrderClause]) -> Iterator[str]:
    """What the sentence is as a whole: without a verb, under a heading, ending on a word that makes a rule."""
    if _words("verb").isdisjoint(words) and not any(_is_order(word) for part in parts for word in part.bare[:2]):
        yield "no verb"
        if any(map(_plural, words[:3])):
            yield "no verb, things"
    if ":" in words[1:5]:
        yield "a heading"
    if parts and parts[0].head in _words("a condition", "openings"):
        yield from _condition(parts)
    if not ENDS.isdisjoint(words[-2:]):
        yield "ends on a rule word"
    yield f"{min(sum(map(_plural, words)), 3)} kinds of things"
    if any(word in _words("verdict") and before in JUDGES for before, word in pairwise(words)):
        yield "a verdict"


def _condition(parts: Sequence[OrderClause]) -> Iterator[str]:
    """What a first clause makes the rest depend on: on what I or you do, on any thing of a kind, on the one at hand."""
    first = parts[0].bare
    if any(_is_order(word) or word in _words("a ban", "openings") for part in parts for word in part.words[1:]):
        yield "a condition with an order"
    if first[1:2] and first[1] in ("i", "you", "u", "we"):
        word = first[0] if first[0] in ("when", "whenever", "if") else "on"
        yield f"a condition: {word} {'i' if first[1] == 'i' else 'you'}"
    if not THE_ONE.isdisjoint(first[1:4]):
        yield "a condition on the one"
    elif not ANY.isdisjoint(first[1:4]) or any(map(_plural, first[1:4])):
        yield "a condition on any"


def _is_order(word: str) -> bool:
    return word in _words("an order", "openings")


def _phrases(text: str, words: set[str]) -> Iterator[str]:
    spaced = f" {text} "
    for name, table in _table("cues").items():
        if words & table:
            yield name
    for name, phrases in _phrases_table().items():
        if any(f" {phrase} " in spaced for phrase in phrases):
            yield name


def _length(count: int) -> str:
    return "a few words" if count <= 4 else "short" if count <= 9 else "of some length" if count <= 20 else "long"
