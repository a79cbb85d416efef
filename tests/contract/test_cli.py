"""The command line: every command in this process, on a store of the test's own."""

import json
import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import typer

from reverie import Reverie, __version__
from reverie.cli.commands.doctor import benchmarks
from reverie.cli.main import load_commands, run
from reverie.store.dialect.sqlite import file_of
from reverie.store.tables import failures
from reverie.store.transfer import export


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Said]


@pytest.fixture
def cli(location: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path) -> Cli:
    """Runs a command as a person would, on an empty store, in an empty directory."""
    for name, value in {"HOME": location, "EMBEDDER": "none", "DURABLE": "false"}.items():
        monkeypatch.setenv(f"REVERIE_{name}", value)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(home)

    def call(*words: str) -> Said:
        with pytest.raises(SystemExit) as end:
            run(list(words))
        said = capsys.readouterr()
        return Said(int(end.value.code or 0), said.out, said.err)

    return call


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with the words that call it."""
    command = group or typer.main.get_command(load_commands())
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
    for name, each in (inner or {}).items():
        yield from commands(each, (*path, name))


COMMANDS = dict(commands())
PRINT_NO_VALUE = {("serve",), ("up",), ("worker",), ("mcp",), ("demo",), ("export",)}


@pytest.mark.parametrize("path", sorted(COMMANDS), ids=" ".join)
def test_every_command_has_help_for_itself_and_all_its_words_and_speaks_json(path: tuple[str, ...]) -> None:
    command = COMMANDS[path]
    names = {name for param in command.params for name in param.opts}
    assert command.help
    assert path in PRINT_NO_VALUE or "--json" in names
    unexplained = [param.name for param in command.params if not getattr(param, "help", "")]
    assert unexplained == []
    many = [param.opts for param in command.params if "How many" in getattr(param, "help", "")]
    assert many in ([], [["--limit", "-k"]])  # one word and one letter, everywhere
    assert ("--limit" in names) == bool(many) or path == ("blocks", "create")  # there it is the characters of a block


def test_the_version_is_the_packages(cli: Cli) -> None:
    assert cli("--version") == Said(0, f"reverie {__version__}\n", "")


def test_a_first_day_from_append_to_undo(cli: Cli) -> None:
    turn = cli("append", "I moved to Hamburg last week", "--json").json["id"]
    assert cli("append", "Please remember that I'm allergic to peanuts", "--session", "s2").code == 0
    assert cli("recall", "Hamburg", "--json").json[0]["id"] == turn
    night = cli("sleep", "--json").json
    assert night["status"] == "done"
    assert "peanuts" in cli("blocks", "show", "human").out
    assert "Hamburg" in cli("answer", "where do I live?").out
    assert "Hamburg" in cli("memories", "--kind", "fact").out
    assert cli("night", night["id"], "--diff").out.startswith(f"night {night['id']} done")
    assert cli("undo", night["id"]).out.startswith("undone: ")
    assert cli("blocks", "show", "human").out == "(empty)\n"


def test_an_answer_is_shown_as_json_without_what_only_the_guards_read(cli: Cli) -> None:
    cli("append", "I live in Hamburg")
    cli("sleep")
    (listed,) = [one for one in cli("answers", "list", "--json").json if '"I live in Hamburg"' in one["answer"]]
    assert cli("answers", "show", listed["id"], "--json").json == listed
    assert listed["rests_on"]
    assert not {"vec", "parsed"} & listed.keys()


def test_a_night_says_why_nothing_was_promoted(cli: Cli) -> None:
    cli("append", "I live in Hamburg")
    cli("sleep")
    cli("recall", "where do I live?")
    cli("sleep")
    assert "promote: Nothing promoted: " in cli("night", "last").out


def test_a_dry_run_says_what_would_be_known_and_writes_nothing(cli: Cli) -> None:
    cli("append", "I moved to Hamburg last week")
    assert re.search(r'fact: The user, .+: "I moved to Hamburg last week"', cli("sleep", "--dry-run").out)
    assert cli("memories", "--json").json == []


def test_chat_without_a_model_answers_from_memory(cli: Cli) -> None:
    cli("append", "My dog is called Biscuit")
    reply = cli("chat", "What is my dog called?", "--json").json
    assert "Biscuit" in reply["text"]
    assert reply["model_calls"] == 0


def test_without_a_model_memory_does_not_quote_its_own_answers(cli: Cli) -> None:
    assert "without a model" in cli("chat", "hello there").out
    assert "From memory" not in cli("chat", "do I find nothing in memory?", "--json").json["text"]
    assert "reverie-memory" not in cli("turns").out


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (("nonsense",), 2, "usage"),
        (("append",), 2, "usage"),
        (("recall", "x", "-k", "0"), 2, "usage"),
        (("append", ""), 2, "bad_input"),
        (("memory", "mem-none"), 3, "not_found"),
        (("night", "night-none"), 3, "not_found"),
        (("spaces", "delete", "nobody", "--yes"), 3, "not_found"),
        (("bench", "nothing"), 3, "not_found"),
        (("contradictions", "resolve", "x", "left"), 2, "usage"),
        (("sleep", "--nap", "--night"), 2, "bad_input"),
        (("blocks", "set", "human", "x" * 9_000), 4, "block_too_long"),
        (("--store", "bogus://x", "turns"), 2, "bad_config"),
        (("backup", "/dev/null/x"), 2, "usage"),
    ],
)
def test_an_error_is_json_with_a_code_and_the_next_move(cli: Cli, words: tuple[str, ...], code: int, kind: str) -> None:
    said = cli(*words, "--json")
    assert said.code == code
    assert said.json["error"]["code"] == kind
    assert said.json["error"]["next_move"]


def test_for_a_person_an_error_is_two_lines_and_no_trace(cli: Cli) -> None:
    assert cli("memory", "mem-none").err == "error: no memory 'mem-none'\nCheck the id; lists show what there is.\n"


def test_an_unknown_setting_is_named_with_the_one_that_was_meant(cli: Cli, home: Path) -> None:
    (home / "reverie.toml").write_text("idle_second = 5\n")
    said = cli("spaces", "list")
    assert said.code == 2
    assert "did you mean 'idle_seconds'" in said.err.replace("\n", " ")


def test_a_setting_of_the_wrong_kind_is_refused(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_PORT", "many")
    said = cli("config", "show", "--json")
    assert (said.code, said.json["error"]["code"]) == (2, "bad_config")


def test_a_space_is_configured_shown_and_taken_back_to_the_configuration(cli: Cli) -> None:
    cli("append", "hello", "--space", "alice")
    shown = cli(
        "spaces", "configure", "alice", "budget_space_cost=2", "cron=0 4 * * *", 'skip_steps=["reason"]', "--json"
    )
    assert shown.json == {
        "space": "alice",
        "settings": {"budget_space_cost": 2, "cron": "0 4 * * *", "skip_steps": ["reason"]},
    }
    cli("spaces", "configure", "alice", "skip_steps=", "cron=")
    assert cli("spaces", "configure", "alice").out == "budget_space_cost = 2\n"
    cli("spaces", "configure", "alice", "budget_space_cost=")
    assert cli("spaces", "configure", "alice").out.startswith("Nothing of its own")


@pytest.mark.parametrize(
    ("name", "change", "code", "why"),
    [
        ("alice", "budget_space_cost", 2, "'budget_space_cost' sets nothing"),
        ("alice", "budget_space_cost=-2", 2, "budget_space_cost must be a number, 0 or more, not '-2'"),
        ("alice", "budget=2", 2, "no sleep setting budget (space 'alice')"),
        ("alise", "budget_space_cost=2", 3, "no space 'alise'"),
    ],
)
def test_what_a_space_cannot_have_is_told(cli: Cli, name: str, change: str, code: int, why: str) -> None:
    cli("append", "hello", "--space", "alice")
    said = cli("spaces", "configure", name, change)
    assert said.code == code
    assert why in said.err
    assert "alise" not in cli("spaces", "list").out


def test_config_show_tells_where_a_value_comes_from(cli: Cli) -> None:
    shown = {item["name"]: item for item in cli("config", "show", "--origin", "--json").json}
    assert shown["embedder"]["origin"] == "environment"
    assert shown["cron"]["origin"] == "default"


def test_what_is_too_long_for_a_command_line_comes_from_standard_input(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("heron " * 50_000))
    assert cli("append", "-").code == 0
    assert len(cli("turns", "--json").json[0]["text"]) == 300_000


@pytest.mark.parametrize("command", ["serve", "up"])
def test_a_port_that_is_taken_is_said_plainly(cli: Cli, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setattr("reverie.reverie.Reverie.start_sleeper", lambda _: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = cli(command, "--port", str(taken.getsockname()[1]))
    assert said.code == 2
    assert "cannot listen on 127.0.0.1" in said.err


def test_last_is_the_latest_night_that_ran(cli: Cli) -> None:
    assert cli("undo", "last", "--json").json["error"]["next_move"] == "Try: reverie sleep"
    cli("append", "I moved to Hamburg")
    night = cli("sleep", "--nap", "--json").json["id"]
    assert cli("night", "last", "--json").json["night"]["id"] == night
    assert cli("undo", "last", "--json").json["undone"] == night


def test_recall_asks_about_a_time(cli: Cli, home: Path) -> None:
    said = [("I like tea", "2026-05-01"), ("I like green tea", "2026-05-03T10:00:00+02:00")]
    lines = [json.dumps({"role": "user", "text": text, "at": at}) for text, at in said]
    (home / "talk.jsonl").write_text("\n".join(lines))
    cli("import", "jsonl", "talk.jsonl")
    for words, found in [
        (("--after", "2026-05-02"), ["I like green tea"]),
        (("--before", "2026-05-03T08:00"), ["I like tea"]),
        (("--as-of", "2026-05-02"), ["I like tea"]),
    ]:
        assert [hit["text"] for hit in cli("recall", "tea", *words, "--json").json] == found, words


def test_no_color_means_no_color(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31m" not in cli("memory", "mem-none").err


def test_a_narrow_terminal_still_shows_ids_whole(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    turn = cli("append", "A long sentence about nothing in particular, " * 3).out.strip()
    assert turn in cli("turns").out


HOSTILE = "tea\x1b]0;owned\x07\x1b[2J\x9b31m [/b] [red]for[/red] :smile: all\n0.99  The user owes me money"


@pytest.mark.parametrize("width", ["80", "300"])  # cards, and a table
@pytest.mark.parametrize("words", [("memories",), ("recall", "tea"), ("night", "last", "--diff"), ("context", "tea")])
def test_a_terminal_takes_no_orders_from_what_was_said(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, width: str, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    cli("remember", HOSTILE)
    cli("sleep", "--nap")
    said = cli(*words)
    assert said.code == 0
    assert "tea" in said.out
    assert not {"\x1b", "\x07", "\x9b"} & set(said.out + said.err)
    assert "[/b] [red]for[/red] :smile: all" in said.out
    assert not [line for line in said.out.splitlines() if line.startswith("0.99  The user owes")]
    assert "\x9b" not in cli(*words, "--json").out


def test_a_space_is_deleted_only_when_that_is_said_twice(cli: Cli) -> None:
    cli("append", "hello", "--space", "alice")
    assert cli("spaces", "delete", "alice", "--json").json["error"]["next_move"] == "Add --yes to do it."
    assert cli("spaces", "delete", "alice", "--yes").out == "deleted\n"
    assert cli("spaces", "list", "--json").json == []


def test_embed_makes_fresh_turns_findable_by_meaning(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_EMBEDDER", "minilm")
    cli("append", "I moved to Hamburg")
    assert cli("embed", "--json").json == {"embedded": 1}
    assert cli("embed", "--json").json == {"embedded": 0}


def test_a_space_goes_out_and_comes_back(cli: Cli, home: Path) -> None:
    cli("append", "I moved to Hamburg")
    assert cli("export", str(home / "all.jsonl")).code == 0
    assert cli("restore", str(home / "all.jsonl"), "copy").code == 0
    assert "Hamburg" in cli("recall", "Hamburg", "--space", "copy").out


def test_an_export_replaces_no_file_unasked_and_leaves_no_half(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("append", "I moved to Hamburg")
    cli("remember", "The heron nests at the mill")
    (home / "kept.jsonl").write_text("another copy")
    assert "--force" in cli("export", "kept.jsonl").err
    with monkeypatch.context() as broken:
        broken.setattr(export, "bare", None)  # it breaks off in the middle, at the first document
        assert cli("export", "kept.jsonl", "--force").code == 1
    assert (home / "kept.jsonl").read_text() == "another copy"
    assert [path.name for path in home.iterdir() if "kept" in path.name] == ["kept.jsonl"]
    assert cli("export", "kept.jsonl", "--force").code == 0
    assert "Hamburg" in (home / "kept.jsonl").read_text()


def test_a_backup_is_a_store(cli: Cli, home: Path) -> None:
    cli("append", "I moved to Hamburg")
    assert cli("backup", str(home / "copy")).code == 0
    assert "Hamburg" in cli("--home", str(home / "copy"), "recall", "Hamburg").out


def test_bench_lists_what_can_be_run(cli: Cli) -> None:
    listed = cli("bench", "--json").json
    assert {item["name"] for item in listed} == set(benchmarks()) >= {"hotpath", "retrieval"}
    assert all(item["help"] for item in listed)


def test_bench_outside_a_checkout_says_where_to_run_it(cli: Cli, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr("reverie.cli.commands.doctor.CHECKOUT", home)
    assert cli("bench", "hotpath", "--json").json["error"]["next_move"] == "Run it from a checkout."


def findings(said: Said) -> dict[str, dict[str, str]]:
    return {finding["check"]: finding for finding in said.json["findings"]}


def test_the_doctor_finds_a_fresh_store_well_and_warns_that_nothing_sleeps(cli: Cli) -> None:
    cli("append", "hello")
    said = cli("doctor", "--json")
    assert said.code == 0
    assert said.json["well"]
    assert findings(said)["sleeper"]["status"] == "warning"
    assert "1 turn," in findings(said)["space"]["said"]


def test_the_doctor_makes_no_store(cli: Cli, home: Path) -> None:
    said = cli("--home", str(home / "none"), "doctor", "--json")
    assert said.code == 0
    assert not (home / "none").exists()


def test_the_doctor_says_that_nothing_ever_sleeps(cli: Cli, location: str) -> None:
    with Reverie.open(location) as memory:
        memory.space().append("user", "hello", at=1_000.0)
    said = cli("doctor", "--json")
    assert said.code == 1
    assert findings(said)["sleeper"]["status"] == "wrong"
    assert "reverie up" in findings(said)["sleeper"]["next_move"]


@pytest.mark.parametrize(("text", "told"), [("Ich wohne in Kiel und bin Lehrerin.", True), ("I live in Kiel.", False)])
def test_the_doctor_says_what_it_means_that_a_space_is_not_in_english(
    cli: Cli, location: str, text: str, told: bool
) -> None:
    with Reverie.open(location) as memory:
        memory.space().add({"role": role, "content": text} for role in ("user", "assistant") * 10)
    said = cli("doctor", "--json")
    assert ("language" in findings(said)) == told
    if told:
        assert "10 of the user's last 10 turns are not English" in findings(said)["language"]["said"]
        assert "sleeper_model" in findings(said)["language"]["next_move"]


def test_the_doctor_lets_what_was_set_aside_be_tried_again(cli: Cli, location: str) -> None:
    with Reverie.open(location) as memory:
        space = memory.space().id
        with memory.parts.db.write("memory") as tx:
            tx.run(
                "INSERT INTO failures (space, step, item, times, error, aside, at)"
                " VALUES (:space, 'tag', 'mem-1', 3, 'odd', 1, 0)",
                space=space,
            )
    sick, mended = cli("doctor"), cli("doctor", "--repair")
    assert (sick.code, mended.code) == (1, 0)
    assert "1 item set aside after three failures (tag mem-1: odd)" in sick.out
    assert "1 item failed, to be tried again by the next nights" in mended.out
    with Reverie.open(location) as memory:
        assert [(row["times"], row["aside"]) for row in failures.listed(memory.parts.db, space)] == [(0, 0)]


def test_the_doctor_sees_a_broken_file_and_says_what_to_do(cli: Cli, location: str) -> None:
    cli("append", "hello")
    path = file_of(Path(location), "memory")
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * (path.stat().st_size - 16))
    said = cli("doctor", "--json")
    assert said.code == 1
    assert findings(said)["files"]["status"] == "wrong"


def test_the_doctor_names_a_model_that_cannot_be_used(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("REVERIE_SLEEPER_MODEL", "openai:gpt-5-mini")
    cli("append", "hello")
    said = cli("doctor", "--json")
    assert said.code == 1
    assert "OPENAI_API_KEY" in findings(said)["models"]["next_move"]
    assert findings(said)["budget"]["status"] == "ok"
