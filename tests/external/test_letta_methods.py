"""Every method of letta-client, strict about every field: served with an effect that a later read shows, or refused.

`python -m tests.external.test_letta_methods` prints the count.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from letta_client import APIStatusError, Letta
from letta_client._resource import SyncAPIResource

from tests.support.served import served

WANTED = 85
SAID = "My sister Frieda keeps bees in Lisbon."
# What Reverie refuses, with the reason that it gives.
REFUSED = {
    "agents.schedule": "not scheduled",
    "agents.tools.update_approval": "approval",
    "agents.identities": "identities",
    "environments": "Environments",
    "mcp_servers": "MCP servers",
    "templates": "Templates",
    "tools.create": "no custom tools",
    "tools.upsert": "no custom tools",
    "tools.update": "no custom tools",
    "tools.delete": "no custom tools",
}


def methods(resource: Any, name: str = "") -> Iterator[str]:
    """The methods of a resource and of those below it that send a request, by their dotted names."""
    for attribute in sorted(vars(type(resource))):
        found = inspect.getattr_static(type(resource), attribute)
        dotted = f"{name}.{attribute}" if name else attribute
        if attribute.startswith(("_", "with_")):
            continue
        if not inspect.isfunction(found):
            below = getattr(resource, attribute, None)
            if isinstance(below, SyncAPIResource):
                yield from methods(below, dotted)
        elif name and "self._" in inspect.getsource(found):
            yield dotted


class Tour:
    """Walks through the client; `served` has what worked, with the method's name."""

    def __init__(self, client: Letta) -> None:
        self.client = client
        self.served: set[str] = set()

    def done(self, name: str, shown: object) -> None:
        assert shown, f"{name} has no effect that can be read"
        self.served.add(name)

    def agents(self) -> Any:
        c, done = self.client, self.done
        agent = c.agents.create(name="ada", tags=["tour"], memory_blocks=[{"label": "human", "value": "Ada"}])
        done("agents.create", c.agents.retrieve(agent.id).name == "ada")
        done("agents.retrieve", True)
        c.agents.update(
            agent.id, description="a nurse", tool_rules=[{"type": "exit_loop", "tool_name": "send_message"}]
        )
        again = c.agents.retrieve(agent.id)
        done("agents.update", again.description == "a nurse" and len(again.tool_rules or []) == 1)
        done("agents.list", agent.id in [found.id for found in c.agents.list(tags=["tour"])])
        done("agents.recompile", "Ada" in str(c.agents.recompile(agent.id)))
        exported = c.agents.export_file(agent.id)
        made = c.agents.import_file(file=("ada.af", exported.encode()))
        done("agents.export_file", "human" in exported)
        done("agents.import_file", c.agents.retrieve(made.agent_ids[0]).blocks)
        c.agents.delete(made.agent_ids[0])
        done("agents.delete", made.agent_ids[0] not in [found.id for found in c.agents.list()])
        return agent

    def blocks(self, agent: Any) -> None:
        c, done = self.client, self.done
        block = c.blocks.create(label="task", value="bees")
        done("blocks.create", c.blocks.retrieve(block.id).value == "bees")
        done("blocks.retrieve", True)
        c.blocks.update(block.id, value="honey")
        done("blocks.update", c.blocks.retrieve(block.id).value == "honey")
        done("blocks.list", block.id in [found.id for found in c.blocks.list(label="task")])
        c.agents.blocks.attach(block.id, agent_id=agent.id)
        done("agents.blocks.attach", agent.id in [found.id for found in c.blocks.agents.list(block.id)])
        done("blocks.agents.list", True)
        done("agents.blocks.list", "task" in [found.label for found in c.agents.blocks.list(agent.id)])
        c.agents.blocks.update("task", agent_id=agent.id, value="wax")
        done("agents.blocks.update", c.agents.blocks.retrieve("task", agent_id=agent.id).value == "wax")
        done("agents.blocks.retrieve", True)
        c.agents.blocks.detach(block.id, agent_id=agent.id)
        done("agents.blocks.detach", "task" not in [found.label for found in c.agents.blocks.list(agent.id)])
        c.blocks.delete(block.id)
        done("blocks.delete", block.id not in [found.id for found in c.blocks.list()])

    def messages(self, agent: Any) -> None:
        c, done, id = self.client, self.done, agent.id
        c.agents.messages.create(id, input=SAID)
        said = list(c.agents.messages.list(id, order="asc"))
        done("agents.messages.create", [m.message_type for m in said][:2] == ["system_message", "user_message"])
        done("agents.messages.list", said[1].content == SAID)  # type: ignore[union-attr]
        streamed = [one.message_type for one in c.agents.messages.stream(id, input="And hens.")]
        done("agents.messages.stream", "assistant_message" in streamed)
        run = c.agents.messages.create_async(id, input="And two goats.")
        ended = [one.message_type for one in c.runs.messages.stream(run.id)]
        done("runs.messages.stream", ended[-2:] == ["stop_reason", "usage_statistics"])
        done("agents.messages.create_async", c.runs.retrieve(run.id).status == "completed")
        done("agents.messages.cancel", isinstance(c.agents.messages.cancel(id), dict))
        done("messages.search", SAID in [hit.content for hit in c.messages.search(query="Frieda bees")])  # type: ignore[union-attr]
        done("messages.list", len(c.messages.list()) >= 6)
        done("messages.retrieve", c.messages.retrieve(said[1].id)[0].content == SAID)  # type: ignore[union-attr]
        done("agents.messages.compact", c.agents.messages.compact(id).num_messages_before > 2)
        done("agents.messages.reset", c.agents.messages.reset(id) is not None)

    def runs(self, agent: Any) -> None:
        c, done = self.client, self.done
        listed = list(c.runs.list(agent_id=agent.id, background=False))
        done("runs.list", len(listed) == 2)
        run = c.runs.retrieve(listed[0].id)
        done("runs.retrieve", run.status == "completed")
        done("runs.messages.list", [m.message_type for m in c.runs.messages.list(run.id)] == ["assistant_message"])
        step = next(iter(c.runs.steps.list(run.id)))
        done("runs.steps.list", step.run_id == run.id)
        done("runs.usage.retrieve", c.runs.usage.retrieve(run.id).total_tokens is not None)
        done("runs.trace.retrieve", isinstance(c.runs.trace.retrieve(run.id), list))
        done("steps.list", step.id in [found.id for found in c.steps.list(agent_id=agent.id)])
        c.steps.feedback.create(step.id, feedback="positive")
        done("steps.feedback.create", c.steps.retrieve(step.id).feedback == "positive")
        done("steps.retrieve", True)
        done("steps.messages.list", len(list(c.steps.messages.list(step.id))) == 1)
        done("steps.metrics.retrieve", (c.steps.metrics.retrieve(step.id).step_ns or 0) > 0)
        done("steps.trace.retrieve", c.steps.trace.retrieve(step.id) is not None)

    def conversations(self, agent: Any) -> None:
        c, done = self.client, self.done
        made = c.conversations.create(agent_id=agent.id, summary="bees")
        done("conversations.create", c.conversations.retrieve(made.id).summary == "bees")
        done("conversations.retrieve", True)
        done("conversations.list", made.id in [found.id for found in c.conversations.list(agent_id=agent.id)])
        c.conversations.update(made.id, summary="hens")
        done("conversations.update", c.conversations.retrieve(made.id).summary == "hens")
        answered = [one.message_type for one in c.conversations.messages.create(made.id, input=SAID)]
        done("conversations.messages.create", "assistant_message" in answered)
        said = list(c.conversations.messages.list(made.id, order="asc"))
        done("conversations.messages.list", said[1].content == SAID)  # type: ignore[union-attr]
        fork = c.conversations.fork(made.id)
        done("conversations.fork", SAID in [m.content for m in c.conversations.messages.list(fork.id)])  # type: ignore[union-attr]
        done("conversations.recompile", made.id in c.conversations.recompile(made.id))
        done("conversations.cancel", c.conversations.cancel(made.id) == {})
        done("conversations.messages.compact", c.conversations.messages.compact(made.id).num_messages_before == 3)
        with pytest.raises(APIStatusError, match="No active runs"):
            list(c.conversations.messages.stream(made.id))
        c.conversations.delete(made.id)
        done("conversations.delete", made.id not in [found.id for found in c.conversations.list(agent_id=agent.id)])

    def archives(self, agent: Any) -> None:
        c, done, id = self.client, self.done, agent.id
        passage = c.agents.passages.create(id, text="The hive faces south.", tags=["hive"])[0]
        done("agents.passages.create", passage.text in [kept.text for kept in c.agents.passages.list(id)])
        done("agents.passages.list", True)
        done("agents.passages.search", "hive" in c.agents.passages.search(id, query="hive").results[0].content)
        done("passages.search", c.passages.search(query="hive", agent_id=id)[0].passage.text == passage.text)
        c.agents.passages.delete(str(passage.id), agent_id=id)
        done("agents.passages.delete", passage.text not in [kept.text for kept in c.agents.passages.list(id)])
        archive = c.archives.create(name="garden")
        done("archives.create", c.archives.retrieve(archive.id).name == "garden")
        done("archives.retrieve", True)
        c.archives.update(archive.id, description="plants")
        done("archives.update", c.archives.retrieve(archive.id).description == "plants")
        c.agents.archives.attach(archive.id, agent_id=id)
        done("agents.archives.attach", archive.id in [found.id for found in c.archives.list(agent_id=id)])
        done("archives.list", True)
        one = c.archives.passages.create(archive.id, text="Roses need sun.")
        done("archives.passages.create", c.passages.search(query="roses", agent_id=id))
        c.archives.passages.create_many(archive.id, passages=[{"text": "Ferns need shade."}])
        done("archives.passages.create_many", c.passages.search(query="ferns", archive_id=archive.id))
        c.archives.passages.delete(str(one.id), archive_id=archive.id)
        done("archives.passages.delete", "Roses need sun." not in self._found("roses", archive.id))
        c.agents.archives.detach(archive.id, agent_id=id)
        done("agents.archives.detach", archive.id not in [found.id for found in c.archives.list(agent_id=id)])
        c.archives.delete(archive.id)
        done("archives.delete", archive.id not in [found.id for found in c.archives.list()])

    def _found(self, query: str, archive: str) -> list[str]:
        return [hit.passage.text for hit in self.client.passages.search(query=query, archive_id=archive)]

    def folders(self, agent: Any) -> None:
        c, done, id = self.client, self.done, agent.id
        folder = c.folders.create(name="manuals")
        done("folders.create", c.folders.retrieve(folder.id).name == "manuals")
        done("folders.retrieve", True)
        c.folders.update(folder.id, description="machines")
        done("folders.update", c.folders.retrieve(folder.id).description == "machines")
        done("folders.list", folder.id in [found.id for found in c.folders.list()])
        file = c.folders.files.upload(folder.id, file=("mill.md", b"The mill needs oil every Friday."))
        done("folders.files.upload", [f.file_name for f in c.folders.files.list(folder.id)] == ["mill.md"])
        done("folders.files.list", True)
        read = c.folders.files.retrieve(file.id, folder_id=folder.id, include_content=True)
        done("folders.files.retrieve", read.content == "The mill needs oil every Friday.")
        c.agents.folders.attach(folder.id, agent_id=id)
        done("agents.folders.attach", "mill" in c.agents.passages.search(id, query="mill oil").results[0].content)
        done("agents.folders.list", [found.id for found in c.agents.folders.list(id)] == [folder.id])
        done("folders.agents.list", c.folders.agents.list(folder.id) == [id])
        c.agents.files.open(file.id, agent_id=id)
        done("agents.files.open", [f.is_open for f in c.agents.files.list(id)] == [True])
        done("agents.files.list", True)
        c.agents.files.close(file.id, agent_id=id)
        done("agents.files.close", [f.is_open for f in c.agents.files.list(id)] == [False])
        c.agents.files.open(file.id, agent_id=id)
        done("agents.files.close_all", c.agents.files.close_all(id) == ["mill.md"])
        c.agents.folders.detach(folder.id, agent_id=id)
        done("agents.folders.detach", list(c.agents.folders.list(id)) == [])
        c.folders.files.delete(file.id, folder_id=folder.id)
        done("folders.files.delete", list(c.folders.files.list(folder.id)) == [])
        c.folders.delete(folder.id)
        done("folders.delete", folder.id not in [found.id for found in c.folders.list()])

    def tools(self, agent: Any) -> None:
        c, done, id = self.client, self.done, agent.id
        tool = next(one for one in c.tools.list() if one.name == "archival_memory_search")
        done("tools.list", c.tools.retrieve(tool.id).name == tool.name)
        done("tools.retrieve", True)
        done("tools.search", tool.name in [hit.tool.name for hit in c.tools.search(query="search archival memory")])
        c.agents.tools.detach(tool.id, agent_id=id)
        done("agents.tools.detach", tool.name not in [one.name for one in c.agents.tools.list(id)])
        c.agents.tools.attach(tool.id, agent_id=id)
        done("agents.tools.attach", tool.name in [one.name for one in c.agents.tools.list(id)])
        done("agents.tools.list", True)
        ran = c.agents.tools.run(tool.name or "", agent_id=id, args={"query": "bees"})
        done("agents.tools.run", ran.status == "success" and "Frieda" in str(ran.func_return))
        done("tags.list", c.tags.list(limit=1) == ["tour"])
        done("models.list", c.models.list())
        done("models.embeddings.list", isinstance(c.models.embeddings.list(), list))

    def tokens(self, agent: Any) -> None:
        c, done = self.client, self.done
        policy: Any = [{"id": agent.id, "type": "agent", "access": ["read_agent"]}]
        made = c.access_tokens.create(hostname="shop.example", policy=policy)
        reader = c.with_options(api_key=made.token)
        done("access_tokens.create", [found.id for found in reader.agents.list()] == [agent.id])
        listed = c.access_tokens.list(agent_id=agent.id).tokens
        done("access_tokens.list", [token.hostname for token in listed] == ["shop.example"])
        c.access_tokens.delete(made.token)
        done("access_tokens.delete", c.access_tokens.list(agent_id=agent.id).tokens == [])


