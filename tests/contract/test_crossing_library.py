"""No verb of one space or org reaches into another: every one is tried with others' ids and words.

The calls are made from the verbs' own signatures; a parameter that is not named here fails until it is.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.errors import NotFound, ReverieError
from reverie.model.blocks import NewBlock
from reverie.model.spaces import NewSpace
from reverie.model.turns import AddedBlock, Draft
from reverie.space import Space
from tests.conftest import BACKENDS
from tests.support.crossing_world import ASKED, UUID, Ids, World, rows_of, things, world_of

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
# Parameters that hold an id: each is tried with the ids of things of every kind.
ANYTHING = ("turn", "memory", "night", "contradiction", "review", "answer", "block", "intent")
HELD = {
    "id": ANYTHING, "ids": ANYTHING, "night": ANYTHING, "memory": ANYTHING, "block": ("block",), "space": ("space",),
    "ref": ("space", "name"), "after": ANYTHING, "before": ANYTHING, "session": ("session",), "key": ("once",),
    "name": ("name",), "label": ("label",), "block_ids": ("block",), "study": ("name",),
}  # fmt: skip
PLAIN: dict[str, Any] = {
    "messages": [{"role": "user", "content": "hello"}], "query": ASKED, "role": "user", "text": "hello", "kind": "nap",
    "holds": "older", "source": "jsonl", "tags": "mine", "value": "hello", "version": 1, "hash": "0" * 64,
    "lines": ["{}"], "verbs": "read", "drafts": (), "settings": None, "metadata": None,
    "described": None, "more": None, "remind": "hello", "when": "the boat",
    "prompt": f"Where does the {ASKED} of the orchard stand?", "texts": (ASKED,), "shelf": "letta.conversations",
    "made": {"digest": AddedBlock("hello", 1.0)},
}  # fmt: skip
# What the operator of a store does, who sees all of it: opening it, its figures, other orgs, the keys' hashes.
OPERATORS = {
    "Reverie": {
        "open", "close", "backup", "config", "embedder", "end_model_calls", "gauges", "home", "in_org", "of_org", "now",
        "replies", "start_sleeper", "warm", "keys", "blocks",
    },
    "Keys": {"any_live", "by_hash", "note_use"},
    "Space": {"agent"},  # who answers is no answer
}  # fmt: skip

# An id of one's own choosing must be new in the store; an org shares its blocks and its names between its spaces.
TOLD = {("remember", "id"), ("change", "name"), ("change", "block_ids")}


def calls(owner: Any, name: str, ids: Ids, place: Path) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The arguments that a verb must be given, with each id in its turn, then each id that it may be given."""
    verb = getattr(owner, name)
    parameters = inspect.signature(verb).parameters.values()
    needed = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD and p.name != "spaces"]
    nouns = [noun for p in needed for noun in HELD.get(p.name, ())] or [""]
    for noun in dict.fromkeys(nouns):
        yield given_to(owner, needed, noun, ids, place)
    may = [p for p in parameters if p.default is not p.empty and p.name in HELD and "str" in str(p.annotation)]
    may = [p for p in may if (name, p.name) not in TOLD]
    for p in may if "" in nouns or len(set(nouns)) == 1 else ():
        for noun in HELD[p.name]:
            given = [ids[noun]] if p.name == "block_ids" else ids[noun]
            must, named = given_to(owner, needed, nouns[0], ids, place)
            yield must, {**named, p.name: given}


