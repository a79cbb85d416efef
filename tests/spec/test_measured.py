"""The report: the page and the README's figures are the record's, and a loaded run is told from a quiet one."""

import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from bench import all as bench_all
from bench.measured import page, readme
from bench.measured.charts import exponent
from bench.measured.record import Record, Run, read, write

ROOT = Path(__file__).parents[2]
RECORD = read(ROOT / "bench" / "results" / "measured.json")
# Lines of the README that no run gives yet; `reverie bench report --readme` writes them anew.
QUIET = Run("archive", "2026-11-16T10:00:00+00:00", False, "reverie bench archive", "x", 1.0, 0.4, 1.2, 0.1, {}, [])


def test_the_page_and_its_charts_are_what_the_record_gives() -> None:
    made = page.pages(RECORD)
    assert [str(path) for path, text in made.items() if (ROOT / path).read_text("utf-8") != text] == [], (
        "reverie bench report"
    )
    drawn = {path.relative_to(ROOT) for path in (ROOT / "docs" / "measured").iterdir()}
    assert drawn == {path for path in made if path.suffix == ".svg"}


def test_every_figure_of_the_readme_is_one_of_the_record() -> None:
    section = readme.SECTION.search((ROOT / "README.md").read_text("utf-8"))
    assert section is not None
    made = readme.table(RECORD).splitlines()
    untrue = [line for line in section[0].splitlines() if line not in made]
    assert untrue == [], "reverie bench report --readme"


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (QUIET, "full, quiet"),
        (replace(QUIET, load_before=1.6), "full, loaded"),
        (replace(QUIET, load_after=2.4), "full, quiet"),  # its own work
        (replace(QUIET, others=0.6), "full, loaded"),
        (replace(QUIET, load_before=None, load_after=1.6, quick=True), "quick, loaded"),
    ],
)
def test_a_run_is_loaded_by_what_others_did(run: Run, kind: str) -> None:
    assert run.kind == kind


def test_neither_a_loaded_nor_a_quick_run_takes_the_place_of_a_quiet_one(tmp_path: Path) -> None:
    record = Record({})
    for run in (QUIET, replace(QUIET, load_before=9.0), replace(QUIET, quick=True)):
        record.add(run)
    write(record, tmp_path / "measured.json")
    kept = read(tmp_path / "measured.json")
    assert kept.shown("archive") == QUIET
    assert [run.kind for run in kept.runs()] == ["full, quiet", "full, loaded", "quick, quiet"]


def test_charts_are_whole_and_follow_light_and_dark() -> None:
    for path, text in page.pages(RECORD).items():
        if path.suffix == ".svg":
            root = ElementTree.fromstring(text)
            width, height = (float(root.attrib[side]) for side in ("width", "height"))
            for one in root.iter("{http://www.w3.org/2000/svg}rect"):
                assert float(one.attrib["x"]) + float(one.attrib["width"]) <= width, path
                assert float(one.attrib["y"]) + float(one.attrib["height"]) <= height, path
            assert "prefers-color-scheme:dark" in text
            assert len(text) < 10_000, path


def test_an_exponent_is_one_where_time_grows_with_the_size() -> None:
    assert exponent([(1_000, 2.0), (10_000, 3.0), (100_000, 200.0)]) == 1.0
    assert exponent([(1_000, 2.0), (100_000, 2.0)]) == 0.0
    assert exponent([(1_000, 2.0)]) is None


def test_all_runs_a_part_notes_its_load_and_leaves_out_what_has_no_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["all", "--only", "archive", "anticipation", "--data", "nowhere"])
    bench_all.main()
    run = read().shown("archive")
    assert run is not None
    assert run.load_before is not None
    assert [row["characters"] for row in run.figures] == [200, 600, 2_000]
    assert "Bytes in the archive" in (tmp_path / "docs" / "measured.md").read_text("utf-8")
    assert "anticipation: left out, there is no nowhere/qqp_dev.jsonl" in capsys.readouterr().out
