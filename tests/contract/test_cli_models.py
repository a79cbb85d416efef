"""What the command line says about models: every trouble in words, with the next move, and no cost that was none."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reverie.cli.main import run
from tests.support.fault_server import FaultServer, fault_server


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


Cli = Callable[..., Said]


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with fault_server() as running:
        yield running


@pytest.fixture
def cli(
    location: str, server: FaultServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> Cli:
    """`cli("primary=openai:x", "chat", "hi")`: settings first, then the words."""
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(home)
    common = {"home": location, "embedder": "none", "durable": "false", "model_base_url": server.url}

    def call(*words: str, **settings: object) -> Said:
        with monkeypatch.context() as environment, pytest.raises(SystemExit) as end:
            for name, value in {**common, **settings}.items():
                environment.setenv(f"REVERIE_{name.upper()}", str(value))
            run(list(words))
        said = capsys.readouterr()
        return Said(int(end.value.code or 0), said.out, said.err)

    return call


@pytest.mark.parametrize(
    ("model", "what", "move"),
    [
        ("timeout", "did not answer in time (timeout)", "`model_timeout`"),
        ("rate_limited", "asked more often than it allows", "`model_concurrency`"),
        ("server_error", "its server failed (server_error, HTTP 500)", "the rules"),
        ("bad_key", "the key was refused (bad_key, HTTP 401)", "`model_api_key`"),
        ("prompt_too_long", "cannot read that much", "`model_batch_tokens`"),
        ("garbled", "does not speak the protocol", "/v1"),
        ("wrong_json", "no JSON", "another model"),
        ("wrong_shape", "another shape", "another model"),
        ("empty", "empty", "`model_answer_tokens`"),
        ("refusal", "declined", "another model"),
        ("content_filter", "declined", "another model"),
    ],
)
def test_a_check_says_what_is_wrong_and_the_next_move(cli: Cli, model: str, what: str, move: str) -> None:
    said = cli("models", "check", primary_model=f"openai:{model}", model_timeout=0.3)
    assert said.code == 5
    told = " ".join(said.out.split())  # it is folded to the terminal's width
    assert told.startswith(f"primary: openai:{model} does not work: ")
    assert what in told
    assert move in told


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"model_base_url": "http://127.0.0.1:9/v1"}, 5, ("no server answers there", "`model_base_url`")),
        ({"model_base_url": "127.0.0.1:11434"}, 2, ("is not an address", "http://127.0.0.1:11434/v1")),
        ({"primary_model": "gpt-5"}, 2, ("'gpt-5' is not a model name", "openai:gpt-5-mini")),
        ({"primary_model": "foo:bar"}, 5, ("foo:bar cannot be used", '"openai:NAME"')),
        ({"primary_model": "anthropic:claude-haiku-4-5"}, 5, ("needs a key. Set ANTHROPIC_API_KEY",)),
    ],
)
def test_a_setting_that_cannot_work_is_named(
    cli: Cli, settings: dict[str, str], code: int, words: tuple[str, ...]
) -> None:
    said = cli("models", "check", **{"primary_model": "openai:x", **settings})
    assert said.code == code
    told = " ".join((said.out + said.err).split())
    assert all(word in told for word in words)


def test_a_check_does_not_wait_for_the_same_timeout_three_times(cli: Cli, server: FaultServer) -> None:
    before = server.asked("timeout")
    said = cli("models", "check", primary_model="openai:timeout", model_timeout=0.2)
    assert server.asked("timeout") == before + 1
    assert said.out.count("not tried") == 2


def test_a_model_that_works_is_said_to_and_that_its_price_is_not_known(cli: Cli) -> None:
    said = cli("models", "check", primary_model="openai:no_schema_mode")
    assert said.code == 0
    assert "works in object mode; its price is not known" in said.out
    assert "schema: rejected" in said.out


def test_a_check_says_that_dollars_alone_cannot_hold_a_model_without_a_price(cli: Cli) -> None:
    settings = {"primary_model": "openai:friend", "budget_total_cost": 5}
    blind = " ".join(cli("models", "check", **settings).out.split())
    assert "`budget_total_cost` cannot hold it: set tokens beside, or its `model_prices`." in blind
    priced = cli("models", "check", **settings, model_prices="openai:friend=2/10").out
    assert "cannot hold" not in priced
    assert "$3.00 for a million tokens read and 100,000 written" in priced


def test_a_bad_price_is_told_before_anything_is_asked(cli: Cli, server: FaultServer) -> None:
    before = server.asked("friend")
    said = cli("chat", "Hello?", primary_model="openai:friend", model_prices="openai:friend=cheap")
    assert said.code == 2
    told = " ".join(said.err.split())
    assert "model_prices must be PROVIDER:MODEL=READ/WRITE" in told
    assert "not 'openai:friend=cheap' (environment variable REVERIE_MODEL_PRICES)" in told
    assert server.asked("friend") == before


def test_chat_says_why_the_model_did_not_answer_and_what_to_do(cli: Cli) -> None:
    cli("append", "My dog is called Biscuit")
    said = cli("chat", "What is my dog called?", primary_model="openai:bad_key")
    assert "Biscuit" in said.out
    assert "the key was refused (bad_key, HTTP 401). Set the right key" in said.err


def test_a_night_says_that_the_rules_stood_in_for_the_model(cli: Cli) -> None:
    cli("append", "I live in Hamburg")
    slept = cli("sleep", "--nap", sleeper_model="openai:bad_key", skip_steps="rethink").out
    assert "; the rules stood in for the model " in slept
    assert " bad key" in slept
    cli("append", "I have a dog called Rex")
    poor = cli("sleep", "--nap", sleeper_model="openai:good", budget_night_tokens=0).out
    assert "the rules stood in" in poor
    assert "budget spent" in poor
    assert "the rules stood in" not in cli("sleep").out  # the rules alone stand in for nobody


def test_the_ledger_does_not_call_an_unknown_price_nothing(cli: Cli) -> None:
    assert cli("ledger").out == "Nothing was spent: no model has been called.\n"
    cli("chat", "Hello?", primary_model="openai:friend")
    said = cli("ledger", "--by", "model").out
    assert "+ 1 unpriced" in said
    assert "1 questions asked" not in said  # it is one
    assert "1 question asked: " in said
    assert "no price is known for 1 call" in said


def test_models_check_says_whether_the_rules_are_better_without_the_model(cli: Cli) -> None:
    good = cli("models", "check", sleeper_model="openai:good")
    assert re.search(r"the rules: \d+ right, \d wrong, \d+ missed", good.out)
    assert re.search(r"with it: \d+ right, \d+ wrong, \d+ missed", good.out)
    liar = json.loads(cli("models", "check", "--json", sleeper_model="openai:lying").out)["quality"]["openai:lying"]
    assert liar["use_it"] is False
    assert liar["model"] == liar["rules"]
    assert liar["verdict"].startswith("the rules are better: ")
    quick = json.loads(cli("models", "check", "--quick", "--json", sleeper_model="openai:good").out)
    assert quick["quality"] == {}


def test_setup_finds_what_is_there_shows_what_a_night_costs_and_writes_only_what_was_chosen(
    cli: Cli, server: FaultServer, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setattr("reverie.minds.llm.selection.discovery.SERVERS", {"Ollama": server.url})
    for n in range(5):
        cli("append", f"I bought boat number {n}.")
    asked = len(server.requests)
    found = json.loads(cli("setup", "--json", model_base_url="").out)
    names = {offer["model"]["name"]: offer for offer in found["found"]}
    assert list(names) == ["openai:gpt-5-mini", "openai:served"]
    assert names["openai:gpt-5-mini"]["night"]["cost"] > 0
    assert names["openai:served"]["night"]["cost"] is None
    assert all(offer["night"]["turns"] == 5 and offer["night"]["seconds"] > 0 for offer in found["found"])
    assert (found["chosen"], found["written"]) == (None, None)
    own = home / "config" / "reverie" / "config.toml"
    assert not own.exists()
    own.parent.mkdir(parents=True)
    own.write_text('# mine\nsleeper_model = "openai:old"\nanticipate = 3\n')
    chosen = cli("setup", "--model", "openai:served", "--role", "sleeper", model_base_url="")
    assert chosen.code == 0
    assert own.read_text() == (
        f'# mine\nsleeper_model = "openai:served"\nanticipate = 3\nmodel_base_url = "{server.url}"\n'
    )
    assert cli("setup", "--model", "rules", model_base_url="").code == 0
    assert 'sleeper_model = ""' in own.read_text()
    assert cli("setup", "--model", "nonsense", model_base_url="").code != 0
    own.write_text("")
    unlisted = cli(
        "setup", "--model", "openai:unlisted", "--url", f"{server.url}/", "--role", "sleeper", model_base_url=""
    )
    assert unlisted.code == 0
    assert own.read_text() == f'sleeper_model = "openai:unlisted"\nmodel_base_url = "{server.url}"\n'
    assert len(server.requests) == asked  # nothing was asked of any model
