"""The arms of `bench/ponder.py` that ask a model: raw and step by step, raw and short, and pondered."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.ponder_problems import Problem, Question, right
from reverie.minds.llm.client import Call, ChatMessage, Client, Completion, complete
from reverie.minds.llm.faults import FaultCounts
from reverie.minds.llm.ladder import Ladder
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.pondering import by_model
from reverie.minds.pondering.by_rules import ponder as by_rules
from reverie.model.thinking import Material, Pondered, Thought
from reverie.policy.ponder.serving import answer, best

STEPS = (
    "Read the text and answer the question. First work it out step by step, in sentences; then end with a line "
    "Answer: <value>"
)
SHORT = "Read the text and answer the question. Write the value alone, nothing else."
READ_OFF = "Worked out from a text, and checked. Answer the question from it. Write the value alone, nothing else."
STEPS_TOKENS = 512
SHOWN = 3  # worked-out lines that a question is served


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question, or one context asleep, took and came to."""

    right: bool = False
    tokens_in: int = 0
    tokens_out: int = 0
    served: bool = False  # from what was worked out alone


@dataclass(slots=True)
class Counting:
    """A client that counts what goes through it."""

    inner: Client
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def name(self) -> str:
        return self.inner.name

    def batched(self) -> bool:
        return False

    def complete_all(self, calls: Sequence[Call]) -> list[Completion | Exception]:
        outcomes = self.inner.complete_all(calls)
        for outcome in outcomes:
            if isinstance(outcome, Completion):
                self.tokens_in += outcome.usage.tokens_in
                self.tokens_out += outcome.usage.tokens_out
        return list(outcomes)


class Arms:
    def __init__(self, client: Client, samples: int = 2) -> None:
        self._client = client
        self.samples = by_model.PROMPTS[:samples]

    def ponder(self, material: Material) -> tuple[Pondered, Asked]:
        """What a model and the rules work out asleep; the rules alone if the model fails, or is not to be asked."""
        if not self.samples:
            return by_rules(material), Asked()
        counting = Counting(self._client)
        spec = ModelSpec("openai:local", base_url="http://127.0.0.1", concurrency=1, timeout=600.0)
        reply = by_model.ponder(Ladder(counting, spec, FaultCounts()), material, self.samples)  # type: ignore[arg-type]
        return reply.value or by_rules(material), Asked(tokens_in=counting.tokens_in, tokens_out=counting.tokens_out)

    def step_by_step(self, problem: Problem, question: Question) -> Asked:
        return self._ask(STEPS, problem.context, question, STEPS_TOKENS, "\nLet's think step by step.")

    def short(self, problem: Problem, question: Question) -> Asked:
        return self._ask(SHORT, problem.context, question, 24)

    def pondered(self, problem: Problem, question: Question, thoughts: Sequence[Thought]) -> Asked:
        """What code can read off, for no token; else the worked-out lines that cover the question in place of the text;
        the text where none does.
        """
        ready = answer(question.text, [(thought.text, thought.value) for thought in thoughts if thought.by_code])
        if ready is not None:
            return Asked(right(question, ready), served=True)
        lines = best(question.text, thoughts, lambda thought: thought.text, most=SHOWN)
        if not lines:
            return self._ask(SHORT, problem.context, question, 24)
        served = self._ask(READ_OFF, "\n".join(f"- {thought.text}" for thought in lines), question, 24)
        return Asked(served.right, served.tokens_in, served.tokens_out, served=True)

    def _ask(self, task: str, text: str, question: Question, most: int, cue: str = "") -> Asked:
        messages = (ChatMessage("system", task), ChatMessage("user", f"{text}\n\nQuestion: {question.text}{cue}"))
        reply = complete(self._client, Call(messages, max_tokens=most))
        return Asked(right(question, reply.text), reply.usage.tokens_in, reply.usage.tokens_out)
