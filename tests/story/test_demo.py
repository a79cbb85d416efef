"""`make demo`: the front door, with no key and no network."""

from pathlib import Path

import pytest

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


def test_the_demo_tells_the_whole_story_within_eighty_columns(told: tuple[str, str]) -> None:
    out, progress = told
    chapters = ("Recall before", "Asleep", "What changed", "Recall after", "Answers before", "The diary")
    assert [out.index(chapter) for chapter in chapters] == sorted(out.index(chapter) for chapter in chapters)
    assert "The user lives in Lisbon (held until" in out
    assert "You live in Hamburg. (prepared)" in out
    assert out.index("You live in Hamburg. (prepared)") < out.index("no prepared answer") < out.index("The diary")
    assert progress.count("✓") == 17
    assert [line for line in (out + progress).splitlines() if len(line) > 80] == []
