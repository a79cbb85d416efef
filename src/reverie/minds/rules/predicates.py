"""The closed list of predicates: how each reads, how much it matters, whether a person has one value at a time."""

import tomllib
from dataclasses import dataclass
from importlib import resources

from reverie.model.thinking import FactKind


@dataclass(frozen=True, slots=True)
class Predicate:
    name: str
    says: str  # "{s} lives in {v}"
    ended: str  # "{s} no longer lives in {v}"
    question: str = ""  # as the user would ask it: "Where do I live?"
    about: str = ""  # the same of somebody else: "Where does {s} live?"
    theme: str = "other"  # profiles group by it
    kind: FactKind = "statement"
    importance: float = 0.5
    exclusive: bool = False


def _table() -> dict[str, Predicate]:
    text = resources.files(__package__).joinpath("predicates.toml").read_text("utf-8")
    return {name: Predicate(name, **row) for name, row in tomllib.loads(text).items()}


PREDICATES = _table()
