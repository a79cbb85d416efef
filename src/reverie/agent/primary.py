"""The agent that talks to a person: a precomputed answer if there is one, else one model call, else memory alone.

It maintains nothing: what it says goes to the log, and the sleeper does the rest while nobody waits.
"""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from reverie.agent.ports import AgentSpace, ContextPort
from reverie.agent.prompting import messages
from reverie.agent.tools import DECLARED, ToolUse, hit_line, use
from reverie.agent.written_calls import may_be_call, written_calls
from reverie.errors import BudgetSpent, ModelError, ModelFault
from reverie.language.excerpts import says_nothing
from reverie.language.sentences import asks
from reverie.minds.llm.client import Call, ChatMessage, Client, Completion, Tool
from reverie.minds.llm.faults import explained
from reverie.minds.meter import charged_to
from reverie.minds.reasoner import Reasoner
from reverie.model.answers import Answered
from reverie.model.hits import Hit
from reverie.model.ledger import Purpose
from reverie.model.thinking import Evidence
from reverie.policy.recall.injection import Weighed, chosen, cover, question_words
from reverie.policy.safety.trust import strip_recalled, wrap_recalled

MAX_CALLS = 3  # one, and one more for each time that the model looks something up
Nearness = Callable[[str, Sequence[str]], Sequence[float] | None]  # of texts to a question, in meaning; None: unknown
By = Literal["precomputed", "model", "memory"]
NOTHING = "I find nothing about that in memory."
NOTED = "Noted."
ALONE = "I am a memory without a model: I keep what you tell me, and quote it when you ask for it."
SHOWN = 3
_WANTS_DONE = re.compile(
    r"\b(?:remember|memori[sz]e|forget|note|write|jot|save|store|keep|change|update|correct|replace|remove|delete|add|rename"
    r"|look|search|find)\b",
    re.I,
)
_OF_ONESELF = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b", re.I)


@dataclass(frozen=True, slots=True)
class AgentReply:
    """What was answered, by whom, from what."""

    text: str
    by: By
    why: str  # in words: the precomputed question, or what kept the model from answering
    thinking: str = ""  # the model's own reasoning: shown if asked for, never stored
    memories: tuple[str, ...] = ()  # ids of what the answer could rest on
    tools: tuple[ToolUse, ...] = ()
    model_calls: int = 0
    turn: str | None = None  # the answer's own turn in the log


@dataclass(frozen=True, slots=True)
class Event:
    """A piece of a reply as it comes: `text` and `thinking` are separate channels, `end` carries the whole."""

    kind: Literal["text", "thinking", "tool", "end"]
    text: str = ""
    reply: AgentReply | None = None


@dataclass(slots=True)
class _Turn:
    """One exchange under way."""

    session: str
    messages: list[ChatMessage]
    context: ContextPort
    offered: tuple[Tool, ...] = ()
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    tools: list[ToolUse] = field(default_factory=list)
    calls: int = 0

    def reply(self, by: By, why: str, text: str | None = None) -> AgentReply:
        return AgentReply(
            text="".join(self.text) if text is None else text,
            by=by,
            why=why,
            thinking="".join(self.thinking),
            memories=tuple(hit.id for hit in self.context.hits),
            tools=tuple(self.tools),
            model_calls=self.calls,
        )


