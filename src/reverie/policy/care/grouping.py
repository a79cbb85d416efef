"""Which episodes are about one topic, and which earlier notes a new note on it replaces.

Episodes of a topic share words that are rare in the space, and are not far apart in time. Groups grow from words to
episodes, never by comparing all pairs.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from reverie.model.base import DAY, Instant
from reverie.model.memories import Memory


@dataclass(frozen=True, slots=True)
class GroupWeights:
    common: int = 12  # a word in more episodes than this is no topic
    shared: int = 2  # rare words that two episodes of one topic share
    window_days: float = 30.0
    most: int = 8  # episodes of one group


WEIGHTS = GroupWeights()


@dataclass(frozen=True, slots=True)
class Topical:
    """An episode as grouping sees it. `words`: its keywords and whom it mentions."""

    id: str
    at: Instant
    words: frozenset[str]


def groups(
    episodes: Sequence[Topical], occurrences: Mapping[str, int], new: Collection[str], w: GroupWeights = WEIGHTS
) -> list[tuple[str, ...]]:
    """Groups of two or more episodes, each with something new in it; an episode is in one group at most.

    >>> said = [Topical("a", 0.0, frozenset({"kiln", "glaze"})), Topical("b", 1.0, frozenset({"kiln", "glaze", "mug"}))]
    >>> groups([*said, Topical("c", 2.0, frozenset({"mug"}))], {"kiln": 2, "glaze": 2, "mug": 2}, new={"b"})
    [('a', 'b')]
    """
    by_id = {episode.id: episode for episode in episodes}
    rare = {e.id: frozenset(word for word in e.words if 2 <= occurrences.get(word, 0) <= w.common) for e in episodes}
    holding: dict[str, list[str]] = {}
    for episode in episodes:
        for word in sorted(rare[episode.id]):
            holding.setdefault(word, []).append(episode.id)
    taken: set[str] = set()
    found: list[tuple[str, ...]] = []
    for episode in sorted(episodes, key=lambda e: (e.at, e.id)):
        if episode.id in taken:
            continue
        group = [episode, *(by_id[id] for id in _company(episode, rare, holding, by_id, w) if id not in taken)][
            : w.most
        ]
        if len(group) >= 2 and any(member.id in new for member in group):
            taken.update(member.id for member in group)
            found.append(tuple(member.id for member in sorted(group, key=lambda e: (e.at, e.id))))
    return found


def _company(
    episode: Topical,
    rare: Mapping[str, frozenset[str]],
    holding: Mapping[str, Sequence[str]],
    by_id: Mapping[str, Topical],
    w: GroupWeights,
) -> list[str]:
    """Those that share enough rare words with it, the closest first."""
    shared: dict[str, int] = {}
    for word in rare[episode.id]:
        for other in holding[word]:
            if other != episode.id and abs(by_id[other].at - episode.at) <= w.window_days * DAY:
                shared[other] = shared.get(other, 0) + 1
    close = [id for id, n in shared.items() if n >= w.shared]
    return sorted(close, key=lambda id: (-shared[id], abs(by_id[id].at - episode.at), id))


def replaced_by(note: Memory, known: Iterable[Memory]) -> tuple[Memory, ...]:
    """The earlier notes whose place a new one takes: those of which it cites at least half."""
    unique = {old.id: old for old in known if not old.stale and old.id != note.id}
    cited = set(note.sources)
    return tuple(old for old in unique.values() if 2 * len(cited & set(old.sources)) >= len(old.sources))
