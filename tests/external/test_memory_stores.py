"""The real Anthropic SDK, strict about every field, on memory stores and dreams of a Reverie server."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic, APIStatusError, ConflictError, NotFoundError

from tests.support.served import served
from tests.support.waiting import until


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Anthropic]:
    with served(tmp_path_factory.mktemp("stores"), embedder="none", durable=False) as server:
        given: Any = {"base_url": server.address, "api_key": server.token, "max_retries": 0}
        with Anthropic(**given, _strict_response_validation=True) as client:
            yield client


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_store_is_made_changed_archived_and_deleted(client: Anthropic) -> None:
    stores = client.beta.memory_stores
    made = stores.create(name="notes", description="of Ada", metadata={"team": "a"})
    assert made.id.startswith("memstore_")
    assert stores.retrieve(made.id).description == "of Ada"
    assert stores.update(made.id, metadata={"team": None, "level": "1"}).metadata == {"level": "1"}
    assert made.id in [store.id for store in stores.list()]
    assert stores.archive(made.id).archived_at is not None
    assert made.id not in [store.id for store in stores.list()]
    with pytest.raises(APIStatusError, match="archived"):
        stores.memories.create(made.id, path="/a.md", content="x")
    assert stores.delete(made.id).type == "memory_store_deleted"
    with pytest.raises(NotFoundError):
        stores.retrieve(made.id)


def test_memories_are_files_with_versions_and_preconditions(client: Anthropic) -> None:
    store = client.beta.memory_stores.create(name="files").id
    memories: Any = client.beta.memory_stores.memories
    made = memories.create(store, path="/people/ada.md", content="Ada keeps bees.", view="full")
    assert (made.content, made.content_sha256) == ("Ada keeps bees.", sha("Ada keeps bees."))
    with pytest.raises(ConflictError, match="path"):
        memories.create(store, path="/people/ada.md", content="again")
    changed = memories.update(
        made.id,
        memory_store_id=store,
        content="Ada keeps hens.",
        precondition={"type": "content_sha256", "content_sha256": made.content_sha256},
    )
    with pytest.raises(ConflictError, match="precondition"):
        memories.delete(made.id, memory_store_id=store, expected_content_sha256=made.content_sha256)
    memories.create(store, path="/top.md", content="")
    assert [item.path for item in memories.list(store, depth=1)] == ["/people/", "/top.md"]
    assert [item.path for item in memories.list(store, path_prefix="/people/")] == ["/people/ada.md"]
    assert memories.retrieve(made.id, memory_store_id=store).content == "Ada keeps hens."
    versions: Any = client.beta.memory_stores.memory_versions
    first = list(versions.list(store, memory_id=made.id))[-1]
    assert (first.operation, first.content) == ("created", None)
    redacted = versions.redact(first.id, memory_store_id=store)
    assert (redacted.content, redacted.redacted_at is not None) == (None, True)
    assert versions.retrieve(changed.memory_version_id, memory_store_id=store).content == "Ada keeps hens."
    for path in ("no-slash", "/", "/a//b", "/a/../b"):
        with pytest.raises(APIStatusError, match="path"):
            memories.create(store, path=path, content="x")


def test_a_dream_makes_a_store_of_its_own_or_updates_in_place(client: Anthropic) -> None:
    store = client.beta.memory_stores.create(name="days").id
    memories: Any = client.beta.memory_stores.memories
    memories.create(store, path="/a.md", content="My sister Frieda keeps bees in Lisbon.")
    dreams: Any = client.beta.dreams
    dream = dreams.create(inputs=[{"type": "memory_store", "memory_store_id": store}], model="rules")
    until(lambda: dreams.retrieve(dream.id).status == "completed", seconds=60)
    copy = dream.outputs[0].memory_store_id
    assert copy != store
    assert "/a.md" in [item.path for item in memories.list(copy)]
    assert dream.id in [one.id for one in dreams.list()]
    again = dreams.create(
        inputs=[{"type": "memory_store", "memory_store_id": store}],
        model={"id": "rules"},
        output_behavior={"type": "update_existing", "memory_store_id": store},
    )
    assert again.outputs[0].memory_store_id == store
    until(lambda: dreams.retrieve(again.id).status == "completed", seconds=60)
    assert dreams.archive(dream.id).archived_at is not None
    with pytest.raises(NotFoundError):
        dreams.retrieve("drm_none")


def test_the_lines_of_the_guide_work(client: Anthropic, capsys: pytest.CaptureFixture[str]) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "memory-tool.md").read_text("utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    here = str(client.base_url).rstrip("/")
    names: dict[str, Any] = {}
    exec(compile(code.replace("http://localhost:8283", here).replace("rv_…", client.api_key or ""), "g", "exec"), names)
    with names["client"] as made:
        until(lambda: made.beta.dreams.retrieve(names["dream"].id).status == "completed", seconds=60)
    assert capsys.readouterr().out == "['/ada.md']\n"
