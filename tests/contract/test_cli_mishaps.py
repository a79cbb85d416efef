"""What goes wrong at a terminal: each slip has its exit code, one clear line, and a next move that helps."""

import io
import os
import pickle
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from reverie import Reverie, errors
from reverie.cli.main import BROKEN_PIPE
from reverie.cli.progress import NightProgress, estimate
from reverie.model.night import Progress
from reverie.store.dialect.sqlite import file_of
from tests.contract.test_cli import Cli, cli, findings

__all__ = ["cli"]
SECRET = "hunter2"


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (("recall", "tea", "-s", "nowhere"), 3, "not_found"),
        (("recall", "tea", "--kind", "fcat"), 2, "bad_input"),
        (("recall", "tea", "--after", "last week"), 2, "bad_input"),
        (("recall", "tea", "--as-of", "2026-13-01"), 2, "bad_input"),
        (("memories", "--kind", "fcat"), 2, "bad_input"),
        (("contradictions", "list", "--status", "closed"), 2, "usage"),
        (("sleep", "--reprocess", "dreaming"), 2, "bad_input"),
        (("--home", "", "turns"), 2, "bad_config"),
        (("mirror",), 2, "bad_input"),
        (("dream", "notes", "--transcripts", "nowhere"), 2, "bad_input"),
        (("restore", "nowhere.jsonl", "copy"), 2, "bad_input"),
    ],
)
def test_a_slip_of_the_pen_is_an_error_and_no_empty_answer(
    cli: Cli, words: tuple[str, ...], code: int, kind: str
) -> None:
    said = cli(*words, "--json")
    assert (said.code, said.json["error"]["code"]) == (code, kind)


def test_a_space_that_is_only_read_is_not_made_and_the_meant_one_is_named(cli: Cli) -> None:
    cli("append", "I like tea", "-s", "alice")
    assert "Did you mean 'alice'?" in cli("recall", "tea", "-s", "alcie").err
    assert [space["name"] for space in cli("spaces", "list", "--json").json] == ["alice"]


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://me:{SECRET}@db/memory",
        f"postgresql://me:{SECRET}@127.0.0.1:1/memory",
        f"postgresql://me:{SECRET}@127.0.0.1:nine/memory",
        f"postgresql://me:{SECRET}@127.0.0.1:1/memory?nonsense=1",
        f"postgresql://me:%zz{SECRET}@127.0.0.1:1/memory",
        f"postgresql://me:a@{SECRET}@127.0.0.1:1/memory",
        f"postgresql://me:a/{SECRET}@127.0.0.1:1/memory",
    ],
)
@pytest.mark.parametrize("command", [("turns",), ("doctor",), ("config", "show"), ("worker",)])
def test_a_password_in_a_url_is_never_shown(cli: Cli, url: str, command: tuple[str, ...]) -> None:
    said = cli("--store", url, *command)
    assert SECRET not in said.out + said.err
    assert command == ("config", "show") or said.code in (1, 2)


def test_a_damaged_file_is_called_damaged(cli: Cli, location: str) -> None:
    cli("append", "hello")
    file_of(Path(location), "memory").write_bytes(b"not a database at all")
    said = cli("turns")
    assert said.code == 1
    assert "damaged" in said.err
    assert "doctor --repair" in said.err
    found = findings(cli("doctor", "--json"))
    assert "doctor --repair" in found["store"]["next_move"]
    assert "\n" not in found["files"]["said"]


def test_a_file_where_a_directory_should_be_is_named(cli: Cli, home: Path) -> None:
    (home / "notes.txt").write_text("hello")
    said = cli("--home", "notes.txt", "turns")
    assert (said.code, said.err.splitlines()[0]) == (2, "error: notes.txt is a file, not a directory")


def test_what_is_no_export_is_not_restored(cli: Cli, home: Path) -> None:
    (home / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    assert "it is not text" in cli("restore", "photo.jpg", "copy").err


def test_a_bug_is_one_line_that_says_how_to_report_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reverie, "spaces", lambda *_, **__: 1 / 0)
    said = cli("spaces", "list", "--json")
    assert said.code == 1
    assert "ZeroDivisionError" in said.json["error"]["message"]
    assert "Traceback" not in said.err
    monkeypatch.setenv("REVERIE_LOG_LEVEL", "debug")
    with pytest.raises(ZeroDivisionError):
        cli("spaces", "list")


def test_a_new_stores_directory_is_its_owners_alone(tmp_path: Path) -> None:
    with Reverie.open(tmp_path / "store", embedder="none"):
        assert stat.S_IMODE((tmp_path / "store").stat().st_mode) == 0o700


@pytest.mark.parametrize("location", ["sqlite", "postgres"], indirect=True)
def test_half_a_character_is_refused_with_a_reason(location: str) -> None:
    with (
        Reverie.open(location, embedder="none", durable=False) as memory,
        pytest.raises(errors.BadInput, match="half a character"),
    ):
        memory.space().append("user", "a lone \ud800")


