"""Settings through every door: whatever cannot be is refused in one wording, with the place and the next move."""

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.cli.main import run
from reverie.config import SETTINGS, load, sleeping_of, step_names
from reverie.errors import BadInput, ConfigError, UsageError
from reverie.model.rhythm import SLEEP_SETTINGS, Sleeping
from reverie.policy.sleep.settings import table
from tests.support.serving import error_of, running

ROOT = Path(__file__).parents[2]
NAN, INFINITE = float("nan"), math.inf

# A setting, a value that it cannot have (as a program and as a person would write it), and what it may be.
COMMON: list[tuple[str, Any, str, str]] = [
    ("idle_seconds", -5, "-5", "a number from 0 to"),
    ("idle_seconds", NAN, "nan", "a number from 0 to"),
    ("idle_seconds", INFINITE, "inf", "a number from 0 to"),
    ("idle_seconds", 1e300, "1e300", "a number from 0 to"),
    ("cadence_turns", "many", "many", "a whole number, 0 or more"),
    ("cadence_turns", 2.5, "2.5", "a whole number, 0 or more"),
    ("cadence_turns", True, "true", "a whole number, 0 or more"),
    ("keep_nights", 10**30, str(10**30), "a whole number, 0 or more"),
    ("cron", "x y z", "x y z", "five cron fields"),
    ("cron", "0 0 30 2 *", "0 0 30 2 *", "five cron fields that some date matches"),
    ("timezone", "Mars/Phobos", "Mars/Phobos", "a time zone such as Europe/Berlin"),
    ("timezone", "../etc/passwd", "../etc/passwd", "a time zone such as Europe/Berlin"),
    ("skip_steps", ["dream"], "dream", "steps among collect, dedupe"),
    ("budget_space_tokens", -1, "-1", "a whole number, 0 or more"),
    ("budget_space_cost", "much", "much", "a number, 0 or more"),
]
CONFIG_ONLY: list[tuple[str, Any, str, str]] = [
    ("sleep", "maybe", "maybe", "true or false"),
    ("durable", 1.5, "1.5", "true or false"),
    ("log_level", "loud", "loud", "debug, info, warning or error"),
    ("port", 99_999, "99999", "a whole number from 0 to 65,535"),
    ("requests_per_minute", 0, "0", "a whole number, 1 or more"),
    ("max_wrong_hits", 1.5, "1.5", "a number from 0 to 1"),
    ("model_prices", "friend=1", "friend=1", "PROVIDER:MODEL=READ/WRITE"),
]
SPACE_ONLY: list[tuple[str, Any, str, str]] = [
    ("enabled", 1, "maybe", "true or false"),
    ("when_spent", "panic", "panic", "rules or wait"),
    ("caps", {"dream": 1}, '{"dream": 1}', "for any of collect, care"),
    ("caps", {"collect": -1}, '{"collect": -1}', "a whole number, 0 or more, for any of"),
    ("caps", 7, "7", "for any of collect"),
    ("rest_factor", -1, "-1", "a number, 0 or more"),
]
IN_CONFIG = pytest.mark.parametrize(("name", "value", "text", "wants"), COMMON + CONFIG_ONLY)
IN_SPACE = pytest.mark.parametrize(("name", "value", "text", "wants"), COMMON + SPACE_ONLY)
UNKNOWN = "idle_second"
FIVE: dict[str, Any] = {UNKNOWN: 5}


