"""Which directives the user's new turns end or change in other words, whatever they are put as.

An edge leads from the directive that says so, or from the turn, to the one that it lifts; the step `directives` leaves
that one out, or shows it behind the newer. An undone night and a forgotten turn take their edges with them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.asleep.step import Minds
from reverie.language.speech import utterances
from reverie.minds.authorship import PlaceInTurn, is_doubted
from reverie.minds.embed import Vectors
from reverie.minds.rules.directives.endings import changes, ending_of
from reverie.model.base import Trust
from reverie.model.memories import Edge, Memory
from reverie.model.night import Night
from reverie.policy.core.directives import may_stand
from reverie.policy.core.lifting import RELATED, RuleAndSentence, lifted, may_lift
from reverie.policy.core.lines import of_health
from reverie.policy.recall.current import MAYBE
from reverie.store.reader import Reader
from reverie.store.reading import core, memories, vectors

MOST = 300  # directives of a space that are looked at, the newest first
LONGEST_TURN = 4_000  # characters: in a longer one nobody takes a rule back in passing
READ = 4  # directives that a sentence is read beside, the nearest ones


@dataclass(frozen=True, slots=True)
class SentenceOfTurn:
    turn: Memory
    text: str


def lifts(night: Night, reader: Reader, minds: Minds, batch: Sequence[Memory]) -> list[Edge]:
    """An edge from each new statement of the user's to the directives that it ends."""
    if minds.overtaking is None or not minds.embedder.dim:
        return []
    standing = [one for one in core.directives(reader, MOST) if may_stand(one, night.now)]
    of = {id: rows[0] for id, rows in vectors.by_refs(reader, [m.id for m in standing], minds.embedder.id).items()}
    said = [one for turn in batch if _is_speech(turn) for one in _sentences(turn)] if of else []
    if not said:
        return []
    drawn = memories.made_of_each(reader, {one.turn.id for one in said}, "directive")
    own = minds.embedder.embed([one.text for one in said])
    edges: list[Edge] = []
    for one, vector in zip(said, own, strict=True):
        source = _stands_for(one, drawn.get(one.turn.id, ()))
        near = _nearest(one, vector, standing, of)
        is_rule = source != one.turn.id
        ended = [older for older in _lifted(minds, one, near, is_rule) if is_rule or not of_health(older)]
        for older in ended if ended and _is_own(minds, one) else ():
            edges.append(Edge(night.space, source, older.id, "updates", MAYBE, night.now, night.id, older.quote))
    return edges


def _is_own(minds: Minds, one: SentenceOfTurn) -> bool:
    """Whether nothing says that the words are somebody else's."""
    if minds.judge is None:
        return True
    place = PlaceInTurn.of(one.turn.text, one.text)
    return not is_doubted(place, minds.judge.others([place])[0])


def _is_speech(memory: Memory) -> bool:
    own = memory.kind == "episode" and memory.trust >= Trust.USER and memory.block is None
    return own and not memory.stale and not memory.quarantined and len(memory.text) <= LONGEST_TURN


def _sentences(turn: Memory) -> Iterator[SentenceOfTurn]:
    yield from (SentenceOfTurn(turn, one.text) for one in utterances(turn.text) if may_lift(one.text))


def _nearest(
    one: SentenceOfTurn, vector: Vectors, standing: Sequence[Memory], of: dict[str, Vectors]
) -> list[tuple[Memory, float]]:
    """The directives given before that a sentence is nearest to in meaning."""
    earlier = (m for m in standing if m.id in of and m.dated < one.turn.dated and one.turn.id not in m.sources)
    near = [(m, float(of[m.id] @ vector)) for m in earlier if not m.marks.get("negated")]
    return sorted((pair for pair in near if pair[1] >= RELATED), key=lambda pair: -pair[1])[:READ]


def _lifted(minds: Minds, one: SentenceOfTurn, near: Sequence[tuple[Memory, float]], is_rule: bool) -> list[Memory]:
    assert minds.overtaking is not None
    odds = minds.overtaking.read([(older.quote, one.text) for older, _ in near])
    speaks_of_change = changes(one.text) or bool(ending_of(one.text))
    found = [
        RuleAndSentence(older.quote, one.text, nearness, its.overtakes, speaks_of_change)
        for (older, nearness), its in zip(near, odds, strict=True)
    ]
    return [near[i][0] for i in lifted(found, is_rule)]


def _stands_for(one: SentenceOfTurn, drawn: Sequence[Memory]) -> str:
    """The directive that holds the sentence, or the turn."""
    return next((memory.id for memory in drawn if one.text in memory.quote), one.turn.id)
