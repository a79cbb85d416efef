"""The block `directives`: how the user wants to be served, in their words, newest first on each matter."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reverie.language import quoting
from reverie.language.vocabulary import APOSTROPHES, word_set
from reverie.language.words import jaccard, stems, tokens
from reverie.model.base import Instant, Trust
from reverie.model.memories import Memory
from reverie.policy.core.rewriting import BlockLine, text_of

ALIKE = 0.6  # of the words of two directives, from which they are on the same matter
# How near in meaning a directive is to the one that it changes in other words, and if it names what that one names.
NEAR, STILL_NEAR = 0.4, 0.32
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


_CLAUSE = re.compile(r"(?<=\w\w)[.;!?,]+\s")
# Words by which a clause takes something back.
_ENDS_IT = re.compile(
    r"\b(?:stop|drop|forget|scrap|ignore|lift|scratch|undo|cancel|disregard|skip|revoke|quit|lose|leave out|no longer"
    r"|needn'?t|no need|don'?t (?:have|need|bother)|any ?more|allowed|fine|ok(?:ay)?|again|over|off)\b",
    re.I,
)


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
    marked: it may hold in part. Without `nearness` only a ban counts.

    >>> said = lambda text, **marks: Memory(text, "s", "directive", text, ("t",), created_at=1.0, marks=marks)
    >>> rules = [said("tell me every evening how many units are left"), said("call me Zo")]
    >>> changed_by(said("you can stop the units message", cue="let off"), rules, [0.6, 0.1]).text
    'tell me every evening how many units are left'
    >>> changed_by(said("no units in titles"), rules, [0.6, 0.1]) is None
    True
    """
    if against := [one for one in older if opposed(newer, one)]:
        return against[-1]
    if not newer.marks.get("cue") or not nearness:
        return None
    nearest = max(range(len(older)), key=lambda i: nearness[i])
    found, scope = older[nearest], newer.marks.get("scope", "")
    shared = len(_words(newer) & _words(found))
    near = nearness[nearest] >= (NEAR if shared < LEAST_OPPOSED else STILL_NEAR)
    return found if near and scope in ("", found.marks.get("scope", "")) else None


def _words(memory: Memory) -> set[str]:
    return _content(set(tokens(memory.quote or memory.text)))


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
    """What the clause of an ending names that takes something back; why it was said stands in others."""
    clauses = _CLAUSE.split(ending.strip())
    clause = next((one for one in clauses if _ENDS_IT.search(one) and _content(set(tokens(one))) - _TAKING_BACK), "")
    return _content(set(tokens(clause or ending))) - _TAKING_BACK


def on_matter_of(ending: str, directive: str) -> bool:
    """Whether the words that take a directive back name what it is about.

    >>> on_matter_of("you can stop adding sources", "always add your sources"), on_matter_of("emojis are ok", "tabs")
    (True, False)
    """
    named = _named(ending)
    shared = named & _content(set(tokens(directive)))
    return bool(shared) and 2 * len(shared) >= len(named)


def line_of(memory: Memory, changes: Memory | None = None) -> str:
    """A directive with its day, and with the one that it changes in other words: that one may say of what.

    >>> line_of(Memory("m", "s", "directive", "No emojis.", ("t",), created_at=1_793_836_800.0))
    '- No emojis. (5 November 2026)'
    """
    line = f"- {_said(memory)} ({quoting.day(memory.dated)})"
    if changes is not None:
        return line + quoting.earlier(f"{quoting.day(changes.dated)}: {quoting.quoted(_said(changes))}")
    return quoting.behind(line, str(memory.marks.get("talk") or ""))


def _said(memory: Memory) -> str:
    return " ".join((memory.quote or memory.text).split())


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


def plain_words(words: Iterable[str]) -> list[str]:
    """Those that say what a directive is about."""
    return [word for word in words if word not in _EMPTY]


def _content(words: set[str]) -> set[str]:
    return set(stems(plain_words(words)))


def arranged(own: Sequence[BlockLine], directives: Sequence[Memory], limit: int) -> Arranged:
    """A person's own lines first, untouched; then one line a matter, the newest word on it, newest first.

    What does not fit: the oldest. Earlier words on a matter stay in the list of directives, not in core.
    """
    newest_first = sorted(directives, key=lambda memory: (-memory.dated, memory.id))
    kept, changed = _newest_words(newest_first), _changed(newest_first)
    left_out: list[Memory] = []
    while kept and len(text_of(_lines(own, kept, changed))) > limit:
        left_out.append(kept.pop())
    return Arranged(tuple(_lines(own, kept, changed)), tuple(left_out))


def _lines(own: Sequence[BlockLine], kept: Sequence[Memory], changed: Mapping[str, Memory]) -> list[BlockLine]:
    told = ((memory, changed.get(memory.id)) for memory in kept)
    return [
        *own,
        *(BlockLine(line_of(new, old), (new.id,) if old is None else (new.id, old.id)) for new, old in told),
    ]


def _changed(newest_first: Sequence[Memory]) -> dict[str, Memory]:
    """By the id of a directive the one that it changes in other words, the last of several."""
    return {str(memory.marks[OVERTAKEN]): memory for memory in reversed(newest_first) if memory.marks.get(OVERTAKEN)}


def _newest_words(newest_first: Sequence[Memory]) -> list[Memory]:
    """Those that no newer directive is on the matter of, or changes in other words."""
    kept: list[Memory] = []
    for memory in newest_first:
        newer = {one.id for one in kept}
        if memory.marks.get(OVERTAKEN) not in newer and not any(same_matter(one, memory) for one in kept):
            kept.append(memory)
    return kept