@pytest.fixture(autouse=True)
def nobody_elses_settings(home: Path, location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("REVERIE_HOME", location)
    monkeypatch.setenv("REVERIE_EMBEDDER", "none")


Refused = Callable[..., str]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Refused:
    """Runs a command that must be refused: exit code 2, an error with its next move; answers the message."""

    def call(*words: str) -> str:
        with pytest.raises(SystemExit) as end:
            run([*words, "--json"] if words[0] not in ("serve", "up") else list(words))
        said = capsys.readouterr()
        assert end.value.code == 2, said
        assert "Traceback" not in said.err
        assert "bug in Reverie" not in said.err + said.out
        if words[0] in ("serve", "up"):
            return said.err
        error = json.loads(said.out)["error"]
        assert error["code"] in ("bad_config", "bad_input")
        assert error["next_move"]
        return str(error["message"])

    return call


def in_toml(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf"
    return json.dumps(value)


def says(message: str, name: str, wants: str, place: str) -> None:
    """One wording: the setting, what it may be, the value that is there, the place."""
    assert message.startswith(f"{name} must be "), message
    assert wants in message
    assert re.search(rf", not .+ \({re.escape(place)}\)$", message), message


def refused(call: Callable[[], object], error: type[UsageError]) -> str:
    with pytest.raises(error) as raised:
        call()
    assert raised.value.next_move
    return raised.value.message


@IN_CONFIG
def test_the_environment(
    told: Refused, monkeypatch: pytest.MonkeyPatch, name: str, value: Any, text: str, wants: str
) -> None:
    monkeypatch.setenv(f"REVERIE_{name.upper()}", text)
    for words in (["config", "show"], ["append", "hello"]):
        says(told(*words), name, wants, f"environment variable REVERIE_{name.upper()}")


@IN_CONFIG
def test_the_file_of_the_project(told: Refused, home: Path, name: str, value: Any, text: str, wants: str) -> None:
    file = home / "reverie.toml"
    file.write_text(f"{name} = {in_toml(value)}\n")
    says(told("config", "show"), name, wants, f"{file}, key {name}")


@IN_CONFIG
def test_the_users_file(told: Refused, home: Path, name: str, value: Any, text: str, wants: str) -> None:
    file = home / "config" / "reverie" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(f"{name} = {json.dumps(text)}\n")
    says(told("config", "show"), name, wants, f"{file}, key {name}")


@IN_CONFIG
@pytest.mark.parametrize("as_text", [False, True])
def test_arguments_of_open(name: str, value: Any, text: str, wants: str, as_text: bool) -> None:
    given: dict[str, Any] = {name: text if as_text else value}
    says(refused(lambda: Reverie.open(**given), ConfigError), name, wants, f"argument {name}")


@pytest.mark.parametrize("given", ["many", "-1", "65536", "1.5", "nan"])
@pytest.mark.parametrize("command", ["serve", "up"])
def test_a_flag(told: Refused, command: str, given: str) -> None:
    said = " ".join(told(command, "--port", given).split())
    assert f"port must be a whole number from 0 to 65,535, not {given!r} (flag --port)" in said


@IN_SPACE
def test_spaces_configure(told: Refused, memory: Reverie, name: str, value: Any, text: str, wants: str) -> None:
    alice = memory.space("alice")
    says(told("spaces", "configure", "alice", f"{name}={text}"), name, wants, "space 'alice'")
    assert alice.settings == {}


@IN_SPACE
def test_the_library(memory: Reverie, name: str, value: Any, text: str, wants: str) -> None:
    alice = memory.space("alice")
    says(refused(lambda: alice.configure(**{name: value}), BadInput), name, wants, "space 'alice'")
    made = refused(lambda: memory.create_space("bob", settings={name: value}), BadInput)
    says(made, name, wants, "space 'bob'")
    assert (alice.settings, memory.has_space("bob")) == ({}, False)


@pytest.fixture
def client(memory: Reverie) -> Iterator[TestClient]:
    memory.space("alice")
    with running(memory) as client:
        yield client


@IN_SPACE
def test_rest(client: TestClient, memory: Reverie, name: str, value: Any, text: str, wants: str) -> None:
    for method, path, body, space in (
        ("PATCH", "/v1/spaces/alice/settings", {name: value}, "alice"),
        ("PATCH", "/v1/spaces/alice", {"settings": {name: value}}, "alice"),
        ("POST", "/v1/spaces", {"name": "bob", "settings": {name: value}}, "bob"),
    ):
        reply = client.request(method, path, content=json.dumps(body), headers={"content-type": "application/json"})
        assert reply.status_code == 422, (method, path)
        said = error_of(reply)
        assert said["next_move"]
        says(said["message"], name, wants, f"space {space!r}")
    assert (memory.space("alice").settings, memory.has_space("bob")) == ({}, False)


@IN_SPACE
def test_an_export(memory: Reverie, name: str, value: Any, text: str, wants: str) -> None:
    header, *rest = memory.space("alice").export()
    changed = json.dumps({**json.loads(header), "settings": {name: value}})
    says(
        refused(lambda: memory.import_space("bob", [changed, *rest], trust=True), BadInput), name, wants, "space 'bob'"
    )
    assert not memory.has_space("bob")


def test_an_unknown_name_is_told_with_the_one_that_was_meant_at_every_door(
    told: Refused, home: Path, monkeypatch: pytest.MonkeyPatch, client: TestClient, memory: Reverie
) -> None:
    alice = memory.space("alice")
    said = [
        refused(lambda: Reverie.open(**FIVE), ConfigError),
        refused(lambda: alice.configure(**FIVE), BadInput),
        refused(lambda: alice.configure(**{UNKNOWN: None}), BadInput),
        told("spaces", "configure", "alice", f"{UNKNOWN}=5"),
        error_of(client.patch("/v1/spaces/alice/settings", json=FIVE))["message"],
    ]
    (home / "reverie.toml").write_text(f"{UNKNOWN} = 5\n")
    said.append(told("config", "show"))
    assert str(home / "reverie.toml") in said[-1]
    (home / "reverie.toml").unlink()
    monkeypatch.setenv(f"REVERIE_{UNKNOWN.upper()}", "5")
    said.append(told("config", "show"))
    assert said.pop().endswith("did you mean 'REVERIE_IDLE_SECONDS'?")
    assert all(message.endswith("did you mean 'idle_seconds'?") for message in said), said


@pytest.mark.parametrize("name", ["REVERIE_SERVICE_HOST", "REVERIE_PORT_8283_TCP", "REVERIE_API_KEY"])
def test_a_variable_of_another_program_is_left_alone(name: str) -> None:
    assert load(env={name: "tcp://10.0.0.1"}, user_file=Path("/nowhere"))["port"] == 8283


def test_a_file_that_is_no_toml_is_named(told: Refused, home: Path) -> None:
    (home / "reverie.toml").write_text("idle_seconds = \n")
    assert "reverie.toml cannot be read" in told("config", "show")


def test_a_secret_is_not_shown_when_it_is_refused() -> None:
    said = refused(lambda: load({"model_api_key": 4711}, env={}, user_file=Path("/nowhere")), ConfigError)
    assert "4711" not in said


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (["idle_seconds=600"], {"idle_seconds": 600.0}),
        (["enabled=no", "when_spent=wait"], {"enabled": False, "when_spent": "wait"}),
        (["skip_steps=reason, link"], {"skip_steps": ["reason", "link"]}),
        (['skip_steps=["reason"]', 'caps={"collect": 50}'], {"skip_steps": ["reason"], "caps": {"collect": 50}}),
        (["cadence_turns=1_000"], {"cadence_turns": 1_000}),
    ],
)
def test_a_value_means_the_same_as_text(memory: Reverie, texts: list[str], kept: dict[str, Any]) -> None:
    alice = memory.space("alice")
    with pytest.raises(SystemExit):
        run(["spaces", "configure", "alice", *texts])
    assert alice.settings == kept
    ben = memory.space("ben")
    ben.configure(**kept)
    assert ben.sleeping == alice.sleeping


