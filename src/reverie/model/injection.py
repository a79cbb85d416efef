"""What an agent's hook adds to a prompt: a short text, and what it shows, so that a session is shown nothing twice."""

from dataclasses import dataclass

from reverie.model.base import Instant


@dataclass(frozen=True, slots=True)
class Injection:
    """`seen` names what the text shows, by ids and by what was said: the next call is asked to leave it out."""

    text: str = ""
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionFigures:
    """What a status line shows: what is remembered, how much of this session is kept, the last night, the cost."""

    memories: int
    captured: int
    last_night_at: Instant | None
    spent: float  # dollars that models have cost this space, ever


NOTHING_INJECTED = Injection()
