"""Plays a dialogue through facts and clashes, in order, as the night's contradict step would."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.minds.reasoner import Reasoner
from reverie.model.memories import Memory
from reverie.model.thinking import Episode, FactDraft
from tests.corpora.score import instant, same_predicate, same_value

Row = dict[str, Any]


@dataclass
class Verdicts:
    """What a corpus of dialogues showed."""

    updates: int = 0
    found: int = 0
    wrong: int = 0
    by_kind: dict[str, list[int]] = field(default_factory=dict)  # updates, found, wrong

    @property
    def share(self) -> float:
        return self.found / self.updates if self.updates else 1.0


def memory_of(draft: FactDraft, number: int, speaker: str, at: float) -> Memory:
    marks = {"negated": draft.negated, "cue": draft.cue, "replaces": draft.replaces, "exclusive": draft.exclusive}
    return Memory(
        id=f"m{number}", space="s", kind="fact", text=draft.text, sources=(draft.source,), created_at=at, said_at=at,
        subject=draft.subject, predicate=draft.predicate, value=draft.value, speaker=speaker,
        confidence=draft.confidence, metadata={**marks, "fact_kind": draft.kind},
    )  # fmt: skip


def played(reasoner: Reasoner, row: Row) -> list[Memory]:
    """Every fact of the dialogue; those that an update retired have `valid_until`."""
    known: list[Memory] = []
    before: tuple[str, ...] = ()
    for i, turn in enumerate(row["turns"]):
        at, speaker = instant(turn["at"]), turn["speaker"]
        role = "assistant" if speaker == "assistant" else "user"
        episode = Episode(f"t{i}", turn["text"], at, speaker=speaker, role=role, before=before)
        fresh = [memory_of(d, len(known) + n, speaker, at) for n, d in enumerate(reasoner.facts([episode]))]
        known = [_judged(reasoner, old, fresh, at) for old in known] + fresh
        before = (*before, f"{speaker}: {turn['text']}")
    return known


def _judged(reasoner: Reasoner, old: Memory, fresh: list[Memory], at: float) -> Memory:
    if old.valid_until is None and any(reasoner.clash(old, new).kind == "update" for new in fresh):
        return replace(old, valid_until=at)
    return old


def _is(memory: Memory, subject: str, predicate: str, value: str) -> bool:
    return (
        (memory.subject or "").casefold() == subject.casefold()
        and same_predicate(memory.predicate or "", predicate)
        and same_value(memory.value or "", value)
        and not memory.metadata["negated"]
    )


def judge(reasoner: Reasoner, rows: Iterable[Row]) -> Verdicts:
    verdicts = Verdicts()
    for row in rows:
        updates, found, wrong = _one(row, played(reasoner, row))
        verdicts.updates += updates
        verdicts.found += found
        verdicts.wrong += wrong
        tally = verdicts.by_kind.setdefault(row["kind"], [0, 0, 0])
        verdicts.by_kind[row["kind"]] = [tally[0] + updates, tally[1] + found, tally[2] + wrong]
    return verdicts


def _one(row: Row, known: list[Memory]) -> tuple[int, int, int]:
    """Updates expected, updates found, wrong retirements."""
    expected = row["expected"]
    retired = [m for m in known if m.valid_until is not None]
    found = sum(1 for u in expected["updates"] if any(_is(m, u["subject"], u["predicate"], u["old"]) for m in retired))
    kept = [(h["subject"], h["predicate"], h["value"]) for h in expected["must_hold"]]
    kept += [
        (u["subject"], u.get("new_predicate") or u["predicate"], u["new"]) for u in expected["updates"] if u["new"]
    ]
    wrong = sum(1 for m in retired if not expected["updates"] or any(_is(m, *held) for held in kept))
    return len(expected["updates"]), found, wrong


def table(verdicts: Verdicts) -> str:
    lines = [f"{'kind':<14} {'updates':>8} {'found':>6} {'wrong':>6}"]
    for kind, (updates, found, wrong) in sorted(verdicts.by_kind.items()):
        lines.append(f"{kind:<14} {updates:>8} {found:>6} {wrong:>6}")
    lines.append(f"{'all':<14} {verdicts.updates:>8} {verdicts.found:>6} {verdicts.wrong:>6}")
    return "\n".join(lines)
