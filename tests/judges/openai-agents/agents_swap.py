"""A pytest plugin: the SDK's two SQLite sessions are ours; the path of a database names a store."""

import tempfile

import agents
import agents.extensions.memory
import agents.extensions.memory.async_sqlite_session
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


class AsyncSQLiteSession(ReverieSession):
    def __init__(self, session_id, db_path=":memory:", *_tables, session_settings=None):
        super().__init__(session_id, space(db_path), session_settings=session_settings)


class SQLiteSession(AsyncSQLiteSession):
    def close(self):
        self._closed = True


agents.SQLiteSession = agents.memory.SQLiteSession = agents.memory.sqlite_session.SQLiteSession = SQLiteSession
agents.extensions.memory.AsyncSQLiteSession = AsyncSQLiteSession
agents.extensions.memory.async_sqlite_session.AsyncSQLiteSession = AsyncSQLiteSession
