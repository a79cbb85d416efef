"""Dream: a whole context is thought through before anybody asks, and what follows is kept as insights.

Quantities are worked out by code; every insight names the lines that it rests on, goes stale when one of them changes,
and is never a premise. A model ponders only while that pays in the space; the rules always do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from reverie.asleep.shared import derived
from reverie.asleep.shared.items import Attempts
from reverie.asleep.step import Minds
from reverie.asleep.steps.ponder import accounts
from reverie.asleep.steps.ponder.contexts import STEP, PonderContext, PonderPlace, next_context
from reverie.minds.pondering.by_model import estimate
from reverie.minds.pondering.by_rules import ponder as ponder_by_rules
from reverie.model.base import DAY, JSON, derived_memory_id
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.rhythm import Sleeping
from reverie.model.thinking import Material, Pondered, Thought
from reverie.policy.care.decay import gone_stale
from reverie.policy.ponder.payoff import affordable, workable
from reverie.policy.ponder.prose import until
from reverie.store.reader import Reader
from reverie.store.reading import memories
from reverie.store.tables import studies

IMPORTANCE = 0.4  # below what was said
SURE, WORDS = 0.95, 0.7  # worked out by code; a model's own words, grounded
EXCLUDED = "worked out ahead: no statement of anybody's"
RECOUNTED = 50  # insights a night that count days from today
QUOTED, LONGEST_QUOTE = 12, 200


def ponder(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """First what counts days from today, then one context a batch."""
    if cursor is None:
        return replace(_recounted(night, reader, minds), cursor=str(PonderPlace()))
    found = next_context(reader, PonderPlace.of(cursor), Sleeping.of_night(night).cap(STEP))
    if found is None:
        return Changes()
    context, place = found
    return replace(_pondered(night, reader, minds, context), cursor=str(place))


def _pondered(night: Night, reader: Reader, minds: Minds, context: PonderContext) -> Changes:
    attempts, thought, notes = Attempts(), Pondered(()), tuple[str, ...]()
    with attempts.item(context.key):
        thought, notes = _think(night, reader, minds, context)
    if attempts.failed:
        return Changes(tried=attempts.tried, failed=attempts.failed)
    made = [_insight(night, context, one) for one in thought.thoughts if context.material.sources(one.lines)]
    changes = _changes(reader, minds, made, studies.insights(reader, reader.space, context.key))
    waiting = {context.study.id: context.study.digest} if context.study else {}
    found = {f"{name}s".replace(" ", "_"): n for name, n in thought.counts.items()}
    counts = {"considered": 1, **changes.counts, **found}
    return replace(changes, studies=waiting, tried=attempts.tried, notes=notes, counts=counts)


def _think(night: Night, reader: Reader, minds: Minds, context: PonderContext) -> tuple[Pondered, tuple[str, ...]]:
    """By the rules alone, or by a model as well where there is something for it within its share, and it pays."""
    if minds.reasoner.name == "rules":
        return minds.reasoner.ponder(context.material), ()
    verdict = accounts.judged(reader, reader.space, night.now)
    if not verdict:
        return ponder_by_rules(context.material), (f"no model ponders here for now: {verdict.why}",)
    if context.study is None and not _asked(reader, context.material):
        return ponder_by_rules(context.material), ()
    return minds.reasoner.ponder(context.material), ()


def _asked(reader: Reader, talk: Material) -> bool:
    """Whether a model is asked about a talk. A document was given to be studied; in a talk numbers are often chance."""
    if not workable(line.text for line in talk.lines):
        return False
    turns = studies.heard(reader, reader.space, reader.night.settings.get("since", 0.0))
    spent = studies.spent_in(reader, reader.night.id)
    return bool(affordable(turns, spent, estimate(talk)))


def _changes(reader: Reader, minds: Minds, made: Sequence[Memory], held: Sequence[Memory]) -> Changes:
    """New insights, those that hold again, and those that no longer follow from their context."""
    made = list({insight.id: insight for insight in made}.values())
    before = memories.by_ids(reader, (insight.id for insight in made))
    new = [insight for insight in made if insight.id not in before]
    wanted = {insight.id: insight.marks for insight in made}
    again = [old for old in before.values() if old.stale]
    moved = [old for old in before.values() if not old.stale and old.marks != wanted[old.id]]
    gone = [old for old in held if old.id not in wanted]
    return Changes(
        memories=tuple(new),
        revisions=(
            *(Revision(old.id, old.version, _again(wanted[old.id])) for old in again),
            *(Revision(old.id, old.version, {"marks": wanted[old.id]}) for old in moved),
            *(Revision(old.id, old.version, gone_stale(old)) for old in gone),
        ),
        documents=tuple(map(derived.document, new)),
        vectors=derived.vectors(minds, new),
        counts={"insights": len(new), "revived": len(again), "insights_stale": len(gone)},
    )


def _again(marks: Mapping[str, JSON]) -> dict[str, JSON]:
    return {"stale": False, "importance": IMPORTANCE, "marks": marks}


def _insight(night: Night, context: PonderContext, thought: Thought) -> Memory:
    cited = [context.held[id] for id in context.material.sources(thought.lines)]
    quotes = [context.material.lines[n - 1].text.strip()[:LONGEST_QUOTE] for n in thought.lines[:QUOTED]]
    made = _made(night, context.key, thought, cited, quotes)
    trust = context.trust(thought.lines, made.trust) if context.study is None else made.trust
    return made if trust == made.trust else replace(made, trust=trust, origin="file")


def _made(night: Night, key: str, thought: Thought, cited: Sequence[Memory], quotes: Sequence[str]) -> Memory:
    return derived.new_memory(
        night,
        "insight",
        derived_memory_id(night.space, "pondered", key, thought.text, *sorted(memory.id for memory in cited)),
        thought.text,
        cited,
        importance=IMPORTANCE,
        confidence=SURE if thought.by_code else WORDS,
        valid_from=night.now,
        valid_until=night.now + DAY if thought.days else None,
        session=key,
        excluded=EXCLUDED,
        last_tagged_at=night.now,
        marks={
            "insight": thought.kind,
            "study": key,
            "lines": list(thought.lines),
            "quotes": list(quotes),
            "value": thought.value,
            "expression": thought.expression,
            "by": "code" if thought.by_code else "model",
        },
    )


def _recounted(night: Night, reader: Reader, minds: Minds) -> Changes:
    """How many days it is until a date is true for a day: what is over is counted anew."""
    today = datetime.fromtimestamp(night.now, UTC).date()
    expired = studies.over(reader, reader.space, night.now, RECOUNTED)
    made = []
    for old in expired:
        lines = tuple(int(n) for n in old.marks.get("lines", ()))
        cited = memories.in_order(reader, old.sources)
        for one in until([str(quote) for quote in old.marks.get("quotes", ())], today):
            same_day = one.text.split(",")[0] == old.text.split(",")[0]
            if same_day and len(cited) == len(old.sources) and not any(memory.stale for memory in cited):
                fresh = _made(night, str(old.marks["study"]), replace(one, lines=lines), cited, old.marks["quotes"])
                made.append(replace(fresh, trust=old.trust, origin=old.origin))
    return _changes(reader, minds, made, expired)
