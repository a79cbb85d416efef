"""`reverie keys`: made, listed, revoked; the secret shown once."""

import json
from typing import Any

import pytest

from reverie import Reverie
from reverie.cli.main import run
from reverie.server.errors import NoKey
from reverie.server.gateway.auth import Auth
from reverie.server.settings import ServerSettings


def said(capsys: pytest.CaptureFixture[str], home: str, *words: str, code: int = 0) -> Any:
    """What a command printed, as JSON."""
    with pytest.raises(SystemExit) as end:
        run(["--home", home, "--embedder", "none", *words, "--json"])
    assert end.value.code == code
    return json.loads(capsys.readouterr().out)


def test_a_key_is_made_listed_and_revoked(location: str, capsys: pytest.CaptureFixture[str]) -> None:
    made = said(capsys, location, "keys", "create", "laptop", "--verbs", "read", "--days", "3")
    [listed] = said(capsys, location, "keys", "list")
    assert listed == made["key"]
    assert made["secret"] not in json.dumps(listed)
    with Reverie.open(location, embedder="none") as memory:
        bearer = {"authorization": f"Bearer {made['secret']}"}
        assert Auth(memory, ServerSettings()).stored_caller(bearer).verbs == ("read",)
        said(capsys, location, "keys", "revoke", listed["id"])
        with pytest.raises(NoKey):
            Auth(memory, ServerSettings()).stored_caller(bearer)


def test_a_key_that_is_not_there_cannot_be_revoked(location: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, location, "keys", "revoke", "key-none", code=3)["error"]["code"] == "not_found"


def test_a_key_for_one_space_may_review_what_waits_there(location: str, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, location, "append", "hello", "--space", "alice")
    made = said(capsys, location, "keys", "create", "ada", "--space", "alice", "--verbs", "write, review")["key"]
    assert made["verbs"] == ["read", "write", "review"]
    with Reverie.open(location, embedder="none") as memory:
        assert made["space"] == memory.space("alice").id


def test_a_verb_that_is_none_is_refused(location: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, location, "keys", "create", "x", "--verbs", "all", code=2)["error"]["code"] == "bad_input"
