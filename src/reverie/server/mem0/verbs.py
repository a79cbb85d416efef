"""What both forms of mem0's API do, whatever their paths and shapes: add, list, search, change, delete."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from reverie.errors import BadInput, NotFound
from reverie.model.base import new_id
from reverie.model.spaces import Verb
from reverie.server.formatting import iso
from reverie.server.gateway.auth import Caller
from reverie.server.mem0 import records
from reverie.server.mem0.entities import IDS, Owner, entity_of, owners, the_space
from reverie.server.mem0.records import Shape
from reverie.server.state import Server
from reverie.space import Space

ROLES = ("user", "assistant")


class Lenient(BaseModel):
    """mem0's clients send options that mean nothing here; they are not an error."""

    model_config = ConfigDict(extra="ignore")


class SaidMessage(Lenient):
    role: str = Field("user", max_length=40)
    content: str | list[dict[str, JsonValue]] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content.strip()
        return "\n".join(str(part["text"]) for part in self.content or () if "text" in part).strip()


class AddIn(Lenient):
    messages: str | list[SaidMessage] = Field(description="What was said, or one text.")
    user_id: str | None = None
    agent_id: str | None = None
    app_id: str | None = None
    run_id: str | None = None
    filters: dict[str, JsonValue] | None = None
    metadata: dict[str, JsonValue] | None = None
    infer: bool | None = None
    timestamp: float | None = Field(None, ge=0, le=1e11)

    @property
    def owner(self) -> Owner:
        own = {name: getattr(self, name) for name in IDS if getattr(self, name) is not None}
        return Owner.of({**{name: (self.filters or {}).get(name) for name in IDS}, **own})

    @property
    def said(self) -> list[SaidMessage]:
        given = [SaidMessage(role="user", content=self.messages)] if isinstance(self.messages, str) else self.messages
        said = [message for message in given if message.text and message.role in ROLES]
        if not said:
            raise BadInput("there is no text to remember", next_move="Give `messages` of a user or an assistant.")
        return said


class ChangeIn(Lenient):
    text: str | None = Field(None, min_length=1, max_length=1_000_000)
    data: str | None = Field(None, min_length=1, max_length=1_000_000)  # as older clients call it
    memory: str | None = Field(None, min_length=1, max_length=1_000_000)
    metadata: dict[str, JsonValue] | None = None

    @property
    def new_text(self) -> str | None:
        return self.text or self.data or self.memory


