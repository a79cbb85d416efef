"""`Reverie.open()`: the only place where parts are wired together."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from reverie.awake.append import append_all
from reverie.config import Config, load, own_settings, secret_kinds
from reverie.errors import NotFound, ReverieError, UsageError
from reverie.handover import briefings
from reverie.model.base import Instant
from reverie.model.night import Night, WorkerRecord
from reverie.model.spaces import Gauges, NewSpace, ShelfEntry, SpaceRecord
from reverie.model.turns import Appended, Draft, Turn, is_turn
from reverie.policy.safety.redaction import Redactor
from reverie.space import Space
from reverie.store.db import Database
from reverie.store.dialect.open import open_store
from reverie.store.tables import entries, memories, spaces, tombstones, turns
from reverie.telemetry import batch_span
from reverie.wiring.parts import Parts

if TYPE_CHECKING:
    from reverie.minds.embed import Embedder
    from reverie.triggers.child import Supervisor
    from reverie.triggers.health import SchedulerFigures
    from reverie.verbs.org import Keys, Replies, SharedBlocks, Sharing


class Reverie:
    """A store, opened. `with Reverie.open() as memory: memory.space("alice").append("user", "…")`."""

    def __init__(self, parts: Parts, org: str) -> None:
        self.parts = parts  # for the sleeper, the doctor and tests; surfaces have verbs for what they need
        self.org = org
        self._spaces: dict[str, Space] = {}

    @classmethod
    def open(
        cls,
        location: str | Path | None = None,
        *,
        config: Config | None = None,
        embedder: "Embedder | str | None" = None,
        clock: Callable[[], Instant] = time.time,
        sleeper: bool = False,
        brief: bool = False,
        **settings: Any,
    ) -> Self:
        """Opens (and makes, if need be) the store at a path or postgresql:// URL; by default ./.reverie.

        `sleeper`: a process of its own sleeps for the spaces of this store while it is open. `brief`: it is opened for
        one act, so no thread begins to embed fresh turns.
        """
        if isinstance(embedder, str):
            settings["embedder"], embedder = embedder, None
        chosen = (config or load()).with_values(**settings)
        db = open_store(str(location or chosen.location), durable=chosen["durable"])
        if location is not None:  # what is asked for its settings says where it really is
            place = db.dialect.home
            where = {"store": str(location)} if place is None else {"home": place, "store": ""}
            chosen = chosen.with_values(**where, places="")
        db.redactor = Redactor(secret_kinds(chosen["store_secrets"]))
        _finish(db, clock())
        parts = Parts(db, chosen, clock, embedder, brief)
        memory = cls(parts, spaces.org_named(db, chosen["org"], clock()))
        if sleeper:
            memory.start_sleeper()
        return memory

    @property
    def config(self) -> Config:
        """Every setting with its value and where that came from."""
        return self.parts.config

    @property
    def org_name(self) -> str:
        """The org that this sees, by its name; `org` is its id."""
        return spaces.org_name(self.parts.db, self.org)

    @property
    def home(self) -> Path:
        """The directory of what is this user's own: the store if it lies in one, and a server's token."""
        return self.parts.db.dialect.home or Path(self.config["home"]).expanduser()

    @property
    def keys(self) -> "Keys":
        """The org's API keys: `memory.keys.create("laptop")`."""
        from reverie.verbs.org import Keys

        return Keys(self.parts, self.org)

    @property
    def blocks(self) -> "SharedBlocks":
        """The org's blocks by their ids, whichever spaces have them; `space.blocks` has one space's by label."""
        from reverie.verbs.org import SharedBlocks

        return SharedBlocks(self.parts, self.org)

    @property
    def replies(self) -> "Replies":
        """What requests with an idempotency key came to, for servers."""
        from reverie.verbs.org import Replies

        return Replies(self.parts, self.org)

    @property
    def sharing(self) -> "Sharing":
        """What other processes need that answer recalls of this store, for servers."""
        from reverie.verbs.org import Sharing

        return Sharing(self.parts)

    @property
    def embedder(self) -> "Embedder":
        """What turns texts into vectors here."""
        return self.parts.embedder

    def now(self) -> Instant:
        """This moment by the store's clock."""
        return self.parts.clock()

    def of_org(self, id: str) -> "Reverie":
        """The same as `in_org`, by the org's id."""
        return Reverie(self.parts, id)

    def in_org(self, name: str) -> "Reverie":
        """The same store as another org sees it; closing it is left to the one that was opened."""
        return Reverie(self.parts, spaces.org_named(self.parts.db, name, self.parts.clock()))

    def space(self, name: str | None = None) -> Space:
        """The space of that name, made with its default blocks if it is not there yet."""
        wanted = name or self.config["space"]
        known = self._spaces.get(wanted)
        if known is None:
            found = spaces.named(self.parts.db, self.org, wanted)
            known = self._spaces[wanted] = self._wrap(found) if found else self.create_space(wanted)
        return known

    def has_space(self, name: str) -> bool:
        """Whether there is a space of that name; `space` would make it."""
        return spaces.named(self.parts.db, self.org, name) is not None

    def create_space(self, name: str, *, default_blocks: bool = True, **more: Any) -> Space:
        """A new space; a conflict if there is one of that name. `space` is what you usually want."""
        from reverie.awake.edits import spaces as space_edits

        given = _checked(NewSpace(name, default_blocks=default_blocks, **more))
        return self._wrap(space_edits.open_or_create(self.parts.db, self.org, given, self.now()))

    def create_spaces(self, *given: NewSpace) -> list[Space]:
        """New spaces with their blocks: all of them, or none. A name that is taken is a conflict."""
        from reverie.awake.edits import spaces as space_edits

        made = space_edits.create_all(self.parts.db, self.org, [_checked(one) for one in given], self.now())
        return [self._wrap(record) for record in made]

    def find_space(self, ref: str) -> Space:
        """A space of this org by its id or its name; `space` would make it."""
        record = spaces.find(self.parts.db, self.org, ref)
        if record is None:
            raise NotFound("space", ref)
        return self._wrap(record)

    def space_by_id(self, id: str) -> Space:
        """A space of this org by its id, as `Space.id` and the Letta routes have it."""
        record = spaces.by_id(self.parts.db, id)
        if record.org != self.org:
            raise NotFound("space", id)
        return self._wrap(record)

    def spaces(self, *, limit: int = 50, after: str | None = None) -> list[Space]:
        """The org's spaces in the order they were made; `after` is the id of the last one seen."""
        return [self._wrap(record) for record in spaces.listed(self.parts.db, self.org, limit=limit, after=after)]

    def delete_space(self, name: str) -> None:
        """Deletes a space with all it holds. Blocks that other spaces share stay with them."""
        from reverie.store.transfer.delete_space import delete_withdrawn, withdraw

        record = spaces.named(self.parts.db, self.org, name)
        if record is None:
            raise NotFound("space", name)
        withdrawn = withdraw(self.parts.db, record.id, self.now())
        self._spaces.pop(name, None)  # a space of this name is a new one from now on, though the rows take a while
        delete_withdrawn(self.parts.db, withdrawn)

    def import_space(self, name: str, lines: Iterable[str], *, trust: bool = False) -> Space:
        """A new space from what `Space.export` wrote.

        An export of another store, or one that was altered, could claim anything of any text: it is refused unless you
        say that you trust it.
        """
        from reverie.store.transfer import restore

        now = self.parts.clock()
        return self._wrap(restore.restore(self.parts.db, self.org, name, lines, now, own_settings, trust=trust))

    def append_all(self, drafts: Sequence[tuple[Space, Draft]]) -> list[Appended]:
        """Turns of any spaces, stored together: all of them, or none. `Space.append` is what you usually want."""
        with batch_span("create_memory", (space.id for space, _ in drafts)):
            stored = append_all(self.parts.db, [(space.record, draft) for space, draft in drafts], self.now())
        for space in dict.fromkeys(space.id for space, _ in drafts):
            self.parts.appended(space)
        return stored

    def find_night(self, id: str) -> tuple[Space, Night]:
        """A night of any space of this org, and that space."""
        from reverie.store.tables import nights

        night = nights.anywhere(self.parts.db, id)
        record = None if night is None else spaces.by_id(self.parts.db, night.space)
        if night is None or record is None or record.org != self.org:  # whose it is, is not told
            raise NotFound("night", id)
        return self._wrap(record), night

    def space_holding(self, id: str) -> Space:
        """The space of this org that holds a memory or a turn."""
        found = turns.space_of(self.parts.db, id) if is_turn(id) else memories.space_of(self.parts.db, id)
        record = None if found is None else spaces.by_id(self.parts.db, found)
        if record is None or record.org != self.org:  # whose it is, is not told
            raise NotFound("memory", id)
        return self._wrap(record)

    def find_turn(self, id: str) -> tuple[Space, Turn]:
        """A turn of any space of this org, and that space."""
        turn = turns.anywhere(self.parts.db, id)
        record = None if turn is None else spaces.by_id(self.parts.db, turn.space)
        if turn is None or record is None or record.org != self.org:  # whose it is, is not told
            raise NotFound("turn", id)
        return self._wrap(record), turn

    def find_entry(self, shelf: str, key: str) -> tuple[Space, ShelfEntry]:
        """What stands under a key of that shelf in any space of this org, and that space."""
        found = entries.anywhere(self.parts.db, self.org, shelf, key, self.now())
        if found is None:
            raise NotFound("entry", key)
        return self.space_by_id(found.space), found

    def entries(self, shelf: str) -> list[ShelfEntry]:
        """What stands on that shelf in all spaces of this org, oldest first."""
        return entries.of_org(self.parts.db, self.org, shelf, self.now())

    def gauges(self) -> Gauges:
        """The figures of the whole store, over all orgs, for whoever watches it."""
        from reverie.store import gauges

        return gauges.read(self.parts.db, self.now())

    def scheduler(self, *spaces: Space) -> "SchedulerFigures":
        """Whether anything sleeps for these spaces, what waits, and how the nights of the last day ended."""
        from reverie.triggers.health import scheduler

        return scheduler(self.parts.db, [space.id for space in spaces], self.now())

    def workers(self) -> list[WorkerRecord]:
        """Who sleeps for this store, on what and since when; those that died within the hour too."""
        from reverie.store.tables import workers

        return workers.listed(self.parts.db, self.now())

    def end_model_calls(self) -> None:
        """Ends what waits for a model, for good: it is answered from memory, as if the model had failed."""
        self.parts.end_model_calls()

    def backup(self, target: str | Path, *, keep: int | None = None) -> Path:
        """Copies the live embedded store into a new directory, checks the copy and answers where it lies.

        With `keep` the target is a directory of backups, each named by its moment; all but the last `keep` go.
        """
        return self.parts.db.dialect.backup(Path(target), self.now(), keep)

    def start_sleeper(self) -> "Supervisor":
        """A supervised sleeper beside this process; it ends with `close()`."""
        from reverie.triggers.child import sleeper_beside

        keeper = sleeper_beside(self.config, self.parts.db.dialect.location)
        keeper.start()
        self.parts.on_close.append(keeper.stop)
        return keeper

    def warm(self) -> None:
        """Loads what questions need, the embedder above all, so that the first one does not wait for it."""
        from reverie.policy.answers.guards.reading import read

        _ = self.parts.assembler, self.parts.answerer
        read("where do I live?")
        embedder = self.parts.embedder
        if embedder.dim:
            embedder.embed_one("warm")

    def close(self) -> None:
        """Ends the sleeper, writes what waits, closes the store. `with Reverie.open() as memory` does it for you."""
        self._refresh_briefings()
        while self.parts.on_close:
            self.parts.on_close.pop()()
        self.parts.db.close()

    def _refresh_briefings(self) -> None:
        """What sessions of coding agents begin with is as new as what this process has changed."""
        for space in {str(one.get("space")) for one in briefings(self.parts.home)}:
            with suppress(ReverieError):
                self.parts.refresh_briefings(spaces.by_id(self.parts.db, space))

    def __reduce__(self) -> Any:
        raise UsageError("an opened store cannot be pickled", next_move="Open it again in the other process.")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wrap(self, record: SpaceRecord) -> Space:
        return Space(self.parts, record)


def _finish(db: Database, now: Instant) -> None:
    """What a killed process has left half done: a forget, a deletion, a restore. Loaded only where there is some."""
    if not tombstones.any_left(db):
        return
    from reverie.store.forget import forget
    from reverie.store.transfer.delete_space import delete_half_made, finish_deleting

    forget.finish(db, now)
    finish_deleting(db, now)
    delete_half_made(db, now)


def _checked(given: NewSpace) -> NewSpace:
    return replace(given, settings=own_settings(given.settings, given.name))
