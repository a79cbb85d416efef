"""A model's way of thinking ahead: it writes programs and statements; code evaluates those and grounds these."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.errors import ModelFault
from reverie.language.words import token_count
from reverie.minds.llm.client import Schema
from reverie.minds.llm.ladder import Ladder, ModelQuestion, ModelReply
from reverie.minds.llm.prompt_data import prompt
from reverie.minds.llm.validate import ParsedAnswer, as_list
from reverie.minds.pondering.by_rules import MOST, once
from reverie.minds.pondering.by_rules import ponder as by_rules
from reverie.model.thinking import REASONINGS, Material, Pondered, Reasoning, Thought
from reverie.policy.ponder import agreement, program
from reverie.policy.ponder.grounding import grounded
from reverie.policy.ponder.payoff import countable
from reverie.policy.ponder.program import Worked

PROMPTS = ("ponder", "ponder_again")  # two samples: where they disagree, neither is kept
SCHEMA: Schema = {  # asked for as JSON: a small model holds a form only where the server makes it
    "type": "object",
    "properties": {
        "program": {"type": "array", "items": {"type": "string", "maxLength": 300}, "maxItems": 24},
        "statements": {"type": "array", "items": {"type": "string", "maxLength": 300}, "maxItems": 5},
    },
    "required": ["program", "statements"],
    "additionalProperties": False,
}
ANSWER_TOKENS = 700
TYPICAL_TOKENS = 150  # of an answer, for the estimate of a context
EXAMPLE = ("hens_in_the_coop", "eggs_each_hen", "eggs_all_hens")  # of the prompts: an echo of it is dropped
MOST_CHARACTERS = 12_000  # of a context; what is behind them is pondered by the rules alone
_ONE_EQUALS = re.compile(r"(?<![=<>!])=(?!=)")
_STATEMENT = re.compile(r"\s{0,3}([a-z ]{3,20}?)\s{0,3}\|\s{0,3}([^#|]{8,300}?)\s{0,3}#([\d, L-]{1,80})$", re.I)


@dataclass(frozen=True, slots=True)
class PonderSample:
    """What one call came to."""

    worked: Worked = field(default_factory=Worked)
    statements: tuple[Thought, ...] = ()
    ungrounded: int = 0


def ponder(ladder: Ladder, material: Material, samples: Sequence[str] = PROMPTS) -> ModelReply[Pondered]:
    """What the rules find, and what the model found besides; a failure only if all its calls failed."""
    kept = by_rules(material)
    replies = ladder.ask([_question(task, material) for task in samples])
    found = [reply.value for reply in replies if reply.value is not None]
    if not found:
        return ModelReply(failure=replies[0].failure)
    quantities, disagreed = agreement.agreed([sample.worked for sample in found])
    thoughts = agreement.as_thoughts(quantities)
    said = [statement for sample in found for statement in sample.statements]
    counts = {
        "quantity": len(thoughts),
        "disagreement": disagreed,
        "dropped line": sum(len(sample.worked.dropped) for sample in found),
        "ungrounded": sum(sample.ungrounded for sample in found),
    }
    all = once([*kept.thoughts, *thoughts, *said])[: 2 * MOST]
    return ModelReply(Pondered(tuple(all), {**kept.counts, **counts}))


def shown(material: Material) -> str:
    """The numbered lines as data that cannot close its own tag; of talk only those with something to work with."""
    lines, size = list[str](), 0
    for n, line in enumerate(material.lines, 1):
        if line.text.strip() and (not material.talk or countable(line.text)):
            lines.append(f"{n}: {line.text.strip()}".replace("<", "‹"))
            size += len(lines[-1])
        if size > MOST_CHARACTERS:
            break
    return "\n".join(["<context>", *lines, "</context>"])


def estimate(material: Material) -> int:
    """The tokens that a model will take to ponder this, both samples, in and out."""
    data = token_count(prompt("data")) + token_count(shown(material))
    return sum(data + token_count(prompt(task)) + TYPICAL_TOKENS for task in PROMPTS)


def read(found: Mapping[str, Any], material: Material) -> ParsedAnswer[PonderSample]:
    """A model's answer, evaluated and grounded; what does not hold is left out and counted."""
    written = [_without_result(line) for line in as_list(found.get("program")) if isinstance(line, str)]
    own = [line for line in written if not any(name in line for name in EXAMPLE)]
    said = [line for line in found.get("statements") or () if isinstance(line, str)]
    if written and not own:
        raise ModelFault("echo", "it is the example of the form; use the names and numbers of the context")
    worked = program.run(own, [line.text for line in material.lines])
    values = [quantity.shown for quantity in worked.derived]
    kept = [thought for line in said if (thought := _statement(line, material, values)) is not None]
    dropped = ["echo"] * (len(written) - len(own)) + ["ungrounded"] * (len(said) - len(kept))
    dropped += ["bad_expression"] * len(worked.dropped)
    return ParsedAnswer(PonderSample(worked, tuple(kept), len(said) - len(kept)), tuple(dropped))


def _question(task: str, material: Material) -> ModelQuestion[PonderSample]:
    return ModelQuestion(shown(material), prompt(task), lambda found: read(found, material), ANSWER_TOKENS, SCHEMA)


def _without_result(line: str) -> str:
    """An assignment without the result that a model writes behind it all the same: code works that out.

    >>> _without_result("pens_cost = pens * 2 = 12 * 2 = 24")
    'pens_cost = pens * 2'
    """
    parts = _ONE_EQUALS.split(line, maxsplit=2)
    return f"{parts[0].strip()} = {parts[1].strip()}" if len(parts) == 3 else line


def _statement(line: str, material: Material, values: Sequence[str]) -> Thought | None:
    match = _STATEMENT.match(line)
    kind = _kind(match[1]) if match else None
    if match is None or kind is None:
        return None
    cited = tuple(n for n in map(int, re.findall(r"\d{1,5}", match[3])) if 1 <= n <= len(material.lines))
    text = " ".join(match[2].split())
    if grounded(text, [material.lines[n - 1].text for n in cited], values) is not None:
        return None
    return Thought(kind, text, cited, by_code=False)


def _kind(word: str) -> Reasoning | None:
    return next((kind for kind in REASONINGS if kind == word.strip().lower() and kind != "computation"), None)
