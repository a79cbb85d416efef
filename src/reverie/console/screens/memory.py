"""Memory: the real recall with its reasons, lists by filter, and one memory with its words and its story."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, get_args

from fastapi import Query
from starlette.responses import Response

from reverie.console.changes import readable
from reverie.console.shell import Form, Here, Reading, Screens, Writing
from reverie.errors import BadInput, NotFound
from reverie.model.hits import HIT_KINDS, Hit
from reverie.model.memories import KINDS, STATES, TIERS, Filter, Kind, Memory, Tier
from reverie.model.turns import Turn, is_turn
from reverie.space import Space

routes = Screens()
PAGE = 50
HITS = 30
AROUND = 3  # turns of the conversation before and after
DEEP = 500  # hits that are looked through for one that was not found
Text = Annotated[str, Query(max_length=2_000)]


@dataclass(frozen=True, slots=True)
class SearchForm:
    """What the fields above the list say."""

    q: str = ""
    kind: str = ""
    tier: str = ""
    tag: str = ""
    session: str = ""
    speaker: str = ""
    since: str = ""
    until: str = ""
    state: str = ""

    @property
    def kinds(self) -> tuple[Any, ...]:
        return (self.kind,) if self.kind in HIT_KINDS else ()

    @property
    def tiers(self) -> tuple[Tier, ...]:
        return tuple(tier for tier in TIERS if tier == self.tier)

    @property
    def tags(self) -> tuple[str, ...]:
        return (self.tag,) if self.tag else ()


@routes.screen("/memory")
def memory_list(
    here: Reading,
    q: Text = "",
    kind: Text = "",
    tier: Text = "",
    tag: Text = "",
    session: Text = "",
    speaker: Text = "",
    since: Text = "",
    until: Text = "",
    state: Text = "",
    after: Text = "",
    why: Text = "",
) -> Response:
    wanted = SearchForm(q.strip(), kind, tier, tag, session, speaker, since, until, state)
    hits = _hits(here.space, wanted) if wanted.q else []
    found = [] if wanted.q else _listed(here.space, wanted, after)
    return here.page(
        "memory.html",
        wanted=wanted,
        hits=hits,
        memories=found[:PAGE],
        next=found[PAGE - 1].id if len(found) > PAGE else "",
        kinds=(*KINDS, "turn"),
        tiers=TIERS,
        states=STATES,
        not_found=_why_not(here.space, wanted, why.strip(), hits) if why.strip() and wanted.q else "",
        why=why,
    )


def _hits(space: Space, wanted: SearchForm, k: int = HITS) -> list[Hit]:
    hits = space.recall(
        wanted.q,
        k,
        session=wanted.session or None,
        after=_moment(wanted.since),
        before=_moment(wanted.until),
        kinds=wanted.kinds,
        tags=wanted.tags,
        tiers=wanted.tiers,
        include_stale=True,
        explain=True,
        quiet=True,
    )
    return [hit for hit in hits if not wanted.speaker or hit.speaker == wanted.speaker]


def _listed(space: Space, wanted: SearchForm, after: str) -> list[Memory]:
    kinds: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind == wanted.kind)
    filter = Filter(
        kinds=kinds,
        tags=wanted.tags,
        tiers=wanted.tiers,
        session=wanted.session or None,
        speaker=wanted.speaker or None,
        after=_moment(wanted.since),
        before=_moment(wanted.until),
        include_quarantined=wanted.state == "quarantined",
        state=next((state for state in STATES if state == wanted.state), ""),
    )
    return space.all(filter, limit=PAGE + 1, after=after or None, newest_first=True)


def _moment(day: str) -> float | None:
    """
    >>> _moment("2026-11-09"), _moment("")
    (1794182400.0, None)
    """
    if not day:
        return None
    try:
        return datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise BadInput(f"{day!r} is no day", next_move="Write it as 2026-11-09.") from None


def _why_not(space: Space, wanted: SearchForm, id: str, hits: Sequence[Hit]) -> str:
    """Why a memory is not among the hits, or where it is."""
    try:
        named = space.named(id)
    except NotFound:
        return f"there is no memory {id} in this space"
    if isinstance(named, Memory) and named.quarantined:
        return "it is quarantined: it waits in the inbox, and no recall finds it"
    deep = [hit.id for hit in _hits(space, wanted, DEEP)]
    if named.id in deep[: len(hits)]:
        return f"it is hit number {deep.index(named.id) + 1}"
    if named.id in deep:
        return f"others fit better: it comes as number {deep.index(named.id) + 1}"
    if isinstance(named, Memory) and wanted.tiers and named.tier not in wanted.tiers:
        return f"it is in tier {named.tier}, and the search is for {wanted.tier}"
    return "it shares no word with the question, and its meaning is too far from it"


@routes.screen("/memory/{memory}")
def memory_page(here: Reading, memory: str) -> Response:
    named = here.space.named(memory)
    if isinstance(named, Turn):
        return here.page(
            "turn.html",
            turn=named,
            around=_conversation(here.space, [named.id]),
            derived=here.space.derived(named.id),
        )
    return here.page("memory_one.html", **_story(here, named))


def _story(here: Here, memory: Memory) -> dict[str, Any]:
    space = here.space
    links = space.links(memory.id)
    ends = {end for edge in links for end in (edge.a, edge.b)} - {memory.id}
    others: dict[str, str] = {}
    for end in sorted(ends)[:PAGE]:
        try:
            others[end] = space.named(end).text
        except NotFound:
            continue
    return {
        "memory": memory,
        "around": _conversation(space, [source for source in memory.sources if is_turn(source)][:3]),
        "derived": [one for one in space.derived(memory.id) if one.id != memory.id],
        "links": [edge for edge in links if (edge.b if edge.a == memory.id else edge.a) in others],
        "others": others,
        "changes": readable(space, space.changes_of(memory.id)),
        "explained": None if memory.quarantined else space.explain(memory.id),
    }


def _conversation(space: Space, ids: Sequence[str]) -> list[tuple[Turn, bool]]:
    """The turns that were named, marked, each with a few around it in their conversation."""
    found: dict[str, Turn] = {}
    for id in ids:
        try:
            turn = space.turn(id)
        except NotFound:
            continue
        before = space.turns(turn.session, before=turn.id, newest_first=True, limit=AROUND)
        for one in (*reversed(before), turn, *space.turns(turn.session, after=turn.id, limit=AROUND)):
            found[one.id] = one
    return [(turn, turn.id in ids) for turn in sorted(found.values(), key=lambda turn: turn.seq)]


@routes.action("/memory/{memory}/pin")
def pin(here: Writing, form: Form, memory: str) -> Response:
    pinned = form.get("pinned") == "1"
    kept = here.space.pin(memory) if pinned else here.space.unpin(memory)
    return here.go("memory", kept.id, told="Pinned: it stays hot and does not fade." if pinned else "Unpinned.")


@routes.action("/memory/{memory}/correct")
def correct(here: Writing, form: Form, memory: str) -> Response:
    text = form.get("text", "").strip()
    if not text:
        raise BadInput("a correction needs text", next_move="Say what is true instead.")
    made = here.space.correct(memory, text)
    return here.go("memory", made.id, told="Corrected: this wins from now on, the old one is kept and marked.")


@routes.action("/memory/{memory}/tag")
def tag(here: Writing, form: Form, memory: str) -> Response:
    tags = [tag for tag in (part.strip() for part in form.get("tags", "").split(",")) if tag]
    before = here.space.memory(memory)
    gone = [tag for tag in before.manual_tags if tag not in tags]
    if gone:
        here.space.untag(memory, *gone)
    if tags:
        here.space.tag(memory, *tags)
    return here.go("memory", before.id, told="Tags saved.")


@routes.screen("/memory/{memory}/forget")
def forget_dry(here: Writing, memory: str) -> Response:
    """What would go for good, before it goes."""
    named = here.space.named(memory)
    dry = here.space.forget(named.id, dry_run=True)
    going = [here.space.named(one) for one in (*dry.turns, *dry.memories)[:PAGE]]
    return here.page(
        "forget.html", named=named, going=going, turns=len(dry.turns), memories=len(dry.memories), most=PAGE
    )


@routes.action("/memory/{memory}/forget")
def forget(here: Writing, memory: str) -> Response:
    done = here.space.forget(here.space.named(memory).id)
    told = f"Forgotten for good: {len(done.turns)} turns and {len(done.memories)} memories."
    return here.go("memory", told=told)


@routes.action("/remember")
def remember(here: Writing, form: Form) -> Response:
    text = form.get("text", "").strip()
    if not text:
        raise BadInput("there is nothing to remember", next_move="Write what is to be kept.")
    return here.go("memory", here.space.remember(text).id, told="Remembered.")
