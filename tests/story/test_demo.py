"""`make demo`: the front door, with no key and no network."""

from pathlib import Path

import pytest

from reverie.asleep.pipeline import STEPS
from reverie.cli.main import run


@pytest.fixture
def told(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What the demo printed, and its progress."""
    monkeypatch.chdir(home)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("REVERIE_DURABLE", "false")
    with pytest.raises(SystemExit) as end:
        run(["demo"])
    said = capsys.readouterr()
    assert end.value.code == 0
    return said.out, said.err


def chapter(out: str, title: str) -> str:
    """What stands below a heading, in one line."""
    return " ".join(out.split(f"\n{title}", 1)[1].split("\n\n", 1)[0].split())


def test_the_demo_tells_the_whole_story_within_eighty_columns(told: tuple[str, str]) -> None:
    out, progress = told
    chapters = (
        *("Recall before", "Asleep", "What the night kept", "What it did not take", "Core memory", "What is current"),
        *("Recall after", "Answers before", "A correction", "The diary"),
    )
    assert [out.index(chapter) for chapter in chapters] == sorted(out.index(chapter) for chapter in chapters)
    assert progress.count("✓") == len(STEPS)
    assert [line for line in (out + progress).splitlines() if len(line) > 80] == []


def test_code_sarcasm_and_a_pasted_mail_become_no_fact_about_mara(told: tuple[str, str]) -> None:
    traps = chapter(told[0], "What it did not take")
    assert traps.count("no fact drawn from it; found by search") == 3
    core = chapter(told[0], "Core memory")
    assert [word for word in ("hate", "paged", "Berlin", "cats", "sk-demo") if word in core] == []


def test_core_memory_has_the_standing_wish_and_what_was_to_be_remembered(told: tuple[str, str]) -> None:
    core = chapter(told[0], "Core memory")
    assert "Keep answers short, please, and no emojis. (5 October 2026)" in core.split("directives")[1]
    assert "allergic to peanuts" in core.split("learned_context")[0]


def test_the_deadline_that_moved_comes_before_the_one_it_was(told: tuple[str, str]) -> None:
    moved = chapter(told[0], "What is current")
    assert "it's now 18 December" in moved.split("earlier:")[0]
    assert '"The audit deadline is 12 December."' in moved.split("earlier:")[1]


def test_a_correction_takes_the_prepared_answer_back(told: tuple[str, str]) -> None:
    out, _ = told
    assert "diet again? " in chapter(out, "Answers before")
    assert chapter(out, "Answers before").count("(prepared)") == 2
    corrected = chapter(out, "A correction")
    assert "no prepared answer" in corrected
    assert corrected.endswith("first hit: I'm vegan, not vegetarian")
