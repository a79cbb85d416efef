"""A dream over a directory of notes, as a coding agent's memory: gates, transcripts in, one night, files out."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import BadInput
from reverie.model.base import Instant
from reverie.model.night import Night
from reverie.policy.decision import Decision
from reverie.verbs.mirror import MirrorVerbs, mirror_of
from reverie.verbs.sleep import SleepVerbs
from reverie.verbs.turns import TurnVerbs

if TYPE_CHECKING:
    from reverie.mirror.dream_lock import DreamLock
    from reverie.mirror.mirror import Synced


@dataclass(frozen=True, slots=True)
class Dream:
    """What came of it. Without a night, the last gate says why."""

    gates: tuple[tuple[str, Decision], ...]
    night: Night | None = None
    turns: int = 0  # new ones, from the transcripts
    synced: "Synced | None" = None


class DreamVerbs(TurnVerbs, SleepVerbs, MirrorVerbs):
    def dream(self, directory: str | Path, transcripts: str | Path, *, force: bool = False) -> Dream:
        """Runs one if its gates are open: a day since the last, five new sessions, nobody else at it.

        The clock moves only when the night succeeds. A killed dream's clock is put back by the next one, its files
        are finished or thrown away, and its night is resumed.
        """
        from reverie.mirror.dream_lock import DreamLock

        path, source = Path(directory).expanduser(), Path(transcripts).expanduser()
        if not source.is_dir():
            raise BadInput(f"there is no directory {source}", next_move="Name where the agent keeps its session files.")
        with DreamLock.of(path) as lock:
            gates, files = self._ask(lock, source, self._now(), force)
            if not gates[-1][1]:
                return Dream(gates)
            lock.begin(self._now())
            try:
                done = replace(self._dream(path, files), gates=gates)
            except BaseException:
                lock.fail()
                raise
            if done.night is not None and done.night.status == "done":
                lock.succeed(self._now())
            else:
                lock.fail()
            return done

    def _ask(
        self, lock: "DreamLock", source: Path, now: Instant, force: bool
    ) -> tuple[tuple[tuple[str, Decision], ...], list[Path]]:
        """Gates in their order, up to the first that is closed; a person passes all but the lock."""
        from reverie.importers.claude_code import session_files
        from reverie.policy.sleep.dream_gates import enough, may_scan, rested

        clock = lock.clock
        free = Decision(lock.free, "nobody else dreams" if lock.free else f"process {lock.holder} dreams")
        if force or not free:
            return (("lock", free),), session_files(source, clock.dreamt_at) if free else []
        asked: list[tuple[str, Decision]] = [("time", rested(clock, now))]
        if asked[-1][1]:
            asked.append(("throttle", may_scan(clock, now)))
        if not asked[-1][1]:
            return tuple(asked), []
        lock.scanned(now)
        files = session_files(source, clock.dreamt_at)
        asked.append(("sessions", enough(len({path.stem for path in files if not path.stem.startswith("agent-")}))))
        if asked[-1][1]:
            asked.append(("lock", free))
        return tuple(asked), files

    def _dream(self, path: Path, files: list[Path]) -> Dream:
        from reverie.importers.claude_code import messages

        new = 0
        for message in (message for file in files for message in messages(file)):
            told = self.append(
                message.role, message.text, message.session, message.key, origin=message.origin, at=message.at
            )
            new += not told.repeated
        mirror = mirror_of(self.parts, self._fresh(), path)
        mirror.take_in(self._now())
        night = self.sleep()
        synced = mirror.sync(self._now()) if night.status == "done" else None
        return Dream((), night, new, synced)