@dataclass(frozen=True, slots=True)
class Mem0:
    """The store as one caller sees it."""

    server: Server
    caller: Caller

    def add(self, given: AddIn) -> list[Shape]:
        """Kept word for word without `infer`; otherwise as turns, which a nap reads. Findable at once either way."""
        self.caller.must("write")
        owner = given.owner
        said = given.said
        space = the_space(self.server, self.caller, owner.space, make=True)
        metadata = {**(given.metadata or {}), **owner.others}
        if given.infer is False:
            kept = [self._kept(space, owner, message, metadata, given.timestamp) for message in said]
            return [{"id": one["id"], "memory": one["memory"], "event": "ADD"} for one in kept]
        stored = [
            space.append(
                message.role, message.text, owner.session, metadata=metadata, at=given.timestamp, source="mem0"
            )
            for message in said
        ]
        space.request_due_nap()
        pairs = zip(stored, said, strict=True)
        return [{"id": one.id, "memory": m.text, "event": "ADD"} for one, m in pairs if m.role == "user"]

    def _kept(
        self, space: Space, owner: Owner, said: SaidMessage, metadata: Mapping[str, Any], at: float | None
    ) -> Shape:
        session = owner.ids.get("run_id")
        origin = None if said.role == "user" else "assistant"
        made = space.remember(said.text, metadata=metadata, origin=origin, session=session, at=at, surface="mem0")
        return records.shown(space, made)

    def all(self, filters: Mapping[str, Any]) -> list[Shape]:
        """The records that pass a filter, the newest first; nothing for somebody who is not known."""
        found = [record for space, owner in self._asked(filters) for record in records.wanted(space, owner, filters)]
        return sorted(found, key=lambda record: str(record["created_at"]), reverse=True)

    def search(self, query: str, filters: Mapping[str, Any], most: int, threshold: float) -> list[Shape]:
        found = [
            record
            for space, owner in self._asked(filters)
            for record in records.searched(space, owner, query, filters, most)
            if record["score"] >= threshold
        ]
        return sorted(found, key=lambda record: -float(record["score"]))[:most]

    def _asked(self, filters: Mapping[str, Any]) -> Iterator[tuple[Space, Owner]]:
        self.caller.must("read")
        for owner in owners(filters):
            try:
                yield the_space(self.server, self.caller, owner.space), owner
            except NotFound:
                continue

    def holding(self, id: str, verb: Verb) -> Space:
        """The space that a memory is in, if the caller may do that there."""
        self.caller.must(verb)
        space = self.server.org(self.caller).space_holding(id)
        if self.caller.space not in (None, space.id):
            raise NotFound("memory", id)
        return space

    def get(self, id: str) -> Shape:
        space = self.holding(id, "read")
        return {**records.shown(space, records.current(space, id)), "id": id}

    def update(self, id: str, given: ChangeIn) -> Shape:
        if given.new_text is None and given.metadata is None:
            raise BadInput("there is nothing to change", next_move="Give `text` or `metadata`.")
        space = self.holding(id, "write")
        return {**records.updated(space, id, given.new_text, given.metadata or {}), "id": id}

    def history(self, id: str) -> list[Shape]:
        return records.history(self.holding(id, "read"), id)

    def delete(self, ids: Sequence[str]) -> None:
        """All of them, or none: each is looked for first."""
        spaces = [(self.holding(id, "write"), id) for id in ids]
        for space, _ in {space.id: (space, id) for space, id in spaces}.values():
            records.deleted(space, [id for other, id in spaces if other.id == space.id])

    def delete_all(self, owner: Owner) -> None:
        """Everything of an owner; of a run or an agent of theirs, what it said."""
        self.caller.must("write")
        try:
            space = the_space(self.server, self.caller, owner.space)
        except NotFound:
            return
        if not owner.others:
            space.forget(everything=True)
            return
        records.deleted(space, [record["id"] for record in records.wanted(space, owner, {})])
        if set(owner.others) == {"run_id"}:
            space.forget(session=owner.session)

    def entities(self) -> list[Shape]:
        """Everybody who has a memory here, as far as the caller sees."""
        self.caller.must("read")
        return [_entity(space) for space in self._spaces()]

    def _spaces(self) -> Iterator[Space]:
        org, after = self.server.org(self.caller), None
        if self.caller.space is not None:
            yield org.space_by_id(self.caller.space)
            return
        while found := org.spaces(limit=200, after=after):
            yield from found
            after = found[-1].id

    def delete_entity(self, kind: str, id: str) -> None:
        """Takes away somebody with all that is remembered of them."""
        owner = Owner.of({f"{kind}_id": id})
        space = the_space(self.server, self.caller, owner.space)
        self.caller.must("admin")
        self.server.org(self.caller).delete_space(space.name)


def _entity(space: Space) -> Shape:
    kind, name = entity_of(space.name)
    at = iso(space.record.created_at)
    total = sum(space.count().values())
    about = {"id": space.id, "name": name, "type": kind, "total_memories": total, "owner": None, "metadata": None}
    return {**about, "created_at": at, "updated_at": at}


def pending(results: list[Shape]) -> Shape:
    """What an add answers: everything is stored, and a nap will read it."""
    return {
        "results": results,
        "message": "Stored; what it comes to is worked out while nobody waits.",
        "status": "PENDING",
        "event_id": new_id("event"),
    }
