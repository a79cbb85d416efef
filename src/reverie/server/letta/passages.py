"""Passages are memories: what was inserted, and what nights made of it. Turns are messages, and not told twice."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Literal

from fastapi import Query
from pydantic import Field, JsonValue

from reverie.errors import NotAllowed, NotFound
from reverie.model.base import Instant
from reverie.model.memories import KINDS, Filter, Memory
from reverie.server.dependencies import Asking, Id, Routes
from reverie.server.gateway.auth import Caller
from reverie.server.letta.profile import Profile
from reverie.server.letta.shapes import passage_shape
from reverie.server.letta.shared import (
    Body,
    Cursor,
    Moment,
    ReadableAgent,
    Shape,
    Tag,
    Tags,
    TheServer,
    WritableAgent,
    cursor,
    memory_ids,
    page_of,
    passage_id,
    the_agent,
    the_space,
    visible,
)
from reverie.server.letta.shared import agent_id as agent_of
from reverie.server.state import Server
from reverie.space import Space

routes = Routes(prefix="/v1", tags=["letta"])
PART = 200
MOST_FOUND = 100
WIDER = 4  # how many more hits are asked for than wanted: some are turns, or have other tags
Match = Literal["any", "all"]


class PassageIn(Body):
    text: str = Field(min_length=1)
    tags: Tags | None = None
    metadata: dict[str, JsonValue] | None = None
    created_at: Moment | None = None


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """What a search asks for."""

    text: str
    tags: Sequence[str] = ()
    match: Match = "any"
    k: int = 10
    after: Instant | None = None
    before: Instant | None = None

    def accepts(self, memory: Memory) -> bool:
        has = [tag in memory.tags for tag in self.tags]
        return is_passage(memory) and (not has or (all if self.match == "all" else any)(has))


def is_passage(memory: Memory) -> bool:
    """Not a turn over again. A remembered text cites itself."""
    return memory.kind != "episode" or memory.id in memory.sources


def insert(space: Space, given: PassageIn) -> Shape:
    tags = tuple(given.tags or ())
    kept = space.remember(given.text, tags=tags, metadata=given.metadata, at=given.created_at, surface="letta")
    return passage_shape(kept)


def archives_of(server: Server, caller: Caller, agent: Space) -> list[Space]:
    """The agent's own memories, and those of the archives that it was given, as far as the caller may see them."""
    profile = Profile.of(agent.record)
    return [agent, *_attached_archives(server, caller, (*profile.archives, *profile.folders))]


def _attached_archives(server: Server, caller: Caller, ids: Sequence[str]) -> Iterator[Space]:
    for id in ids:
        try:
            yield server.space(caller, id)
        except NotFound:  # taken away since, or not the caller's to see
            continue


def passages_in(spaces: Sequence[Space], after: str | None = None) -> Iterator[Memory]:
    """Passages, space by space, in the order they were made, past one of them."""
    known = find_passage(spaces, after) if after else None
    rest = [space.id for space in spaces].index(known.space) if known else 0
    last = known.id if known else None
    for space in spaces[rest:]:
        while found := space.all(Filter(include_stale=False), limit=PART, after=last):
            yield from (memory for memory in found if is_passage(memory))
            last = found[-1].id
        last = None


def find_passage(spaces: Sequence[Space], passage: str) -> Memory | None:
    for space in spaces:
        for id in memory_ids(passage):
            try:
                return space.memory(id)
            except NotFound:
                continue
    return None


def list_page(spaces: Sequence[Space], page: Cursor, wanted: Callable[[Memory], bool]) -> Sequence[Memory]:
    if page.order == "asc" and page.before is None:  # the usual way: nothing is read twice
        return list(islice(filter(wanted, passages_in(spaces, page.after)), page.limit))
    return page_of(filter(wanted, passages_in(spaces)), page, lambda memory: passage_id(memory.id))


def search(spaces: Sequence[Space], query: PassageQuery) -> list[tuple[Memory, float]]:
    """Best first, over all of these spaces."""
    found: list[tuple[Memory, float]] = []
    for space in spaces:
        hits = space.recall(query.text, query.k * WIDER, kinds=KINDS, after=query.after, before=query.before)
        scored = ((space.memory(hit.id), hit.score) for hit in hits)
        found += [(memory, score) for memory, score in scored if query.accepts(memory)][: query.k]
    return sorted(found, key=lambda pair: -pair[1])[: query.k]