def test_errors_cross_from_one_process_to_another_whole() -> None:
    for error in (errors.NotFound("space", "x"), errors.BlockTooLong("human", 9, 5), errors.ModelFault("timeout", "y")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.data, again.next_move) == (
            type(error),
            str(error),
            error.data,
            error.next_move,
        )


def test_a_setting_is_set_in_its_file_and_nothing_else_of_it_changes(cli: Cli, home: Path) -> None:
    file = home / "reverie.toml"
    file.write_text('# mine\nspace = "bob"  # the old one\n')
    said = cli("config", "set", "space", "alice")
    assert (said.code, said.out) == (0, f"space = alice (was bob), in {file}\n")
    assert file.read_text() == '# mine\nspace = "alice"\n'
    assert cli("config", "get", "space").out == "alice\n"
    for wrong in (("idle_seconds", "soon"), ("idle_second", "5")):
        assert cli("config", "set", *wrong).code == 2
    assert file.read_text() == '# mine\nspace = "alice"\n'
    assert cli("config", "set", "budget_day_cost", "none", "--json").json["value"] is None
    assert [item["name"] for item in cli("config", "list", "--json").json if "toml" in item["origin"]] == [
        "space",
        "budget_day_cost",
    ]
    cli("config", "unset", "space")
    assert cli("config", "get", "space", "--json").json["origin"] == "default"
    assert cli("config", "set", "home", "elsewhere").out.endswith(
        "; but it comes from environment, which is stronger\n"
    )


def test_memories_are_listed_newest_first_with_what_no_longer_holds_marked(cli: Cli) -> None:
    old = cli("remember", "The office is in Bremen.", "--json").json["id"]
    cli("remember", "The door code is blue.")
    cli("correct", old, "The office is in Hamburg.")
    listed = cli("memories", "--json").json
    assert listed[0]["text"] == "The office is in Hamburg."
    assert cli("memories", "--oldest", "--json").json[0]["id"] == old
    assert "ended" in cli("memories").out


@pytest.mark.parametrize("words", [("--space", "alice", "turns"), ("turns", "-s", "alice")])
def test_a_space_is_named_before_or_after_the_command(cli: Cli, words: tuple[str, ...]) -> None:
    cli("append", "hello", "--space", "alice")
    assert "hello" in cli(*words).out
    assert cli("--home", "other", "turns").out.startswith("No turns yet")
    assert cli("turns", "--home", "other").out.startswith("No turns yet")


def test_a_word_for_the_chat_itself_is_not_stored(cli: Cli) -> None:
    said = cli("chat", "/help")
    assert (said.code, "is not stored" in said.out) == (0, True)
    assert "There is no /nope here." in cli("chat", "/nope").out
    assert cli("turns", "--json").json == []


@pytest.mark.parametrize("words", [("--help",), ("memories", "--json")])
def test_a_reader_that_leaves_early_ends_the_command_quietly(tmp_path: Path, words: tuple[str, ...]) -> None:
    """As in `reverie sleep | head`: no traceback, no complaint of the interpreter; done is done."""
    env = {**os.environ, "REVERIE_HOME": str(tmp_path), "REVERIE_EMBEDDER": "none", "REVERIE_DURABLE": "no"}
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run([sys.executable, "-m", "reverie", *words], env=env, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert b"Traceback" not in ran.stderr
    assert b"Exception ignored" not in ran.stderr
    assert ran.returncode == BROKEN_PIPE


def test_a_night_goes_on_when_nobody_reads_its_progress(tmp_path: Path) -> None:
    """As in `reverie sleep 2>&1 | head -1`."""
    env = {**os.environ, "REVERIE_HOME": str(tmp_path), "REVERIE_EMBEDDER": "none", "REVERIE_DURABLE": "no"}
    reader, writer = os.pipe()
    os.close(reader)
    subprocess.run([sys.executable, "-m", "reverie", "sleep"], env=env, stdout=writer, stderr=writer)
    os.close(writer)
    with Reverie.open(tmp_path, embedder="none") as memory:
        assert [night.status for night in memory.space().nights()] == ["done"]


def test_a_long_night_says_how_far_it_has_come_and_after_a_break_no_time_that_it_cannot_know() -> None:
    def told(turns: int, of_turns: int, left: float = 120.0) -> str:
        return estimate(Progress("n", "s", "batch", "done", turns=turns, of_turns=of_turns, seconds_left=left))

    assert told(500, 10_000) == "500 of 10,000 turns read, about 2 min left"
    assert told(0, 10_000, 0.0) == "10,000 turns to read"
    assert told(0, 10_000) == "10,000 turns to read, about 2 min left"  # as the last night took
    assert told(5, 50) == ""


def test_where_there_is_no_terminal_a_night_that_goes_on_says_once_how_much_is_left() -> None:
    written = io.StringIO()
    with NightProgress(Console(file=written, width=100)) as progress:
        for turns in (0, 0, 32, 1_024, 1_056):
            progress(Progress("n", "s", "batch", "done", turns=turns, of_turns=10_000, seconds_left=120.0))
    assert [line.strip() for line in written.getvalue().splitlines()] == [
        "10,000 turns to read, about 2 min left",
        "1,024 of 10,000 turns read, about 2 min left",
    ]
