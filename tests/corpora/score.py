"""Scores what a reasoner finds against a corpus, by the matching rules of README.md. Of `blind` only figures leave."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from reverie.minds.reasoner import Reasoner
from reverie.model.thinking import Episode, FactDraft

HERE = Path(__file__).parent
_GROUPS = (
    {"likes", "favorite", "prefers"},
    {"works_at", "job"},
    {"plans", "event", "goal"},
    {"habit", "plays", "likes"},
    {"owns", "drives", "has_pet"},
    {"spouse", "partner"},
    {"friend", "colleague", "relation"},
    {"uses", "prefers", "decided"},
)
Row = dict[str, Any]


@dataclass
class Tally:
    """Counts over some utterances, and the two figures that follow from them."""

    found: int = 0  # without those that count neither for nor against
    expected: int = 0
    matched: int = 0

    @property
    def precision(self) -> float:
        return self.matched / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.matched / self.expected if self.expected else 1.0

    def add(self, other: "Tally") -> None:
        self.found += other.found
        self.expected += other.expected
        self.matched += other.matched


def load(corpus: str, name: str) -> list[Row]:
    """The rows of `dev` or `blind`."""
    lines = (HERE / corpus / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def instant(text: str) -> float:
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def episode(row: Row) -> Episode:
    speaker = str(row["speaker"])
    before = tuple(f"{turn['speaker']}: {turn['text']}" for turn in row.get("before", ()))
    role = "assistant" if speaker == "assistant" else "user"
    return Episode(str(row["id"]), str(row["text"]), instant(row["said_at"]), speaker=speaker, role=role, before=before)


def _words(value: str) -> list[str]:
    return [w for w in re.findall(r"\w+", value.casefold()) if w not in ("a", "an", "the")]


def same_value(a: str, b: str) -> bool:
    first, second = _words(a), _words(b)
    if not first or not second:
        return first == second
    short, long = sorted((first, second), key=len)
    inside = f" {' '.join(short)} " in f" {' '.join(long)} "
    return inside or (len(short) > 1 and set(short) <= set(long))


def same_predicate(a: str, b: str) -> bool:
    return a == b or "remember" in (a, b) or any({a, b} <= group for group in _GROUPS)


def _same_subject(a: str, b: str, row: Row) -> bool:
    if a.casefold() == b.casefold():
        return True
    return frozenset((a.casefold(), b.casefold())) in _one_person(row)


def _one_person(row: Row) -> set[frozenset[str]]:
    """ "my uncle Abe": the pairs of a name and a relation that this message gives for one person."""
    owner = str(row["speaker"])
    pairs = set()
    for match in re.finditer(
        r"\b[Mm]y (?:\w+ )??([\w-]+),? (?:(?:is )?(?:called|named) |is )?([A-Z][\w.]+(?: [A-Z]\w+)?)", str(row["text"])
    ):
        pairs.add(frozenset((f"{owner}'s {match[1]}".casefold(), match[2].casefold())))
    return pairs


def matches(found: FactDraft, wanted: Row, row: Row) -> bool:
    return (
        _same_subject(found.subject, wanted["subject"], row)
        and found.negated == bool(wanted.get("negated"))
        and same_predicate(found.predicate, wanted["predicate"])
        and same_value(found.value, wanted["value"])
    )


def score(row: Row, drafts: Sequence[FactDraft]) -> Tally:
    """One utterance: each expected fact is matched once; allowed facts and second matches count neither way."""
    open_ones: list[Row] = list(row["expected"])
    tally = Tally(expected=len(open_ones))
    for draft in drafts:
        hit = next((w for w in open_ones if matches(draft, w, row)), None)
        if hit is not None:
            open_ones.remove(hit)
            tally.matched += 1
            tally.found += 1
        elif not any(matches(draft, w, row) for w in (*row["expected"], *row.get("allowed", ()))):
            tally.found += 1
    return tally


def report(reasoner: Reasoner, rows: Iterable[Row]) -> tuple[Tally, dict[str, Tally]]:
    """The whole, and by kind."""
    whole, kinds = Tally(), dict[str, Tally]()
    for row in rows:
        tally = score(row, reasoner.facts([episode(row)]))
        whole.add(tally)
        kinds.setdefault(row["kind"], Tally()).add(tally)
    return whole, kinds


def table(whole: Tally, kinds: dict[str, Tally]) -> str:
    lines = [f"{'kind':<20} {'expected':>8} {'found':>6} {'precision':>9} {'recall':>7}"]
    for name, tally in [*sorted(kinds.items()), ("all", whole)]:
        lines.append(f"{name:<20} {tally.expected:>8} {tally.found:>6} {tally.precision:>9.2f} {tally.recall:>7.2f}")
    return "\n".join(lines)