def refusals(client: Letta, agent: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """A call for each kind of method that is refused."""
    c = client
    yield "agents.schedule", lambda: c.agents.schedule.list(agent)
    yield (
        "agents.tools.update_approval",
        lambda: c.agents.tools.update_approval("memory_insert", agent_id=agent, body_requires_approval=True),
    )
    yield "agents.identities", lambda: c.agents.identities.attach("identity-x", agent_id=agent)
    yield "environments", lambda: c.environments.list()
    yield "mcp_servers", lambda: c.mcp_servers.list()
    yield "templates", lambda: c.templates.create(agent_id=agent, type="agent")
    yield "tools.create", lambda: c.tools.create(source_code="def f(): pass")
    yield "tools.upsert", lambda: c.tools.upsert(source_code="def f(): pass")
    tool = next(iter(c.tools.list())).id
    yield "tools.update", lambda: c.tools.update(tool, description="x")
    yield "tools.delete", lambda: c.tools.delete(tool)


@contextmanager
def toured(home: Path) -> Iterator[Tour]:
    with (
        served(home, embedder="none", durable=False) as server,
        Letta(base_url=server.address, api_key=server.token, _strict_response_validation=True, max_retries=0) as client,
    ):
        tour = Tour(client)
        agent = tour.agents()
        for part in (
            tour.blocks,
            tour.messages,
            tour.runs,
            tour.conversations,
            tour.archives,
            tour.folders,
            tour.tools,
            tour.tokens,
        ):
            part(agent)
        yield tour


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_at_least_85_methods_are_served_and_the_rest_is_refused_with_a_reason(tmp_path: Path) -> None:
    with toured(tmp_path) as tour:
        known = set(methods(tour.client))
        assert tour.served <= known
        assert len(tour.served) >= WANTED
        agent = next(iter(tour.client.agents.list())).id
        for name, call in refusals(tour.client, agent):
            with pytest.raises(APIStatusError, match=REFUSED[name]) as told:
                call()
            assert isinstance(told.value.body, dict)
            assert told.value.status_code == 422
            assert "detail" in told.value.body
        left = {name for name in known - tour.served if not name.startswith(tuple(REFUSED))}
        assert left == {"conversations.messages.stream"}  # a run that has ended has no stream: 400, as in Letta


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as home, toured(Path(home)) as done:
        every = set(methods(done.client))
        print(f"{len(done.served)} of {len(every)} methods served; not: {', '.join(sorted(every - done.served))}")
