"""Shelves: what clients keep comes back as it was given, leaves with a forget, and what they take back is gone."""

import pytest

from reverie import Reverie
from reverie.errors import Conflict


def test_a_value_comes_back_as_it_was_given_in_its_order(memory: Reverie) -> None:
    shelf = memory.space("alice").shelf("notes")
    value = {"z": [1, 2.5, None, True], "a": {"ü": "text"}}
    first = shelf.put("one", value)
    shelf.put("two", "second")
    shelf.put("one", {**value, "more": 1})
    found = shelf.all()
    assert [entry.key for entry in found] == ["one", "two"]
    assert found[0].value == {**value, "more": 1}
    assert (found[0].id, found[0].version, found[0].created_at) == (first.id, 2, first.created_at)
    assert shelf.all("tw")[0].value == "second"
    with pytest.raises(Conflict):
        shelf.put("one", 1, new=True)


def test_versions_are_kept_where_they_are_asked_for_and_can_be_taken_out(memory: Reverie) -> None:
    files = memory.space("alice").shelf("files", versions=True)
    made = files.put("/a.md", "first")
    files.change(made.id, value="second")
    files.change(made.id, key="/b.md")
    with pytest.raises(Conflict):
        files.change(made.id, value="third", expected=1)
    files.delete("/b.md")
    history = files.history(made.id)
    assert [(one.operation, one.key, one.value) for one in history] == [
        ("created", "/a.md", "first"),
        ("modified", "/a.md", "second"),
        ("modified", "/b.md", "second"),
        ("deleted", "/b.md", None),
    ]
    files.redact(made.id, 2)
    assert [one.value for one in files.history(made.id)] == ["first", None, "second", None]


def test_a_forget_takes_its_words_out_of_entries_and_their_versions(memory: Reverie) -> None:
    alice = memory.space("alice")
    turn = alice.append("user", "My locker code is 4711 at the pool.")
    carried, quoting = alice.shelf("items"), alice.shelf("files", versions=True)
    carried.put("item", {"content": "the same"}, ref=turn.id)
    quoting.put("/a.md", "Notes.\nMy locker code is 4711 at the pool.\nLikes tea.")
    alice.forget(turn.id)
    assert carried.all() == []
    assert quoting.all()[0].value == "Notes.\n[…]\nLikes tea."
    assert "4711" not in str(quoting.history())


def test_an_export_takes_the_shelves_along(memory: Reverie) -> None:
    alice = memory.space("alice")
    alice.shelf("files", versions=True).put("/a.md", "kept")
    copy = memory.import_space("copy", list(alice.export()))
    assert copy.shelf("files").all()[0].value == "kept"
    assert [one.value for one in copy.shelf("files").history()] == ["kept"]


def test_what_was_taken_back_is_found_by_nobody_and_read_by_no_night(memory: Reverie) -> None:
    alice = memory.space("alice")
    kept = alice.append("user", "I live in Hamburg.")
    wrong = alice.append("user", "My sister Frieda lives in Lisbon.")
    alice.retract(wrong.id)
    assert wrong.id not in {hit.id for hit in alice.recall("where does Frieda live, in Lisbon?", 10)}
    alice.sleep()
    told = " ".join(memory.text for memory in alice.all(limit=500)) + alice.context("Frieda").text
    assert "Lisbon" not in told
    assert "Hamburg" in told
    alice.retract(kept.id)
    assert "Hamburg" not in " ".join(memory.text for memory in alice.all(limit=500))