def forget(spaces: Sequence[Space], passage: str) -> None:
    memory = find_passage(spaces, passage)
    if memory is None:
        raise NotFound("passage", passage)
    here = next(space for space in spaces if space.id == memory.space)
    done = here.forget(memory.id, surface="letta")
    if done.held is not None:
        raise NotAllowed(
            "these are the user's own words, and something was read from outside just before: a person decides",
            next_move=f"Approve {done.held} (`reverie reviews approve {done.held}`).",
            review=done.held,
        )


ARCHIVAL = "/agents/{agent_id}/archival-memory"


@routes.post(ARCHIVAL)
def insert_passage(agent: WritableAgent, body: PassageIn) -> list[Shape]:
    """Findable at once; nights link and consolidate it."""
    return [insert(agent, body)]


@routes.get(ARCHIVAL)
def list_passages(
    server: TheServer, caller: Asking, agent: ReadableAgent, page: Cursor = cursor(100, "asc"), search: str = ""
) -> list[Shape]:
    found = list_page(archives_of(server, caller, agent), page, lambda memory: search.lower() in memory.text.lower())
    return [passage_shape(memory) for memory in found]


@routes.get(ARCHIVAL + "/search")
def search_passages(
    server: TheServer,
    caller: Asking,
    agent: ReadableAgent,
    query: str,
    tags: Annotated[list[Tag], Query()] = [],
    tag_match_mode: Match = "any",
    top_k: Annotated[int | None, Query(ge=1)] = None,
    start_datetime: Annotated[Moment | None, Query()] = None,
    end_datetime: Annotated[Moment | None, Query()] = None,
) -> Shape:
    wanted = PassageQuery(query, tags, tag_match_mode, min(top_k or 10, MOST_FOUND), start_datetime, end_datetime)
    found = [search_result(memory) for memory, _ in search(archives_of(server, caller, agent), wanted)]
    return {"count": len(found), "results": found}


def search_result(memory: Memory) -> Shape:
    shown = passage_shape(memory)
    return {"id": shown["id"], "content": memory.text, "timestamp": shown["created_at"], "tags": shown["tags"]}


@routes.delete(ARCHIVAL + "/{memory_id}")
def delete_passage(agent: WritableAgent, memory_id: Id) -> None:
    """Forgets it for good, with everything that rests on it alone."""
    forget([agent], memory_id)


class SearchIn(Body):
    query: str | None = Field(default=None, max_length=100_000)
    agent_id: str | None = Field(default=None, max_length=300)
    archive_id: str | None = Field(default=None, max_length=300)
    tags: Tags | None = None
    tag_match_mode: Match = "any"
    limit: int = Field(default=50, ge=1)
    start_date: Moment | None = None
    end_date: Moment | None = None


@routes.post("/passages/search")
def search_everywhere(server: TheServer, caller: Asking, body: SearchIn) -> list[Shape]:
    """In an agent's memory, in an archive, or in all that the key may see. Without a query, the newest."""
    caller.must("read")
    spaces = _spaces_to_search(server, caller, body)
    query = PassageQuery(
        body.query or "",
        body.tags or (),
        body.tag_match_mode,
        min(body.limit, MOST_FOUND),
        body.start_date,
        body.end_date,
    )
    if not query.text.strip():
        newest = list_page(spaces, Cursor(query.k, "desc"), query.accepts)
        return [{"passage": passage_shape(memory), "score": 0.0, "metadata": {}} for memory in newest]
    return [
        {"passage": passage_shape(memory), "score": score, "metadata": {}} for memory, score in search(spaces, query)
    ]


def _spaces_to_search(server: Server, caller: Caller, body: SearchIn) -> list[Space]:
    if body.agent_id is not None:
        return archives_of(server, caller, the_agent(server, caller, body.agent_id))
    if body.archive_id is not None:
        return [the_space(server, caller, agent_of(body.archive_id), "archive")]
    return list(visible(server, caller))
