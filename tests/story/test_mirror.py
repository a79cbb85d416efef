"""A space in text files: what goes out, what comes in, and what a hostile directory cannot do."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import BadInput
from reverie.mirror.folder import Folder, UnreadableFile, digest_of
from reverie.mirror.pages import DREAMS, INDEX, MAX_INDEX, MAX_LINES, Topic, index_of
from reverie.reverie import Reverie
from reverie.space import Space
from tests.support.clock import Clock

HUMAN = "human.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture
def space(location: str, folder: Path, opened: Callable[[Any], Any]) -> Space:
    memory = opened(Reverie.open(location, embedder="none", mirror=str(folder), space="alice", clock=Clock()))
    return memory.space("alice")  # type: ignore[no-any-return]


@pytest.fixture
def written(space: Space, folder: Path) -> Path:
    """A directory after a first night."""
    space.append("user", "Remember that I like coffee.")
    space.append("user", "Remember that I live in Hamburg.")
    space.sleep()
    return folder


def body(path: Path) -> list[str]:
    text = path.read_text()
    return text.split("---\n", 2)[2].splitlines() if text.startswith("---") else text.splitlines()


def line_with(path: Path, words: str) -> str:
    return next(line for line in body(path) if words in line)


def edit(path: Path, *lines: str) -> None:
    path.write_text(path.read_text() + "".join(f"{line}\n" for line in lines))


def test_a_night_writes_an_index_topics_with_frontmatter_and_the_diary(space: Space, written: Path) -> None:
    human = (written / HUMAN).read_text()
    assert human.startswith('---\nname: human\ndescription: "The person: ')
    assert "\ntype: user\n---\n" in human
    assert any("Remember that I live in Hamburg." in line for line in body(written / HUMAN))
    assert f"- [human]({HUMAN}): " in (written / INDEX).read_text()
    assert space.diary()[0].text in (written / DREAMS).read_text()
    assert '"Remember that I live in Hamburg."' in (written / DREAMS).read_text()
    assert f"wrote {HUMAN}" in space.nights()[0].told["mirror"]


def test_a_persons_line_is_read_as_a_statement_once_and_stays_where_it_is(space: Space, written: Path) -> None:
    lines = (written / HUMAN).read_text().splitlines()
    lines.insert(6, "- I am allergic to peanuts.")
    (written / HUMAN).write_text("\n".join(lines) + "\n")
    space.sleep()
    space.mirror()
    said = [turn for turn in space.turns("mirror") if turn.role == "user"]
    assert [(turn.text, turn.origin, turn.metadata) for turn in said] == [
        ("I am allergic to peanuts.", "user", {"file": HUMAN})
    ]
    assert (written / HUMAN).read_text().splitlines()[6] == "- I am allergic to peanuts."
    assert any(memory.quote == "I am allergic to peanuts." for memory in space.all(limit=100))


def test_a_deleted_line_leaves_its_block_and_does_not_come_back(space: Space, written: Path) -> None:
    text = (written / HUMAN).read_text()
    (written / HUMAN).write_text(text.replace(line_with(written / HUMAN, "coffee") + "\n", ""))
    for _ in range(2):
        space.sleep()
    assert "Hamburg" in space.blocks["human"].value
    assert "coffee" not in space.blocks["human"].value
    assert "coffee" not in (written / HUMAN).read_text()


def test_a_changed_line_is_struck_out_and_said(space: Space, written: Path) -> None:
    text = (written / HUMAN).read_text()
    (written / HUMAN).write_text(text.replace(line_with(written / HUMAN, "Hamburg"), "I live in Bremen."))
    space.sleep()
    assert "Hamburg" not in space.blocks["human"].value
    assert "I live in Bremen." in (written / HUMAN).read_text().splitlines()


def test_a_persons_own_frontmatter_and_notes_are_kept(space: Space, written: Path) -> None:
    text = (written / HUMAN).read_text().replace("type: user", "type: user\ncolour: blue")
    (written / HUMAN).write_text(text)
    (written / "garden.md").write_text("The roses are cut in March.\n")
    space.append("user", "Remember that I work at Acme.")
    space.sleep()
    assert "colour: blue" in (written / HUMAN).read_text()
    assert "I work at Acme." in (written / HUMAN).read_text()
    assert (written / "garden.md").read_text() == "The roses are cut in March.\n"
    assert "(garden.md)" in (written / INDEX).read_text()


def test_a_deleted_file_is_written_again_with_a_warning(space: Space, written: Path) -> None:
    (written / HUMAN).unlink()
    done = space.mirror()
    assert "I live in Hamburg." in (written / HUMAN).read_text()
    assert any(warning.startswith(f"{HUMAN} was deleted") for warning in done.warnings)
    assert "Hamburg" in space.blocks["human"].value


def test_the_diary_is_never_read_back(space: Space, written: Path) -> None:
    edit(written / DREAMS, "I own a castle.")
    space.sleep()
    assert not list(space.turns("mirror"))
    assert "I own a castle." in (written / DREAMS).read_text()


def test_undo_takes_the_files_back(space: Space, written: Path) -> None:
    before = (written / HUMAN).read_text()
    space.append("user", "Remember that I work at Acme.")
    night = space.sleep()
    assert "Acme" in (written / HUMAN).read_text()
    space.undo(night.id)
    assert (written / HUMAN).read_text() == before


def test_what_was_forgotten_leaves_the_files(space: Space, written: Path) -> None:
    space.forget(query="Hamburg")
    assert "Hamburg" not in (written / HUMAN).read_text()
    assert not list(space.turns("mirror"))


def test_a_second_round_writes_nothing(space: Space, written: Path) -> None:
    assert space.mirror().files == ()


@pytest.mark.parametrize("count", [10, 400])
def test_the_index_keeps_its_budget_and_names_what_it_left_out(count: int) -> None:
    topics = [Topic(f"topic{n}", "Something worth a line of its own. " * 9, "reference", ("x",)) for n in range(count)]
    index = index_of(topics, own=["My own line."])
    text = "\n".join([*index.lines, "My own line."]) + "\n"
    assert len(text.splitlines()) <= MAX_LINES
    assert len(text.encode()) <= MAX_INDEX
    assert all(len(line) <= 150 for line in index.lines[:-1])
    assert bool(index.left_out) == (count == 400)
    assert all(f"({topic.file})" in text or topic.file in index.left_out for topic in topics)
    if index.left_out:
        assert index.left_out[0] in index.lines[-1]


def hostile(path: Path, outside: Path) -> dict[str, Callable[[], object]]:
    def sparse() -> None:
        path.unlink()
        with path.open("wb") as file:
            file.truncate(100 * 2**20)

    def linked() -> None:
        path.unlink()
        path.symlink_to(outside)

    def fifo() -> None:
        path.unlink()
        os.mkfifo(path)

    def directory() -> None:
        path.unlink()
        path.mkdir()

    return {
        "a symbolic link": linked,
        "100 MB": sparse,
        "binary": lambda: path.write_bytes(b"\x00\x01\x02"),
        "not UTF-8": lambda: path.write_bytes(b"caf\xe9 au lait"),
        "a pipe": fifo,
        "a directory": directory,
    }


@pytest.mark.parametrize("what", ["a symbolic link", "100 MB", "binary", "not UTF-8", "a pipe", "a directory"])
def test_a_hostile_file_is_left_alone_and_named(space: Space, written: Path, tmp_path: Path, what: str) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("precious\n")
    hostile(written / HUMAN, outside)[what]()
    before = (written / HUMAN).lstat()
    space.append("user", "Remember that I work at Acme.")
    night = space.sleep()
    after = (written / HUMAN).lstat()
    assert (after.st_mode, after.st_size, after.st_ino) == (before.st_mode, before.st_size, before.st_ino)
    assert outside.read_text() == "precious\n"
    assert any(note.startswith(f"{HUMAN} is left alone") for note in night.told["mirror"])
    assert not list(space.turns("mirror"))
    assert "Acme" in space.blocks["human"].value


def test_labels_that_look_like_paths_stay_inside(space: Space, written: Path, tmp_path: Path) -> None:
    space.blocks.create("../../outside", "Kept inside.")
    space.blocks.create("MEMORY", "Not the index.")
    space.mirror()
    inside = {path.name for path in written.iterdir()}
    assert {path.name for path in tmp_path.iterdir()} == {"notes"}
    assert len([name for name in inside if name.startswith("outside-")]) == 1
    assert (written / INDEX).read_text().startswith("# Memory\n- [human]")


@pytest.mark.parametrize("name", ["../up.md", "/etc/passwd", "a/b.md", ".hidden.md", "no-ending", "x\x00.md"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    with Folder.open(tmp_path / "in") as folder, pytest.raises(BadInput, match="cannot be the name of a mirrored file"):
        folder.replace({name: "x"}, {})


def test_an_edit_during_the_write_is_kept_and_read_next_time(space: Space, written: Path) -> None:
    """The person's save comes after the mirror has read the file and before it writes it."""
    edit(written / INDEX, "I like maps.")
    plain = space.parts.mirror(space.record, written)
    assert plain is not None

    def keep(taken: Any) -> None:
        plain.keep(taken)
        edit(written / HUMAN, "I like tea.")

    space.blocks["human"].append("A new line of the block.")
    done = type(plain)(plain.db, plain.space, plain.path, keep).sync(space.parts.clock())
    assert any("edited while it was written" in warning for warning in done.warnings)
    assert "I like tea." in (written / HUMAN).read_text()
    space.mirror()
    assert {turn.text for turn in space.turns("mirror")} == {"I like maps.", "I like tea."}
    assert "A new line of the block." in (written / HUMAN).read_text()


