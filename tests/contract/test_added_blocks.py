"""What proxies add to turns is kept by session and turn, and is gone with whatever it may quote."""

import pytest

from reverie import Reverie, Space
from reverie.model.base import DAY
from reverie.model.turns import AddedBlock
from reverie.store.upkeep import tidy
from tests.conftest import BACKENDS

MADE = {"t1": AddedBlock("Ana has the key.", 5.0, ("mem-1", "said-2")), "t2": AddedBlock("", 6.0)}


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_it_is_kept_replaced_exported_and_forgotten(memory: Reverie, alice: Space) -> None:
    alice.note_added_blocks("s1", MADE)
    alice.note_added_blocks("s1", {"t2": AddedBlock("New.", 7.0)})
    alice.note_added_blocks("s2", {"t1": AddedBlock("Other.", 8.0)})
    assert alice.added_blocks("s1") == {"t1": MADE["t1"], "t2": AddedBlock("New.", 7.0)}
    copy = memory.import_space("copy", alice.export())
    assert copy.added_blocks("s1") == alice.added_blocks("s1")
    note = alice.remember("Ana has the key.")
    assert alice.forget(note.id).counts["added blocks"] == 3
    assert alice.added_blocks("s1") == {}
    memory.delete_space("copy")
    assert memory.parts.db.value("SELECT count(*) FROM added_blocks") == 0


def test_old_ones_are_let_go_of(memory: Reverie, alice: Space) -> None:
    now = 200 * DAY
    alice.note_added_blocks("s1", {"old": AddedBlock("x", 1.0), "new": AddedBlock("y", now)})
    tidy(memory.parts.db, alice.id, now, 10)
    assert set(alice.added_blocks("s1")) == {"new"}
