"""The threat model matches the tests: what is promised names its test, and that test is there."""

import re
from pathlib import Path

from tests.support.attacks.corpus import CORPORA, Corpus

ROOT = Path(__file__).parents[1]
MODEL = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
PROMISES = (ROOT / "SECURITY.md").read_text("utf-8")
ROWS = [line for line in MODEL.splitlines() if line.startswith("| ") and not line.startswith("| attacker")]


def test_every_attack_of_the_threat_model_names_a_test_that_is_there() -> None:
    assert len(ROWS) >= 14
    for row in ROWS:
        named = re.findall(r"`(tests/[\w/]+\.py)`", row.rstrip(" |").rpartition("|")[2])
        assert named, row
        assert [name for name in named if not re.search(r"^def test_", (ROOT / name).read_text("utf-8"), re.M)] == []


def test_what_is_promised_leads_to_the_threat_model_and_says_how_to_report() -> None:
    assert "docs/threat-model.md" in PROMISES
    assert [part for part in ("What is promised", "What is not", "How to report") if f"## {part}" not in PROMISES] == []


def test_it_is_one_page() -> None:
    assert len(MODEL.splitlines()) <= 60


def test_the_attacks_are_counted_as_they_are() -> None:
    count = len(Corpus.read().attacks)
    inventory = (CORPORA / "attacks" / "README.md").read_text("utf-8")
    guide = (ROOT / "docs" / "guides" / "trust.md").read_text("utf-8")
    for text, named in ((PROMISES, "Of {} attacks"), (inventory, " {} attacks: each"), (guide, "tries {} attacks")):
        assert named.format(count) in text, named.format(count)


def test_every_file_of_attacks_is_in_their_inventory() -> None:
    inventory = (CORPORA / "attacks" / "README.md").read_text("utf-8")
    files = sorted(path.name for path in (CORPORA / "attacks").glob("*.*") if path.suffix in (".toml", ".jsonl"))
    assert [name for name in files if f"`{name}`" not in inventory] == []
