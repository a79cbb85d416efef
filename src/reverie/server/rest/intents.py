"""Reminders for when something comes up, over HTTP."""

from typing import Annotated

from pydantic import BaseModel, Field

from reverie.model.base import Instant
from reverie.model.turns import LONGEST, Intent
from reverie.server.dependencies import Id, Readable, Routes, Writable
from reverie.server.rest.shared import After, Limit, Page, Strict, page

routes = Routes(prefix="/v1/spaces/{space}", tags=["intents"])


class IntentIn(Strict):
    remind: Annotated[str, Field(min_length=1, max_length=LONGEST, examples=["the audit in May"])]
    when: Annotated[str, Field(min_length=1, max_length=LONGEST, examples=["the ledger comes up"])]
    scope: str = Field(default="", max_length=LONGEST, description="Only in this session; `*` stands for anything.")


class IntentOut(BaseModel):
    """What is to be reminded of when something comes up."""

    id: str
    remind: str
    trigger: str = Field(description="What has to come up.")
    scope: str
    turn: str | None = Field(description="The turn in which the user asked for it.")
    session: str | None
    made_at: Instant
    expires_at: Instant
    cancelled_at: Instant | None
    fired: int = Field(description="How often it was shown; at most three times.")
    fired_at: Instant | None


def intent_out(found: Intent) -> IntentOut:
    return IntentOut(**{name: getattr(found, name) for name in IntentOut.model_fields})


@routes.get("/intents")
def list_intents(space: Readable, over: bool = False, limit: Limit = 50, after: After = None) -> Page[IntentOut]:
    """What the user wants to be reminded of, newest first; with `over`, also what was cancelled or is done."""
    found = [intent_out(one) for one in space.intents(over=over, limit=limit + 1, after=after)]
    return page(found, limit, lambda one: one.id)


@routes.post("/intents", status_code=201)
def add_intent(space: Writable, body: IntentIn) -> IntentOut:
    """A reminder that a person writes down: at most three times, a day apart, for ninety days."""
    return intent_out(space.intend(body.remind, body.when, scope=body.scope, surface="rest"))


@routes.delete("/intents/{intent}")
def cancel_intent(space: Writable, intent: Id) -> IntentOut:
    """It reminds no more, and stays listed with `over`."""
    return intent_out(space.cancel_intent(intent))
