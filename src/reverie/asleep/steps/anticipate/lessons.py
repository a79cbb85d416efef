"""What earlier answers came to: hits counted, a share computed again and compared, bars moved, stale ones dropped."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reverie.asleep.shared.recall import as_evidence, evidence_for
from reverie.asleep.step import Minds
from reverie.errors import StoreError
from reverie.language.words import jaccard, terms
from reverie.model.answers import OF_SPACE, Answer, Serving, TrackRecord
from reverie.model.base import Instant
from reverie.model.changes import Changes
from reverie.model.night import Night
from reverie.policy.answers.freshness import World, check, said, words_told
from reverie.policy.answers.guards.reading import unpack
from reverie.policy.answers.prediction import probed
from reverie.policy.answers.serving import NEVER, Outcome, learned_bar
from reverie.store.reader import Reader
from reverie.store.tables import answers
from reverie.store.tables.direct_edits import texts_since
from reverie.store.tables.memories import updates_of

SAME = 0.6  # of the words of two answers: they say the same
EXPIRED = "expired"
MAX_LIVE = 10_000  # answers looked at in a night: all that a space holds
MAX_NEWS = 500  # facts and texts newer than the oldest answer that are held against each
KEPT = 20  # outcomes of an entry that its bar is learned from


@dataclass
class Lessons:
    """What is gathered from servings, before it becomes changes."""

    records: dict[str, TrackRecord]
    entries: dict[str, Answer]
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    probes: int = 0
    probes_failed: int = 0

    def hit(self, answer: Answer, serving: Serving) -> None:
        self.entries[answer.id] = replace(answer, hits=answer.hits + 1, last_hit_at=serving.at)
        known = self.record(answer.predictor)
        self.records[answer.predictor] = replace(known, hits=known.hits + 1, saved=known.saved + serving.tokens)

    def probe(self, answer: Answer, similarity: float, right: bool, now: Instant) -> None:
        self.probes += 1
        entry = self.entries[answer.id]
        accepted, rejected = entry.accepted + right, entry.rejected + (not right)
        self.entries[answer.id] = replace(entry, accepted=accepted, rejected=rejected, probed_at=now)
        known = self.record(answer.predictor)
        self.records[answer.predictor] = replace(known, probes=known.probes + 1, wrong=known.wrong + (not right))
        self.outcomes.setdefault(answer.id, []).append(Outcome(similarity, right))

    def record(self, predictor: str) -> TrackRecord:
        return self.records.get(predictor, TrackRecord(predictor))


def learn(night: Night, reader: Reader, minds: Minds) -> Changes:
    """What the servings since the last run change: counts, bars, and answers that are dropped."""
    records = answers.records(reader, reader.space)
    own = records.get(OF_SPACE, TrackRecord(OF_SPACE))
    servings = answers.servings(reader, reader.space, int(own.state.get("row", 0)))
    stale = _stale(reader, night)
    lessons = Lessons(dict(records), {}, outcomes_of(own))
    served = [serving for serving in servings if serving.served and serving.answer]
    known = answers.by_ids(reader, reader.space, [serving.answer or "" for serving in served])
    for serving in served:
        answer = lessons.entries.get(serving.answer or "") or known.get(serving.answer or "")
        if answer is not None:
            lessons.hit(answer, serving)
            if stale.get(answer.id, EXPIRED) == EXPIRED:  # else it was right when given, and would now look wrong
                _probe(night, reader, minds, lessons, answer, serving)
    read_up_to = servings[-1].row if servings else int(own.state.get("row", 0))
    asked = int(own.state.get("asked", 0)) + len(servings)
    state = {**own.state, "row": read_up_to, "asked": asked, "outcomes": kept_outcomes(lessons.outcomes)}
    lessons.records[OF_SPACE] = replace(own, state=state)
    kept = [_with_bar(a, lessons, minds) for a in lessons.entries.values() if a.id not in stale]
    wrong = {answer.id: "a probe found it wrong" for answer in kept if answer.threshold >= NEVER}
    return Changes(
        answers=tuple(answer for answer in kept if answer.id not in wrong),
        dropped_answers={**stale, **wrong},
        records=tuple(lessons.records[name] for name in sorted(lessons.records)),
        counts={
            "hits": len(served),
            "probes": lessons.probes,
            "probes_failed": lessons.probes_failed,
            "dropped": len(stale) + len(wrong),
        },
    )


def _probe(night: Night, reader: Reader, minds: Minds, lessons: Lessons, answer: Answer, serving: Serving) -> None:
    """For a share of the hits: does the question that was really asked get the same answer from scratch?"""
    if not probed(f"{reader.space}-{serving.row}", minds.anticipating.probed):
        return
    try:
        again = _again(night, reader, minds, serving.asked)
    except StoreError:
        raise
    except Exception:  # a probe is a sample: another hit serves as well, and nothing waits for this one
        lessons.probes_failed += 1
        return
    if again is not None:
        lessons.probe(answer, serving.similarity, same(answer.answer, again), night.now)


def _again(night: Night, reader: Reader, minds: Minds, question: str) -> str | None:
    found = evidence_for(night, reader, minds, question)
    draft = minds.reasoner.answer(question, as_evidence(found.values()))
    return None if draft is None else draft.text


def same(one: str, other: str) -> bool:
    """Whether two answers say the same.

    >>> same("You live in Hamburg.", "You live in Hamburg"), same("You live in Hamburg.", "You live in Lisbon.")
    (True, False)
    """
    one, other = words_told(one), words_told(other)
    a, b = frozenset(terms(one)), frozenset(terms(other))
    return a == b or (jaccard(a, b) >= SAME and _exact(one) == _exact(other))


def _exact(answer: str) -> set[str]:
    """Its names and numbers: two long answers that differ in one of these say different things."""
    return set(re.findall(r"(?<=\s)[A-ZÀ-Þ]\w+|\d+", answer))


def _stale(reader: Reader, night: Night) -> dict[str, str]:
    """Live answers whose ground has moved, of which somebody has spoken, or whose time is over: made anew if wanted."""
    live = answers.listed(reader, reader.space, limit=MAX_LIVE)
    if not live:
        return {}
    oldest = min(answer.created_at for answer in live)
    now = answers.rests_now(reader, reader.space, {ref for answer in live for ref in answer.rests_on})
    earlier = {edge.b: edge.created_at for edge in reversed(updates_of(reader, reader.space, now))}
    facts = answers.newer_facts(reader, reader.space, oldest, MAX_NEWS)
    given = [(text.at, said(text.now)) for text in texts_since(reader, reader.space, oldest, MAX_NEWS)]
    gone = {}
    for answer in live:
        world = World(
            {
                ref: rest.version
                for ref in answer.rests_on
                if (rest := now.get(ref)) is not None and earlier.get(ref, 0.0) <= answer.created_at
            },
            answer.embedder,
            [part for at, parts in given if at > answer.created_at for part in parts],
            [fact for at, fact in facts if at > answer.created_at],
        )
        keys = {now[ref].key for ref in answer.rests_on if ref in now}
        fresh = check(answer, unpack(answer.parsed, answer.question), world, [key for key in keys if key])
        if not fresh:
            gone[answer.id] = fresh.why
        elif answer.expires_at <= night.now:
            gone[answer.id] = EXPIRED
    return gone


def _with_bar(answer: Answer, lessons: Lessons, minds: Minds) -> Answer:
    outcomes = lessons.outcomes.get(answer.id)
    if not outcomes:
        return answer
    return replace(answer, threshold=learned_bar(outcomes, minds.anticipating.max_wrong_hits))


def outcomes_of(own: TrackRecord) -> dict[str, list[Outcome]]:
    """What probes found, by the answer's id, as the space's record keeps it."""
    kept: Mapping[str, Sequence[Sequence[float]]] = own.state.get("outcomes", {})
    return {id: [Outcome(float(s), bool(ok)) for s, ok in pairs] for id, pairs in kept.items()}


def kept_outcomes(outcomes: Mapping[str, Sequence[Outcome]]) -> dict[str, list[list[float]]]:
    latest = list(outcomes.items())[-500:]
    return {id: [[round(o.similarity, 4), int(o.accepted)] for o in kept[-KEPT:]] for id, kept in latest}
