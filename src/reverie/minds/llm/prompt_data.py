"""What a model is given: numbered lines between tags, then the task; one system text for all tasks.

The order is data first, task last, and each turn once: what several calls of a night share stands at their beginning,
where a provider's cache finds it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import Any, TypeVar

from reverie.language.words import token_count
from reverie.minds.llm.client import Schema
from reverie.minds.llm.validate import GivenRecords
from reverie.model.base import Instant

T = TypeVar("T")

LONGEST_LINE = 4_000  # characters


@cache
def prompt(name: str) -> str:
    """Our own words for a task, or the rule about data that all tasks share."""
    folder = resources.files("reverie.minds") / "prompts"
    return str((folder / f"{name}.md").read_text(encoding="utf-8")).strip()


def task(name: str, **values: object) -> str:
    """The words of a task with its figures filled in."""
    return prompt(name).format(**values) if values else prompt(name)


@dataclass(slots=True)
class Sheet:
    """Collects the lines of one call; `given` is what the answer is then checked against."""

    sections: list[str] = field(default_factory=list)
    refs: dict[int, str] = field(default_factory=dict)  # what each number stands for
    texts: dict[int, str] = field(default_factory=dict)

    def number(self, ref: str, text: str) -> int:
        """The next number, which stands for `ref`; the caller puts it into a line."""
        place = len(self.refs) + 1
        self.refs[place] = ref
        self.texts[place] = text
        return place

    def numbered(self, ref: str, text: str, said: str = "") -> str:
        """A line of its own for a text; `said` is who and when."""
        return f"{self.number(ref, text)} {said}{shown(text)}"

    def add(self, tag: str, lines: Sequence[str]) -> "Sheet":
        self.sections.append("\n".join([f"<{tag}>", *lines, f"</{tag}>"]))
        return self

    @property
    def text(self) -> str:
        return "\n".join(self.sections)

    @property
    def lines(self) -> list[tuple[int, str]]:
        return list(self.texts.items())

    @property
    def given(self) -> GivenRecords:
        return GivenRecords({str(number): ref for number, ref in self.refs.items()}, self.text)


def shown(text: str) -> str:
    """A text as one line of a sheet; no text can close its own tag and speak as somebody else."""
    return clipped(" ".join(text.split())).replace("<", "‹")


def clipped(text: str, longest: int = LONGEST_LINE) -> str:
    """One line must not fill a whole call; what matters in a turn that long is at its two ends."""
    return text if len(text) <= longest else f"{text[: longest // 2]} […] {text[-longest // 2 :]}"


def day(at: Instant) -> str:
    """
    >>> day(0.0)
    '1970-01-01 Thu'
    """
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %a")


def batches(items: Sequence[T], text_of: Callable[[T], str], tokens: int) -> Iterator[list[T]]:
    """Consecutive items of at most `tokens` together; one that is too large alone still gets its turn.

    >>> list(batches(["a b", "c d", "e f"], str, 6))
    [['a b', 'c d'], ['e f']]
    """
    batch: list[T] = []
    size = 0
    for item in items:
        cost = token_count(text_of(item))
        if batch and size + cost > tokens:
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += cost
    if batch:
        yield batch


def fitting(items: Sequence[T], text_of: Callable[[T], str], tokens: int) -> list[T]:
    """The first batch: what one call can hold."""
    return next(batches(items, text_of, tokens), [])


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _text(longest: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": longest}


_NUMBERS: dict[str, Any] = {"type": "array", "items": {"type": "integer"}, "maxItems": 8}
_INSIGHT = _object(
    text=_text(300), kind={"type": "string", "enum": ["deduction", "induction"]}, lines=_NUMBERS
)  # fmt: skip

INSIGHTS: Schema = _object(insights={"type": "array", "items": _INSIGHT, "maxItems": 8})
VERDICT: Schema = _object(approve={"type": "boolean"}, why=_text(400))
CITY: Schema = _object(city=_text(80))
