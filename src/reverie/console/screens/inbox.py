"""Inbox: what waits for a person, as one queue. Proposals and quarantined texts, and contradictions, oldest first."""

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import Query
from starlette.responses import Response

from reverie.console.shell import Form, Here, Reading, Reviewing, Screens
from reverie.console.words import DiffLine, diff_lines
from reverie.errors import BadInput, NotFound
from reverie.model.base import Instant
from reverie.model.blocks import Review
from reverie.model.memories import Contradiction, Memory, Side
from reverie.model.turns import Turn
from reverie.space import Space

routes = Screens()
PAGE = 25
TITLES = {
    "block": "A change to {}",
    "quarantine": "A text that reads like an order",
    "forget": "An agent wants this deleted for good",
}


@dataclass(frozen=True, slots=True)
class InboxMatter:
    """One thing to decide, with its evidence side by side."""

    id: str
    kind: str  # block, quarantine, forget, contradiction
    at: Instant
    title: str
    why: str
    status: str
    older: Memory | None = None
    newer: Memory | None = None
    proposal: str = ""
    lines: tuple[DiffLine, ...] = ()
    evidence: tuple[Memory | Turn, ...] = ()


@routes.screen("/inbox")
def inbox(
    here: Reading, decided: Annotated[bool, Query()] = False, undo: Annotated[str, Query(max_length=300)] = ""
) -> Response:
    """`undo` names what was decided last, so that one key takes it back."""
    return here.page("inbox.html", matters=matters(here.space, decided), decided=decided, undo=undo)


def matters(space: Space, decided: bool) -> list[InboxMatter]:
    """What is open; or what has been decided, the newest first."""
    reviews = space.reviews(None if decided else "open", limit=100)
    clashes = space.contradictions(status=None if decided else "open", limit=100)
    found = [
        *(_review(space, one) for one in reviews if (one.status != "open") == decided),
        *(_clash(space, one) for one in clashes if (one.status != "open") == decided),
    ]
    return sorted(found, key=lambda one: (-one.at if decided else one.at, one.id))[:PAGE]


def _review(space: Space, review: Review) -> InboxMatter:
    evidence = tuple(one for id in review.evidence[:6] if (one := _named(space, id)) is not None)
    title = TITLES[review.kind].format(review.label)
    lines: tuple[DiffLine, ...] = ()
    if review.kind == "block" and review.label in space.blocks:
        lines = tuple(diff_lines(space.blocks[review.label].value, review.proposal))
    proposal = review.proposal
    if review.kind == "quarantine" and (held := _named(space, review.target)) is not None:
        proposal = held.text
    return InboxMatter(
        review.id, review.kind, review.created_at, title, review.why, review.status,
        proposal=proposal, lines=lines, evidence=evidence,
    )  # fmt: skip


def _clash(space: Space, clash: Contradiction) -> InboxMatter:
    older, newer = _named(space, clash.older), _named(space, clash.newer)
    return InboxMatter(
        clash.id, "contradiction", clash.created_at, "Two statements that cannot both hold", clash.evidence,
        clash.status,
        older if isinstance(older, Memory) else None,
        newer if isinstance(newer, Memory) else None,
    )  # fmt: skip


def _named(space: Space, id: str) -> Memory | Turn | None:
    try:
        return space.named(id)
    except NotFound:
        return None


SIDES: dict[str, Side] = {"older": "older", "newer": "newer", "both": "both"}


@routes.action("/inbox/{matter}")
def decide(here: Reviewing, form: Form, matter: str) -> Response:
    """approve or reject a review; older, newer or both for a contradiction; `reopen` takes that back."""
    choice = form.get("choice", "")
    if choice in SIDES:
        here.space.resolve(matter, SIDES[choice])
        return _decided(here, matter, "Both are kept." if choice == "both" else f"The {choice} one holds.")
    if choice == "reopen":
        _reopen(here.space, matter)
        return here.go("inbox", told="Taken back: it waits again.")
    return _decide_review(here, matter, choice, form.get("text"))


def _decide_review(here: Here, id: str, choice: str, text: str | None) -> Response:
    space = here.space
    if choice == "approve":
        done = space.approve(id, by="console")
        return _decided(here, id if done.kind == "block" else "", "Approved.")
    if choice == "edit" and text is not None:
        review = space.review(id)
        space.blocks[review.label].set(text, expected=review.base_version, reason="edited in the inbox")
        space.reject(id, by="console")
        return here.go("inbox", told="Written as you edited it.")
    if choice == "reject":
        space.reject(id, by="console")
        return _decided(here, id, "Rejected: nights do not propose it again.")
    raise BadInput(f"there is no decision {choice!r}")


def _decided(here: Here, id: str, told: str) -> Response:
    """Back to what is left, with the decision at hand to be taken back; without an id it cannot be."""
    return here.go("inbox", told=told, then=f"?undo={quote(id)}" if id else "")


def _reopen(space: Space, id: str) -> None:
    try:
        space.reopen(id)
    except NotFound:
        space.reopen_review(id)
