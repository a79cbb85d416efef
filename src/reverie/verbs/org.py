"""What an org has besides its spaces: API keys, blocks by their ids, and replies to requests that may come twice."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from reverie.awake.edits import keys as key_edits
from reverie.awake.edits import shared_blocks
from reverie.awake.edits.blocks import block_delete
from reverie.errors import NotFound
from reverie.model.base import Instant
from reverie.model.blocks import Block, BlockVersion, NewBlock
from reverie.model.spaces import ApiKey, NewKey, StoredReply
from reverie.store.tables import blocks, keys, replies, spaces
from reverie.wiring.parts import Parts

if TYPE_CHECKING:
    from reverie.store.search.matrix import Vectors

PAGE = 500  # blocks read at once


class OrgHandle:
    """What every handle of an org stands on."""

    def __init__(self, parts: Parts, org: str) -> None:
        self._db = parts.db
        self._now = parts.clock
        self._org = org


class Keys(OrgHandle):
    """`memory.keys.create("laptop").secret`."""

    def create(
        self,
        name: str,
        verbs: str | Iterable[str] = ("read", "write"),
        *,
        space: str | None = None,
        days: float | None = None,
    ) -> NewKey:
        """A key of the org; with `space` (id or name), for that space only. Its secret is shown this once.

        `verbs`: read, write (also reads), review (decides on what waits for a person, also reads), admin (all).
        """
        only = None if space is None else self._space_id(space)
        return key_edits.create(self._db, self._org, name, verbs, self._now(), space=only, days=days)

    def list(self, *, limit: int = 50, after: str | None = None) -> list[ApiKey]:
        """The org's keys in the order they were made, without their secrets."""
        return keys.listed(self._db, self._org, limit=limit, after=after)

    def revoke(self, id: str) -> ApiKey:
        """Ends a key; answers it as it is then."""
        return key_edits.revoke(self._db, self._org, id, self._now())

    def by_hash(self, hash: str) -> ApiKey | None:
        """Whose secret that is (`secret_hash`), of any org, revoked and expired ones too: see `ApiKey.live`."""
        return keys.by_hash(self._db, hash)

    def note_use(self, key: ApiKey) -> None:
        """Keeps that the key was used now."""
        keys.used(self._db, key.id, self._now())

    def any_live(self) -> bool:
        """Whether anybody, of any org, holds a key that works."""
        return keys.any_live(self._db, self._now())

    def _space_id(self, space: str) -> str:
        found = spaces.find(self._db, self._org, space)
        if found is None:
            raise NotFound("space", space)
        return found.id


class SharedBlocks(OrgHandle):
    """Blocks of the org, whichever spaces have them: `memory.blocks[id]`, iteration oldest first."""

    def __getitem__(self, id: str) -> Block:
        return blocks.by_id(self._db, self._org, id)

    def __iter__(self) -> Iterator[Block]:
        after = None
        while found := blocks.listed(self._db, self._org, limit=PAGE, after=after):
            yield from found
            after = found[-1].id

    def create(self, given: NewBlock) -> Block:
        """A block that no space has yet; the first that it is attached to owns it."""
        return shared_blocks.create(self._db, self._org, given, self._now())

    def change(self, id: str, *, value: str | None = None, expected: int | None = None, **described: Any) -> Block:
        """Sets the value and what describes a block, all or nothing; with `expected`, only at that version."""
        return shared_blocks.change(self._db, self[id], described, value, self._now(), expected)

    def delete(self, id: str) -> None:
        """Takes a block from every space that shares it, with its versions."""
        block_delete(self._db, self[id])

    def attach(self, id: str, space: str) -> None:
        """Shares a block with a space. The first that is given it owns it: its nights may write it."""
        shared_blocks.attach(self._db, self._org, space, id, self._now())

    def detach(self, id: str, space: str) -> None:
        """The block stays; that space no longer sees it."""
        shared_blocks.detach(self._db, self._org, space, id, self._now())

    def spaces_of(self, id: str) -> list[str]:
        """The ids of the spaces that have a block."""
        return blocks.spaces_of(self._db, self[id].id)

    def history(self, id: str) -> list[BlockVersion]:
        """Every version with its diff, actor, reason and night, oldest first."""
        return blocks.history(self._db, self[id].id)

    def restore(self, id: str, version: int) -> Block:
        """Makes a new version with an older one's value."""
        return shared_blocks.restore(self._db, self[id], version, self._now())


