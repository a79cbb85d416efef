"""A pytest plugin: LangGraph's in-memory and SQLite stores are ours, each on a space of its own."""

import tempfile
import threading
from contextlib import asynccontextmanager, contextmanager

import langgraph.store.memory
import langgraph.store.sqlite

from reverie import Reverie
from reverie.adapters.langgraph import ReverieStore

HOMES = {}


def space(where=None):
    """A space of a store that is there for all tests; of the same name, the same one."""
    if "memory" not in HOMES:
        HOMES["memory"] = Reverie.open(tempfile.mkdtemp(), embedder="none", durable=False)
    name = where if where not in (None, ":memory:") else f"store {len(HOMES)}"
    HOMES[name] = HOMES["memory"].space(name.replace("/", " "))
    return HOMES[name]


class SwappedStore(ReverieStore):
    """Made as the others are."""

    def __init__(self, *, index=None, ttl=None, where=None):
        if index and "text_fields" in index:  # SQLite's name for it
            index = {**index, "fields": index["text_fields"]}
        super().__init__(space(where), index=index, ttl=ttl)
        self._sweeping = threading.Event()

    def setup(self):
        pass

    def start_ttl_sweeper(self, *_args, **_more):
        interval = 60 * ((self.ttl_config or {}).get("sweep_interval_minutes") or 5)

        def sweep():
            while not self._sweeping.wait(interval):
                self.sweep_ttl()

        threading.Thread(target=sweep, daemon=True).start()

    def stop_ttl_sweeper(self, *_args, **_more):
        self._sweeping.set()
        return True

    @classmethod
    @contextmanager
    def from_conn_string(cls, conn_string, *, index=None, ttl=None):
        yield cls(index=index, ttl=ttl, where=conn_string)


class SwappedAsyncStore(SwappedStore):
    async def setup(self):
        pass

    async def start_ttl_sweeper(self, *args, **more):
        super().start_ttl_sweeper(*args, **more)

    async def stop_ttl_sweeper(self, *args, **more):
        return super().stop_ttl_sweeper(*args, **more)

    async def sweep_ttl(self):
        return super().sweep_ttl()

    @classmethod
    @asynccontextmanager
    async def from_conn_string(cls, conn_string, *, index=None, ttl=None):
        yield cls(index=index, ttl=ttl, where=conn_string)


langgraph.store.memory.InMemoryStore = SwappedStore
langgraph.store.sqlite.SqliteStore = SwappedStore
langgraph.store.sqlite.AsyncSqliteStore = SwappedAsyncStore
