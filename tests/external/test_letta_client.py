"""The real letta-client, strict about every field, against a real server with a real sleeper beside it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from letta_client import (
    BadRequestError,
    ConflictError,
    Letta,
    NotFoundError,
    UnprocessableEntityError,
)

from tests.support.served import served
from tests.support.waiting import until

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guides" / "letta.md"
HOME = "I live in Lisbon and I work as a nurse."


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Letta]:
    with (
        served(tmp_path_factory.mktemp("letta"), embedder="none", durable=False) as server,
        Letta(base_url=server.address, api_key=server.token, _strict_response_validation=True) as client,
    ):
        yield client


@pytest.fixture
def agent(client: Letta) -> Any:
    return client.agents.create(
        name="ada",
        model="openai/gpt-4o-mini",
        memory_blocks=[{"label": "human", "value": "Name: Ada"}, {"label": "task", "value": "", "limit": 20}],
        tags=["test"],
        metadata={"team": "a"},
        include_base_tools=True,
    )


def test_it_is_there(client: Letta) -> None:
    assert client.health().status == "ok"
    assert client.models.list()[0].handle == "reverie/rules"
    assert client.models.embeddings.list() == []
    assert "memory_rethink" in [tool.name for tool in client.tools.list()]


def test_an_agent_has_the_blocks_that_were_asked_for_and_no_others(client: Letta, agent: Any) -> None:
    found = client.agents.retrieve(agent.id)
    assert [(block.label, block.value, block.limit) for block in found.blocks] == [
        ("human", "Name: Ada", 100_000),
        ("task", "", 20),
    ]
    assert (found.name, found.tags, found.metadata, found.model) == ("ada", ["test"], {"team": "a"}, agent.model)
    assert found.enable_sleeptime is False
    assert found.managed_group is None


def test_agents_may_share_a_name(client: Letta) -> None:
    one, other = client.agents.create(name="twin"), client.agents.create(name="twin")
    assert one.id != other.id
    assert {found.id for found in client.agents.list(name="twin")} == {one.id, other.id}


def test_an_agent_is_changed_and_deleted(client: Letta, agent: Any) -> None:
    changed = client.agents.update(agent.id, name="eve", system="Be brief.", tags=["b"], metadata={"x": 1})
    assert (changed.name, changed.system, changed.tags, changed.metadata) == ("eve", "Be brief.", ["b"], {"x": 1})
    assert client.agents.retrieve(agent.id).name == "eve"
    client.agents.delete(agent.id)
    with pytest.raises(NotFoundError, match="no agent"):
        client.agents.retrieve(agent.id)


def test_lists_are_paged_to_their_end(client: Letta) -> None:
    made = [client.agents.create(name=f"page {n}", tags=["paged"]).id for n in range(5)]
    assert [found.id for found in client.agents.list(tags=["paged"], limit=2, order="asc")] == made
    assert [found.id for found in client.agents.list(tags=["paged"], limit=2)] == made[::-1]
    page = client.agents.list(tags=["paged"], limit=2, order="asc", before=made[4])
    assert [found.id for found in page.items] == made[2:4]
    assert client.tags.list(name="page") == ["paged"]


def test_deleting_while_paging_comes_to_its_end(client: Letta) -> None:
    for n in range(5):
        client.agents.create(name=f"gone {n}", tags=["gone"])
    for found in client.agents.list(tags=["gone"], limit=2):
        client.agents.delete(found.id)
    assert list(client.agents.list(tags=["gone"])) == []


def test_blocks_are_made_found_changed_and_deleted(client: Letta) -> None:
    block = client.blocks.create(label="policy", value="Be kind.", description="rules", tags=["p"], metadata={"a": 1})
    assert (block.limit, block.read_only, block.tags, block.metadata) == (100_000, False, ["p"], {"a": 1})
    assert [found.id for found in client.blocks.list(label="policy", limit=1)] == [block.id]
    assert [found.id for found in client.blocks.list(value_search="kind", connected_to_agents_count_eq=[0])]
    changed = client.blocks.update(block.id, value="Be very kind.", label="manners", limit=50)
    assert (changed.value, changed.label, changed.limit) == ("Be very kind.", "manners", 50)
    assert client.blocks.retrieve(block.id).value == "Be very kind."
    client.blocks.delete(block.id)
    with pytest.raises(NotFoundError):
        client.blocks.retrieve(block.id)


def test_a_limit_holds(client: Letta, agent: Any) -> None:
    with pytest.raises(UnprocessableEntityError, match="its limit is 20"):
        client.agents.blocks.update("task", agent_id=agent.id, value="x" * 21)
    with pytest.raises(UnprocessableEntityError, match="its limit is 3"):
        client.agents.blocks.update("human", agent_id=agent.id, limit=3)
    with pytest.raises(UnprocessableEntityError):
        client.agents.create(name="too long", memory_blocks=[{"label": "a", "value": "xxx", "limit": 2}])
    assert list(client.agents.list(name="too long")) == []
    assert client.agents.blocks.retrieve("task", agent_id=agent.id).value == ""


def test_a_shared_block_is_the_same_for_all_who_have_it(client: Letta, agent: Any) -> None:
    other = client.agents.create(name="other")
    block = client.blocks.create(label="shared", value="one")
    for id in (agent.id, other.id):
        assert block.id in [b.id for b in client.agents.blocks.attach(block.id, agent_id=id).blocks]
    assert {found.id for found in client.blocks.agents.list(block.id)} == {agent.id, other.id}
    client.agents.blocks.update("shared", agent_id=other.id, value="two")
    assert client.agents.blocks.retrieve("shared", agent_id=agent.id).value == "two"
    client.agents.blocks.detach(block.id, agent_id=agent.id)
    assert [b.label for b in client.agents.blocks.list(agent.id, limit=1)] == ["human", "task"]
    assert client.blocks.retrieve(block.id).value == "two"


def test_a_stale_write_conflicts_and_a_plain_one_keeps_both_versions(client: Letta) -> None:
    block = client.blocks.create(label="note", value="one")
    client.blocks.update(block.id, value="two", extra_headers={"If-Match": "1"})
    with pytest.raises(ConflictError, match="version 2, not 1"):
        client.blocks.update(block.id, value="three", extra_headers={"If-Match": "1"})
    client.blocks.update(block.id, value="four")
    versions = client.get(f"/v1/blocks/{block.id}/versions", cast_to=object)
    assert [version["value"] for version in versions] == ["one", "two", "four"]  # type: ignore[attr-defined]
    client.post(f"/v1/blocks/{block.id}/restore", cast_to=object, body={"version": 2})
    assert client.blocks.retrieve(block.id).value == "two"


def test_passages_are_inserted_listed_found_and_deleted(client: Letta, agent: Any) -> None:
    texts = [f"The spare key number {n} is with Ana." for n in range(5)]
    made = [client.agents.passages.create(agent.id, text=text, tags=["key", f"n{n}"]) for n, text in enumerate(texts)]
    ids = [passage.id for [passage] in made]
    assert [passage.text for passage in client.agents.passages.list(agent.id)] == texts
    after = client.agents.passages.list(agent.id, after=ids[1], limit=2)
    assert [passage.id for passage in after] == ids[2:4]
    assert client.agents.passages.list(agent.id, after=ids[4]) == []
    newest = client.agents.passages.list(agent.id, ascending=False, limit=1, search="KEY")
    assert [passage.id for passage in newest] == ids[4:]
    found = client.agents.passages.search(agent.id, query="where is the spare key", tags=["n3"], top_k=3)
    assert [result.id for result in found.results] == [ids[3]]
    assert client.passages.search(agent_id=agent.id, query="spare key", limit=2)[0].passage.text in texts
    client.agents.passages.delete(str(ids[3]), agent_id=agent.id)
    assert client.agents.passages.search(agent.id, query="spare key", tags=["n3"]).count == 0


def test_an_archive_is_shared_by_the_agents_it_is_given_to(client: Letta, agent: Any) -> None:
    archive = client.archives.create(name="handbook", description="for all")
    client.archives.passages.create(archive.id, text="Holidays must be booked in March.", metadata={"page": 3})
    batch = client.archives.passages.create_many(archive.id, passages=[{"text": "The office opens at nine."}])
    assert client.agents.passages.search(agent.id, query="holidays").count == 0
    client.agents.archives.attach(archive.id, agent_id=agent.id)
    assert client.agents.passages.search(agent.id, query="holidays").results[0].content.startswith("Holidays")
    assert archive.id in [found.id for found in client.archives.list(agent_id=agent.id, limit=1)]
    client.archives.passages.delete(str(batch[0].id), archive_id=archive.id)
    client.agents.archives.detach(archive.id, agent_id=agent.id)
    assert client.agents.passages.list(agent.id) == []
    assert client.archives.update(archive.id, name="manual").name == client.archives.retrieve(archive.id).name
    client.archives.delete(archive.id)
    with pytest.raises(NotFoundError):
        client.archives.retrieve(archive.id)


def test_a_message_is_answered_from_memory_and_both_are_in_the_log(client: Letta, agent: Any) -> None:
    client.agents.messages.create(agent.id, messages=[{"role": "user", "content": HOME}])
    reply: Any = client.agents.messages.create(agent.id, input="Where do I live?")
    assert "Lisbon" in reply.messages[-1].content
    assert (reply.stop_reason.stop_reason, reply.usage.run_ids) == ("end_turn", [])
    system, *said = client.agents.messages.list(agent.id, limit=1, order="asc")
    shown = client.agents.retrieve(agent.id).message_ids or []
    assert (system.message_type, system.id) == ("system_message", shown[0])
    assert [message.message_type for message in said] == ["user_message", "assistant_message"] * 2
    assert said[3].id == reply.messages[-1].id
    newest = client.agents.messages.list(agent.id, limit=3, include_return_message_types=["user_message"])
    assert [message.content for message in newest] == ["Where do I live?", HOME]  # type: ignore[union-attr]
    back = client.agents.messages.list(agent.id, before=str(said[2].id), limit=1, order="asc").items
    assert [message.id for message in back] == [said[1].id]


@pytest.mark.parametrize("tokens", [False, True])
def test_an_answer_is_streamed(client: Letta, agent: Any, tokens: bool) -> None:
    client.agents.messages.create(agent.id, input=HOME)
    ask: dict[str, Any] = {"input": "Where do I live?", "stream_tokens": tokens}
    with pytest.warns(DeprecationWarning, match="deprecated"):
        older = client.agents.messages.stream(agent.id, **ask)
    for stream in (older, client.agents.messages.create(agent.id, streaming=True, **ask)):
        told: list[Any] = list(stream)
        assert [piece.message_type for piece in told] == ["assistant_message", "stop_reason", "usage_statistics"]
        assert "Lisbon" in told[0].content


def test_a_message_may_be_answered_later(client: Letta, agent: Any) -> None:
    run = client.agents.messages.create_async(agent.id, input="Who am I?")
    until(lambda: client.runs.retrieve(run.id).status == "completed")
    [answer] = client.runs.messages.list(run.id)
    assert answer.message_type == "assistant_message"
    assert client.runs.usage.retrieve(run.id).total_tokens == 0


def test_an_agent_with_sleep_time_naps_after_so_many_exchanges(client: Letta) -> None:
    agent = client.agents.create(
        name="sleepy", enable_sleeptime=True, memory_blocks=[{"label": "human", "value": "Name: Ada"}]
    )
    group = agent.managed_group
    assert group is not None
    assert (agent.enable_sleeptime, group.manager_type, group.sleeptime_agent_frequency) == (True, "sleeptime", 5)
    config = {"manager_config": {"manager_type": "sleeptime", "sleeptime_agent_frequency": 2}}
    changed: Any = client.patch(f"/v1/groups/{group.id}", cast_to=object, body=config)
    assert changed["sleeptime_agent_frequency"] == 2
    assert client.agents.messages.create(agent.id, input=HOME).usage.run_ids == []
    [run] = client.agents.messages.create(agent.id, input="Where do I live?").usage.run_ids or []
    until(lambda: client.runs.retrieve(run).status == "completed")
    assert run in [found.id for found in client.runs.list(agent_id=agent.id, limit=1)]
    assert run in [found.id for found in client.runs.list(statuses=["completed"])]
    assert "success" in [step.status for step in client.runs.steps.list(run)]
    assert client.runs.trace.retrieve(run)
    [told] = client.runs.messages.list(run)
    assert told.message_type == "assistant_message"
    client.post(f"/v1/runs/{run}/undo", cast_to=object)
    assert client.agents.update(agent.id, enable_sleeptime=False).managed_group is None


def test_an_agent_goes_out_as_a_file_and_comes_in_again(client: Letta, agent: Any) -> None:
    client.agents.messages.create(agent.id, input=HOME)
    client.agents.passages.create(agent.id, text="The spare key is with Ana.", tags=["key"])
    exported = client.agents.export_file(agent.id)
    told = json.loads(exported)
    assert told["agents"][0]["name"] == "ada"
    [id] = client.agents.import_file(file=("ada.af", exported.encode()), append_copy_suffix=True).agent_ids
    copy = client.agents.retrieve(id)
    assert copy.name == "ada_copy"
    assert [(block.label, block.value) for block in copy.blocks] == [("human", "Name: Ada"), ("task", "")]
    assert {block.id for block in copy.blocks}.isdisjoint(block.id for block in agent.blocks)
    second: Any = list(client.agents.messages.list(id, order="asc"))[1]
    assert second.content == HOME
    assert [passage.tags for passage in client.agents.passages.list(id)] == [["key"]]


def test_a_file_of_the_older_format_is_read(client: Letta) -> None:
    sent = {"function": {"name": "send_message", "arguments": '{"message": "Hello Ada"}'}}
    older = {
        "name": "veteran",
        "agent_type": "memgpt_agent",
        "system": "Be brief.",
        "core_memory": [{"label": "human", "value": "Name: Ada", "limit": 2000}],
        "messages": [
            {"role": "user", "content": '{"type": "user_message", "message": "hi"}'},
            {"role": "assistant", "content": [{"type": "text", "text": "thinking"}], "tool_calls": [sent]},
        ],
    }
    [id] = client.agents.import_file(file=("v.af", json.dumps(older).encode())).agent_ids
    assert [message.content for message in client.agents.messages.list(id, order="asc")][1:] == ["hi", "Hello Ada"]  # type: ignore[union-attr]
    with pytest.raises(UnprocessableEntityError, match="not an agent file"):
        client.agents.import_file(file=("x.af", b"not JSON"))


def test_the_guides_examples_work(client: Letta, capsys: pytest.CaptureFixture[str]) -> None:
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", GUIDE.read_text("utf-8"), re.M | re.S))
    names: dict[str, Any] = {}
    exec(code.replace("http://localhost:8283", str(client.base_url)).replace("rv_…", str(client.api_key)), names)
    names["client"].close()
    assert names["reply"].usage.run_ids == []
    assert capsys.readouterr().out


def test_custom_tools_are_refused_with_the_reason(client: Letta) -> None:
    with pytest.raises(UnprocessableEntityError, match="runs no custom tools: roll_dice"):
        client.agents.create(name="gambler", tools=["memory_insert", "roll_dice"])
    with pytest.raises(UnprocessableEntityError, match="runs no custom tools"):
        client.tools.create(source_code="def roll_dice(): ...")


def test_errors_say_what_is_wrong(client: Letta, agent: Any) -> None:
    with pytest.raises(UnprocessableEntityError, match="no text to answer"):
        client.agents.messages.create(agent.id, input=" ")
    with pytest.raises(NotFoundError, match="no block 'nothing'"):
        client.agents.blocks.retrieve("nothing", agent_id=agent.id)
    with pytest.raises((UnprocessableEntityError, BadRequestError), match="image"):
        client.agents.messages.create(
            agent.id,
            messages=[{"role": "user", "content": [{"type": "image", "source": {}}]}],  # type: ignore[typeddict-item]
        )


def test_a_conversation_is_ended_and_condensed(client: Letta, agent: Any) -> None:
    client.agents.messages.create(agent.id, input=HOME)
    reset: Any = client.agents.messages.reset(agent.id)
    assert reset.id == agent.id
    assert client.agents.messages.compact(agent.id).num_messages_before == 3
    assert client.agents.messages.cancel(agent.id) is not None
    assert "Ada" in client.agents.recompile(agent.id)
