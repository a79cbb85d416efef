"""What a model is given: records as delimited data under short handles, and the JSON schema of each answer."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import Any, TypeVar, get_args

from reverie.language import quoting
from reverie.language.words import token_count
from reverie.minds.llm.client import Schema
from reverie.minds.llm.validate import GivenRecords
from reverie.model.base import Instant
from reverie.model.memories import Memory
from reverie.model.thinking import ClashKind, Episode, Evidence, Quote

T = TypeVar("T")

LONGEST_RECORD = 8_000  # characters


@cache
def prompt(name: str) -> str:
    """Our own words for a task, with the rule about data that every task shares."""
    folder = resources.files("reverie.minds") / "prompts"
    return f"{_read(folder, name)}\n\n{_read(folder, 'data')}"


def _read(folder: Any, name: str) -> str:
    return str((folder / f"{name}.md").read_text(encoding="utf-8")).strip()


@dataclass(slots=True)
class Sheet:
    """Collects records for one call; `given` is what the answer is then checked against."""

    sections: list[str] = field(default_factory=list)
    handles: dict[str, str] = field(default_factory=dict)

    def add(self, tag: str, records: Iterable[Mapping[str, Any]]) -> "Sheet":
        # "<" is escaped, so no text can close its own tag and speak as somebody else.
        lines = [json.dumps(record, ensure_ascii=False).replace("<", "\\u003c") for record in records]
        self.sections.append("\n".join([f"<{tag}>", *lines, f"</{tag}>"]))
        return self

    def handle(self, prefix: str, id: str) -> str:
        short = f"{prefix}{len(self.handles) + 1}"
        self.handles[short] = id
        return short

    @property
    def text(self) -> str:
        return "\n".join(self.sections)

    @property
    def given(self) -> GivenRecords:
        return GivenRecords(dict(self.handles), self.text)


def episode_record(sheet: Sheet, episode: Episode) -> dict[str, Any]:
    record = {
        "id": sheet.handle("e", episode.id),
        "said": day(episode.said_at),
        "speaker": episode.speaker,
        "text": clipped(episode.text),
    }
    more = {"role": episode.role if episode.role != "user" else None, "before": list(episode.before)}
    return record | {name: value for name, value in more.items() if value}


def memory_record(sheet: Sheet, memory: Memory) -> dict[str, Any]:
    record = {
        "id": sheet.handle("m", memory.id),
        "date": day(memory.dated),
        "text": clipped(memory.text),
    }
    return record | _triple(memory) | ({"until": day(memory.valid_until)} if memory.valid_until is not None else {})


def evidence_record(sheet: Sheet, evidence: Evidence) -> dict[str, Any]:
    record = {"id": sheet.handle("v", evidence.id), "text": clipped(evidence.text)}
    return record | _triple(evidence) | ({"date": day(evidence.said_at)} if evidence.said_at is not None else {})


def quote_record(quote: Quote) -> dict[str, Any]:
    record = {"who": quoting.who(quote.speaker), "date": day(quote.said_at), "text": clipped(quote.text)}
    return record | ({"about": clipped(quote.about)} if quote.about else {})


def _triple(known: Memory | Evidence) -> dict[str, Any]:
    triple = {"subject": known.subject, "predicate": known.predicate, "value": known.value}
    return triple if all(triple.values()) else {}


def clipped(text: str) -> str:
    """One record must not fill a whole call; what matters in a turn that long is at its two ends."""
    if len(text) <= LONGEST_RECORD:
        return text
    return f"{text[: LONGEST_RECORD // 2]} […] {text[-LONGEST_RECORD // 2 :]}"


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


CLASH_KINDS: tuple[ClashKind, ...] = get_args(ClashKind)

_TEXT: dict[str, Any] = {"type": "string"}
_YES_NO: dict[str, Any] = {"type": "boolean"}
_SHARE: dict[str, Any] = {"type": "number"}
_IDS: dict[str, Any] = {"type": "array", "items": _TEXT}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _choice(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


_FACT = _object(
    source=_TEXT, quote=_TEXT, about=_TEXT, subject=_TEXT, predicate=_TEXT, value=_TEXT,
    negated=_YES_NO, replaces=_TEXT,
)  # fmt: skip
_INSIGHT = _object(text=_TEXT, kind=_choice("deduction", "induction"), premises=_IDS, confidence=_SHARE)

FACTS: Schema = _object(facts=_list(_FACT))
NOTE: Schema = _object(title=_TEXT, text=_TEXT, sources=_IDS)
CLASH: Schema = _object(kind=_choice(*CLASH_KINDS), why=_TEXT, confidence=_SHARE)
PROFILE: Schema = _object(text=_TEXT, sources=_IDS)
INSIGHTS: Schema = _object(insights=_list(_INSIGHT))
TEXT: Schema = _object(text=_TEXT)
QUESTIONS: Schema = _object(questions=_list(_object(text=_TEXT, why=_TEXT, sources=_IDS)))
ANSWER: Schema = _object(known=_YES_NO, text=_TEXT, confidence=_SHARE, sources=_IDS)
SENTENCES: Schema = _object(sentences=_list(_object(keep=_TEXT, text=_TEXT, sources=_IDS)))
VERDICT: Schema = _object(approve=_YES_NO, why=_TEXT)
CITY: Schema = _object(city=_TEXT)
