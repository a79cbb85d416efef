"""Steps: an exchange is one, a night has several."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Literal

from fastapi import Query

from reverie.errors import NotFound
from reverie.model.night import Night
from reverie.server.dependencies import Asking, Id, Routes
from reverie.server.gateway.auth import Caller
from reverie.server.letta import exchange_runs
from reverie.server.letta.exchange_runs import ExchangeRun
from reverie.server.letta.shapes import step_shape
from reverie.server.letta.shared import Body, Cursor, Shape, TheServer, cursor, page_of, the_agent, visible_agents
from reverie.server.state import Server
from reverie.space import Space

routes = Routes(prefix="/v1/steps", tags=["letta"])
FEEDBACK = "letta.feedback"
NIGHTS = 50  # of each agent: older nights are found by their runs
Feedback = Literal["positive", "negative"]


class FeedbackIn(Body):
    feedback: Feedback | None = None
    tags: list[str] | None = None


def of_exchange(run: ExchangeRun) -> Shape:
    usage = run.usage
    return {
        "id": run.step,
        "agent_id": run.space,
        "run_id": run.id,
        "origin": "exchange",
        "status": {"completed": "success", "failed": "failed"}.get(run.status, "pending"),
        "stop_reason": run.shape()["stop_reason"],
        "prompt_tokens": usage.get("prompt_tokens", 0),
        "completion_tokens": usage.get("completion_tokens", 0),
        "total_tokens": usage.get("total_tokens", 0),
        "error_type": run.error,
        "tags": [],
    }


def of_run(run: tuple[Space, Night] | ExchangeRun) -> list[Shape]:
    if isinstance(run, ExchangeRun):
        return [of_exchange(run)]
    space, night = run
    return [step_shape(night, step) for step in space.night(night.id).steps]


def _newest_first(server: Server, caller: Caller, agents: list[Space]) -> Iterator[tuple[str, Shape]]:
    """(moment, step) of exchanges and nights, the latest of each agent."""
    known = {agent.id for agent in agents}
    for run in exchange_runs.oldest_first(server, caller.org):
        if run.space in known:
            yield run.shape()["created_at"], of_exchange(run)
    for agent in agents:
        for night in agent.nights(limit=NIGHTS, statuses=("running", "done", "failed", "undone")):
            yield from ((f"{night.requested_at:020.3f}", step) for step in of_run((agent, night)))


def with_feedback(agent: Space, step: Shape) -> Shape:
    said = agent.shelf(FEEDBACK).get(step["id"])
    return step if said is None else {**step, "feedback": said.value["feedback"], "tags": said.value["tags"]}


@routes.get("/")
def list_steps(
    server: TheServer,
    caller: Asking,
    page: Cursor = cursor(50, "desc"),
    agent_id: str | None = None,
    feedback: Feedback | None = None,
    has_feedback: bool | None = None,
    tags: Annotated[list[str], Query(max_length=100)] = [],
) -> list[Shape]:
    """Steps of exchanges, and of the latest nights."""
    caller.must("read")
    agents = [the_agent(server, caller, agent_id)] if agent_id else list(visible_agents(server, caller))
    by_id = {agent.id: agent for agent in agents}
    found = [with_feedback(by_id[step["agent_id"]], step) for _, step in _newest_first(server, caller, agents)]
    wanted = [
        step
        for step in found
        if (feedback is None or step.get("feedback") == feedback)
        and (has_feedback is None or has_feedback == bool(step.get("feedback")))
        and all(tag in step["tags"] for tag in tags)
    ]
    return list(page_of(wanted, page, lambda step: str(step["id"])))


def the_step(server: Server, caller: Caller, id: str) -> tuple[Space, Shape, ExchangeRun | None]:
    """The step, its agent, and the exchange that it is."""
    caller.must("read")
    run = exchange_runs.find(server, caller.org, f"run-{id.removeprefix('step-')}") if id.startswith("step-") else None
    if run is not None:
        agent = the_agent(server, caller, run.space)
        return agent, with_feedback(agent, of_exchange(run)), run
    for agent in visible_agents(server, caller):
        for night in agent.nights(limit=NIGHTS):
            if step := next((step for step in of_run((agent, night)) if step["id"] == id), None):
                return agent, with_feedback(agent, step), None
    raise NotFound("step", id)


@routes.get("/{step_id}")
def read_step(server: TheServer, caller: Asking, step_id: Id) -> Shape:
    """One step, with what was said of it."""
    return the_step(server, caller, step_id)[1]


@routes.patch("/{step_id}/feedback")
def judge_step(server: TheServer, caller: Asking, step_id: Id, body: FeedbackIn) -> Shape:
    """Keeps whether a step was good."""
    caller.must("write")
    agent, step, _ = the_step(server, caller, step_id)
    agent.shelf(FEEDBACK).put(step_id, {"feedback": body.feedback, "tags": body.tags or step["tags"]})
    return with_feedback(agent, step)


@routes.get("/{step_id}/messages")
def step_messages(server: TheServer, caller: Asking, step_id: Id, page: Cursor = cursor(100, "asc")) -> list[Shape]:
    """What came of an exchange; a night says nothing at its steps."""
    run = the_step(server, caller, step_id)[2]
    return list(page_of(() if run is None else run.messages, page, lambda message: str(message["id"])))


@routes.get("/{step_id}/metrics")
def step_metrics(server: TheServer, caller: Asking, step_id: Id) -> Shape:
    """How long it took."""
    agent, step, run = the_step(server, caller, step_id)
    took = None if run is None or run.ended is None else int((run.ended - run.began) * 1e9)
    start = None if run is None else int(run.began * 1e9)
    return {"id": step_id, "agent_id": agent.id, "run_id": step["run_id"], "step_ns": took, "step_start_ns": start}


@routes.get("/{step_id}/trace")
def step_trace(server: TheServer, caller: Asking, step_id: Id) -> Shape | None:
    """What was answered. What goes to a model is not stored."""
    agent, step, run = the_step(server, caller, step_id)
    said = [] if run is None else list(islice(run.messages, 100))
    given = {"agent_id": agent.id, "run_id": step["run_id"], "step_id": step_id}
    return {**given, "request_json": {}, "response_json": {"messages": said}}
