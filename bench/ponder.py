"""Does thinking ahead pay? Contexts with several questions each, answered with and without it.

    python -m bench.ponder [--problems FILE] [--limit N]
    python -m bench.ponder --gguf MODEL.gguf | --endpoint URL --model NAME [--record FILE] [--replay FILE] [--rounds N]

Without a model: what the rules work out ahead, how often that answers the question by itself, and what `context`
serves. With one, three arms: raw and step by step, raw and short, pondered; accuracy against test-time tokens in and
out, what was spent asleep apart, and the cost of a question when 1, 2, 5 or 10 come for each context.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench import report
from bench.ponder_arms import Arms, Asked
from bench.ponder_problems import PROBLEMS, Problem, Question, load, right, right_among, sampled
from bench.ponder_server import opened
from reverie.errors import ModelFault
from reverie.language.words import token_count
from reverie.minds.pondering.by_rules import ponder
from reverie.model.thinking import ContextLine, Material, Thought
from reverie.policy.ponder.serving import answer
from reverie.reverie import Reverie

NOW = 1_794_900_000.0  # 17 November 2026: "days until" is counted from here
ASKED_TIMES = (1, 2, 5, 10)


def material(problem: Problem) -> Material:
    lines = problem.context.splitlines()
    return Material(problem.id, tuple(ContextLine(line, problem.id) for line in lines), NOW)


def by_rules(problems: Sequence[Problem]) -> dict[str, Any]:
    """The rules' arm: worked out ahead, and read off without any model."""
    rows: dict[str, list[int]] = {}
    for problem in problems:
        thoughts = ponder(material(problem)).thoughts
        pairs = [(thought.text, thought.value) for thought in thoughts]
        for question in problem.questions:
            given = answer(question.text, pairs)
            row = rows.setdefault(problem.kind, [0, 0, 0, 0, 0])
            row[0] += 1
            row[1] += given is not None
            row[2] += given is not None and right(question, given)
            row[3] += right_among(question, thoughts)
            row[4] += len(thoughts)
    names = ("questions", "answered", "right", "worked_out", "thoughts")
    kinds = {kind: dict(zip(names, row, strict=True)) for kind, row in sorted(rows.items())}
    return {"kinds": kinds, "all": {name: sum(one[name] for one in kinds.values()) for name in names}}


def through_store(problems: Sequence[Problem]) -> dict[str, Any]:
    """What `context` serves after one night: the pondered form or not, whether the answer stands in it, its tokens."""
    served = found = tokens = raw = seconds = 0.0
    questions = sum(len(problem.questions) for problem in problems)
    with tempfile.TemporaryDirectory() as folder, Reverie.open(folder, clock=lambda: NOW) as memory:
        for problem in problems:
            space = memory.space(problem.id)
            space.study(text=problem.context, name=problem.id)
            began = time.perf_counter()
            space.sleep()
            seconds += time.perf_counter() - began
            for question in problem.questions:
                given = space.context(question.text, quiet=True)
                pondered = bool(given.hits) and all(hit.kind == "insight" for hit in given.hits)
                served += pondered
                found += pondered and right_among(question, [_as_thought(given.text)])
                tokens += token_count(given.text)
                raw += token_count(problem.context)
    return {
        "questions": questions,
        "served_pondered": int(served),
        "answer_stands_in_it": int(found),
        "tokens_of_context": round(tokens / questions, 1),
        "tokens_of_the_raw_text": round(raw / questions, 1),
        "seconds_of_a_night": round(seconds / len(problems), 2),
    }


def _as_thought(text: str) -> Thought:
    return Thought("computation", text, ())


def summed(asked: Sequence[Asked], slept: Sequence[Asked], prices: tuple[float, float]) -> dict[str, Any]:
    """One arm: accuracy, tokens a question, and the cost of a question when several come for one context."""
    n = max(1, len(asked))
    into, out = (sum(getattr(one, name) for one in asked) / n for name in ("tokens_in", "tokens_out"))
    contexts = max(1, len(slept))
    asleep = sum(one.tokens_in * prices[0] + one.tokens_out * prices[1] for one in slept) / contexts
    awake = into * prices[0] + out * prices[1]
    return {
        "right": sum(one.right for one in asked),
        "questions": len(asked),
        "accuracy": round(sum(one.right for one in asked) / n, 3),
        "tokens_in": round(into, 1),
        "tokens_out": round(out, 1),
        "asleep_in": round(sum(one.tokens_in for one in slept) / contexts, 1) if slept else 0,
        "asleep_out": round(sum(one.tokens_out for one in slept) / contexts, 1) if slept else 0,
        "cost_a_question": {times: round(awake + (asleep / times if slept else 0), 1) for times in ASKED_TIMES},
    }


