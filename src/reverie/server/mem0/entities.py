"""Who a memory belongs to: mem0's user, agent, app and run, and the space that stands for them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reverie.errors import BadInput, NotFound
from reverie.model.base import instant_of
from reverie.server.gateway.auth import Caller
from reverie.server.state import Server
from reverie.space import Space

KINDS = ("user", "agent", "app", "run")
IDS = tuple(f"{kind}_id" for kind in KINDS)
LONGEST = 200
SESSION = "mem0"
NEEDS_ONE = "Give one of user_id, agent_id, app_id or run_id."
COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "gte": lambda own, given: own >= given,
    "gt": lambda own, given: own > given,
    "lte": lambda own, given: own <= given,
    "lt": lambda own, given: own < given,
    "eq": lambda own, given: own == given,
    "ne": lambda own, given: own != given,
    "in": lambda own, given: own in given,
    "nin": lambda own, given: own not in given,
    "contains": lambda own, given: str(given) in str(own),
    "icontains": lambda own, given: str(given).casefold() in str(own).casefold(),
}
DATES = ("created_at", "updated_at")


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose memory is meant. The first that is named has the space; the others are told apart inside of it."""

    ids: Mapping[str, str]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Owner":
        ids = {name: str(given[name]) for name in IDS if given.get(name) not in (None, "", "*")}
        if not ids:
            raise BadInput("whose memory is meant?", next_move=NEEDS_ONE)
        if long := [name for name, value in ids.items() if len(value) > LONGEST]:
            raise BadInput(f"{long[0]} has at most {LONGEST} characters")
        return cls(ids)

    @property
    def kind(self) -> str:
        return next(iter(self.ids)).removesuffix("_id")

    @property
    def space(self) -> str:
        """
        >>> Owner({"user_id": "alice"}).space, Owner({"agent_id": "bot", "run_id": "r"}).space
        ('alice', 'agent:bot')
        """
        first = next(iter(self.ids.values()))
        return space_name(self.kind, first)

    @property
    def session(self) -> str:
        return self.ids.get("run_id", SESSION)

    @property
    def others(self) -> dict[str, str]:
        """What tells memories of one space apart."""
        return dict(list(self.ids.items())[1:])


def space_name(kind: str, id: str) -> str:
    """A user's space has the user's name, so that every client means the same; the others have their kind before it."""
    plain = kind == "user" and not id.startswith(tuple(f"{one}:" for one in KINDS))
    return id if plain else f"{kind}:{id}"


def entity_of(name: str) -> tuple[str, str]:
    """
    >>> entity_of("alice"), entity_of("agent:bot"), entity_of(space_name("user", "agent:bot"))
    (('user', 'alice'), ('agent', 'bot'), ('user', 'agent:bot'))
    """
    kind, colon, rest = name.partition(":")
    return (kind, rest) if colon and kind in KINDS else ("user", name)


def the_space(server: Server, caller: Caller, name: str, *, make: bool = False) -> Space:
    """By its name alone; what the caller may not see is not there. A new one is for who may make spaces."""
    org = server.org(caller)
    if not org.has_space(name):
        if not make or caller.space is not None:
            raise NotFound(*entity_of(name))
        caller.must("admin")
    space = org.space(name)
    if caller.space not in (None, space.id):
        raise NotFound(*entity_of(name))
    return space


def owners(filters: Any) -> list[Owner]:
    """Every owner that a filter names: one, or of each of its alternatives."""
    found = {Owner.of(ids).space: Owner.of(ids) for ids in _named(filters)}
    if not found:
        raise BadInput("a filter names whose memory is meant", next_move=NEEDS_ONE)
    return list(found.values())


def _named(filters: Any) -> Iterator[dict[str, str]]:
    """The ids that must hold together, for each alternative."""
    if not isinstance(filters, dict):
        return
    own = {name: filters[name] for name in IDS if isinstance(filters.get(name), str) and filters[name] != "*"}
    together = [part for part in _list(filters.get("AND")) if isinstance(part, dict)]
    for part in together:
        own |= {name: part[name] for name in IDS if isinstance(part.get(name), str) and part[name] != "*"}
    if own:
        yield {name: own[name] for name in IDS if name in own}
    for name in IDS:
        for part in (filters, *together):
            given = part.get(name)
            for id in _list(given.get("in")) if isinstance(given, dict) else ():
                yield {name: str(id)}
    for part in (*_list(filters.get("OR")), *(each for one in together for each in _list(one.get("OR")))):
        yield from _named(part)


def holds(filters: Any, record: Mapping[str, Any]) -> bool:
    """Whether a record passes a filter: a tree of AND, OR and NOT with plain values, `*` and comparisons below.

    >>> holds({"AND": [{"user_id": "a"}, {"NOT": [{"metadata": {"x": 1}}]}]}, {"user_id": "a", "metadata": {"x": 2}})
    True
    """
    if not isinstance(filters, dict):
        raise BadInput("a filter is an object")
    return all(_one_holds(name, wanted, record) for name, wanted in filters.items())


def _one_holds(name: str, wanted: Any, record: Mapping[str, Any]) -> bool:
    if name == "AND":
        return all(holds(part, record) for part in _list(wanted))
    if name == "OR":
        return any(holds(part, record) for part in _list(wanted))
    if name == "NOT":
        return not any(holds(part, record) for part in _list(wanted))
    if name == "metadata" and isinstance(wanted, dict):
        return all(_matches(record["metadata"].get(key), value) for key, value in wanted.items())
    if name == "categories":
        asked = wanted.get("in", wanted.get("contains")) if isinstance(wanted, dict) else wanted
        return bool(set(_list(asked)) & set(record.get("categories") or ()))
    own = record[name] if name in record else record["metadata"].get(name)
    return _matches(_instant(own), wanted, _instant) if name in DATES else _matches(own, wanted)


def _matches(own: Any, wanted: Any, read: Any = lambda value: value) -> bool:
    if isinstance(wanted, dict):
        if unknown := [word for word in wanted if word not in COMPARED]:
            raise BadInput(f"a filter knows no {unknown[0]!r}; it knows {', '.join(COMPARED)}")
        try:
            return own is not None and all(COMPARED[word](own, read(value)) for word, value in wanted.items())
        except TypeError:
            return False
    return own is not None if wanted == "*" else bool(own == read(wanted))


def _instant(value: Any) -> Any:
    if isinstance(value, str | datetime):
        try:
            return instant_of(str(value))
        except ValueError as error:
            raise BadInput(f"{value!r} is no date") from error
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
