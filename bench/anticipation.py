"""Are precomputed answers given to the right questions? Pairs of questions as cached and asked, with a gold label.

    python -m bench.anticipation --data qqp_dev.jsonl [--target 0.05]

A pair labelled 1 should be hit, a pair labelled 0 must not be. Printed: the whole curve of hits against wrong hits,
similarity alone beside similarity with guards; what the shipped bar does at the target; and what a bar learned on one
half does on the other, since a bar that is judged on the pairs it was chosen by flatters itself.
"""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import report
from reverie.minds.embed import MiniLM
from reverie.policy.answers.closeness import closeness
from reverie.policy.answers.guards.compare import compare
from reverie.policy.answers.guards.reading import ReadQuestion, read
from reverie.policy.answers.serving import starting_bar

CORPORA = Path(__file__).parents[1] / "tests" / "corpora"
BARS = (0.80, 0.85, 0.90, 0.92, 0.93, 0.94, 0.95, 0.955, 0.96, 0.97, 0.98, 0.99)
SPLITS = 20
REFUSED = -1.0  # the score of a pair that a guard refused: below every bar

Scores = NDArray[np.float64]
Labels = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pairs:
    asked: list[str]
    cached: list[str]
    same: Labels


@dataclass(frozen=True, slots=True)
class Rates:
    """`hit`: share of the pairs that should be hit. `wrong`: share of the hits that should not have been."""

    hit: float
    wrong: float
    hits: int


def load(path: Path) -> Pairs:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return Pairs([r["text_a"] for r in rows], [r["text_b"] for r in rows], np.array([bool(r["label"]) for r in rows]))


def rates(scores: Scores, same: Labels, bar: float) -> Rates:
    hit = scores >= bar
    right = int((hit & same).sum())
    hits = int(hit.sum())
    return Rates(right / max(1, int(same.sum())), (hits - right) / max(1, hits), hits)


def cosines(pairs: Pairs, embedder: MiniLM) -> Scores:
    asked, cached = embedder.embed(pairs.asked), embedder.embed(pairs.cached)
    found: Scores = np.einsum("ij,ij->i", asked, cached).astype(np.float64)
    return found


def guarded(pairs: Pairs, cosine: Scores) -> tuple[Scores, float]:
    """Each pair's closeness, and the microseconds that guards and closeness took for one."""
    questions = [(read(a), read(c)) for a, c in zip(pairs.asked, pairs.cached, strict=True)]
    began = time.process_time()
    scores = np.array([_score(a, c, float(cos)) for (a, c), cos in zip(questions, cosine, strict=True)])
    return scores, (time.process_time() - began) / max(1, len(questions)) * 1e6


def _score(asked: ReadQuestion, cached: ReadQuestion, cosine: float) -> float:
    return closeness(asked, cached, cosine).score if compare(asked, cached).ok else REFUSED


def learned(scores: Scores, same: Labels, target: float) -> float:
    """The lowest bar that keeps the target on these pairs; on others it does a little worse, having been lucky here."""
    order = np.argsort(-scores, kind="stable")
    wrong = np.cumsum(~same[order]) / np.arange(1, len(order) + 1)
    kept = np.flatnonzero((wrong <= target) & (scores[order] > 0))
    return float(scores[order][kept[-1]]) if len(kept) else 1.01


def halves(scores: Scores, same: Labels, target: float) -> dict[str, float]:
    """A bar learned on a random half, judged on the other; the mean of twenty splits, both ways."""
    found = []
    for seed in range(SPLITS):
        mixed = np.random.default_rng(seed).permutation(len(same))
        one, other = mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]
        for train, test in ((one, other), (other, one)):
            bar = learned(scores[train], same[train], target)
            found.append((bar, rates(scores[test], same[test], bar)))
    return {
        "bar": float(np.mean([bar for bar, _ in found])),
        "hit": float(np.mean([r.hit for _, r in found])),
        "wrong": sum(r.wrong * r.hits for _, r in found) / max(1, sum(r.hits for _, r in found)),
    }


def own(name: str, embedder: MiniLM, target: float) -> dict[str, Any]:
    """Hits on one of the project's own corpora, at the bar that an entry without a history has."""
    rows = [json.loads(line) for line in (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines()]
    pairs = Pairs([r["asked"] for r in rows], [r["cached"] for r in rows], np.ones(len(rows), bool))
    scores, _ = guarded(pairs, cosines(pairs, embedder))
    return {"pairs": len(rows), "hits": int((scores >= starting_bar(target)).sum())}


def _line(label: str, alone: Rates, ours: Rates) -> tuple[str, ...]:
    return (label, *(f"{100 * share:.1f}" for share in (alone.hit, alone.wrong, ours.hit, ours.wrong)))


def print_curve(pairs: Pairs, alone: Scores, ours: Scores) -> None:
    header = ("bar", "alone hit %", "alone wrong %", "guarded hit %", "guarded wrong %")
    lines = [_line(f"{bar:.3f}", rates(alone, pairs.same, bar), rates(ours, pairs.same, bar)) for bar in BARS]
    print(report.table(header, lines))


def run(path: Path, target: float) -> dict[str, Any]:
    embedder = MiniLM(threads=2)
    pairs = load(path)
    alone = cosines(pairs, embedder)
    ours, microseconds = guarded(pairs, alone)
    print_curve(pairs, alone, ours)
    shipped = rates(ours, pairs.same, starting_bar(target))
    figures = {
        "pairs": len(pairs.same),
        "target": target,
        "shipped": {"bar": starting_bar(target), "hit": shipped.hit, "wrong": shipped.wrong, "hits": shipped.hits},
        "standard_error": float(np.sqrt(shipped.wrong * (1 - shipped.wrong) / max(1, shipped.hits))),
        "halves": halves(ours, pairs.same, target),
        "halves_similarity_alone": halves(alone, pairs.same, target),
        "guards_microseconds": microseconds,
        "hard_negatives": {str(t): own("hard_negatives", embedder, t) for t in (0.02, target)},
        "paraphrases": {str(t): own("paraphrases", embedder, t) for t in (0.02, target)},
        "curve": [[bar, *_pair(rates(alone, pairs.same, bar)), *_pair(rates(ours, pairs.same, bar))] for bar in BARS],
    }
    _print_summary(figures)
    return figures


def _pair(found: Rates) -> tuple[float, float]:
    return round(found.hit, 4), round(found.wrong, 4)


def _print_summary(figures: dict[str, Any]) -> None:
    rows = [
        (name, f"{part['bar']:.3f}", f"{100 * part['hit']:.1f}", f"{100 * part['wrong']:.1f}")
        for name, part in (
            ("shipped bar", figures["shipped"]),
            ("bar from the other half", figures["halves"]),
            ("similarity alone, likewise", figures["halves_similarity_alone"]),
        )
    ]
    print(f"\ntarget: at most {100 * figures['target']:.0f}% wrong among hits")
    print(report.table(("at the target", "bar", "hit %", "wrong %"), rows))
    print(f"standard error of the shipped bar's wrong share: {100 * figures['standard_error']:.1f}")
    for name in ("hard_negatives", "paraphrases"):
        for target, part in figures[name].items():
            print(f"{name} at target {target}: {part['hits']} of {part['pairs']} hit")
    print(f"guards and closeness: {figures['guards_microseconds']:.0f} microseconds a pair")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True, help="pairs as JSON lines: text_a, text_b, label")
    parser.add_argument("--target", type=float, default=0.05, help="share of hits that may be wrong")
    options = parser.parse_args(argv)
    print(f"written to {report.write('anticipation', run(options.data, options.target))}")


if __name__ == "__main__":
    main()
