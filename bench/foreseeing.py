"""Do nights foresee what is asked next? LoCoMo, with the first half of each talk's questions as history.

    python -m bench.foreseeing [--data PATH] [--questions 8]

The talk is told and slept over, the first half of the questions is asked (recall and answer), a second night looks
ahead, and the second half is asked. A hit is wrong if the turns behind its sources do not hold all of the question's
evidence. Tokens awake are context and answer; tokens asleep are what the night read and wrote for its answers, spread
over the queries that share a context. LoCoMo never asks the same twice, so "asked again" shows the other end: the
history, asked once more.
"""

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from bench import report
from bench.locomo import DEFAULT_DATA, Question, Talk, load, tell
from reverie.asleep.shared.recall import as_evidence
from reverie.language.words import token_count
from reverie.model.base import HOUR
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.tables import memories

PER_CONTEXT = (1, 2, 5, 10, 50)
BUDGET = 4_000


@dataclass
class Asked:
    """What came of some questions; tokens are sums."""

    questions: int = 0
    hits: int = 0
    wrong: int = 0
    awake: int = 0  # with prepared answers
    live: int = 0  # without
    why: dict[str, int] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        many = max(1, self.questions)
        return {
            "questions": self.questions,
            "hits": self.hits,
            "hit_rate": self.hits / many,
            "wrong_hits": self.wrong,
            "wrong_hit_rate": self.wrong / max(1, self.hits),
            "awake_tokens_per_query": self.awake / many,
            "awake_tokens_per_query_without": self.live / many,
        }


@dataclass
class Foreseen:
    second_half: Asked = field(default_factory=Asked)
    asked_again: Asked = field(default_factory=Asked)
    asleep: int = 0  # tokens of the nights that looked ahead
    prepared: int = 0
    talks: int = 0


def ask(space: Space, question: Question, names: dict[str, str], asked: Asked) -> None:
    found = space.answer(question.text)
    live = _live_tokens(space, question.text)
    asked.questions += 1
    asked.live += live
    asked.awake += token_count(f"{question.text} {found.text}") if found else live
    if found:
        asked.hits += 1
        asked.wrong += not question.evidence <= _turns(space, found.sources, names)


def _turns(space: Space, sources: Sequence[str], names: dict[str, str]) -> set[str]:
    """The talk's turns that an answer's sources come from."""
    known = memories.by_ids(space.parts.db, space.id, sources)
    behind = {ref for memory in known.values() for ref in memory.sources}
    deeper = memories.by_ids(space.parts.db, space.id, behind)
    behind |= {ref for memory in deeper.values() for ref in memory.sources}
    return {names[ref] for ref in behind if ref in names}


def _live_tokens(space: Space, question: str) -> int:
    """What answering from scratch reads and writes."""
    context = space.context(question, BUDGET)
    known = memories.by_ids(space.parts.db, space.id, [hit.id for hit in context.hits if hit.kind != "turn"])
    draft = space.parts.rules.answer(question, as_evidence(list(known.values())[:8]))
    return context.tokens + token_count(f"{question} {draft.text if draft else ''}")


def measure(memory: Reverie, talk: Talk, foreseen: Foreseen) -> None:
    space = memory.space(talk.name)
    names = tell(space, talk.turns)
    space.sleep()
    middle = len(talk.questions) // 2
    for question in talk.questions[:middle]:
        space.recall(question.text)
        space.answer(question.text)
    space.parts.events.flush()
    before = {answer.id for answer in space.answers(limit=10_000)}
    space.sleep()
    made = [answer for answer in space.answers(limit=10_000) if answer.id not in before]
    foreseen.prepared += len(before) + len(made)
    foreseen.asleep += sum(answer.tokens for answer in space.answers(limit=10_000))
    foreseen.talks += 1
    for question in talk.questions[middle:]:
        ask(space, question, names, foreseen.second_half)
    for question in talk.questions[:middle]:
        ask(space, question, names, foreseen.asked_again)


def run(data: Path, questions: int) -> dict[str, Any]:
    talks, foreseen = load(data), Foreseen()
    seconds = count(int(max(turn.at for talk in talks for turn in talk.turns) + HOUR))
    with (
        tempfile.TemporaryDirectory() as folder,
        Reverie.open(folder, durable=False, clock=lambda: float(next(seconds)), anticipate=questions) as memory,
    ):
        for talk in talks:
            measure(memory, talk, foreseen)
    figures = {name: getattr(foreseen, name).figures() for name in ("second_half", "asked_again")}
    figures["asleep"] = {"tokens": foreseen.asleep, "answers": foreseen.prepared, "talks": foreseen.talks}
    _print(figures)
    return {"questions_a_night": questions, **figures}


def _print(figures: dict[str, Any]) -> None:
    for name in ("second_half", "asked_again"):
        part = figures[name]
        print(
            f"{name.replace('_', ' ')}: {part['hits']} of {part['questions']} hit ({part['hit_rate']:.1%}),"
            f" {part['wrong_hits']} wrong"
        )
        print(report.table(_HEADER, [_row(part, figures["asleep"], q) for q in PER_CONTEXT]), end="\n\n")


_HEADER = ("queries a context", "without", "awake", "asleep", "both", "both, asleep at half price")


def _row(part: dict[str, Any], asleep: dict[str, int], queries: int) -> tuple[str, ...]:
    awake, spread = part["awake_tokens_per_query"], asleep["tokens"] / max(1, asleep["talks"]) / queries
    sums = (part["awake_tokens_per_query_without"], awake, spread, awake + spread, awake + spread / 2)
    return (str(queries), *(f"{tokens:.0f}" for tokens in sums))


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    parser.add_argument("--questions", type=int, default=8, help="that a night looks ahead to")
    options = parser.parse_args(argv)
    print(f"written to {report.write('foreseeing', run(options.data, options.questions))}")


if __name__ == "__main__":
    main()
