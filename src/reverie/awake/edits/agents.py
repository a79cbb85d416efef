"""What an agent asks for: at once, or after a person has looked, by whose words they are and what it had read before.

An agent that reads a page may do what the page says. Its edits of blocks are proposals where they say what the user has
not said (`policy/safety/grounding`), and what it would delete of the user's words waits until the user speaks again.
"""

from collections.abc import Sequence
from functools import lru_cache

from reverie.language.words import content_hash
from reverie.model.base import HOUR, Instant, Origin, derived_id
from reverie.model.blocks import Review
from reverie.policy.decision import Decision
from reverie.policy.safety.channels import Channel
from reverie.policy.safety.grounding import Grounds, stated
from reverie.policy.safety.trust import may_forget
from reverie.store.db import Database
from reverie.store.forget import selection
from reverie.store.tables import blocks, memories, reviews, turns

LATELY = HOUR  # a session without a turn for so long is not the one that an agent calls from
SHOWN = 2_000  # characters of what a forget would take, in its review
HEARD = 300  # of the user's last turns that an edit can rest on
BROUGHT = 100  # of the last texts from outside that it can be taken from
READ = 20_000  # characters of each
LAST = 2  # turns of the user's that an agent may be about to act on
_stated = lru_cache(2_048)(stated)  # an agent edits more than once, and the same turns are there


def read_outside(db: Database, space: str, now: Instant, session: str | None = None) -> Origin | None:
    """Where an agent has read something since the user last spoke to it, or None."""
    return turns.tainted_by(db, space, session and db.redactor.name(session), now - LATELY)


def grounds_of(db: Database, space: str, now: Instant, session: str | None = None) -> Grounds:
    """What the user stated, in this session first (or within the last hour), what core holds, what came from outside.

    "Lately" are the user's last two turns there: who spoke of a thing an hour ago has not asked to strike it out now.
    """
    name = session and db.redactor.name(session)
    heard = turns.heard(db, space, HEARD)
    here = [turn for turn in heard if (turn.session == name if name else turn.at >= now - LATELY)]
    apart = [turn for turn in heard if turn not in here]
    said = [_stated(turn.text[:READ]) for turn in (*here, *apart)]
    core = tuple(_stated(block.value) for block in blocks.attached(db, space, name))
    brought = tuple(turn.text[:READ].lower() for turn in turns.brought(db, space, BROUGHT))
    return Grounds(tuple(said), min(len(here), LAST), brought, core)


def forget_waits(db: Database, space: str, channel: Channel, ids: Sequence[str], now: Instant) -> Decision:
    """Whether a forget of these waits for a person, and why."""
    outside = None if channel.actor == "person" else read_outside(db, space, now)
    if outside is None:
        return Decision(False, "nothing was read from outside")
    going = [*ids, *selection.with_derived(db, space, ids).doomed]
    words = [turn.trust for turn in turns.by_ids(db, space, going).values()]
    words += [memory.trust for memory in memories.by_ids(db, space, going).values()]
    allowed = may_forget(channel.trust, outside, words)
    return Decision(not allowed, allowed.why)


def hold_forget(db: Database, space: str, ids: Sequence[str], why: str, now: Instant) -> Review:
    """The review by which a person decides on an agent's forget; the same is kept once."""
    shown = "\n".join(selection.texts(db, space, ids).values())
    review = Review(
        id=derived_id("review", space, "forget", content_hash("\n".join(sorted(ids)))),
        space=space,
        kind="forget",
        target=ids[0],
        label="forget",
        proposal=shown[:SHOWN],
        diff="",
        why=why,
        evidence=tuple(ids),
        status="open",
        base_version=1,
        created_at=now,
    )
    with db.write("memory") as tx:
        reviews.hold(tx, review)
    return review