def by_model(problems: Sequence[Problem], arms: Arms, prices: tuple[float, float], seconds: float) -> dict[str, Any]:
    """All arms over the same questions; one that not every arm could be asked is left out, and counted."""
    asked: dict[str, list[Asked]] = {"step by step": [], "short": [], "pondered": []}
    slept: list[Asked] = []
    counts = Counter[str]()
    began = time.perf_counter()
    for problem in problems:
        if time.perf_counter() - began > seconds:
            break
        found, spent = arms.ponder(material(problem))
        if arms.samples and not spent.tokens_in:
            counts["contexts_not_asked"] += 1
            continue
        slept.append(spent)
        counts["quantities_of_the_model_computed_by_code"] += found.counts.get("quantity", 0)
        counts["quantities_dropped_for_disagreement"] += found.counts.get("disagreement", 0)
        counts["lines_dropped_by_code"] += found.counts.get("dropped line", 0)
        for question in problem.questions:
            try:
                three = _three_arms(arms, problem, question, found.thoughts)
            except ModelFault:
                counts["questions_not_asked"] += 1
                continue
            for arm, one in three.items():
                asked[arm].append(one)
            made = right_among(question, [thought for thought in found.thoughts if thought.by_code])
            counts["questions_whose_value_code_computed"] += made
            counts["questions_served_pondered"] += three["pondered"].served
            counts["served_without_the_right_value"] += three["pondered"].served and not made
        print(f"{problem.id}: {_so_far(asked)}", flush=True)
    figures = {arm: summed(all, slept if arm == "pondered" else (), prices) for arm, all in asked.items()}
    return {"contexts": len(slept), "arms": figures, **counts}


def _three_arms(arms: Arms, problem: Problem, question: Question, thoughts: Sequence[Thought]) -> dict[str, Asked]:
    return {
        "step by step": arms.step_by_step(problem, question),
        "short": arms.short(problem, question),
        "pondered": arms.pondered(problem, question, thoughts),
    }


def _so_far(asked: dict[str, list[Asked]]) -> str:
    return ", ".join(f"{arm} {sum(one.right for one in all)}/{len(all)}" for arm, all in asked.items())


def _printed(figures: dict[str, Any]) -> Iterator[str]:
    rules = figures["rules"]
    rows = [(kind, *row.values()) for kind, row in (*rules["kinds"].items(), ("all", rules["all"]))]
    yield "By the rules alone (answered without a model; worked out: the right value stands among the thoughts)"
    yield report.table(("kind", "questions", "answered", "right", "worked out", "thoughts x questions"), rows)
    if "store" in figures:
        yield "\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in figures["store"].items())
    if "model" in figures:
        arms = figures["model"]["arms"]
        header = ("arm", "right", "of", "in", "out", "asleep in", "out", *(f"cost x{n}" for n in ASKED_TIMES))
        yield report.table(header, [_arm_row(name, arm) for name, arm in arms.items()])
        yield "\n".join(f"{k.replace('_', ' ')}: {v}" for k, v in figures["model"].items() if k != "arms")


def _arm_row(name: str, arm: dict[str, Any]) -> tuple[Any, ...]:
    figures = (arm[key] for key in ("right", "questions", "tokens_in", "tokens_out", "asleep_in", "asleep_out"))
    return (name, *figures, *arm["cost_a_question"].values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=Path, default=PROBLEMS)
    parser.add_argument("--limit", type=int, default=1_000, help="contexts")
    parser.add_argument("--skip-store", action="store_true", help="leave out the nights and contexts of a real store")
    parser.add_argument("--gguf", type=Path, help="a model file, served here by llama.cpp")
    parser.add_argument("--endpoint", help="the base URL of an OpenAI-compatible server")
    parser.add_argument("--model", default="local", help="the model's name at that endpoint")
    parser.add_argument("--record", type=Path, help="write every reply to this file")
    parser.add_argument("--replay", type=Path, help="answer from this file; nothing is called")
    parser.add_argument("--rounds", type=int, default=0, help="ask a model about a sample: contexts of each kind")
    parser.add_argument("--each", type=int, default=3, help="questions of each context in that sample")
    parser.add_argument(
        "--samples", type=int, default=2, help="how often a model ponders a context; 0: the rules alone"
    )
    parser.add_argument("--prices", type=float, nargs=2, default=(1.0, 4.0), help="of a token in and out")
    parser.add_argument("--seconds", type=float, default=3_600.0, help="no new context after this long")
    given = parser.parse_args()
    problems = load(given.problems)[: given.limit]
    asked = sampled(problems, given.rounds, given.each) if given.rounds else problems
    figures: dict[str, Any] = {"problems": len(problems), "rules": by_rules(problems)}
    if not given.skip_store:
        figures["store"] = through_store(problems)
    if given.gguf or given.endpoint or given.replay:
        with opened(given) as client:
            figures["model"] = by_model(asked, Arms(client, given.samples), tuple(given.prices), given.seconds)
    print("\n\n".join(_printed(figures)))
    name = "ponder" if given.problems == PROBLEMS else f"ponder-{given.problems.stem}"
    print(report.write(name, figures))


if __name__ == "__main__":
    main()
