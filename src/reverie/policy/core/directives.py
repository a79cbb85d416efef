"""The block `directives`: how the user wants to be served, in their words, newest first on each matter."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reverie.language import quoting
from reverie.language.vocabulary import APOSTROPHES, word_set
from reverie.language.words import jaccard, stems, tokens
from reverie.model.base import Instant, Trust
from reverie.model.memories import Memory
from reverie.policy.core.rewriting import BlockLine, text_of

ALIKE = 0.6  # of the words of two directives, from which they are on the same matter
NEAR = 0.4  # how near in meaning a directive is to the one that it changes in other words
OVERTAKEN = "overtaken"  # in its marks: the later directive that changes it in other words
CHANGED = "changed"  # as its cue: the words of a directive say that something changes
_LANGUAGES = """
    arabic chinese czech danish dutch english finnish french german greek hebrew hindi hungarian italian japanese korean
    norwegian polish portuguese romanian russian spanish swedish turkish ukrainian welsh
    deutsch englisch français anglais español inglés
"""
# Words that settle one question each: of two directives that both name one for the same thing, the newer holds.
MATTERS = {
    "the language of answers": word_set(_LANGUAGES),
    "the length of answers": word_set("short shorter long longer brief concise terse detailed detail lengthy length"),
    "emojis": word_set("emoji emojis smiley smileys emoticons"),
    "the tone": word_set("formal informal casual polite formally informally"),
    "units": word_set("metric imperial celsius fahrenheit kilometres kilometers miles grams ounces"),
    "the clock": word_set("24h 12h am pm"),
    "lists or prose": word_set("bullet bullets lists prose paragraphs"),
}
# What a directive on one of these may say besides without being about something else.
GENERAL = word_set("""
    answer answers answering reply replies respond responses write writing speak talk use keep make be go back switch
    stay give want prefer like everything language general future on more less few fewer too bit time times units please
""")
_EMPTY = word_set("""
    a an the and or but to in on of for with at by from as is are be i me my we our you your it this that please pls
    always never now again only just do don't not no so if when also from
""")

_TAKING_BACK = frozenset(
    stems(
        word_set("""
    about again all allowed any anymore ban bother btw can cancel disregard drop each every feel fine forget free
    haha have hey leave line lines lose out part parts time times
    hm hmm ignore instruction instructions let lift longer may mind more need needn't never nevermind off oh ok
    okay over quit revoke rule rules said scrap scratch skip stop take back than that thing things told undo
    welcome well what yes
""")
    )
)


_CLAUSE = re.compile(r"(?<=\w\w\w)(?:[.;!]\s|, (?=it|that|they|i|we|he|she)\b)")


@dataclass(frozen=True, slots=True)
class Arranged:
    """A block's lines as they should stand, and the directives that had no room."""

    lines: tuple[BlockLine, ...]
    left_out: tuple[Memory, ...] = ()

    @property
    def text(self) -> str:
        return text_of(self.lines)


def may_stand(memory: Memory, now: Instant) -> bool:
    """Whether a directive is the user's own word and still holds."""
    over = memory.valid_until is not None and memory.valid_until <= now
    return (
        memory.kind == "directive" and memory.trust >= Trust.USER and not (memory.stale or memory.quarantined or over)
    )


def in_force(directives: Iterable[Memory]) -> list[Memory]:
    """Those that no later word of the user's has ended, newest first; what only ends another is none itself.

    >>> said = lambda text, at, **more: Memory(text, "s", "directive", text, ("t",), created_at=at, marks=more)
    >>> rules = [said("no Oxford commas", 1.0), said("use tabs", 2.0), said("forget the rule about commas", 3.0,
    ...          negated=True, cue="taken back")]
    >>> [memory.text for memory in in_force(rules)]
    ['use tabs']
    """
    standing: list[Memory] = []
    for memory in sorted(directives, key=lambda memory: (memory.dated, memory.id)):
        if not memory.marks.get("negated"):
            standing.append(memory)
            continue
        ended = _ended(memory, standing)
        standing = [one for one in standing if one not in ended]
        overtakes = any(one.marks.get(OVERTAKEN) == memory.id for one in standing)
        if overtakes or (not ended and memory.marks.get("cue") == "let off"):
            standing.append(memory)
    return standing[::-1]


def changed_by(newer: Memory, older: Sequence[Memory], nearness: Sequence[float]) -> Memory | None:
    """Which of the older directives a newer one changes or ends in other words: the nearest in meaning, if it is near.

    Only where its words speak of a change, or ban what the older one asks for. Both stay in the block, the older one
    marked: it may hold in part.

    >>> said = lambda text, **marks: Memory(text, "s", "directive", text, ("t",), created_at=1.0, marks=marks)
    >>> rules = [said("tell me every evening how many units are left"), said("call me Zo")]
    >>> changed_by(said("you can stop the units message", cue="let off"), rules, [0.6, 0.1]).text
    'tell me every evening how many units are left'
    >>> changed_by(said("no units in titles"), rules, [0.6, 0.1]) is None
    True
    """
    if against := [one for one in older if opposed(newer, one)]:
        return against[-1]
    if not newer.marks.get("cue") or not older:
        return None
    nearest = max(range(len(older)), key=lambda i: nearness[i])
    found, scope = older[nearest], newer.marks.get("scope", "")
    return found if nearness[nearest] >= NEAR and scope in ("", found.marks.get("scope", "")) else None


