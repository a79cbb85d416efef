"""A pytest plugin: the SDK's two SQLite sessions are ours; the path of a database names a store.

What a test does to the session's database by hand is done to our store here: a row that is no item is put on the shelf,
times are made equal. What it does in the moment after SQLite's commit is done after ours.
"""

import asyncio
import json
import tempfile
import threading
from contextlib import contextmanager

import agents
import agents.extensions.memory
import agents.extensions.memory.async_sqlite_session
import agents.extensions.memory.encrypt_session  # before the swap: it has short ways for SQLite's own class
import agents.memory
import agents.memory.sqlite_session

from reverie import Reverie
from reverie.adapters.openai_agents import ReverieSession

SPACES = {}


def space(path):
    if "store" not in SPACES:
        SPACES["store"] = Reverie.open(tempfile.mkdtemp(), embedder="none", durable=False)
    name = f"memory {len(SPACES)}" if str(path) == ":memory:" else str(path).replace("/", " ")
    return SPACES.setdefault(name, SPACES["store"].space(name))


class ByHand:
    """The three statements that tests run on a session's database, on our store."""

    def __init__(self, session):
        self._session = session

    def run(self, statement, values):
        shelf = self._session._shelf
        if statement.lstrip().startswith("INSERT"):
            shelf.put(f"by hand {len(shelf.all())}", values[1])
        elif statement.lstrip().startswith("UPDATE"):
            with self._session.space.parts.db.write("memory") as tx:
                tx.run("UPDATE entries SET created_at = 1.0, updated_at = 1.0 WHERE shelf = :shelf", shelf=shelf.name)
        elif statement.lstrip().startswith("SELECT id, message_data"):
            return [(entry.seq, json.dumps(entry.value)) for entry in shelf]
        return []


class Connection(ByHand):
    def execute(self, statement, values):
        self.run(statement, values)

    def commit(self):
        pass


class Rows(list):
    async def fetchall(self):
        return self

    async def close(self):
        pass


class AsyncConnection(ByHand):
    async def execute(self, statement, values):
        return Rows(self.run(statement, values))

    async def commit(self):
        pass


class Session(ReverieSession):
    messages_table = "agent_messages"

    def __init__(self, session_id, db_path=":memory:", *_tables, session_settings=None):
        super().__init__(session_id, space(db_path), session_settings=session_settings)

    def _add(self, items):
        super()._add(items)
        self._committed()

    def _pop(self):
        popped = super()._pop()
        self._committed()
        return popped

    def _clear(self):
        super()._clear()
        self._committed()


class AsyncSQLiteSession(Session):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self._by_hand = AsyncConnection(self)

    async def _get_connection(self):
        self._loop = asyncio.get_running_loop()
        return self._by_hand

    def _committed(self):
        """In a worker's thread, which goes on when the connection's commit has returned."""
        if "commit" in vars(self._by_hand):  # a test has put one there
            asyncio.run_coroutine_threadsafe(self._by_hand.commit(), self._loop).result()


class SQLiteSession(Session):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self._connections, self._connections_lock = set(), threading.Lock()
        self._by_hand = Connection(self)

    def _get_connection(self):
        return self._by_hand

    @contextmanager
    def _locked_connection(self):
        yield self._by_hand

    def _committed(self):
        self._get_connection().commit()

    def close(self):
        self._closed = True


agents.SQLiteSession = agents.memory.SQLiteSession = agents.memory.sqlite_session.SQLiteSession = SQLiteSession
agents.extensions.memory.AsyncSQLiteSession = AsyncSQLiteSession
agents.extensions.memory.async_sqlite_session.AsyncSQLiteSession = AsyncSQLiteSession
