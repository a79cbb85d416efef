"""How a night went, in one word and its reasons: the same in the console, on the command line and over HTTP."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from reverie.language.calendar import counted, span
from reverie.model.base import MINUTE
from reverie.model.night import Night

Colour = Literal["good", "warning", "critical", "quiet", "running"]


@dataclass(frozen=True, slots=True)
class VerdictWeights:
    """The table that sleep agents are judged by, made for nights over 50 to 100 turns and scaled to what there was."""

    good_seconds: float = 5 * MINUTE
    bad_seconds: float = 10 * MINUTE
    seconds_a_turn: float = 3.0  # a night over more turns may take longer
    good_success: float = 0.95
    bad_success: float = 0.90
    many_turns: int = 50  # from here on a night should link something
    few_links: int = 5


WEIGHTS = VerdictWeights()


@dataclass(frozen=True, slots=True)
class NightVerdict:
    """`quiet` is grey: nothing was to do, or it was skipped or taken back. Reasons are empty for a good night."""

    colour: Colour
    reasons: tuple[str, ...] = ()


def verdict(night: Night, w: VerdictWeights = WEIGHTS) -> NightVerdict:
    """The worst of its signs decides.

    >>> def night(**counts): return Night("n", "s", "nap", "idle", 0.0, 0.0, "done", began_at=0.0, ended_at=2.0,
    ...                                   counts=counts)
    >>> verdict(night(turns=5, episodes=5, facts=1)).colour, verdict(night(turns=0)).colour
    ('good', 'quiet')
    >>> verdict(night(turns=5))
    NightVerdict(colour='warning', reasons=('5 turns came in, and nothing was made of them',))
    """
    if night.status in ("requested", "running", "undoing"):
        return NightVerdict("running", (night.status,))
    if night.status == "failed":
        return NightVerdict("critical", (night.error or night.why or "it failed",))
    if night.status != "done":
        return NightVerdict("quiet", (night.why or night.status,))
    critical, warning = _faults(night, w)
    if critical or warning:
        return NightVerdict("critical" if critical else "warning", (*critical, *warning))
    return NightVerdict("good") if _changed(night.counts) else NightVerdict("quiet", ("nothing was new",))


def _faults(night: Night, w: VerdictWeights) -> tuple[list[str], list[str]]:
    """What is critical, and what is only to be warned of."""
    turns = _count(night.counts, "turns")
    seconds = (night.ended_at or 0.0) - (night.began_at or night.ended_at or 0.0)
    allowed = max(1.0, turns * w.seconds_a_turn / w.good_seconds)
    tried = turns + _count(night.counts, "facts")
    success = 1.0 - _count(night.counts, "failed") / max(1, tried)
    critical: list[str] = []
    warning: list[str] = []
    if seconds > w.good_seconds * allowed:
        (critical if seconds > w.bad_seconds * allowed else warning).append(f"it took {span(seconds)}")
    if success < w.good_success:
        said = f"{counted(_count(night.counts, 'failed'), 'item')} could not be done"
        (critical if success < w.bad_success else warning).append(said)
    if _count(night.counts, "steps_failed"):
        critical.append(f"{counted(_count(night.counts, 'steps_failed'), 'step')} failed")
    if turns and not _changed(night.counts):
        warning.append(f"{counted(turns, 'turn')} came in, and nothing was made of them")
    elif turns >= w.many_turns and night.kind == "night" and _count(night.counts, "links") < w.few_links:
        warning.append(f"{counted(turns, 'turn')} came in, and only {counted(_count(night.counts, 'links'), 'link')}")
    return critical, warning


CHANGES = ("episodes", "facts", "notes_written", "links", "promoted", "superseded", "tiers", "blocks", "directives")


def _changed(counts: Mapping[str, Any]) -> bool:
    return any(_count(counts, name) for name in CHANGES)


def _count(counts: Mapping[str, Any], name: str) -> int:
    found = counts.get(name, 0)
    return found if isinstance(found, int) else 0
