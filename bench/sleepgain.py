"""What a night buys: evidence recall at equal context tokens, and the tokens needed for equal recall.

    python -m bench.sleepgain [--data PATH]

What the hits say is taken in their order until a token budget is full, each thing once, as a context shows it: a turn
speaks for the facts drawn from it (`policy/recall/repeats.py`). Counted twice, a fact and its turn would cost the night
a quarter of a small budget that no prompt spends.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import report
from bench.locomo import CATEGORIES, DEFAULT_DATA, Question, load, tell
from bench.retrieval import Told
from reverie.awake.recall import embed_tail
from reverie.language.calendar import date_words
from reverie.language.words import token_count
from reverie.model.base import HOUR
from reverie.model.hits import Asking, Hit
from reverie.policy.recall.repeats import distinct
from reverie.retrieve import Retriever
from reverie.reverie import Reverie
from reverie.store.search.index import Indexes

BUDGETS = (128, 256, 512, 1_024, 2_048)
DEPTH = 100
Curve = list[float]  # evidence recall in percent at each of BUDGETS
Gains = dict[str, Curve]  # by category


def tokens(hit: Hit) -> int:
    """As a context shows it: date, speaker, text."""
    day = date_words(hit.said_at) if hit.said_at is not None else ""
    return token_count(f"{day} {hit.speaker or hit.kind}: {hit.text}")


def curve(question: Question, hits: Sequence[Hit], names: dict[str, str]) -> Curve:
    """The share of the evidence that fits into each budget."""
    found: set[str] = set()
    spent, shares = 0, []
    left = list(hits)
    for budget in BUDGETS:
        while left and spent + tokens(left[0]) <= budget:
            hit = left.pop(0)
            spent += tokens(hit)
            found.update(names[turn] for turn in hit.turns if turn in names)
        shares.append(100 * len(question.evidence & found) / len(question.evidence))
    return shares


def measure(retriever: Retriever, told: Sequence[Told], now: float) -> Gains:
    curves: dict[str, list[Curve]] = {}
    for one in told:
        for question in one.talk.questions:
            hits = retriever.retrieve(one.space.id, question.text, Asking(k=DEPTH), now)
            shares = curve(question, [said.hit for said in distinct(hits)], dict(one.names))
            for name in ("all", CATEGORIES[question.category]):
                curves.setdefault(name, []).append(shares)
    return {name: [sum(column) / len(column) for column in zip(*rows, strict=True)] for name, rows in curves.items()}


def tokens_for(recall: float, curve: Curve) -> float | None:
    """The budget at which a curve reaches this recall, between the measured ones; None: beyond them."""
    for i, reached in enumerate(curve):
        if reached >= recall:
            if i == 0 or reached == curve[i - 1]:
                return float(BUDGETS[i])
            share = (recall - curve[i - 1]) / (reached - curve[i - 1])
            return BUDGETS[i - 1] + share * (BUDGETS[i] - BUDGETS[i - 1])
    return None


def run(data: Path, location: str) -> dict[str, Gains]:
    talks = load(data)
    now = max(turn.at for talk in talks for turn in talk.turns) + HOUR
    with Reverie.open(location, durable=False, clock=lambda: now) as memory:
        parts = memory.parts
        told = [Told(talk, space := memory.space(talk.name), tell(space, talk.turns)) for talk in talks]
        retriever = Retriever(parts.db, Indexes(parts.db), parts.embedder)
        stages = {"before any night": measure(retriever, told, now)}
        for one in told:
            embed_tail(parts.db, parts.embedder, one.space.id)
        stages["tail embedded"] = measure(retriever, told, now)
        for one in told:
            one.space.sleep()
        stages["after a night"] = measure(retriever, told, now)
    return stages


def equal_recall(stages: dict[str, Gains]) -> list[list[str]]:
    """How many tokens the night's recall needs for what each budget gave before."""
    rows = []
    for stage in ("before any night", "tail embedded"):
        for budget, recall in zip(BUDGETS, stages[stage]["all"], strict=True):
            needed = tokens_for(recall, stages["after a night"]["all"])
            cell = f"{needed:.0f} ({needed / budget:.2f}x)" if needed is not None else f"over {BUDGETS[-1]}"
            rows.append([stage, str(budget), f"{recall:.1f}", cell])
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, default=DEFAULT_DATA)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as location:
        stages = run(chosen.data, location)
    cells = [
        [f"{stage}, {name}", *(f"{share:.1f}" for share in gains[name])]
        for stage, gains in stages.items()
        for name in sorted(gains, key=lambda name: (name != "all", name))
    ]
    print(report.table(["evidence recall, % at tokens", *map(str, BUDGETS)], cells))
    print(report.table(["than", "tokens", "recall, %", "tokens after a night"], equal_recall(stages)))
    print(f"written to {report.write('sleepgain', stages)}")


if __name__ == "__main__":
    main()
