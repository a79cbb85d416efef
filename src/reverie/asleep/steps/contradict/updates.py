"""Which earlier statements the new ones bring up to date. Nothing is ended: the older one is marked, and comes second.

Found for episodes, not for facts alone: "make it 3" is worth keeping only for what it changes. Candidates come from the
same search that a question would use; `minds/rules/reading/updates.py` weighs them.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice, pairwise
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from reverie.asleep.shared.episodes import Scene, scenes
from reverie.asleep.step import Minds
from reverie.language.speech import utterances
from reverie.minds.authorship import PlaceInTurn, is_doubted
from reverie.minds.embed import Embedder, Vectors
from reverie.minds.rules.directives.directives import standing
from reverie.minds.rules.reading.change_words import takes_back
from reverie.minds.rules.reading.salience import is_question
from reverie.minds.rules.reading.update_marks import FEW, Said, Surroundings
from reverie.minds.rules.reading.updates import (
    LIKELY,
    SURE,
    Update,
    could_update,
    hinted,
    likely_if_near,
    may_be_one,
    may_update,
    weigh,
)
from reverie.minds.rules.reading.values import repeats, things
from reverie.minds.rules.reference.earlier import question_in
from reverie.model.base import Trust
from reverie.model.hits import Asking
from reverie.model.memories import Edge, Memory
from reverie.model.night import Night
from reverie.policy.recall.current import HINT, MAYBE, PART, WHOLE
from reverie.policy.recall.search_keys import episode_id
from reverie.store.reader import Reader
from reverie.store.reading import memories, vectors

CANDIDATES = 12  # earlier memories that one new statement is weighed against
HINTED = -1.5  # from here a statement that nothing links may be what another one is about
WITHIN = 1.0  # of the best: statements on the same matter that are older still
LONGEST_TURN = 4_000  # characters: in a longer one nobody says a change in passing
LONGEST_REPLY = 400
SHORT_TURN = 280
MANY = 200  # episodes: how many more there are changes nothing
RARE = 8  # memories: a word in more of them links less


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence of an episode, with all that its weighing reads."""

    episode: Memory
    said: Said
    reply: str = ""  # the episode of the reply


@dataclass(frozen=True, slots=True)
class Overtaken:
    older: Spoken
    newer: Spoken
    update: Update