class Replies(OrgHandle):
    """What requests with an idempotency key came to, each under its key and route: the same key gives the same."""

    def claim(self, key: str, route: str, digest: str, *, give_up: float, body: str = "") -> StoredReply | None:
        """None: the caller may go on, and must `settle` or `release`. Otherwise the reply that is there.

        A claim whose holder died is taken over after `give_up` seconds.
        """
        return replies.claim(self._db, self._org, key, route, digest, self._now(), give_up=give_up, body=body)

    def settle(self, key: str, route: str, status: int, body: str) -> None:
        """The answer, which the same key gets from now on."""
        replies.settle(self._db, self._org, key, route, status, body)

    def release(self, key: str, route: str) -> None:
        """Nothing came of it: the same key may be tried again."""
        replies.release(self._db, self._org, key, route)

    def note(self, key: str, route: str, body: str) -> None:
        """Another body for what has not ended; what has stays as it is."""
        replies.note(self._db, self._org, key, route, body)

    def get(self, key: str, route: str) -> StoredReply | None:
        """What is stored under a key, ended or not."""
        return replies.kept(self._db, self._org, key, route)

    def under(self, route: str) -> Iterator[StoredReply]:
        """All of one route, oldest first."""
        return replies.under(self._db, self._org, route)

    def unanswered(self, route: str) -> list[StoredReply]:
        """What has begun and not ended, of all orgs: for a server itself, never for a caller."""
        return replies.unanswered(self._db, route)

    def forget_before(self, moment: Instant) -> None:
        """Throws old replies away, of all orgs."""
        replies.forget(self._db, moment)


FreshRow = tuple[str, int, "Vectors"]  # a turn's id, its place in the log, and its vectors as rows


class Sharing:
    """What processes that answer recalls of one store hand to each other: one of them writes and embeds for all."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @property
    def possible(self) -> bool:
        """Whether other processes map the same index files: an embedded store has such."""
        return self._parts.db.dialect.home is not None

    @property
    def location(self) -> str:
        """Where another process finds the store."""
        return self._parts.db.dialect.location

    def asked(self, query: str) -> str:
        """The part of a question that is looked for."""
        from reverie.awake.recall import asked_text

        return asked_text(query)

    def vector(self, query: str) -> "Vectors":
        """What a recall of that question compares with."""
        return self._parts.embedder.embed_one(self.asked(query))

    def note_recall(self, space: str, query: str, hits: Sequence[tuple[str, float]], now: Instant) -> None:
        """Leaves the evidence of a recall that another process has answered: ids, and how well each matched."""
        from reverie.awake.recall import leave_evidence

        text = self.asked(query)
        self._parts.events.put(lambda tx: leave_evidence(tx, space, text, hits, now))
        self._parts.appended(space)  # what a third process has appended is to be embedded too

    def fresh(self) -> Iterator[tuple[str, Sequence[FreshRow]]]:
        """What was embedded behind appends, by the ids of spaces."""
        embedder = self._parts.embedder.id
        for space in self._parts.fresh.spaces(embedder):
            yield space, tuple(self._parts.fresh.of(space, embedder))

    def follow_fresh(self, tell: Callable[[str, Sequence[FreshRow] | None], None]) -> None:
        """Tells of every turn that is embedded from now on; None: all of that space is let go."""
        self._parts.fresh.listeners.append(tell)

    def take_fresh(self, space: str, turns: Sequence[FreshRow] | None) -> None:
        """Holds what another process has embedded; None: lets go of the space's."""
        from reverie.store.search.fresh import FreshTurn

        fresh = self._parts.fresh
        if turns is None:
            fresh.clear(space)
        else:
            made = [FreshTurn(*turn) for turn in turns]
            fresh.put(space, self._parts.embedder.id, made, fresh.cleared(space))
