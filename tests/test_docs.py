"""The documents keep up with the program: what exists is written down, what is written down works."""

import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.asleep.pipeline import STEPS
from reverie.cli.main import run
from reverie.config import SETTINGS
from reverie.language.calendar import MONTHS
from scripts import reference

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
ELSEWHERE = ("letta", "openai", "anthropic", "mem0", "langgraph", "agents-sdk")  # run by a server's test or by a judge
GUIDES = [page for page in PAGES if page.parent.name == "guides"]
TESTS = re.compile(r"^def (test_\w+)\(", re.MULTILINE)
NOT_NOUNS = {"config", "models", "keys"}  # settings, models and API keys mean what they mean everywhere


@pytest.mark.parametrize("page", sorted(reference.PAGES))
def test_the_reference_is_what_the_program_says(page: str) -> None:
    written = (reference.FOLDER / page).read_text("utf-8")
    assert written == reference.PAGES[page](), "make docs"


def test_every_setting_and_command_has_a_line() -> None:
    settings = (reference.FOLDER / "settings.md").read_text("utf-8")
    commands = (reference.FOLDER / "cli.md").read_text("utf-8")
    assert [s.name for s in SETTINGS if f"`{s.name}`" not in settings] == []
    assert [path for path, _ in reference.commands() if f"`reverie {' '.join(path)}" not in commands] == []


def test_every_group_of_routes_is_in_the_servers_guide() -> None:
    guide = (ROOT / "docs" / "guides" / "server.md").read_text("utf-8") + (reference.FOLDER / "rest.md").read_text(
        "utf-8"
    )
    groups = {path.split("/")[4] for path, *_ in reference.routes() if path.startswith("/v1/spaces/{space}/")}
    assert {group for group in groups if group not in guide} == set()


def test_every_noun_that_has_commands_is_in_the_glossary() -> None:
    nouns = {path[0] for path, _ in reference.commands() if len(path) > 1} - NOT_NOUNS
    words = re.findall(r"^\| ([a-z ,]+) \|", GLOSSARY, re.MULTILINE)
    known = {word.strip() for line in words for word in line.split(",")}
    assert {noun for noun in nouns if noun.removesuffix("s") not in known} == set()


def test_every_fault_that_was_tried_has_its_test() -> None:
    written = (ROOT / "docs" / "faults.md").read_text("utf-8")
    rows = [line for line in written.splitlines() if line.startswith("|") and not line.startswith("| **")][2:]
    named = [re.findall(r"`(test_\w+)`", row.rsplit("|", 2)[1]) for row in rows]
    there = {name for path in (ROOT / "tests").rglob("test_*.py") for name in TESTS.findall(path.read_text("utf-8"))}
    assert all(named)
    assert [name for row in named for name in row if name not in there] == []


def test_the_map_shows_everything_that_is_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("Imports point one way")[0]
    names = {path.name for path in (ROOT / "src" / "reverie").iterdir()} - {"__pycache__", "__init__.py", "py.typed"}
    assert [name for name in sorted(names) if name not in text] == []


def test_every_file_that_the_architecture_names_is_there() -> None:
    named = re.findall(
        r"`((?:[a-z_]+/)+[a-z_]+\.py|(?:[a-z_]+/)+)`", (ROOT / "docs" / "architecture.md").read_text("utf-8")
    )
    assert len(named) > 50
    assert [name for name in named if not ((ROOT / "src" / "reverie" / name).exists() or (ROOT / name).exists())] == []


def test_every_path_and_test_that_the_lineage_names_is_there() -> None:
    """The text of a link to a file of tests is a test's name, as it stands there or as a sentence."""
    page = " ".join((ROOT / "docs" / "lineage.md").read_text("utf-8").split())
    shown = re.findall(r"\[([^\[\]]+)\]\(\.\./(tests/[\w/]+\.py)\)", page)
    assert len(shown) > 60
    for text, file in shown:
        name = text.strip("`") if "`" in text else f"test_{text.replace(' ', '_')}"
        assert re.search(rf"\bdef {name}\(|^{name} =", (ROOT / file).read_text("utf-8"), re.MULTILINE), (name, file)
    assert re.findall(r"(?<!\[)`[\w.]+/[\w./]*`", page) == [], "a path is a link: those are followed by a test"