def given_to(
    owner: Any, needed: list[inspect.Parameter], noun: str, ids: Ids, place: Path
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a verb must be given, by place and by name."""
    values = {p: value(owner, p.name, noun, ids, place) for p in needed}
    named = {p.name: values[p] for p in needed if p.kind is p.KEYWORD_ONLY}
    return tuple(values[p] for p in needed if p.kind is not p.KEYWORD_ONLY), named


def value(owner: Any, name: str, noun: str, ids: Ids, place: Path) -> Any:
    if name in ("directory", "transcripts", "path", "target"):
        return place / name
    if name == "given":
        shared = NewSpace(f"new {ids['block']}"[:60], shared=(ids["block"],))
        return shared if isinstance(owner, Reverie) else NewBlock("task")
    if name == "key" and isinstance(owner, Reverie):
        return ids["conversation"]  # of an entry on a shelf
    if name in HELD:
        return ids[noun if noun in HELD[name] else HELD[name][0]]
    assert name in PLAIN, f"{type(owner).__name__}: what does {name!r} hold? Name it in {__file__}"
    return PLAIN[name]


def outcome(owner: Any, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[str, str]:
    """What a call comes to: an error with its words, or "" and what it answered."""
    try:
        found = getattr(owner, name)(*arguments, **named)
        return "", repr(list(found) if isinstance(found, Iterator) else found)
    except ReverieError as error:
        return f"{type(error).__name__}: {error.message}", repr(error.data)


def leaks(world: World, owner: Any, place: Path) -> Iterator[str]:
    (place / "path").write_text('{"role": "user", "text": "hello"}\n')
    (place / "transcripts").mkdir(exist_ok=True)
    kind = type(owner).__name__
    for name in sorted(name for name in dir(type(owner)) if not name.startswith("_")):
        if name in OPERATORS.get(kind, ()):
            continue
        if not callable(inspect.getattr_static(type(owner), name)):
            yield from shown(world, f"{kind}.{name}", repr(getattr(owner, name)), ())
            continue
        tried = zip(calls(owner, name, world.victim, place), calls(owner, name, world.missing, place), strict=True)
        for (theirs, named), (nobodys, also) in tried:
            wrong, said = outcome(owner, name, theirs, named)
            nothing, _ = outcome(owner, name, nobodys, also)
            yield from shown(world, f"{kind}.{name}{theirs}{named}", said, (*theirs, *named.values()))
            if plain(wrong, world) != plain(nothing, world):
                yield f"{kind}.{name}{theirs} tells another's from nothing: {wrong} / {nothing}"


def shown(world: World, what: str, said: str, sent: tuple[Any, ...]) -> Iterator[str]:
    if world.secret in said:
        yield f"{what} shows the secret: {said[:300]}"
    ids = [id for id in world.victim.values() if UUID.search(id) and id in said and id not in repr(sent)]
    if ids and "Pumpernickel" not in said:
        yield f"{what} shows {ids}"


def plain(said: str, world: World) -> str:
    for word in sorted((*world.victim.values(), *world.missing.values()), key=len, reverse=True):
        said = said.replace(word, "<id>")
    return UUID.sub("<id>", said)


def test_no_verb_of_a_space_reaches_another(memory: Reverie, tmp_path: Path) -> None:
    world = world_of(memory)
    things(memory, "bob", "Pumpernickel")
    before = rows_of(world)
    rivals = memory.in_org("rivals")
    found = [leak for space in (memory.space("bob"), rivals.space("eve")) for leak in leaks(world, space, tmp_path)]
    assert found == []
    assert rows_of(world) == before


def test_no_verb_of_an_org_reaches_another(memory: Reverie, tmp_path: Path) -> None:
    world = world_of(memory)
    before = rows_of(world)
    rivals = memory.in_org("rivals")
    eve = rivals.space("eve")
    owners = (rivals, rivals.keys, rivals.blocks, eve.blocks)
    found = [leak for owner in owners for leak in leaks(world, owner, tmp_path)]
    assert found == []
    assert rows_of(world) == before
    for reach in (
        lambda: rivals.blocks[world.victim["block"]],
        lambda: eve.change(block_ids=[world.victim["block"]]),
        lambda: rivals.blocks.attach(rivals.blocks.create(NewBlock("own")).id, world.victim["space"]),
    ):
        with pytest.raises(NotFound):
            reach()


def test_turns_are_appended_to_ones_own_space_alone(memory: Reverie) -> None:
    """`append_all` takes spaces that are open already: an org opens none but its own."""
    alice = memory.space("alice")
    rivals = memory.in_org("rivals")
    for ref in (alice.id, alice.name):
        with pytest.raises(NotFound):
            rivals.append_all([(rivals.find_space(ref), Draft("user", "stolen"))])
    assert alice.turns() == []


def test_a_verb_with_a_parameter_that_nobody_has_named_fails(memory: Reverie, tmp_path: Path) -> None:
    class Wider(Space):
        def gadget(self, gadget: str) -> str:
            return gadget

    world = world_of(memory)
    with pytest.raises(AssertionError, match="what does 'gadget' hold"):
        list(calls(Wider(memory.parts, memory.space("bob").record), "gadget", world.victim, tmp_path))
