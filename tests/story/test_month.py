"""A simulated month with the rules alone: what is in core, what is not, and what it came to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie.mirror.pages import INDEX, MAX_INDEX, MAX_LINES
from reverie.reverie import Reverie
from tests.support.clock import Clock
from tests.support.month import HIDDEN, JUNK, PLANTED, Month, over, still_true


def lived(location: str, folder: Path, days: int, opened: Callable[[Any], Any]) -> Month:
    clock = Clock()
    memory = opened(
        Reverie.open(location, embedder="none", durable=False, mirror=str(folder), space="life", clock=clock)
    )
    month = Month(memory, memory.space("life"), clock, folder, days)
    month.live()
    return month


@pytest.mark.parametrize(
    "days",
    [30],
)
def test_a_simulated_life_ends_with_the_right_things_in_mind(
    location: str, tmp_path: Path, days: int, opened: Callable[[Any], Any]
) -> None:
    month = lived(location, tmp_path / "notes", days, opened)
    report = month.report()
    print(report)
    core = month.core()
    hot = [memory.text for memory in month.everything() if memory.tier == "hot" and not memory.stale]
    for says in still_true(days):
        assert says in core or any(says in text for text in hot), f"{says} is neither in core nor hot\n{report}"
    for says in over(days):
        assert says not in core, f"{says} is over and still in core\n{report}"
    for junk in (*JUNK, PLANTED, "gold"):
        assert junk.lower() not in core.lower(), f"{junk!r} is in core\n{report}"
    for block in month.space.blocks:
        assert len(block.value) <= block.limit
    _nothing_secret(month)
    index = (month.folder / INDEX).read_text()
    assert len(index.splitlines()) <= MAX_LINES
    assert len(index.encode()) <= MAX_INDEX
    assert len(month.space.diary(limit=100)) == days
    _bounded(month)
    assert len(report.splitlines()) > days


def _nothing_secret(month: Month) -> None:
    written = [memory.text for memory in month.everything()]
    written += [path.read_text() for path in month.folder.iterdir() if path.suffix == ".md"]
    assert not [text for text in written for secret in HIDDEN if secret in text]


def _bounded(month: Month) -> None:
    """What is kept grows with what was said, not with how often nights ran."""
    db = month.memory.parts.db
    assert month.sizes[-1] <= 2 * month.turns
    assert db.value("SELECT count(*) AS n FROM chores WHERE chore <> 'contradict'") == 0
    assert db.value("SELECT count(DISTINCT night) AS n FROM journal") <= 30
    assert db.value("SELECT count(*) AS n FROM failures") == 0