@pytest.mark.parametrize("given", ["reason,link", "reason, link", ["reason", "link"], '["reason", "link"]'])
def test_steps_may_be_written_as_a_list_or_with_commas(given: Any) -> None:
    config = load({"skip_steps": given}, env={}, user_file=Path("/nowhere"))
    assert config["skip_steps"] == "reason,link"
    assert sleeping_of(config, {}).skip_steps == ("reason", "link")


@pytest.mark.parametrize("given", ["WARNING", "warning"])
def test_a_choice_may_be_written_in_capitals(given: str) -> None:
    assert load({}, env={"REVERIE_LOG_LEVEL": given}, user_file=Path("/nowhere"))["log_level"] == "warning"


def test_what_all_spaces_have_by_default_is_what_one_space_has_by_default() -> None:
    assert sleeping_of(load(env={}, user_file=Path("/nowhere")), {}) == Sleeping()


def test_every_default_is_a_value_that_the_setting_may_have() -> None:
    config = load(env={}, user_file=Path("/nowhere"))
    for setting in SETTINGS:
        assert (
            load({setting.name: setting.default}, env={}, user_file=Path("/nowhere"))[setting.name]
            == (config[setting.name])
        ), setting.name


def test_the_document_of_the_server_names_every_setting_of_a_space(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    described = schemas["SleepSettings"]["properties"]
    assert described.keys() == SLEEP_SETTINGS.keys()
    assert described["keep_nights"]["anyOf"][0] == {"type": "integer", "minimum": 0}
    assert described["when_spent"]["anyOf"][0]["enum"] == ["rules", "wait"]
    assert schemas["SpaceIn"]["properties"]["settings"]["properties"].keys() == described.keys()


def test_the_guide_tells_the_defaults_that_hold() -> None:
    guide = (ROOT / "docs" / "guides" / "when-it-sleeps.md").read_text("utf-8")
    told = re.findall(r"`(\w+)`(?:,| \()\s*`?([\d.]+|UTC|0 3 \* \* \*)", guide)
    known = table(step_names())
    found = {name: value for name, value in told if name in known}
    assert len(found) > 10
    assert {name: float(value) for name, value in found.items() if name not in ("cron", "timezone")} == {
        name: known[name].default for name in found if name not in ("cron", "timezone")
    }
