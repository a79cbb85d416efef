"""What a night embeds of a turn: its own words, however long the answer before it, and all of it is kept and goes."""

import numpy as np
import pytest

from reverie.awake.recall import embed_tail
from reverie.policy.recall.search_keys import MOST_CHUNKS, episode_id
from reverie.store.db import Database
from reverie.store.forget import forget
from reverie.store.search.index import Indexes
from reverie.store.tables import spaces, vectors
from reverie.store.transfer.export import export
from reverie.store.transfer.restore import restore
from reverie.store.undo.undo import undo
from tests.conftest import BACKENDS
from tests.support.living import Life
from tests.support.searching import DIM, EMBEDDER

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
ANSWER = "\n".join(f"First we move the {n}th queue behind the gateway, because retries are slow." for n in range(60))
LONG = " ".join(f"The {word} has a {word} keeper." * 14 for word in ("harbour", "orchard", "violin"))


@pytest.fixture
def life(db: Database) -> Life:
    life = Life.in_new_space(db)
    life.embedder = EMBEDDER
    return life


def rows_of(life: Life, turn: str) -> vectors.Vectors | None:
    ref = episode_id(life.space, turn)
    return dict(vectors.changed_between(life.db, life.space, EMBEDDER.id, -1, 1_000_000)).get(ref)


def nearest(life: Life, query: str, space: str | None = None) -> str:
    with Indexes(life.db).searched(space or life.space, EMBEDDER.id, DIM, lambda index: index) as index:
        return index.nearest(EMBEDDER.embed_one(query), 1, None)[0][0]


def test_two_turns_after_one_long_answer_are_found_by_their_own_words(life: Life) -> None:
    life.say(ANSWER, role="assistant", session="monday")
    cat = life.say("our cat ruuvi sleeps on the router", session="monday")
    life.say(ANSWER, role="assistant", session="tuesday")
    boat = life.say("petra sold her sailing boat", session="tuesday")
    life.sleep()
    ours, theirs = rows_of(life, cat), rows_of(life, boat)
    assert ours is not None
    assert theirs is not None
    assert not np.allclose(ours[0], theirs[0])
    assert np.allclose(ours, EMBEDDER.embed(["user: our cat ruuvi sleeps on the router"]), atol=1e-3)
    assert np.allclose(theirs, EMBEDDER.embed(["user: petra sold her sailing boat"]), atol=1e-3)


def test_a_long_turn_is_found_by_any_part_of_it_and_costs_a_bounded_number_of_vectors(life: Life) -> None:
    turn = life.say(LONG)
    huge = life.say("the lantern in the cellar " * 4_000, role="assistant", session="other")
    life.say("The piano is out of tune.", session="third")
    life.sleep()
    rows, most = rows_of(life, turn), rows_of(life, huge)
    assert rows is not None
    assert most is not None
    assert 1 < len(rows) <= MOST_CHUNKS["user"]
    assert len(most) == MOST_CHUNKS["assistant"]
    for word in ("harbour", "orchard", "violin"):
        assert nearest(life, f"the {word} keeper") == episode_id(life.space, turn)


def test_a_short_reply_is_embedded_after_what_it_replies_to(life: Life) -> None:
    life.say("Which harbour do you row from?", role="assistant")
    reply = life.say("The one in Oslo.")
    life.sleep()
    together = EMBEDDER.embed(["assistant: Which harbour do you row from?\nuser: The one in Oslo."])
    assert np.allclose(rows_of(life, reply), together, atol=1e-3)  # type: ignore[arg-type]


def test_all_vectors_of_a_turn_go_with_it_and_come_along_in_an_export(life: Life) -> None:
    turn = life.say(LONG)
    life.say("The piano is out of tune.", session="third")
    night = life.sleep()
    lines = list(export(life.db, life.space))
    copy = restore(life.db, spaces.by_id(life.db, life.space).org, "copy", lines, life.now)
    first = life.db.value("SELECT id FROM turns WHERE space = :s ORDER BY seq LIMIT 1", s=copy.id)
    assert nearest(life, "the violin keeper", copy.id) == episode_id(copy.id, first)
    assert life.db.value("SELECT max(parts) AS n FROM vectors WHERE space = :s", s=copy.id) > 1
    undo(life.db, life.space, night.id, life.now)
    assert rows_of(life, turn) is None
    assert embed_tail(life.db, EMBEDDER, life.space) == 2
    assert nearest(life, "the violin keeper") == turn
    life.sleep()
    forget.forget(life.db, life.space, turns=[turn], now=life.now)
    assert rows_of(life, turn) is None
    assert life.db.value("SELECT coalesce(max(parts), 0) AS n FROM vectors WHERE space = :s", s=life.space) <= 1
