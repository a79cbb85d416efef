"""The contexts that a night ponders: documents that changed, and what the user said in sessions with news."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reverie.language.speech import spoken
from reverie.model.base import Trust
from reverie.model.memories import Memory, Study
from reverie.model.thinking import ContextLine, Material
from reverie.policy.ponder.amounts import amounts
from reverie.policy.ponder.days import clocks, days
from reverie.policy.ponder.serving import PREFIX
from reverie.store.reader import Reader
from reverie.store.reading import facts, work
from reverie.store.tables import studies

MOST_TURNS = 60  # of a session
MOST_LINES = 2_000
LEAST_LINES = 2  # with a number or a date: a context without is not worth a thought
STEP = "ponder"


@dataclass(frozen=True, slots=True)
class PonderContext:
    """One context: its lines, and the memories that hold them."""

    key: str  # the session of its memories and of what is made of them
    material: Material
    held: Mapping[str, Memory]
    study: Study | None = None

    @property
    def countable(self) -> bool:
        """Whether there is enough in it to work with."""
        texts = (line.text for line in self.material.lines)
        numbers = [text for text in texts if amounts(text) or days(text) or clocks(text)]
        return self.study is not None or len(numbers) >= LEAST_LINES

    def trust(self, lines: tuple[int, ...], least: Trust) -> Trust:
        """What was pasted into a turn is no more trusted than a file, whoever pasted it."""
        for n in lines:
            line = self.material.lines[n - 1]
            if line.text.strip() not in spoken(self.held[line.source].text):
                return min(least, Trust.CONTENT)
        return least


@dataclass(frozen=True, slots=True)
class PonderPlace:
    """Where the step stands: which contexts, how many are done, after which."""

    part: str = "studies"
    done: int = 0
    after: str = ""

    @classmethod
    def of(cls, cursor: str) -> "PonderPlace":
        part, done, after = cursor.split(" ", 2)
        return cls(part, int(done), after)

    def __str__(self) -> str:
        return f"{self.part} {self.done} {self.after}"


def next_context(reader: Reader, place: PonderPlace, most: int) -> tuple[PonderContext, PonderPlace] | None:
    """The next context to think about, and the place behind it; None at the end."""
    aside = work.set_aside(reader, STEP)
    for context, place in _contexts(reader, place):  # noqa: B020
        if place.done > most:
            return None
        if context.key not in aside and context.countable:
            return context, place
    return None


def _contexts(reader: Reader, place: PonderPlace) -> Iterator[tuple[PonderContext, PonderPlace]]:
    again, done, after = work.reprocesses(reader, STEP), place.done, place.after
    if place.part == "studies":
        while (study := studies.next_waiting(reader, reader.space, after, all=again)) is not None:
            done, after = done + 1, study.id
            yield _document(reader, study), PonderPlace("studies", done, after)
        after = ""
    since = 0.0 if again else reader.night.settings.get("since", 0.0)
    while (session := studies.next_session(reader, reader.space, since, after)) is not None:
        after = session
        talk = _talk(reader, session)
        done += talk.countable
        yield talk, PonderPlace("sessions", done, after)


def _document(reader: Reader, study: Study) -> PonderContext:
    kept = [memory for memory in studies.passages(reader, reader.space, study.name) if not memory.quarantined]
    return PonderContext(f"{PREFIX}{study.name}", _material(reader, study.name, kept), _by_id(kept), study)


def _talk(reader: Reader, session: str) -> PonderContext:
    said = facts.current(reader, studies.spoken(reader, reader.space, session, MOST_TURNS))
    return PonderContext(session, _material(reader, session, said), _by_id(said))


def _material(reader: Reader, name: str, kept: list[Memory]) -> Material:
    """Each passage of a document at its own lines; turns one below the other."""
    lines: list[ContextLine] = []
    for memory in kept:
        gap = max(1 if lines else 0, int(memory.marks.get("line") or 0) - 1 - len(lines))
        lines += [ContextLine("", "")] * min(gap, MOST_LINES)
        lines += [ContextLine(line, memory.id) for line in memory.text.splitlines()]
    return Material(name, tuple(lines[:MOST_LINES]), reader.night.now, talk=not any("line" in m.marks for m in kept))


def _by_id(kept: list[Memory]) -> dict[str, Memory]:
    return {memory.id: memory for memory in kept}