def test_every_step_of_the_night_is_in_the_readmes_picture() -> None:
    picture = README.split("## How it works")[1].split("Guides:")[0].lower()
    named = [step.name.removesuffix("_entry") for step in STEPS]  # a phase's entry of the diary is in its phase
    assert [name for name in named if name not in picture] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8"))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_the_documents_exist(page: Path) -> None:
    known = {path for path, _ in reference.commands()}
    groups = {path[0] for path in known if len(path) > 1}
    named = re.findall(r"(?:`|^)reverie ([a-z][a-z-]*(?: [a-z]+)?)", page.read_text("utf-8"), re.MULTILINE)
    for words in named:
        first, _, second = words.partition(" ")
        assert (first,) in known or (first in groups and (not second or (first, second) in known)), words


def test_the_readmes_tour_works_and_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVERIE_DURABLE", "false")
    tour = examples_of(README.split("## Five-minute tour")[1].split("### In Python")[0])
    assert sum(len(example.shown) for example in tour) >= 8
    for example in tour:
        follow(example, capsys)


@dataclass(frozen=True)
class Example:
    """A command of a document, and the lines below it that say what is printed."""

    command: str
    shown: list[str]


def examples_of(text: str) -> list[Example]:
    found: list[Example] = []
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.splitlines():
            if line.startswith(("reverie ", "echo ")):
                found.append(Example(line, []))
            elif line.startswith("# > "):
                found[-1].shown.append(line)
    return [
        one for one in found if one.command.split()[1] not in ("up", "serve", "worker", "mcp", "console")
    ]  # they go on


def follow(example: Example, capsys: pytest.CaptureFixture[str]) -> None:
    if example.command.startswith("echo "):
        subprocess.run(example.command, shell=True, check=True)
        return
    with pytest.raises(SystemExit) as end:
        run(shlex.split(example.command, comments=True)[1:])
    printed = capsys.readouterr()
    assert end.value.code == 0, (example.command, printed.err)
    assert missing(example.shown, printed.out) == [], (example.command, printed.out)


def missing(shown: list[str], printed: str) -> list[str]:
    """The lines marked `# >` that were not printed, or not as the last column of a table, whose first ones are ids and
    times; on what day it was does not count."""
    lines = {timeless(part) for line in printed.splitlines() for part in (line, re.split(r"\s{2,}", line)[-1])}
    return [line for line in shown if timeless(line.strip().removeprefix("# >")) not in lines]


def timeless(line: str) -> str:
    months = "|".join(month.title() for month in MONTHS)
    return re.sub(rf"\d{{1,2}} (?:{months}) \d{{4}}", "<day>", line).strip()


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_the_commands_of_the_guides_work(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVERIE_DURABLE", "false")
    monkeypatch.setenv("REVERIE_EMBEDDER", "none")
    for example in examples_of(page.read_text("utf-8")):
        follow(example, capsys)


def test_every_guide_can_be_found_from_the_readme() -> None:
    reached = {page.name for page in GUIDES if f"guides/{page.name}" in README}
    linked = {page.name for page in GUIDES for other in GUIDES if f"]({page.name})" in other.read_text("utf-8")}
    assert {page.name for page in GUIDES} - reached - linked == set()


def test_the_python_of_the_guides_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    alone = [page for page in GUIDES if page.stem not in ELSEWHERE]
    guides = "".join(page.read_text("utf-8") for page in alone)
    with Reverie.open(tmp_path / "store", embedder="none") as memory:
        for snippet in snippets(guides):
            told = {"space": memory.space(), "memory": memory}
            assert untrue(snippet, told, capsys) == []


def test_the_readmes_python_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    [snippet] = snippets(README)
    assert snippet.count("# > ") == 3
    assert untrue(snippet, {}, capsys) == []


# Words that stand for a figure or a sentence that is still to come.
PLACEHOLDER = re.compile(r"\b(?:CAMPAIGN|AT_FIRST|TODO|FIXME|TBD|TBA|XXX+|WIP|PLACEHOLDER|LOREM IPSUM)\b")
READMES = sorted(page for folder in ("tests", "bench", "clients") for page in (ROOT / folder).rglob("README.md"))


@pytest.mark.parametrize("page", [*PAGES, *READMES], ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_has_a_place_that_waits_to_be_filled(page: Path) -> None:
    waiting = [line for line in page.read_text("utf-8").splitlines() if PLACEHOLDER.search(line)]
    assert waiting == []


def snippets(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def untrue(snippet: str, names: dict[str, object], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What a piece of Python is said to print and does not."""
    capsys.readouterr()
    exec(compile(snippet, "document", "exec"), names)
    shown = [line for line in snippet.splitlines() if line.strip().startswith("# > ")]
    return missing(shown, capsys.readouterr().out)
