"""A model's answer is checked against what it was given, before anybody uses it: ids, lengths, addresses, orders."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from reverie.errors import ModelFault
from reverie.policy.safety.instructions import looks_like_instruction

S = TypeVar("S")
T = TypeVar("T")

_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"')\]]+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.]+", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class ParsedAnswer(Generic[T]):
    """What could be used of an answer, and why the rest could not."""

    value: T
    dropped: tuple[str, ...] = ()  # kinds of fault, one for each item left out


@dataclass(frozen=True, slots=True)
class GivenRecords:
    """What a model was given: numbers that stand for ids, and every word of the data."""

    handles: Mapping[str, str]
    words: str

    def id(self, raw: Any) -> str:
        found = self.handles.get(str(raw).strip())
        if found is None:
            raise ModelFault("unknown_ids", "an id is cited that is not among the data")
        return found

    def ids(self, raw: Any, at_least: int = 1) -> tuple[str, ...]:
        cited = tuple(dict.fromkeys(self.id(one) for one in as_list(raw)))
        if len(cited) < at_least:
            raise ModelFault("unknown_ids", f"{len(cited)} sources are cited, {at_least} are needed")
        return cited

    def text(self, raw: Any, shortest: int = 1, longest: int = 2_000) -> str:
        """The text, if it is of use and brings in no address and no order that the data does not hold."""
        if not isinstance(raw, str):
            raise ModelFault("bad_shape", "a text is missing")
        text = " ".join(_CONTROL.sub(" ", raw).split())
        if len(text) < shortest:
            raise ModelFault("empty" if not text else "bad_shape", f"a text of {len(text)} characters is too short")
        if len(text) > longest:
            raise ModelFault("too_long", f"a text has {len(text)} characters, {longest} are allowed")
        self._brings_nothing_in(text)
        return text

    def _brings_nothing_in(self, text: str) -> None:
        for address in _ADDRESS.findall(text):
            if address.rstrip(".,;:!?").lower() not in self.words.lower():
                raise ModelFault("new_url", "the text holds an address that is not in the data")
        if looks_like_instruction(text) and not looks_like_instruction(self.words):
            raise ModelFault("new_order", "the text gives an order that is not in the data")


def as_list(raw: Any) -> list[Any]:
    if not isinstance(raw, list):
        raise ModelFault("bad_shape", "a list is missing")
    return raw


def as_bool(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise ModelFault("bad_shape", "a yes or no is missing")
    return raw


def one_of(raw: Any, allowed: Sequence[T]) -> T:
    for choice in allowed:
        if raw == choice:
            return choice
    raise ModelFault("bad_shape", f"a choice is not one of {', '.join(map(str, allowed))}")


def sift(items: Iterable[S], build: Callable[[S], T], at_most: int) -> ParsedAnswer[list[T]]:
    """The items that hold; an answer of which nothing holds is a fault of its own."""
    kept: list[T] = []
    dropped: list[ModelFault] = []
    for item in items:
        try:
            if len(kept) == at_most:
                raise ModelFault("too_many", f"more than {at_most} items")
            kept.append(build(item))
        except ModelFault as fault:
            dropped.append(fault)
    if dropped and not kept:
        raise dropped[0]
    return ParsedAnswer(kept, tuple(fault.kind for fault in dropped))
