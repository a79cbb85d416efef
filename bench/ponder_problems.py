"""The problems of `bench/ponder.py`: contexts with questions and checked answers, and when a reply is right."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from typing import Any

from reverie.language.words import normalised
from reverie.model.thinking import Thought
from reverie.policy.ponder import days
from reverie.policy.ponder.amounts import amounts

PROBLEMS = Path(__file__).parent / "ponder" / "problems.jsonl"
LISTS, MORE_LISTS = PROBLEMS.with_name("lists.jsonl"), PROBLEMS.with_name("lists2.jsonl")
_NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d{1,6})?|-?\d{1,15}(?:\.\d{1,6})?")
_SAID = re.compile(r"answer(?: is)? {0,3}[:=] {0,3}\** {0,3}(\S.{0,200})", re.I)
_BOXED = re.compile(r"\\boxed\{([^{}]{1,100})\}")
CLOSE = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    answer: str
    number: bool
    accept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    id: str
    kind: str
    context: str
    questions: tuple[Question, ...]


def load(path: Path) -> list[Problem]:
    if not path.exists():
        raise SystemExit(f"{path} is not there: give the problems with --problems FILE (see bench/ponder/README.md)")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [_problem(n, row) for n, row in enumerate(rows, 1)]


def sampled(problems: Sequence[Problem], rounds: int, each: int = 3, seed: int = 19) -> list[Problem]:
    """A fixed random sample: in each round one context of every kind with so many of its questions, so that a run that
    is cut short is still a fair mix.
    """
    draw = random.Random(seed)
    kinds: dict[str, list[Problem]] = {}
    for problem in problems:
        asked = draw.sample(problem.questions, min(each, len(problem.questions)))
        kinds.setdefault(problem.kind, []).append(replace(problem, questions=tuple(asked)))
    shuffled = [draw.sample(kinds[kind], len(kinds[kind])) for kind in sorted(kinds)]
    return [one for turn in zip_longest(*shuffled) for one in turn if one is not None][: rounds * len(kinds)]


def _problem(n: int, row: dict[str, Any]) -> Problem:
    questions = tuple(_question(one) for one in row["questions"])
    return Problem(str(row.get("id") or f"problem-{n}"), str(row.get("kind", "")), row["context"], questions)


def _question(row: dict[str, Any]) -> Question:
    answer = str(row["answer"]).strip()
    number = row.get("type", "number" if _NUMBER.fullmatch(answer) else "text") == "number"
    return Question(row["question"], answer, number, tuple(map(str, row.get("accept", ()))))


def right(question: Question, reply: str) -> bool:
    """Whether a reply gives the answer: the last number of it, or every name; a reply that hedges with two does not.

    >>> asked = Question("How much?", "47.5", True)
    >>> right(asked, "So 40 + 7.50. Answer: $47.50"), right(asked, "Answer: 40")
    (True, False)
    """
    short = _conclusion(reply)
    wanted = (question.answer, *question.accept)
    return any(_number_right(one, short) if question.number else _text_right(one, short) for one in wanted)


def _conclusion(reply: str) -> str:
    """What a reply says in the end: in a box, behind "Answer:", or in its last line.

    >>> _conclusion("So 40 + 7.\\nTherefore it is 47."), _conclusion("Answer: 40"), _conclusion("x is \\\\boxed{6}.")
    ('Therefore it is 47.', '40', '6')
    """
    lines = [line.strip() for line in reply.splitlines() if line.strip()]
    found = _BOXED.findall(reply) or _SAID.findall(reply) or lines
    return str(found[-1]).strip() if found else ""


def right_among(question: Question, thoughts: Sequence[Thought]) -> bool:
    """Whether the right value stands anywhere in what was worked out."""
    texts = [thought.text for thought in thoughts]
    if not question.number:
        wanted = (question.answer, *question.accept)
        return any(_text_right(one, text) for one in wanted for text in texts)
    value = _value(question.answer)
    return any(abs(found - value) <= CLOSE for text in texts for found in _values(text))


def _number_right(wanted: str, said: str) -> bool:
    found = [_value(match) for match in _NUMBER.findall(said.split("\n")[0])]
    return bool(found) and abs(found[-1] - _value(wanted)) <= CLOSE


def _text_right(wanted: str, said: str) -> bool:
    if day := days.days(wanted):
        return any(found.day == day[0].day for found in days.days(said))
    if wanted.lower() in ("yes", "no"):
        return normalised(said).split()[:1] == [wanted.lower()]
    names = [normalised(part) for part in re.split(r", and |, | and ", wanted) if part.strip()]
    text = f" {normalised(said)} "
    return all(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)


def _values(text: str) -> list[Fraction]:
    return [*(amount.value for amount in amounts(text)), *(_value(match) for match in _NUMBER.findall(text))]


def _value(written: str) -> Fraction:
    return Fraction(re.sub(r"[^\d.-]", "", written) or "0")
