"""A question in other words finds what was said a moment ago, before any night."""

from collections.abc import Callable
from typing import Any

from reverie import Reverie

Keep = Callable[[Any], Any]


def test_where_words_find_nothing_meaning_does(location: str, opened: Keep) -> None:
    memory = opened(Reverie.open(location, durable=False))
    alice = memory.space("alice")
    alice.append("user", "I moved to Hamburg last week")
    alice.append("user", "The invoice is overdue")
    hits = alice.recall("where is my home?")
    assert hits[0].text == "I moved to Hamburg last week"
    assert alice.recall("where is my home?", session="elsewhere") == []


def test_without_an_embedder_nothing_is_made_up(location: str, opened: Keep) -> None:
    memory = opened(Reverie.open(location, embedder="none", durable=False))
    alice = memory.space("alice")
    alice.append("user", "I moved to Hamburg last week")
    assert alice.recall("where is my home?") == []
