"""A pytest plugin: the suite's stand-in for memory stores asks a real Reverie server, by the real SDK.

The suite arranges and looks at a dictionary of files; around every request the store is brought to it, and it to the
store, so that the server's own rules (404, 409, sizes) decide what the code under test sees.
"""

import os
import sys
from types import SimpleNamespace

from anthropic import Anthropic, AsyncAnthropic, ConflictError

GIVEN = {"base_url": os.environ["REVERIE_ADDRESS"], "api_key": os.environ["REVERIE_TOKEN"], "max_retries": 0}
SYNC = Anthropic(**GIVEN)


class ServedResource:
    def __init__(self, server, *, noise=False):
        self.server = server
        self.noise = noise
        self.store = SYNC.beta.memory_stores.create(name="suite").id
        self.paths = {}

    def arrange(self):
        """Makes the store hold what the suite's dictionary does."""
        memories = SYNC.beta.memory_stores.memories
        there = {item.path.lstrip("/"): item for item in memories.list(self.store, view="full", limit=20)}
        for path, item in there.items():
            if path not in self.server.files:
                memories.delete(item.id, memory_store_id=self.store)
            elif item.content != (self.server.files[path] or ""):
                memories.update(item.id, memory_store_id=self.store, content=self.server.files[path] or "")
        for path in self.server.files:
            if path not in there:
                made = memories.create(self.store, path=f"/{path}", content=self.server.files[path] or "")
                self.paths[made.id] = path
        self.paths |= {item.id: path for path, item in there.items()}

    def observe(self):
        """Makes the suite's dictionary hold what the store does."""
        listed = SYNC.beta.memory_stores.memories.list(self.store, view="full", limit=20)
        found = {item.path.lstrip("/"): item.content for item in listed}
        for path in [path for path in self.server.files if path not in found]:
            del self.server.files[path]
        for path, content in found.items():
            if (self.server.files.get(path) or "") != content or path not in self.server.files:
                self.server.files[path] = content

    def list(self, memory_store_id, *, view="basic", **_):
        async def every():
            if self.noise:
                yield SimpleNamespace(type="memory_prefix", path="/projects/")
            if memory_store_id == "memstore_broken":
                raise RuntimeError("list exploded")
            self.arrange()
            async with AsyncAnthropic(**GIVEN) as client:
                async for item in client.beta.memory_stores.memories.list(self.store, view=view):
                    self.paths[item.id] = item.path.lstrip("/")
                    yield item

        return every()

    async def retrieve(self, memory_id, *, memory_store_id, view="basic"):
        path = self.paths[memory_id]
        self.server.content_fetches.append(path)
        if self.server.fetch_hook is not None:
            self.server.fetch_hook(path)
        self.arrange()
        async with AsyncAnthropic(**GIVEN) as client:
            item = await client.beta.memory_stores.memories.retrieve(memory_id, memory_store_id=self.store, view=view)
        if path in self.server.files and self.server.files[path] is None:
            item.content = None
        return item

    async def create(self, _store, *, path, content):
        bare = path.lstrip("/")
        if self.server.upload_hook is not None:
            await self.server.upload_hook(bare)
        self.server.received.append(("create", bare, content))
        self.check_size(content)
        self.arrange()
        async with AsyncAnthropic(**GIVEN) as client:
            memories = client.beta.memory_stores.memories
            try:
                made = await memories.create(self.store, path=path, content=content, view="full")
            except ConflictError:  # the suite's own stand-in overwrites; a store refuses
                known = next(id for id, name in self.paths.items() if name == bare)
                made = await memories.update(known, memory_store_id=self.store, content=content, view="full")
        self.paths[made.id] = bare
        self.observe()
        return made

    async def update(self, memory_id, *, memory_store_id, content, precondition):
        path = self.paths[memory_id]
        if self.server.upload_hook is not None:
            await self.server.upload_hook(path)
        self.server.received.append(("update", path, content, precondition["content_sha256"]))
        self.check_size(content)
        self.arrange()
        async with AsyncAnthropic(**GIVEN) as client:
            changed = await client.beta.memory_stores.memories.update(
                memory_id, memory_store_id=self.store, content=content, precondition=precondition, view="full"
            )
        self.observe()
        return changed

    async def delete(self, memory_id, *, memory_store_id, expected_content_sha256=None):
        self.server.received.append(("delete", self.paths[memory_id], expected_content_sha256))
        self.arrange()
        more = {} if expected_content_sha256 is None else {"expected_content_sha256": expected_content_sha256}
        async with AsyncAnthropic(**GIVEN) as client:
            gone = await client.beta.memory_stores.memories.delete(memory_id, memory_store_id=self.store, **more)
        self.observe()
        return gone

    def check_size(self, content):
        """The cap that a test sets for itself; the server's own is 100 KB."""
        cap = self.server.max_content_bytes
        if cap is not None and len(content.encode()) > cap:
            raise sys.modules[type(self.server).__module__]._status_error(400)


def pytest_collection_finish(session):
    for name, module in list(sys.modules.items()):
        if name.endswith("_fake_anthropic"):
            module._Resource = ServedResource
