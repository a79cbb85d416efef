"""Whether a space looks ahead at all: judged by what came of it lately, off where it does not pay, tried later."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from reverie.model.answers import OF_SPACE, TrackRecord
from reverie.model.base import JSON, Instant
from reverie.policy.answers.payoff import WINDOW, AnswerUsage, pays
from reverie.policy.decision import Decision
from reverie.store.reader import Reader
from reverie.store.tables import answers


@dataclass(frozen=True, slots=True)
class Judged:
    pays: Decision
    record: TrackRecord  # of the space, as it is from now on
    notes: tuple[str, ...]


def judge(reader: Reader, records: Mapping[str, TrackRecord], now: Instant) -> Judged:
    own = records.get(OF_SPACE, TrackRecord(OF_SPACE))
    totals = _totals(reader, records)
    window: Mapping[str, float] = own.state.get("window", {"at": now})
    since = {name: int(total - window.get(name, 0)) for name, total in totals.items()}
    off = own.state.get("off_since")
    verdict = pays(AnswerUsage(**since, off_since=off), now)
    if not verdict:
        return _off(own, verdict, now)
    again = off is not None
    if again or now - window["at"] >= WINDOW:
        window = {**totals, "at": now}  # judged by what comes from here on
    on = {name: value for name, value in own.state.items() if name not in ("off_since", "why")}
    notes = (f"anticipation is on again: {verdict.why}",) if again else ()
    return Judged(verdict, replace(own, state={**on, "window": dict(window)}), notes)


def _off(own: TrackRecord, verdict: Decision, now: Instant) -> Judged:
    """Says so, and remembers since when and why."""
    first: Mapping[str, JSON] = {"off_since": now, "why": verdict.why}
    state = {**first, **own.state}
    return Judged(verdict, replace(own, state=state), (f"anticipation is off: {verdict.why}",))


def _totals(reader: Reader, records: Mapping[str, TrackRecord]) -> dict[str, int]:
    """All predictors of the space together, with what the step has spent on models."""
    own = records.get(OF_SPACE, TrackRecord(OF_SPACE))
    others = [record for name, record in records.items() if name != OF_SPACE]
    return {
        "made": sum(record.made for record in others),
        "asked": int(own.state.get("asked", 0)),
        "hits": sum(record.hits for record in others),
        "wrong": sum(record.wrong for record in others),
        "tokens_asleep": answers.spent_asleep(reader.db, reader.space)[0],
        "tokens_saved": sum(record.saved for record in others),
    }