def updates(night: Night, reader: Reader, minds: Minds, batch: Sequence[Memory]) -> list[Edge]:
    """An edge from each new statement to the memories that it overtakes."""
    new = [memory for memory in batch if _is_speech(memory)]
    if not new or minds.search is None:
        return []
    statements = max(1, memories.count_up_to(reader, "episode", MANY) // 2)
    found: list[Overtaken] = []
    telling: list[list[Spoken]] = []
    for scene in scenes(reader, new):
        said = list(_spoken(scene))
        found += _taken_back(said)
        told = (one for one in said if not standing(one.said.own).holds)
        spoken = [one for one in told if may_update(one.said)]
        telling += [spoken] if any(could_update(one.said, statements) for one in spoken) else []
    _rarity(reader, (one for spoken in telling for one in spoken))  # all of a batch is read together
    earlier = _candidates(night, reader, minds, [spoken[0] for spoken in telling])
    measured = bool(minds.embedder.dim)
    weighing = [Weighing.of(reader, *its, statements, measured) for its in zip(telling, earlier, strict=True)]
    near = SentenceCosines(minds.embedder, (one for its in weighing for pair in its.pairs for one in pair))
    for its in weighing:
        found += its.overtaken(near)
    return _edges(night, reader, _in_own_words(minds, found))


def inherited(night: Night, reader: Reader, batch: Sequence[Memory]) -> list[Edge]:
    """Edges to new facts whose turn was overtaken before it was read: a person has corrected it, say."""
    found, made = [], [fact for fact in batch if fact.kind == "fact"]
    edges = memories.updates(reader, (source for fact in made for source in fact.sources))
    for fact in made:
        for edge in (edge for edge in edges if edge.b in fact.sources):
            if edge.a != fact.id and (edge.weight > PART or edge.why in fact.quote or fact.quote in edge.why):
                found.append(replace(edge, b=fact.id, created_at=night.now, night=night.id))
    return found


def _in_own_words(minds: Minds, found: Sequence[Overtaken]) -> list[Overtaken]:
    """Without those whose newer statement reads as somebody else's words; where nobody reads, below the first line."""
    places = [PlaceInTurn.of(one.newer.episode.text, one.newer.said.own, one.newer.said.before) for one in found]
    if minds.judge is None:
        return [one for one, place in zip(found, places, strict=True) if not place.is_below]
    odds = minds.judge.others(places)
    said = zip(found, places, odds, strict=True)
    return [one for one, place, others in said if not is_doubted(place, others)]


def _is_speech(memory: Memory) -> bool:
    return (
        memory.kind == "episode"
        and memory.trust >= Trust.USER
        and memory.block is None
        and not memory.stale
        and not memory.quarantined
        and len(memory.text) <= LONGEST_TURN
    )


def _spoken(scene: Scene) -> Iterator[Spoken]:
    said = utterances(scene.memory.text[:LONGEST_TURN])
    before = scene.before[-1].text if scene.before and scene.before[-1].role == "assistant" else ""
    replies = scene.after[:1] if scene.after and scene.after[0].role == "assistant" else ()
    reply = replies[0].text[:LONGEST_REPLY] if replies else ""
    whole = " ".join(one.text for one in said) if len(said) > 1 else ""
    asked = question_in(before[-LONGEST_REPLY:])
    for place, one in enumerate(said):
        if is_question(one.text):
            continue
        answers_it = "" if place else asked
        statement = Said(one.text, whole, before[-LONGEST_REPLY:], reply, scene.memory.dated, answers_it)
        yield Spoken(scene.memory, statement, episode_id(scene.memory.space, replies[0].id) if replies else "")


def _taken_back(said: Sequence[Spoken]) -> Iterator[Overtaken]:
    """What the next sentence of the same turn ends: "We had a trip planned. That's off now."."""
    for older, newer in pairwise(said):
        if takes_back(newer.said.own) and not takes_back(older.said.own):
            yield Overtaken(older, newer, Update(SURE, {"taken back at once": 1.0}))


@dataclass(frozen=True, slots=True)
class Weighing:
    """What the sentences of one turn may overtake: pairs of an older and a newer one, and what their weighing needs."""

    pairs: Sequence[tuple[Spoken, Spoken]]
    around: Surroundings

    @staticmethod
    def of(
        reader: Reader, spoken: Sequence[Spoken], earlier: Sequence[Spoken], statements: int, measured: bool
    ) -> "Weighing":
        """`measured`: the two will be, so that those which would not do however near they are can be left out."""
        pairs = [(old, new) for new in spoken for old in earlier if may_be_one(old.said, new.said, statements)]
        around = Surroundings(statements, _rarity(reader, spoken) if pairs else {})
        if measured and statements > FEW:
            pairs = [(old, new) for old, new in pairs if likely_if_near(old.said, new.said, around)]
        return Weighing(pairs, around)

    def overtaken(self, near: "SentenceCosines") -> list[Overtaken]:
        """The best of the pairs that are sure enough, and its like."""
        weighed = self._judged(weigh, near)
        best = max((one.update.score for one in weighed), default=-math.inf)
        bar = max(LIKELY, best - WITHIN)
        if best >= LIKELY:
            return list(_one_of_each_turn(one for one in weighed if one.update.score >= bar))
        likeliest = max(self._judged(hinted, near), key=lambda one: one.update.score, default=None)
        return [likeliest] if likeliest is not None and likeliest.update.score >= HINTED else []

    def _judged(self, how: Callable[[Said, Said, Surroundings], Update], near: "SentenceCosines") -> list[Overtaken]:
        return [
            Overtaken(old, new, how(old.said, new.said, near.around(self.around, old, new))) for old, new in self.pairs
        ]


def _one_of_each_turn(found: Iterable[Overtaken]) -> Iterator[Overtaken]:
    """Of the sentences of one older turn the likeliest alone: a moved deadline takes no allergy with it that was told
    in the same breath."""
    likeliest: dict[tuple[str, str], Overtaken] = {}
    for one in found:
        key = one.older.episode.id, one.newer.said.own
        if key not in likeliest or one.update.score > likeliest[key].update.score:
            likeliest[key] = one
    yield from likeliest.values()


def _candidates(night: Night, reader: Reader, minds: Minds, new: Sequence[Spoken]) -> list[list[Spoken]]:
    """For each of these the sentences that the same person said before, near in words or meaning to the new turn and
    the talk around it."""
    minds.embedder.expect([_meant(newer.said) for newer in new])
    found = [_near(night, reader, minds, newer) for newer in new]
    known = memories.by_ids(reader, (id for ids in found for id in ids))
    earlier = [
        [known[id] for id in ids if id in known and _may_be_overtaken(known[id], newer.episode)]
        for ids, newer in zip(found, new, strict=True)
    ]
    every = {memory.id: memory for its in earlier for memory in its}
    spoken = {scene.memory.id: list(_spoken(scene)) for scene in scenes(reader, list(every.values()))}
    return [[one for memory in its for one in spoken[memory.id]] for its in earlier]


def _query(said: Said) -> str:
    return " ".join(part for part in (said.turn or said.own, said.before, said.reply) if part)


def _meant(said: Said) -> str:
    """The same without what was cut: a piece of a long answer is mostly code or a list, and would take most of the
    night's embedding."""
    around = (part for part in (said.before, said.reply) if part and len(part) < LONGEST_REPLY)
    return " ".join((said.turn or said.own, *around))


def _near(night: Night, reader: Reader, minds: Minds, newer: Spoken) -> list[str]:
    """What a search for a statement finds, and what that rests on."""
    assert minds.search is not None
    asking = Asking(k=CANDIDATES, kinds=("fact", "episode"), before=newer.episode.dated, include_stale=False)
    hits = minds.search(reader.space, _query(newer.said), asking, night.now, _meant(newer.said))
    return list(dict.fromkeys(id for hit in hits for id in (hit.id, *hit.sources)))


def _may_be_overtaken(earlier: Memory, newer: Memory) -> bool:
    return (
        _is_speech(earlier)
        and earlier.speaker == newer.speaker
        and earlier.id != newer.id
        and earlier.dated < newer.dated
    )


def _rarity(reader: Reader, spoken: Iterable[Spoken]) -> dict[str, float]:
    words = {word for one in spoken for text in (one.said.own, one.said.turn, one.said.reply) for word in things(text)}
    seen = vectors.occurrences(reader, sorted(words))
    return {word: 1.0 if n <= RARE else 1.0 / (1.0 + math.log(n / RARE)) for word, n in seen.items()}


class SentenceCosines:
    """The cosines of two statements: of the sentences, and of their whole turns; none without an embedder."""

    def __init__(self, embedder: Embedder, spoken: Iterable[Spoken]) -> None:
        self._measured = bool(embedder.dim)
        texts = dict.fromkeys(text for one in spoken for text in (one.said.own, _whole(one)))
        self._vectors = _vectors_of(embedder, list(texts)) if self._measured else {}

    def around(self, around: Surroundings, older: Spoken, newer: Spoken) -> Surroundings:
        """The same surroundings with the cosines of these two."""
        if not self._measured:
            return around
        closeness = self._cosine(older.said.own, newer.said.own)
        return replace(around, closeness=closeness, of_turns=self._cosine(_whole(older), _whole(newer)))

    def _cosine(self, one: str, other: str) -> float:
        return float(self._vectors[one] @ self._vectors[other])


# By embedder and a digest of the text, the latest asked for last: a statement is weighed against many that come after.
_VECTORS: dict[tuple[str, bytes], NDArray[np.float16]] = {}
_GUARD = Lock()  # nights of several spaces may run in one process
MOST_VECTORS = 40_000  # of 0.8 KB: in a large space the same ones come again only after thousands of others


def _vectors_of(embedder: Embedder, texts: Sequence[str]) -> dict[str, Vectors]:
    """The vectors of these texts, embedded where they were not measured lately; in half precision, new ones too."""
    keys = {text: (embedder.id, blake2b(text.encode(), digest_size=16).digest()) for text in texts}
    with _GUARD:
        held = {text: vector for text, key in keys.items() if (vector := _VECTORS.pop(key, None)) is not None}
        _VECTORS.update((keys[text], vector) for text, vector in held.items())
    new = [text for text in texts if text not in held]
    made = {text: vector.astype(np.float16) for text, vector in zip(new, embedder.embed(new), strict=True)}
    with _GUARD:
        _VECTORS.update((keys[text], vector) for text, vector in made.items())
        for key in list(islice(_VECTORS, max(0, len(_VECTORS) - MOST_VECTORS))):
            del _VECTORS[key]
    return {text: vector.astype(np.float32) for text, vector in (held | made).items()}


def _whole(spoken: Spoken) -> str:
    return spoken.said.turn or spoken.said.own


def _edges(night: Night, reader: Reader, found: Sequence[Overtaken]) -> list[Edge]:
    ids = dict.fromkeys(id for one in found for id in (one.older.episode.id, one.newer.episode.id))
    drawn = memories.made_of_each(reader, ids, "fact")
    notes = memories.made_of_each(reader, (one.older.episode.id for one in found), "note")
    made: dict[tuple[str, str], Edge] = {}
    for one in sorted(found, key=lambda one: -one.update.score):
        newer = _stands_for(one.newer, drawn)
        for older, part in _marked(one, drawn, notes):
            weight, why = (PART, part) if part else (WHOLE, one.older.said.own)
            if one.update.hint:
                weight = HINT
            elif one.update.score < SURE:
                weight = MAYBE
            edge = Edge(night.space, newer, older, "updates", weight, night.now, night.id, why)
            if newer != older:
                made.setdefault((newer, older), edge)
    return list(made.values())


def _stands_for(spoken: Spoken, drawn: Mapping[str, Sequence[Memory]]) -> str:
    """The fact that holds the sentence; of a short turn the turn itself, if it says more on it than the fact."""
    for fact in drawn.get(spoken.episode.id, ()):
        if spoken.said.own in fact.quote and (not spoken.said.turn or len(spoken.said.turn) > SHORT_TURN):
            return fact.id
    return spoken.episode.id


def _marked(
    one: Overtaken, drawn: Mapping[str, Sequence[Memory]], notes: Mapping[str, Sequence[Memory]]
) -> Iterator[tuple[str, str]]:
    """The memories that say the older statement, each with the words in question if it says more than that."""
    said, episode = one.older.said, one.older.episode
    part = one.update.part
    for fact in drawn.get(episode.id, ()):
        if said.own in fact.quote or fact.quote in said.own:
            yield fact.id, part or (said.own if len(fact.quote) > len(said.own) else "")
    yield episode.id, part or (said.own if said.turn else "")
    if one.older.reply and repeats(said.own, said.reply):
        yield one.older.reply, part
    for note in notes.get(episode.id, ()):
        if one.newer.episode.id not in note.sources:
            yield note.id, part or said.own