def opposed(newer: Memory, older: Memory) -> bool:
    """Whether one asks for what the other does not want: "show me the diff", "don't show me diffs".

    >>> said = lambda text: Memory(text, "s", "directive", text, ("t",), created_at=1.0)
    >>> opposed(said("just commit, dont show me diffs"), said("show me the diff before you commit"))
    True
    >>> opposed(said("don't show me diffs of tests"), said("never show me diffs"))
    False
    """
    if newer.marks.get("scope", "") not in ("", older.marks.get("scope", "")):
        return False
    mine, theirs = (list(_clauses(memory.quote or memory.text)) for memory in (newer, older))
    return any(
        bool(act) != bool(other) and (act or other) in words & others and len(words & others) >= LEAST_OPPOSED
        for act, words in mine
        for other, others in theirs
    )


LEAST_OPPOSED = 2  # words that a ban and an order share: what to do, and with what
_PARTS = re.compile(r"[.;,:!]\s|\n| (?:but|and|then) ")
_BANS = re.compile(r"\b(?:don'?t|do not|never|stop|no longer|needn'?t)\b", re.I)


def _clauses(text: str) -> Iterator[tuple[str, set[str]]]:
    """Each clause of a directive: the act that it bans, if it does, and its words."""
    for clause in _PARTS.split(text.translate(APOSTROPHES)):
        ban = _BANS.search(clause)
        acts = [word for word in tokens(clause[ban.end() :]) if word not in _EMPTY] if ban else []
        yield next(iter(stems(acts[:1])), ""), _content(set(tokens(_BANS.sub(" ", clause)))) - {"about", "them"}


def _ended(ending: Memory, standing: Sequence[Memory]) -> list[Memory]:
    """What is named again; where nothing is ("forget that rule"), the last that was said in the same talk."""
    words = ending.quote or ending.text
    if names_matter(words):
        return [one for one in standing if on_matter_of(words, one.quote or one.text)]
    return [one for one in standing if one.session == ending.session][-1:]


def names_matter(ending: str) -> bool:
    return bool(_named(ending))


def _named(ending: str) -> set[str]:
    """What the first clause of an ending names; why it was said follows after it."""
    clause = _CLAUSE.split(ending.strip(), maxsplit=1)[0] if _CLAUSE.search(ending.strip()) else ending
    return (_content(set(tokens(clause))) or _content(set(tokens(ending)))) - _TAKING_BACK


def on_matter_of(ending: str, directive: str) -> bool:
    """Whether the words that take a directive back name what it is about.

    >>> on_matter_of("you can stop adding sources", "always add your sources"), on_matter_of("emojis are ok", "tabs")
    (True, False)
    """
    named = _named(ending)
    shared = named & _content(set(tokens(directive)))
    return bool(shared) and 2 * len(shared) >= len(named)


def line_of(memory: Memory, earlier: bool = False) -> str:
    """
    >>> line_of(Memory("m", "s", "directive", "No emojis.", ("t",), created_at=1_793_836_800.0))
    '- No emojis. (5 November 2026)'
    """
    said = " ".join((memory.quote or memory.text).split())
    line = f"- {said} ({quoting.day(memory.dated)}{', earlier' if earlier else ''})"
    return quoting.behind(line, str(memory.marks.get("talk") or ""))


def same_matter(one: Memory, other: Memory) -> bool:
    """Whether two directives settle the same question, so that the newer one holds. In doubt they do not.

    >>> said = lambda text: Memory(text, "s", "directive", text, ("t",), created_at=1.0)
    >>> same_matter(said("always answer in German"), said("answer in English again"))
    True
    >>> same_matter(said("comments in German"), said("answer in English"))
    False
    """
    if one.marks.get("scope", "") != other.marks.get("scope", ""):
        return False
    mine, theirs = set(tokens(one.quote or one.text)), set(tokens(other.quote or other.text))
    if _names_the_user(one) and _names_the_user(other):
        return True
    named = [words for words in MATTERS.values() if mine & words and theirs & words]
    if len(named) == 1:
        return _rest(mine, named[0]) <= GENERAL and _rest(theirs, named[0]) <= GENERAL
    return jaccard(_content(mine), _content(theirs)) >= ALIKE


def _names_the_user(memory: Memory) -> bool:
    return (memory.quote or memory.text).casefold().startswith(("call me", "please call me"))


def _rest(words: set[str], matter: frozenset[str]) -> set[str]:
    return words - matter - _EMPTY


def _content(words: set[str]) -> set[str]:
    return set(stems(word for word in words if word not in _EMPTY))


def arranged(own: Sequence[BlockLine], directives: Sequence[Memory], limit: int) -> Arranged:
    """A person's own lines first, untouched; then one line a directive, newest first, each matter together.

    What does not fit: first the earlier words on a matter, oldest first, then the oldest of the rest.
    """
    newest_first = sorted(directives, key=lambda memory: (-memory.dated, memory.id))
    lines = [(memory, earlier) for memory, earlier in _by_matter(newest_first)]
    left_out: list[Memory] = []
    while lines and len(text_of(_lines(own, lines))) > limit:
        index = max(range(len(lines)), key=lambda i: (lines[i][1], -lines[i][0].dated, i))
        left_out.append(lines.pop(index)[0])
    return Arranged(tuple(_lines(own, lines)), tuple(left_out))


def _lines(own: Sequence[BlockLine], lines: Sequence[tuple[Memory, bool]]) -> list[BlockLine]:
    return [*own, *(BlockLine(line_of(memory, earlier), (memory.id,)) for memory, earlier in lines)]


def _by_matter(newest_first: Sequence[Memory]) -> Iterator[tuple[Memory, bool]]:
    """Each directive with whether a newer one is on the same matter; those follow the newer one."""
    waiting = list(newest_first)
    while waiting:
        head = waiting.pop(0)
        yield head, False
        earlier = [memory for memory in waiting if same_matter(head, memory) or memory.marks.get(OVERTAKEN) == head.id]
        for memory in earlier:
            waiting.remove(memory)
            yield memory, True
