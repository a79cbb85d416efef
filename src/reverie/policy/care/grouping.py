"""Which statements are about one topic, and which earlier notes a new note on it replaces.

A topic is something that is named: a person, a project, a thing. Statements of a topic name it, and are not far apart
in time. What half of all talk names is no topic, and two statements that merely use one everyday word have none.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from reverie.language.topics import POINTED, Thing, is_topic_word, key_of, things
from reverie.language.words import terms
from reverie.model.base import DAY, Instant
from reverie.model.memories import Memory


@dataclass(frozen=True, slots=True)
class GroupWeights:
    window_days: float = 30.0
    most: int = 12  # statements of one topic
    least: int = 2  # episodes
    share: float = 0.08  # of all statements: a thing named more often than this is what everything is about
    name_share: float = 0.3
    few: int = 8  # so many statements are never too many
    cues: float = 0.3  # of its mentions that show a word to be a thing: an article, a preposition, a capital
    name: float = 1.5  # how much more a name says than a word
    compound: float = 1.6  # and a thing of two words
    enough: float = 3.0  # below this score the statements have a word in common and nothing else


WEIGHTS = GroupWeights()


@dataclass(frozen=True, slots=True)
class Topical:
    """A statement as grouping sees it."""

    id: str
    episode: str
    at: Instant
    things: tuple[Thing, ...]
    terms: frozenset[str]

    @classmethod
    def of(cls, id: str, episode: str, at: Instant, quote: str) -> "Topical":
        said = "" if quote.startswith("[") and quote.endswith("]") else quote  # "[shares a photo]" is a deed, no speech
        return cls(id, episode, at, tuple(things(said)), frozenset(terms(said)))


@dataclass(frozen=True, slots=True)
class SharedTopic:
    """A thing, and the statements that name it, the oldest first."""

    key: str
    shown: str  # as it is written most often
    statements: tuple[Topical, ...]
    score: float = 0.0

    @property
    def episodes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(statement.episode for statement in self.statements))

    @property
    def forms(self) -> list[Thing]:
        """The thing as each statement writes it, where it shows that it is one."""
        return [thing for statement in self.statements for thing in statement.things if thing.key == self.key]


def topics(
    statements: Sequence[Topical],
    new: Collection[str],
    speakers: Collection[str] = (),
    w: GroupWeights = WEIGHTS,
) -> list[SharedTopic]:
    """Topics of two or more episodes, the best first, each with something new; a statement is in one topic at most.

    `speakers` are no topics of their own talk.

    >>> said = [Topical.of("a", "e1", 0.0, "I asked Petra"), Topical.of("b", "e2", 1.0, "then petra wrote back")]
    >>> [(topic.shown, topic.episodes) for topic in topics(said, new={"b"})]
    [('Petra', ('e1', 'e2'))]
    """
    found = [topic for topic in _candidates(statements, speakers, w) if any(s.id in new for s in topic.statements)]
    taken: set[str] = set()
    kept: list[SharedTopic] = []
    for topic in sorted(found, key=lambda topic: (-topic.score, topic.key)):
        left = tuple(s for s in topic.statements if s.id not in taken)
        rest = replace(topic, statements=left)
        if len(rest.episodes) >= w.least and 2 * len(left) > len(topic.statements) and any(s.id in new for s in left):
            taken.update(s.id for s in left)
            kept.append(rest)
    return kept


def naming(statements: Sequence[Topical], shown: str) -> SharedTopic:
    """The statements that name a thing, whatever else they have in common."""
    key = key_of(shown)
    found = sorted(_holding(statements, [key])[key], key=lambda s: (s.at, s.id)) if key else []
    return SharedTopic(key, shown, tuple(found))


def _candidates(statements: Sequence[Topical], speakers: Collection[str], w: GroupWeights) -> list[SharedTopic]:
    evidence: dict[str, list[Thing]] = {}
    for statement in statements:
        for thing in statement.things:
            evidence.setdefault(thing.key, []).append(thing)
    holding = _holding(statements, evidence)
    barred = {term for speaker in speakers for term in terms(speaker)}
    found = []
    for key, seen in evidence.items():
        named = sorted(holding[key], key=lambda s: (s.at, s.id))
        share = w.name_share if _is_name(seen) else w.share
        if barred & set(key.split()) or len(named) > max(w.few, share * len(statements)):
            continue
        if _is_thing(seen, len(named), w):
            near = _near(named, w)
            if " " not in key and not _is_name(seen):
                near = _cohesive(key, near)
            topic = SharedTopic(key, _most_written(seen), near, _score(key, near, seen, w))
            found += [topic] if len(topic.episodes) >= w.least and topic.score >= w.enough else []
    return found


def _holding(statements: Sequence[Topical], keys: Iterable[str]) -> dict[str, list[Topical]]:
    """The statements that name each of these, however they write it."""
    by_term: dict[str, list[Topical]] = {}
    for statement in statements:
        for term in statement.terms:
            by_term.setdefault(term, []).append(statement)
    return {
        key: [s for s in by_term.get(key.split()[-1], ()) if all(term in s.terms for term in key.split())]
        for key in keys
    }


def _is_thing(seen: Sequence[Thing], mentions: int, w: GroupWeights) -> bool:
    return _is_name(seen) or len(seen) >= max(2, w.cues * mentions)


def _is_name(seen: Sequence[Thing]) -> bool:
    """Written with a capital, and never after an article without one: "Dai the Van" does not make a van a name."""
    return any(thing.name for thing in seen) and not any(thing.lead in POINTED for thing in seen if not thing.name)


def _most_written(seen: Sequence[Thing]) -> str:
    """A name with its capital, where anybody wrote it so."""
    names = [thing.shown for thing in seen if thing.name] if _is_name(seen) else []
    return Counter(names or [thing.shown for thing in seen]).most_common(1)[0][0]


def _near(named: Sequence[Topical], w: GroupWeights) -> tuple[Topical, ...]:
    """The last of these, back to the window's edge."""
    return tuple(s for s in named[-w.most :] if named[-1].at - s.at <= w.window_days * DAY)


def _cohesive(key: str, near: Sequence[Topical]) -> tuple[Topical, ...]:
    """Those that share more than the one word: a tablet to swallow and one to read on are two things."""
    shared = _besides(key, near)
    return tuple(statement for statement in near if statement.terms & shared)


def _besides(key: str, near: Sequence[Topical]) -> set[str]:
    """What two or more of these name or count besides the thing itself."""
    times = Counter(term for statement in near for term in statement.terms if term not in key.split())
    return {term for term, n in times.items() if n > 1 and (is_topic_word(term) or term.isdigit())}


def _score(key: str, near: Sequence[Topical], seen: Sequence[Thing], w: GroupWeights) -> float:
    """How much the statements have in common: how many there are, what they share besides, how sure the thing is."""
    sure = (w.name if _is_name(seen) else 1.0) * (w.compound if " " in key else 1.0)
    return round((min(len(near), 5) + 0.5 * min(len(_besides(key, near)), 4)) * sure, 3)


def replaced_by(note: Memory, known: Iterable[Memory]) -> tuple[Memory, ...]:
    """The earlier notes whose place a new one takes: on the same topic, or at least half of which it cites."""
    unique = {old.id: old for old in known if not old.stale and old.id != note.id}
    cited = set(note.sources)
    return tuple(
        old
        for old in unique.values()
        if old.title == note.title or 2 * len(cited & set(old.sources)) >= len(old.sources)
    )
