"""The command line as a newcomer meets it: help with examples that run, a quick start, any terminal, Ctrl-C."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from reverie.cli import main
from reverie.cli.help import EXAMPLES, PANELS
from scripts.json_keys import runnable
from tests.contract.test_cli import COMMANDS, Cli, cli

__all__ = ["cli"]


def test_every_command_has_a_file_a_panel_and_examples() -> None:
    words = {path[0] for path in COMMANDS}
    assert {word for commands in main.FILES.values() for word in commands} == words
    assert {word for commands in PANELS.values() for word in commands} == words
    assert set(EXAMPLES) == {" ".join(path) for path in COMMANDS}
    for name, examples in EXAMPLES.items():
        assert all(re.search(rf"\breverie (--\w+ \S+ )?{name}\b", example) for example in examples), name


def test_a_command_is_in_the_file_that_is_said_to_have_it() -> None:
    """Only that file is loaded for it: in another one it would not be found."""
    command = typer.main.get_command(main.load_commands())
    for file, words in main.FILES.items():
        for word in words:
            found = command.commands[word]  # type: ignore[attr-defined]
            inner = next(iter(getattr(found, "commands", {"": found}).values()))
            assert inner.callback.__module__ == f"reverie.cli.commands.{file}", word


def test_the_examples_of_the_help_run(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --json they are run for the reference, which `tests/test_docs.py` holds."""
    monkeypatch.setenv("REVERIE_SPACE", "alice")
    for _, example in runnable():
        if "-ID" not in example:
            said = cli(*shlex.split(example)[1:])
            assert said.code == 0, (example, said.err)


def test_help_loads_neither_the_store_nor_numpy() -> None:
    code = (
        "import sys, contextlib, io\nfrom reverie.cli.main import run\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()): run(['--help'])\n"
        "heavy = ('numpy', 'pydantic', 'rich', 'onnxruntime', 'reverie.reverie')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    assert _python(code) == "[]\n"


def test_a_question_loads_only_what_it_needs(tmp_path: Path) -> None:
    code = (
        "import sys, contextlib, io\nfrom reverie.cli.main import run\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()): run(['recall', 'tea'])\n"
        "print([name for name in ('reverie.cli.commands.nights', 'reverie.awake.answer', 'reverie.asleep.runner',"
        " 'reverie.agent.primary', 'croniter', 'typer', 'rich', 'fastapi', 'pydantic', 'mcp', 'pydantic_ai')"
        " if name in sys.modules])\n"
        "rules = 'reverie.minds.rules.'\n"  # a recall puts the newest on a matter first
        "print(sorted(name.removeprefix(rules) for name in sys.modules if name.startswith(rules)))"
    )
    assert (
        _python(code, REVERIE_HOME=str(tmp_path / "store"), REVERIE_EMBEDDER="none")
        == "[]\n['reading', 'reading.change_words', 'reading.matters', 'reading.update_marks', 'reading.updates',"
        " 'reading.values']\n"
    )


def test_an_append_loads_no_embedder_no_framework_and_nothing_of_nights(tmp_path: Path) -> None:
    code = (
        "import sys, contextlib, io\nfrom reverie.cli.main import run\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()): run(['append', 'tea'])\n"
        "heavy = ('numpy', 'onnxruntime', 'tokenizers', 'numkong', 'typer', 'rich', 'pydantic', 'fastapi', 'mcp',"
        " 'pydantic_ai', 'asyncio', 'psycopg', 'reverie.asleep', 'reverie.minds.embed', 'reverie.store.forget')\n"
        "print([name for name in heavy if name in sys.modules], len(sys.modules) < 320)"
    )
    assert _python(code, REVERIE_HOME=str(tmp_path / "store")) == "[] True\n"


def test_the_module_is_the_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "reverie", "--version"], capture_output=True, text=True)
    assert ran.stdout.startswith("reverie ")


def test_without_a_command_the_help_is_shown(cli: Cli) -> None:
    said = cli()
    assert said.code == 0
    assert said.err == ""
    assert "Begin with `reverie demo`" in said.out
    group = cli("blocks")
    assert (group.code, group.err) == (2, "")
    assert group.out.startswith("Usage: reverie blocks")


def test_a_locale_that_knows_less_than_utf8_loses_no_text(tmp_path: Path) -> None:
    narrow = {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "REVERIE_HOME": str(tmp_path),
        "REVERIE_EMBEDDER": "none",
    }
    assert _reverie("append", "Grüße aus Köln …", **narrow).returncode == 0
    assert b"Gr??e aus K?ln ..." in _reverie("turns", **narrow).stdout
    [turn] = json.loads(_reverie("turns", "--json", **narrow).stdout)
    assert turn["text"] == "Grüße aus Köln …"
    assert _reverie("doctor", **narrow).stdout.startswith(b"+ store")


@pytest.mark.parametrize(("words", "found"), [("reverie end", "end-session"), ("reverie blocks rest", "restore")])
def test_the_shell_completes_every_command(words: str, found: str) -> None:
    asked = {"_REVERIE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    assert _reverie(**asked).stdout.decode().split() == [found]


@pytest.mark.parametrize("after", [0.0, 0.1, 0.5])
def test_ctrl_c_ends_it_without_a_trace(tmp_path: Path, after: float) -> None:
    ended = _interrupted(tmp_path, after)
    if b"Exception ignored in" in ended[1]:
        ended = _interrupted(tmp_path, after)  # Python itself swallows one that falls into a callback of its own
    assert ended == (130, b"")


def _interrupted(home: Path, after: float) -> tuple[int, bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", "from reverie.cli.main import run; print('here', flush=True); run(['chat'])"],
        env={**os.environ, "REVERIE_HOME": str(home), "REVERIE_EMBEDDER": "none"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(after + 0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    return process.returncode, err.strip()


def _reverie(*words: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    code = "import sys; from reverie.cli.main import run; run()"
    return subprocess.run([sys.executable, "-c", code, *words], env={**os.environ, **env}, capture_output=True)


def _python(code: str, **env: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **env}, capture_output=True, check=True, text=True
    ).stdout