@dataclass(frozen=True, slots=True)
class PrimaryAgent:
    space: AgentSpace
    reasoner: Reasoner  # answers without a model
    client: Client | None = None
    precomputed: Callable[[str], Answered] | None = None  # `Space.answer`
    nearness: Nearness | None = None  # None: by words alone
    instructions: str = ""  # what an operator wants of this agent besides
    tools: tuple[Tool, ...] = DECLARED  # under the names that this agent knows
    sparing: bool = False  # offers them only to a message that asks for what they do: a small model uses all it sees
    context_tokens: int = 4_000
    answer_tokens: int = 2_000

    def say(self, text: str, session: str = "default") -> AgentReply:
        """One turn, whole."""
        *_, last = self.stream(text, session)
        assert last.reply is not None
        return last.reply

    def stream(self, text: str, session: str = "default", key: str | None = None) -> Generator[Event, None, None]:
        """One turn as it comes. Both sides of it are in the log when it ends; what the user said, before that.

        `key` is the idempotency key of what the user said.
        """
        ready = self.precomputed(text) if self.precomputed else None
        if ready is not None and ready.text is not None:
            self.space.append("user", text, session, key)
            yield Event("text", ready.text)
            yield self._end(AgentReply(ready.text, "precomputed", ready.why, memories=ready.sources), session)
            return
        context = self.space.context(text, self.context_tokens, session=session)
        self.space.append("user", text, session, key)  # after the context, which would else show it twice
        tools = self.tools if not self.sparing or asks_for_tools(text) else ()
        turn = _Turn(session, messages(context.text, self.instructions, text, bool(tools)), context, tools)
        if self.client is None:
            yield from self._from_memory(turn, text, "no model is set")
            return
        try:
            yield from self._from_model(turn, self.client)
        except (ModelError, BudgetSpent) as failed:
            yield from self._after_failure(turn, text, failed)
            return
        except (GeneratorExit, KeyboardInterrupt):  # the reader left: what has been shown was said
            self._end(turn.reply("model", "the reader left"), session)
            raise
        yield self._end(turn.reply("model", "a model answered from the context"), session)

    def _from_model(self, turn: _Turn, client: Client) -> Iterator[Event]:
        while True:
            last = turn.calls + 1 == MAX_CALLS
            completion = Completion("")
            for event in self._answered(turn, client, with_tools=not last):
                if isinstance(event, Completion):
                    completion = event
                else:
                    yield event
            used = [use(self.space, turn.session, call) for call in completion.tool_calls]
            turn.tools += used
            yield from (Event("tool", f"{one.name}: {one.result}") for one in used)
            if last or not any(one.looked_up for one in used):
                if used and all(one.looked_up for one in used) and not "".join(turn.text).strip():
                    raise ModelFault("empty", "the model looked things up again and again, and said nothing")
                yield from self._acknowledge(turn, used)
                return
            turn.messages.append(ChatMessage("assistant", completion.text, completion.tool_calls))
            for call, one in zip(completion.tool_calls, used, strict=True):
                turn.messages.append(ChatMessage("tool", one.result, answers=call))

    def _answered(self, turn: _Turn, client: Client, with_tools: bool) -> Iterator[Event | Completion]:
        """One call; a server that knows no tools is asked again without them."""
        try:
            yield from self._one_call(turn, client, with_tools)
        except ModelFault as fault:
            if fault.kind != "rejected" or not with_tools:
                raise
            yield from self._one_call(turn, client, with_tools=False)

    def _one_call(self, turn: _Turn, client: Client, with_tools: bool) -> Iterator[Event | Completion]:
        call = Call(tuple(turn.messages), self.answer_tokens, tools=turn.offered if with_tools else ())
        with charged_to(Purpose("awake", self.space.id, step="chat", role="primary")):
            deltas = client.stream(call)
        turn.calls += 1  # not before: one that the budget refused was never made
        held = ""  # text that may turn out to be a tool call
        for delta in deltas:
            if delta.kind == "text":
                held += delta.text
                if may_be_call(held):
                    continue
                yield self._shown(turn, held)
                held = ""
            elif delta.kind == "thinking":
                turn.thinking.append(delta.text)
                yield Event("thinking", delta.text)
            else:
                calls = written_calls(held, {tool.name for tool in turn.offered})
                if held and not calls:
                    yield self._shown(turn, held)
                yield replace(delta.completion, tool_calls=delta.completion.tool_calls or calls)

    def _shown(self, turn: _Turn, text: str) -> Event:
        turn.text.append(text)
        return Event("text", text)

    def _acknowledge(self, turn: _Turn, used: Sequence[ToolUse]) -> Iterator[Event]:
        """A model that only wrote something down has answered; a second call to say so would be waste."""
        if "".join(turn.text).strip():
            return
        done = [one.result for one in used] or ["I have nothing to say to that."]
        turn.text[:] = ["; ".join(done)]
        yield Event("text", turn.text[0])

    def _after_failure(self, turn: _Turn, text: str, failed: ModelError | BudgetSpent) -> Iterator[Event]:
        why = explained(failed).removesuffix(".")
        if turn.text:  # what has been shown cannot be taken back
            yield self._end(turn.reply("model", f"the answer broke off: {why}"), turn.session)
        else:
            yield from self._from_memory(turn, text, f"the model could not answer: {why}")

    def _from_memory(self, turn: _Turn, question: str, why: str) -> Iterator[Event]:
        # Not the context's hits: those leave out what the recent turns say, which nobody else reads here.
        hits = [hit for hit in self.space.recall(question) if hit.text.strip() != question.strip()]
        text = answer_from(question, hits, self.reasoner, self.nearness)
        reply = replace(turn.reply("memory", why, text), memories=tuple(hit.id for hit in hits))
        yield Event("text", text)
        yield self._end(reply, turn.session)

    def _end(self, reply: AgentReply, session: str) -> Event:
        # Memories quoted back are marked as such: a night must not take them for news.
        text = wrap_recalled(reply.text, "answer") if reply.by == "memory" else reply.text
        if text.strip():
            reply = replace(reply, turn=self.space.append("assistant", text, session).id)
        return Event("end", reply=reply)


def asks_for_tools(text: str) -> bool:
    """Whether a message may want something written, changed or looked up.

    >>> asks_for_tools("Remember that I moved to Kiel"), asks_for_tools("Where do I live?")
    (True, False)
    """
    return _WANTS_DONE.search(text) is not None


def answer_from(question: str, hits: Sequence[Hit], reasoner: Reasoner, nearness: Nearness | None = None) -> str:
    """A statement that answers it, or what surely belongs to it; small talk is given neither.

    What memory itself had answered before is no source: it would quote itself for ever.
    """
    hits = [hit for hit in hits if strip_recalled(hit.text)]
    draft = reasoner.answer(question, [_evidence(hit) for hit in hits])
    if draft is not None:
        return draft.text
    words = not says_nothing(question) and question_words(question)
    near = belonging(question, [hit for hit in hits if not asks(hit.text)], nearness) if words else []
    if not near:
        asked = asks(question) and (words or _OF_ONESELF.search(question))
        return NOTHING if asked else NOTED if words else ALONE
    return "\n".join(["From memory:", *(f"- {hit_line(hit)}" for hit in near)])


def belonging(question: str, hits: Sequence[Hit], nearness: Nearness | None) -> list[Hit]:
    """Those that pass an absolute bar, each statement once: relevance only says which is the best there is."""
    words = question_words(question)
    covers = [cover(words, hit.text) for hit in hits]
    cosines = (nearness and nearness(question, [hit.quote or hit.text for hit in hits])) or covers
    return chosen(Weighed(hit, near, held) for hit, near, held in zip(hits, cosines, covers, strict=True))[:SHOWN]


def _evidence(hit: Hit) -> Evidence:
    return Evidence(
        hit.id, hit.text, hit.said_at, speaker=hit.speaker or "", score=hit.relevance, trust=hit.trust, kind=hit.kind
    )
