"""The short way of the commands that are called most: the same words, the same answer, with or without a server."""

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from reverie.agents import local_server
from reverie.cli import talk
from reverie.cli.quick import QUICK, global_options, read
from reverie.config import load
from reverie.server.local_socket import ask_server
from reverie.server.local_socket import served as what_is_served
from tests.contract.test_cli import COMMANDS, Cli, Said, cli
from tests.support.served import Served, served

__all__ = ["cli"]


@pytest.mark.parametrize("word", sorted(QUICK))
def test_the_short_way_knows_the_words_that_the_long_way_has(word: str) -> None:
    quick, long = QUICK[word], COMMANDS[(word,)]
    names = {name: param for param in long.params for name in param.opts if name.startswith("-")}
    assert set(quick.options) | set(quick.flags) == set(names)
    assert {name for name, param in names.items() if param.is_flag} == set(quick.flags)
    for param in long.params:
        assert param.required == (param.name == quick.argument and quick.required)
        if param.name != quick.argument:
            empty: Any = False if f"--{param.name}" in quick.flags or param.is_flag else None
            assert (param.default or empty) == quick.defaults.get(param.name, empty), param.name
    assert callable(getattr(talk, word))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["tea"], {"query": "tea", "limit": 10}),
        (["tea", "-k", "3", "--raw"], {"limit": 3, "raw": True}),
        (["--kind", "fact", "tea", "--kind", "note"], {"kind": ["fact", "note"]}),
        (["-s", "alice", "tea"], {"space": "alice"}),
    ],
)
def test_plain_words_are_read(words: list[str], found: dict[str, Any]) -> None:
    assert (read(QUICK["recall"], words) or {}).items() >= found.items()


@pytest.mark.parametrize(
    "words",
    [[], ["--help"], ["tea", "milk"], ["tea", "-k"], ["tea", "-k", "0"], ["tea", "-k", "many"], ["tea", "--limit=3"],
     ["tea", "--tag", "--raw"], ["--", "-tea"], ["tea", "--nope"]],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_the_long_way(words: list[str]) -> None:
    assert read(QUICK["recall"], words) is None


def test_global_options_stand_before_the_command() -> None:
    options, rest = global_options(["--home", "a", "-s", "alice", "recall", "tea", "--home", "b"])
    assert (options["home"], options["space"], rest) == ("a", "alice", ["recall", "tea", "--home", "b"])


def test_a_running_server_answers_as_the_command_itself_would(
    home: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    """Each is asked twice, by the server and without it; the store is the same."""
    monkeypatch.delenv("REVERIE_HOME")
    monkeypatch.delenv("REVERIE_DURABLE")
    asked = [
        ("recall", "Hamburg"),
        ("recall", "Hamburg", "--json", "--explain"),
        ("recall", "tea", "--kind", "nothing"),
        ("context", "Hamburg"),
        ("recall", "tea", "--space", "nowhere"),
        ("append", "hello", "--role", "nobody"),
        ("append", "hello", "--key", "once", "--session", "s"),
    ]
    with served(home, embedder="none", sleep="no") as up:
        assert (local_server.find(str(home / ".reverie")) or {})["pid"] == up.process.pid
        assert cli("append", "I moved to Hamburg, my password is hunter2horse", "--json").json["seq"] == 1
        assert "hunter2horse" not in cli("turns", "--json").out
        assert cli("append", "a space begins", "--space", "fresh").code == 0
        cli("append", "hello", "--key", "once", "--session", "s")
        by_server = [cli(*words) for words in asked]
        calls = _calls(up)
        up.stop()
    assert calls["/v1/spaces/{space}/turns"] >= 3
    assert calls["/v1/spaces/{space}/recall"] >= 2
    assert local_server.find(str(home / ".reverie")) is None
    assert list(map(_timeless, by_server)) == [_timeless(cli(*words)) for words in asked]
    assert [said.code for said in by_server] == [0, 0, 2, 0, 3, 2, 0]


def _timeless(said: Said) -> tuple[int, str, str]:
    """Without the last places of scores, which sink while time passes."""
    return said.code, re.sub(r"(\.[0-9]{3})[0-9]{1,20}", r"\1", said.out), said.err


def _calls(up: Served) -> dict[str, int]:
    """How often each route was asked, from /metrics."""
    request = urllib.request.Request(up.address + "/metrics", headers={"x-reverie-key": up.token})
    with urllib.request.urlopen(request, timeout=20) as reply:
        lines = reply.read().decode().splitlines()
    found: dict[str, int] = {}
    for line in lines:
        match = re.match(r'reverie_http_requests_total\{.*route="([^"]*)".*\} ([0-9.]+)$', line)
        if match:
            found[match[1]] = found.get(match[1], 0) + int(float(match[2]))
    return found


@pytest.mark.parametrize("serves", [None, "elsewhere"])
def test_a_note_of_a_dead_server_or_of_other_settings_is_passed_over(home: Path, cli: Cli, serves: str | None) -> None:
    told = what_is_served(load()) if serves is None else {"store": serves}
    place = Path(load()["home"])
    place.mkdir(parents=True, exist_ok=True)
    (place / local_server.FILE).write_text(json.dumps({"pid": 1, "port": 9, "space": "default", "serves": told}))
    assert ask_server(load(), "GET", "/livez") is None
    said = cli("append", "kept")
    assert (said.code, said.out[:5]) == (0, "turn-")
