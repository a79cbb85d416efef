"""Usable answers from any model: lines where these are shorter, else a schema, a JSON object, plain text with repair.

Calls go out in waves of `concurrency`. A fault that may pass is tried again later; an answer of no use is asked for
once more with its fault named, on the same rung; only an answer that breaks the protocol goes one rung down. What still
fails is left to the rules. Every fault is counted.
"""

import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from reverie.errors import ModelFault
from reverie.minds.llm.asking.repair import plain, read_json
from reverie.minds.llm.backoff import Breaker, Pacer, wait_before
from reverie.minds.llm.client import Call, ChatMessage, Client, Completion, Failure, Mode, Schema
from reverie.minds.llm.faults import FINAL, OUTAGES, PASSING, PROTOCOL, FaultCounts
from reverie.minds.llm.prompt_data import prompt
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.llm.validate import ParsedAnswer

T = TypeVar("T")

RUNGS: tuple[Mode, ...] = ("schema", "object", "text")
WHOLE_NIGHT = 1_000  # calls
LONGEST = 200_000  # characters of one answer that are looked at
_REFUSAL = re.compile(r"\b(?:I(?:'m| am) (?:sorry|unable)|I can(?:'t|not|no)|as an AI)\b", re.IGNORECASE)
_ANSWERS = re.compile(r"\{|^\W{0,3}\d", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ModelQuestion(Generic[T]):
    data: str  # delimited, never instruction
    task: str  # ours
    read: Callable[[Any], ParsedAnswer[T]]  # of JSON, or of a text; raises ModelFault when the answer does not hold
    max_tokens: int
    schema: Schema | None = None  # without one the answer is text, line by line
    once: bool = False  # what does not hold is not asked for again; what broke the protocol is, one rung down


@dataclass(frozen=True, slots=True)
class ModelReply(Generic[T]):
    """`failure` is set when the rules must do it; `partial` when something of the answer had to be left out."""

    value: T | None = None
    partial: bool = False
    failure: Failure | None = None


@dataclass(slots=True)
class Task(Generic[T]):
    question: ModelQuestion[T]
    rung: int
    attempts: int = 0  # faults that may pass
    strikes: int = 0  # answers of no use
    due: float = 0.0
    why: str = ""  # the last answer was of no use
    reply: ModelReply[T] | None = None

    def call(self, room: int = 0) -> Call:
        """`room` is what the model's own reasoning may take besides."""
        asked = self.question
        shape: Mode = RUNGS[self.rung] if asked.schema is not None else "text"
        task = asked.task
        if asked.schema is not None and shape != "schema":
            task += f"\n\nAnswer with one JSON object of this schema:\n{json.dumps(asked.schema)}"
            task += "\nWrite nothing else: no explanation, no code fence." if shape == "text" else ""
        if self.why:
            task += f"\n\nAn earlier answer could not be used: {self.why}. Answer again."
        messages = (ChatMessage("system", prompt("data")), ChatMessage("user", f"{asked.data}\n\n{task}"))
        most = asked.max_tokens * (1 + self.strikes)  # what had no end may need more
        return Call(messages, most + room, shape, asked.schema)


class Ladder:
    """One model's way of answering; it remembers the rung that this model can stand on."""

    def __init__(
        self,
        client: Client,
        spec: ModelSpec,
        faults: FaultCounts,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        pacer: Pacer | None = None,
    ) -> None:
        self.client = client
        self.spec = spec
        self.faults = faults
        self.rung = 0
        self.room = 0  # tokens that its native reasoning takes, once it has shown some
        self._clock = clock
        self._sleep = sleep
        self._breaker = Breaker()
        self._pacer = pacer or Pacer(spec.calls_per_minute)

    @property
    def mode(self) -> Mode:
        return RUNGS[self.rung]

    @property
    def at_once(self) -> int:
        """How many calls may be under way; a provider's batch takes a whole night's."""
        return WHOLE_NIGHT if self.client.batched() else self.spec.concurrency

    def ask(self, questions: Sequence[ModelQuestion[T]]) -> list[ModelReply[T]]:
        tasks = [Task(question, self.rung) for question in questions]
        while waiting := [task for task in tasks if task.reply is None]:
            for task, outcome in self._wave(waiting):
                self._take(task, outcome)
        return [task.reply for task in tasks if task.reply is not None]

    def _wave(self, waiting: list[Task[T]]) -> Iterable[tuple[Task[T], Completion | Failure]]:
        now = self._clock()
        if not self._breaker.allows(now):
            return [(task, ModelFault("circuit_open", f"{self.client.name} is given a rest")) for task in waiting]
        ready = [task for task in waiting if task.due <= now]
        pause = max(self._pacer.wait(now), 0.0 if ready else min(task.due for task in waiting) - now)
        if pause > 0:
            self._sleep(pause)
            return []
        wave = ready[: self._pacer.room(now, self._breaker.room(self.at_once))]
        outcomes = self.client.complete_all([task.call(self.room) for task in wave])
        self._pacer.start(now, sum(map(_was_sent, outcomes)))
        return zip(wave, outcomes, strict=True)

    def _take(self, task: Task[T], outcome: Completion | Failure) -> None:
        if not isinstance(outcome, Completion):
            self._failed(task, outcome)
            return
        if not outcome.replayed:
            self._breaker.succeeded()
        if outcome.thinking or outcome.usage.tokens_thinking or (outcome.finish == "length" and not outcome.text):
            self.room = self.spec.answer_tokens
        try:
            task.reply = self._read(task.question, outcome)
            if not task.strikes:  # this model refused the rungs above, so later questions start here
                self.rung = max(self.rung, task.rung)
        except ModelFault as fault:
            self._useless(task, fault)

    def _read(self, question: ModelQuestion[T], answer: Completion) -> ModelReply[T]:
        if declined(answer):
            raise ModelFault("refused", "the model declined")
        cut = answer.finish == "length" or len(answer.text) > LONGEST
        try:
            if question.schema is None:
                found: Any = plain(answer.text[:LONGEST], cut)
            else:
                found, mended = read_json(answer.text[:LONGEST])
                cut = cut or mended
            reading = question.read(found)
        except ModelFault as fault:
            raise ModelFault("too_long", "the answer had no end") if cut else fault from None
        for kind in (*reading.dropped, *(["too_long"] if cut else [])):
            self.faults.add(kind)
        return ModelReply(reading.value, partial=cut or bool(reading.dropped))

    def _failed(self, task: Task[T], failure: Failure) -> None:
        kind = failure.kind if isinstance(failure, ModelFault) else failure.code
        after = failure.retry_after if isinstance(failure, ModelFault) else None
        if kind == "garbled":  # the server answered, but not in its own protocol
            self._useless(task, failure)
            return
        self.faults.add(kind)
        now = self._clock()
        task.attempts += 1
        wait = wait_before(task.attempts, after)
        if kind in OUTAGES:
            self._breaker.failed(now, rest=wait if wait > self.spec.max_wait else None)
        if kind == "rejected" and task.rung + 1 < len(RUNGS):
            task.rung += 1
        elif kind in PASSING and task.attempts <= self.spec.retries and wait <= self.spec.max_wait:
            task.due = now + wait
        else:
            task.reply = ModelReply(failure=failure)

    def _useless(self, task: Task[T], fault: Failure) -> None:
        kind = fault.kind if isinstance(fault, ModelFault) else fault.code
        self.faults.add(kind)
        lower = kind in PROTOCOL and task.question.schema is not None and task.rung + 1 < len(RUNGS)
        if kind in FINAL or task.strikes or (task.question.once and not lower):
            task.reply = ModelReply(failure=fault)
            return
        task.strikes += 1
        task.why = fault.message
        if kind in PROTOCOL:
            task.rung = min(task.rung + 1, len(RUNGS) - 1)


def _was_sent(outcome: Completion | Failure) -> bool:
    """What is replayed from the ledger, or not paid for, reaches no server."""
    return not outcome.replayed if isinstance(outcome, Completion) else isinstance(outcome, ModelFault)


def declined(answer: Completion) -> bool:
    """By its own mark, or in words where an answer of some shape was asked for."""
    return answer.finish == "refused" or bool(_REFUSAL.search(answer.text[:200]) and not _ANSWERS.search(answer.text))
