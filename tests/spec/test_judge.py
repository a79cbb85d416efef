"""The bench that a person judges by: the same sample for the same seed, and verdicts that add up."""

from pathlib import Path

import pytest

from bench.judge import SAMPLES, JudgedItem, drawn, read_verdicts, shares, worksheet

ITEMS = [JudgedItem(kind, "ana", f"{kind} {n}", (f"{n} user: said",)) for kind in ("fact", "core") for n in range(400)]


def test_a_seed_draws_the_same_items_and_core_lines_are_all_there() -> None:
    sample = drawn(ITEMS, seed=1)
    assert sample == drawn(ITEMS[::-1], seed=1) != drawn(ITEMS, seed=2)
    assert sum(item.kind == "fact" for item in sample.values()) == SAMPLES["fact"]
    assert sum(item.kind == "core" for item in sample.values()) == 400


def test_the_worksheet_shows_each_item_beside_its_turns() -> None:
    text = worksheet({"fact-001": ITEMS[7]})
    assert "## fact-001 (ana)\n\nfact 7\n\n> 7 user: said" in text


def test_verdicts_are_counted_by_kind_with_judge_and_date(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.tsv"
    path.write_text("# judge Ada\n# date 2026-11-17\nfact-001\tcorrect\nfact-002 no fact\nnote-001 useful\n")
    told = shares(read_verdicts(path))
    assert told.startswith("judged by Ada, 2026-11-17")
    assert [line.split()[:3] for line in told.splitlines()[-2:]] == [["fact", "2", "50.0%"], ["note", "1", "100.0%"]]


@pytest.mark.parametrize(
    "text", ["# judge A\n# date D\nfact-001 fine\n", "# judge A\n# date D\nnote-001 correct\n", "fact-001 wrong\n"]
)
def test_a_line_that_is_no_verdict_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "verdicts.tsv"
    path.write_text(text)
    with pytest.raises(ValueError, match="verdict"):
        read_verdicts(path)
