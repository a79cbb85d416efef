"""What an agent's hook adds to a prompt: a short text, and what it shows, so that a session is shown nothing twice."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Injection:
    """`seen` names what the text shows, by ids and by what was said: the next call is asked to leave it out."""

    text: str = ""
    seen: tuple[str, ...] = ()


NOTHING_INJECTED = Injection()
