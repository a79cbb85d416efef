"""`reverie forget`: what it shows before, what it writes down of it afterwards, and that a purge leaves no byte."""

import json
from pathlib import Path

import pytest

from reverie import Reverie
from tests.conftest import BACKENDS
from tests.contract.test_cli import Cli, cli
from tests.contract.test_purge import found

__all__ = ["cli"]
TEXT, STAYS = "The heron nests behind Willowbrook mill", "Tea is at four"


def told(cli: Cli) -> str:
    """The id of a turn that will go; another one stays."""
    cli("append", STAYS, "--session", "another")
    turn: str = cli("append", TEXT, "--session", "kestrelfield", "--json").json["id"]
    return turn


def test_a_dry_run_shows_the_texts_that_would_go_and_deletes_none(cli: Cli) -> None:
    turn = told(cli)
    said = cli("forget", "--query", "heron", "--dry-run")
    assert (said.code, said.out.splitlines()[1:]) == (0, [f"  {turn}  {TEXT}"])
    assert said.out.startswith("would forget 1 turn, 0 memories")
    plan = cli("forget", "--query", "heron", "--dry-run", "--json").json
    assert (plan["texts"], plan["turns"]) == ({turn: TEXT}, [turn])
    assert TEXT in cli("recall", "heron").out


def test_a_receipt_is_written_to_a_file_without_a_word_of_what_went(cli: Cli, tmp_path: Path) -> None:
    turn, file = told(cli), tmp_path / "receipt.json"
    assert cli("forget", "--query", "heron", "--dry-run", "--receipt", str(file)).code == 0
    assert not file.exists()  # nothing went
    assert cli("forget", "--query", "heron", "--yes", "--receipt", str(file)).code == 0
    written = json.loads(file.read_text("utf-8"))
    assert (list(written["turns"]), written["counts"]["turns"]) == ([turn], 1)
    assert not [word for word in (*TEXT.split(), "kestrelfield") if len(word) > 3 and word in file.read_text("utf-8")]


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_a_purge_leaves_no_byte_in_the_files(cli: Cli, location: str) -> None:
    told(cli)
    with Reverie.open(location, embedder="none", durable=False) as memory:
        db = memory.parts.db
        assert found(db, location, "Willowbrook", "four").keys() == {"Willowbrook", "four"}
        said = cli("forget", "--query", "heron", "--purge", "--yes", "--json")
        assert (said.code, said.json["receipt"]["purge"]["left"]) == (0, [])
        assert found(db, location, "Willowbrook") == {}
        assert found(db, location, STAYS)
