"""A dream over a directory of notes, as a coding agent's memory: gates, transcripts in, one night, files out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from reverie.errors import BadInput
from reverie.importers.claude_code import messages, session_files
from reverie.importers.intake import ReceivingSpace, append_message
from reverie.mirror.consolidate_lock import ConsolidateLock
from reverie.mirror.dream_lock import DreamLock
from reverie.mirror.mirror import Mirror, Synced
from reverie.model.base import Instant
from reverie.model.night import Night
from reverie.policy.decision import Decision
from reverie.policy.sleep.gates import enough, may_scan, rested

Gates = tuple[tuple[str, Decision], ...]


@dataclass(frozen=True, slots=True)
class Dream:
    """What came of it. Without a night, the last gate says why."""

    gates: Gates
    night: Night | None = None
    turns: int = 0  # new ones, from the transcripts
    synced: Synced | None = None


class DreamingSpace(ReceivingSpace, Protocol):
    """What a dream needs of a space: `reverie.Space` has it."""

    def sleep(self) -> Night: ...


def dream(
    space: DreamingSpace, mirror: Mirror, transcripts: Path, clock: Callable[[], Instant], *, force: bool = False
) -> Dream:
    """Runs one if its gates are open; its clock moves only when the night succeeds."""
    if not transcripts.is_dir():
        raise BadInput(
            f"there is no directory {transcripts}", next_move="Name where the agent keeps its session files."
        )
    with DreamLock.of(mirror.path) as lock:
        theirs = ConsolidateLock.of(mirror.path)
        gates, files = _ask_gates(lock, theirs, transcripts, clock(), force)
        if not gates[-1][1]:
            return Dream(gates)
        lock.begin(clock())
        theirs.begin(clock())
        try:
            done = replace(_run(space, mirror, files, clock), gates=gates)
        except BaseException:
            _end(lock, theirs, None)
            raise
        _end(lock, theirs, clock() if done.night is not None and done.night.status == "done" else None)
        return done


def _end(lock: DreamLock, theirs: ConsolidateLock, now: Instant | None) -> None:
    """Both clocks move on to the moment of success, or go back to where they stood."""
    if now is None:
        lock.fail()
        theirs.fail()
    else:
        lock.succeed(now)
        theirs.succeed(now)


def _ask_gates(
    lock: DreamLock, theirs: ConsolidateLock, transcripts: Path, now: Instant, force: bool
) -> tuple[Gates, list[Path]]:
    """Gates in their order, up to the first that is closed; a person passes all but the lock."""
    clock = lock.clock
    holder = theirs.holder(now) if lock.free else lock.holder
    dreaming = not lock.free or holder is not None
    free = Decision(not dreaming, f"process {holder} dreams" if dreaming else "nobody else dreams")
    if force or not free:
        return (("lock", free),), session_files(transcripts, clock.dreamt_at) if free else []
    last = replace(clock, dreamt_at=max(clock.dreamt_at, theirs.last))  # whoever tidied up, it was tidied up
    asked: list[tuple[str, Decision]] = [("time", rested(last, now))]
    if asked[-1][1]:
        asked.append(("throttle", may_scan(clock, now)))
    if not asked[-1][1]:
        return tuple(asked), []
    lock.note_scan(now)
    files = session_files(transcripts, clock.dreamt_at)
    asked.append(("sessions", enough(len({path.stem for path in files if not path.stem.startswith("agent-")}))))
    if asked[-1][1]:
        asked.append(("lock", free))
    return tuple(asked), files


def _run(space: DreamingSpace, mirror: Mirror, files: Sequence[Path], clock: Callable[[], Instant]) -> Dream:
    new = 0
    for message in (message for file in files for message in messages(file)):
        new += append_message(space, message) is not None
    mirror.take_in(clock())
    night = space.sleep()
    synced = mirror.sync(clock()) if night.status == "done" else None
    return Dream((), night, new, synced)
