"""The real mem0 `MemoryClient`, unchanged but for its host."""

import gc
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.served import Served, served
from tests.support.waiting import until

os.environ["MEM0_TELEMETRY"] = "False"
# mem0's client leaves its connection open when the key is wrong, and the async one that of its first check.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(scope="module", autouse=True)
def left_open() -> Iterator[None]:
    """mem0 leaves the socket of a refused client, and of one for its telemetry, to the garbage collector."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("mem0")
    os.environ["MEM0_DIR"] = str(home / "mem0")
    with served(home, embedder="none", durable=False, idle_seconds=1) as running:
        yield running


@pytest.fixture(scope="module")
def client(server: Served) -> Iterator[Any]:
    from mem0 import MemoryClient

    made = MemoryClient(api_key=server.token, host=server.address)
    yield made
    made.client.close()


def texts(found: Any) -> list[str]:
    return [record["memory"] for record in found["results"]]


def test_what_is_said_is_found_at_once_and_read_by_a_nap(client: Any, server: Served) -> None:
    said = [{"role": "user", "content": "I moved to Hamburg last week."}, {"role": "assistant", "content": "Noted."}]
    assert client.add(said, user_id="alice")["status"] == "PENDING"
    assert texts(client.search("Where did I move?", filters={"user_id": "alice"}))[0] == "I moved to Hamburg last week."
    assert texts(client.get_all(filters={"user_id": "alice"})) == ["I moved to Hamburg last week."]
    server.call("POST", "/v1/spaces/alice/sleep", {"kind": "nap"})
    until(lambda: server.call("GET", "/v1/spaces/alice/nights")["items"][0]["status"] == "done", 60)
    (record,) = client.get_all(filters={"user_id": "alice"})["results"]
    assert record["memory"] == "I moved to Hamburg last week."
    assert record["id"].startswith("mem-"), "a fact now, drawn from the turn"


def test_a_memory_is_kept_word_for_word_changed_and_deleted(client: Any) -> None:
    (made,) = client.add("The spare key is with Ana.", user_id="bob", infer=False, metadata={"room": "hall"})["results"]
    assert client.get(made["id"])["memory"] == "The spare key is with Ana."
    assert client.get(made["id"])["metadata"] == {"room": "hall"}
    client.update(made["id"], text="The spare key is with Ben.", metadata={"floor": 2})
    now = client.get(made["id"])
    assert (now["id"], now["memory"], now["metadata"]) == (
        made["id"],
        "The spare key is with Ben.",
        {"room": "hall", "floor": 2},
    )
    assert [(one["event"], one["old_memory"], one["new_memory"]) for one in client.history(made["id"])] == [
        ("ADD", None, "The spare key is with Ana."),
        ("UPDATE", "The spare key is with Ana.", "The spare key is with Ben."),
    ]
    assert texts(client.get_all(filters={"user_id": "bob"})) == ["The spare key is with Ben."]
    assert texts(client.search("spare key", filters={"user_id": "bob"}, top_k=3)) == ["The spare key is with Ben."]
    client.delete(made["id"])
    assert client.get_all(filters={"user_id": "bob"})["count"] == 0
    with pytest.raises(Exception, match="no memory"):
        client.get(made["id"])


def test_two_users_never_see_each_other(client: Any) -> None:
    client.add("My dog is called Rex.", user_id="carol", infer=False)
    client.add("My dog is called Fido.", user_id="dave", infer=False)
    for own, other in (("carol", "Fido"), ("dave", "Rex")):
        assert other not in str(client.search("What is my dog called?", filters={"user_id": own}))
        assert other not in str(client.get_all(filters={"user_id": own}))
    client.delete_all(user_id="carol")
    assert client.get_all(filters={"user_id": "carol"})["results"] == []
    assert texts(client.get_all(filters={"user_id": "dave"})) == ["My dog is called Fido."]


def test_agents_and_runs_are_told_apart(client: Any) -> None:
    client.add("Tea at four.", user_id="erin", run_id="r1", infer=False)
    client.add("Coffee at five.", user_id="erin", run_id="r2", agent_id="bot", infer=False)
    both = {"AND": [{"user_id": "erin"}, {"run_id": "r2"}]}
    assert texts(client.get_all(filters=both)) == ["Coffee at five."]
    assert texts(client.get_all(filters={"user_id": "erin", "NOT": [{"agent_id": "bot"}]})) == ["Tea at four."]
    assert client.get_all(filters={"OR": [{"user_id": "erin"}, {"user_id": "nobody"}]})["count"] == 2
    client.delete_all(user_id="erin", run_id="r1")
    assert texts(client.get_all(filters={"user_id": "erin"})) == ["Coffee at five."]
    client.add("I answer in rhymes.", agent_id="poet", infer=False)
    assert texts(client.get_all(filters={"agent_id": "poet"})) == ["I answer in rhymes."]


def test_batches_users_and_pages(client: Any) -> None:
    ids = [
        client.add(f"Fact number {n} of the list.", user_id="frank", infer=False)["results"][0]["id"] for n in range(5)
    ]
    first = client.get_all(filters={"user_id": "frank"}, page=1, page_size=2)
    assert (first["count"], len(first["results"]), bool(first["next"])) == (5, 2, True)
    client.batch_update([{"memory_id": ids[0], "text": "Fact zero."}, {"memory_id": ids[1], "text": "Fact one."}])
    client.batch_delete([{"memory_id": id} for id in ids[2:]])
    assert sorted(texts(client.get_all(filters={"user_id": "frank"}))) == ["Fact one.", "Fact zero."]
    named = {(entity["type"], entity["name"]) for entity in client.users()["results"]}
    assert {("user", "frank"), ("agent", "poet")} <= named
    client.delete_users(user_id="frank")
    assert ("user", "frank") not in {(entity["type"], entity["name"]) for entity in client.users()["results"]}


def test_a_wrong_key_is_told(server: Served) -> None:
    from mem0 import MemoryClient

    with pytest.raises(ValueError, match="not known"):
        MemoryClient(api_key="rv_wrong", host=server.address)


def test_a_wrong_host_is_told_with_the_next_move(server: Served) -> None:
    from mem0 import MemoryClient

    with pytest.raises(ValueError, match="The host of a mem0 client is this server's address"):
        MemoryClient(api_key=server.token, host=f"{server.address}/v1")


def test_the_asynchronous_client_too(server: Served) -> None:
    import asyncio

    from mem0 import AsyncMemoryClient

    async def talk() -> Any:
        async with AsyncMemoryClient(api_key=server.token, host=server.address) as client:
            await client.add("I play the cello.", user_id="gina", infer=False)
            return await client.search("Which instrument, cello?", filters={"user_id": "gina"})

    assert texts(asyncio.run(talk())) == ["I play the cello."]


def test_the_lines_of_the_guide_work(server: Served, capsys: pytest.CaptureFixture[str]) -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guides" / "mem0.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    code = code.replace("http://localhost:8283", server.address).replace("rv_…", server.token)
    exec(
        compile(
            code.replace('"alice"', '"of the guide"').replace("Where do I live", "Hamburg, where"), "guide", "exec"
        ),
        {},
    )
    assert "I moved to Hamburg last week." in capsys.readouterr().out


def test_the_home_is_where_it_was_said(server: Served, tmp_path: Path) -> None:
    """The same memory by Reverie's own routes."""
    found = server.call("POST", "/v1/spaces/dave/recall", {"query": "dog"})
    assert "Fido" in str(found)