@pytest.mark.parametrize("after", range(5))
def test_a_killed_write_ends_whole_one_way_or_the_other(
    tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("a.md", "b.md", "c.md")
    with Folder.open(tmp_path) as folder:
        folder.replace(dict.fromkeys(names, "old\n"), {})
    calls = iter(range(100))
    rename = os.rename

    def dying(*args: Any, **more: Any) -> None:
        if next(calls) == after:
            raise KeyboardInterrupt
        rename(*args, **more)

    def overwrite() -> None:
        with Folder.open(tmp_path) as folder:
            folder.replace(dict.fromkeys(names, "new\n"), dict.fromkeys(names, digest_of("old\n")))

    monkeypatch.setattr(os, "rename", dying)
    if after < 4:
        with pytest.raises(KeyboardInterrupt):
            overwrite()
    else:
        overwrite()
    monkeypatch.setattr(os, "rename", rename)
    with Folder.open(tmp_path) as folder:
        assert {folder.read(name) for name in names} == {"old\n" if after == 0 else "new\n"}
    assert {path.name for path in tmp_path.iterdir()} == {*names, ".reverie-lock"}


def test_a_link_in_place_of_a_draft_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / ".reverie-draft-a.md").symlink_to(tmp_path / "out")
    with Folder.open(tmp_path / "in") as folder:
        folder.replace({"a.md": "x\n"}, {})
        assert folder.read("a.md") == "x\n"
    assert not (tmp_path / "out").exists()


def test_a_file_that_grows_while_it_is_read_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "big.md").write_text("x" * 1_000_001)
    with Folder.open(tmp_path) as folder:
        assert isinstance(folder.read("big.md"), UnreadableFile)
