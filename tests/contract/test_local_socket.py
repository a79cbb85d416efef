"""The socket of a home: one server has it, for its owner alone; a port of loopback where there can be none."""

import socket
from pathlib import Path

import pytest

from reverie.agents import local_server
from reverie.config import load
from reverie.server.local_socket import claimed, is_free


def test_one_server_has_it_until_it_ends(home: Path) -> None:
    with claimed(home) as first:
        assert first is not None
        first.announce(load({"space": "alice"}), "http://127.0.0.1:8283")
        assert not is_free(home)
        with claimed(home) as second:
            assert second is None
        found = local_server.find(str(home))
        assert found is not None
        assert found["space"] == "alice"
        assert oct(Path(found["socket"]).stat().st_mode)[-3:] == "600"
        assert oct((home / local_server.FILE).stat().st_mode)[-3:] == "600"
    assert is_free(home)
    assert local_server.find(str(home)) is None


def test_a_server_of_a_relative_home_is_found_from_elsewhere(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    with claimed(Path("memory")) as ours:
        assert ours is not None
        ours.announce(load({"home": "memory"}), "http://127.0.0.1:8283")
        monkeypatch.chdir("/")
        found = local_server.find(str(home / "memory"))
        assert found is not None
        assert Path(found["socket"]).is_socket()


def test_what_a_killed_server_left_is_replaced(home: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(home / local_server.SOCKET))
    (home / local_server.FILE).write_text('{"pid": 1, "socket": "' + str(home / local_server.SOCKET) + '"}')
    assert local_server.ask(str(home), "GET", "/readyz") is None
    with claimed(home) as ours:
        assert ours is not None
        ours.announce(load({"space": "alice"}), "http://127.0.0.1:8283")
        assert local_server.ask(str(home), "GET", "/readyz", None, 0.05) is None  # no token yet; nobody was asked


def test_where_a_path_is_too_long_for_a_socket_a_port_of_loopback_serves(home: Path) -> None:
    deep = home / ("d" * 120)
    with claimed(deep) as ours:
        assert ours is not None
        ours.announce(load({"space": "alice"}), "http://127.0.0.1:8283")
        found = local_server.find(str(deep))
        assert found is not None
        assert "socket" not in found
        with socket.create_connection(("127.0.0.1", found["port"]), timeout=5):
            pass
