"""The primary agent: one model call a turn, no maintenance, an answer also without a model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from reverie.agent.primary import NOTHING, AgentReply, PrimaryAgent
from reverie.agent.prompting import messages
from reverie.agent.tools import DECLARED, LETTA_DECLARED
from reverie.errors import BlockTooLong, BudgetSpent, ModelFault, NotAllowed, NotFound
from reverie.minds.llm.client import Call, Completion, Delta, Failure, ToolCall
from reverie.minds.meter import Budgets, MemoryLedger, Meter
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.answers import Answered
from reverie.model.blocks import BlockWrite
from reverie.model.hits import Hit
from reverie.model.turns import Appended
from reverie.policy.safety.channels import Surface, channel_of
from reverie.policy.safety.trust import strip_recalled, wrap_recalled
from reverie.policy.spending import Budget

HOME = Hit("mem-1", "fact", "The user lives in Hamburg", 1.0, 0.9, ("turn-1",), 0.0)


@dataclass
class Notebook:
    """Blocks of a space, as an agent meets them: one of them protected, one full."""

    values: dict[str, str] = field(default_factory=lambda: {"human": "Likes tea.", "safety": "Be kind.", "full": "x"})
    label: str = ""

    def as_agent(self, session: str | None = None) -> "Notebook":
        return self

    def __getitem__(self, label: str) -> "Notebook":
        if label not in self.values:
            raise NotFound("block", label)
        return Notebook(self.values, label)

    @property
    def value(self) -> str:
        return self.values[self.label]

    def append(self, text: str) -> BlockWrite:
        if self.label == "safety":
            raise NotAllowed("block 'safety' is protected")
        if self.label == "full":
            raise BlockTooLong("full", 20, 1)
        self.values[self.label] += f"\n{text}"
        return BlockWrite(self.label, "written", 2, self.value)

    def replace(self, old: str, new: str) -> BlockWrite:
        self.values[self.label] = self.value.replace(old, new)
        return BlockWrite(self.label, "written", 2, self.value)


@dataclass
class Shown:
    text: str
    hits: Sequence[Hit]


@dataclass
class OneSpace:
    id: str = "space-1"
    hits: list[Hit] = field(default_factory=lambda: [HOME])
    blocks: Notebook = field(default_factory=Notebook)
    log: list[tuple[str, str]] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)

    def append(self, role: str, text: str, session: str = "default", key: str | None = None) -> Appended:
        self.log.append((role, text))
        return Appended(f"turn-{len(self.log)}", len(self.log))

    def context(self, query: str, budget: int, *, session: str | None = None) -> Shown:
        return Shown("\n".join(hit.text for hit in self.hits), self.hits)

    def recall(self, query: str, k: int = 10, **options: Any) -> Sequence[Hit]:
        return self.hits[:k]

    def remember(self, text: str, *, session: str | None = None, surface: Surface = "library") -> None:
        self.kept.append((text, channel_of(surface, "remember").origin))


@dataclass
class Script:
    """A model that says its lines in order; each call is kept."""

    lines: list[Completion | Failure]
    name: str = "openai:script"
    calls: list[Call] = field(default_factory=list)

    def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
        raise NotImplementedError

    def batched(self) -> bool:
        return False

    def stream(self, call: Call) -> Iterator[Delta]:
        self.calls.append(call)
        said = self.lines[len(self.calls) - 1]
        if not isinstance(said, Completion):
            raise said
        if said.thinking:
            yield Delta("thinking", said.thinking)
        for word in said.text.split():
            yield Delta("text", f"{word} ")
        if said.finish == "length":
            raise ModelFault("cut_off", "the line went dead")
        yield Delta("end", completion=said)


def talk(*lines: Completion | Failure, space: OneSpace | None = None) -> tuple[AgentReply, OneSpace, Script]:
    space, model = space or OneSpace(), Script(list(lines))
    return PrimaryAgent(space, RulesReasoner(), model).say("Where do I live?"), space, model


def calls(name: str, **arguments: str) -> Completion:
    return Completion("", finish="tool_call", tool_calls=(ToolCall("call-1", name, arguments),))


def test_a_turn_is_one_model_call_over_the_context_and_both_sides_are_logged() -> None:
    reply, space, model = talk(Completion("In Hamburg."))
    assert (reply.by, reply.text.strip(), reply.model_calls) == ("model", "In Hamburg.", 1)
    assert reply.memories == ("mem-1",)
    assert "The user lives in Hamburg" in model.calls[0].messages[0].text
    assert space.log == [("user", "Where do I live?"), ("assistant", "In Hamburg. ")]


def test_an_operator_adds_instructions_and_names_tools_as_agents_know_them() -> None:
    model = Script([Completion("In Hamburg.")])
    PrimaryAgent(OneSpace(), RulesReasoner(), model, instructions="Be brief.", tools=LETTA_DECLARED).say("Hm?")
    assert "Be brief." in model.calls[0].messages[0].text
    assert "memory_insert" in [tool.name for tool in model.calls[0].tools]


def test_without_a_model_what_was_just_said_is_found_and_the_question_is_not() -> None:
    asked = Hit("turn-9", "turn", "Where do I live?", 1.0, 1.0, ("turn-9",), 0.0)
    reply = PrimaryAgent(OneSpace(hits=[asked, HOME]), RulesReasoner()).say("Where do I live?")
    assert reply.memories == ("mem-1",)


def test_a_precomputed_answer_needs_no_model_at_all() -> None:
    ready = Answered("In Hamburg.", "asked before", sources=("mem-1",), kind="hit")
    space, model = OneSpace(), Script([])
    reply = PrimaryAgent(space, RulesReasoner(), model, precomputed=lambda _: ready).say("Where do I live?")
    assert (reply.by, reply.text, reply.memories, reply.model_calls) == ("precomputed", "In Hamburg.", ("mem-1",), 0)
    assert model.calls == []
    assert [role for role, _ in space.log] == ["user", "assistant"]


def test_a_miss_goes_to_the_model() -> None:
    miss = Answered(None, "no answer is close")
    agent = PrimaryAgent(OneSpace(), RulesReasoner(), Script([Completion("In Hamburg.")]), precomputed=lambda _: miss)
    assert agent.say("Where do I live?").by == "model"


def test_native_reasoning_stays_on_its_own_channel() -> None:
    reply, space, _ = talk(Completion("In Hamburg.", thinking="The context says so."))
    assert reply.thinking == "The context says so."
    assert "context says" not in reply.text
    assert all("context says" not in text for _, text in space.log)


@pytest.mark.parametrize(
    ("call", "human", "kept"),
    [
        (calls("block_append", label="human", text="Has a cat."), "Likes tea.\nHas a cat.", []),
        (calls("block_replace", label="human", old="tea", new="coffee"), "Likes coffee.", []),
        (calls("memory_insert", label="human", new_str="Has a cat."), "Likes tea.\nHas a cat.", []),
        (calls("memory_replace", label="human", old_str="tea", new_str="coffee"), "Likes coffee.", []),
        (calls("archival_memory_insert", content="Miez is a cat."), "Likes tea.", [("Miez is a cat.", "assistant")]),
        (calls("remember", text="The cat is called Miez."), "Likes tea.", [("The cat is called Miez.", "assistant")]),
    ],
)
def test_a_tool_that_writes_is_done_within_the_one_call(
    call: Completion, human: str, kept: list[tuple[str, str]]
) -> None:
    reply, space, model = talk(call)
    assert (space.blocks.values["human"], space.kept) == (human, kept)
    assert len(model.calls) == 1
    assert reply.text


@pytest.mark.parametrize(("said", "offered"), [("Where do I live?", False), ("Remember that I moved to Kiel", True)])
def test_a_small_model_is_offered_tools_where_a_message_asks_for_what_they_do(said: str, offered: bool) -> None:
    model = Script([Completion("In Hamburg.")])
    PrimaryAgent(OneSpace(), RulesReasoner(), model, sparing=True).say(said)
    assert bool(model.calls[0].tools) is offered
    assert ("Use a tool" in model.calls[0].messages[0].text) is offered


@pytest.mark.parametrize("name", ["recall_search", "archival_search"])
def test_a_tool_that_looks_something_up_earns_one_more_call(name: str) -> None:
    reply, _, model = talk(calls(name, query="home"), Completion("In Hamburg."))
    assert (reply.text.strip(), reply.model_calls) == ("In Hamburg.", 2)
    result = model.calls[1].messages[-1]
    assert result.role == "tool"
    assert strip_recalled(result.text) == ""  # found text is marked as data


def test_a_model_that_looks_up_for_ever_is_stopped_after_three_calls() -> None:
    again = [calls("block_read", label="human")] * 5
    reply, _, model = talk(*again)
    assert reply.model_calls == len(model.calls) == 3
    assert model.calls[2].tools == ()


@pytest.mark.parametrize("name", ["block_rewrite", "block_rethink", "block_summarize", "forget", "sleep", "promote"])
def test_tools_of_the_night_are_neither_offered_nor_reachable(name: str) -> None:
    before = dict(Notebook().values)
    reply, space, _ = talk(calls(name, label="human", text="wiped"))
    assert name not in {tool.name for tool in DECLARED}
    assert (space.blocks.values, space.kept) == (before, [])
    assert reply.tools[0].result == "there is no such tool"


@pytest.mark.parametrize("label", ["safety", "full", "nowhere"])
def test_a_refused_edit_is_told_and_changes_nothing(label: str) -> None:
    before = dict(Notebook().values)
    reply, space, _ = talk(calls("block_append", label=label, text="Obey me."))
    assert space.blocks.values == before
    assert not reply.tools[0].ok
    assert "not done" in reply.text


def test_a_tool_call_without_its_arguments_is_told() -> None:
    reply, _, _ = talk(calls("remember"))
    assert reply.tools[0].result == "not done: 'text' is missing"


@pytest.mark.parametrize("failure", [ModelFault("timeout", "slow"), BudgetSpent("budget of the day: spent")])
def test_when_the_model_fails_memory_answers_and_says_why(failure: Failure) -> None:
    reply, space, _ = talk(failure)
    assert reply.by == "memory"
    assert "The user lives in Hamburg [mem-1]" in reply.text
    assert "the model could not answer" in reply.why
    assert strip_recalled(space.log[-1][1]) == ""  # no night takes a quoted memory for news


def test_what_the_budget_refuses_is_no_model_call() -> None:
    model = Script([])
    reply = PrimaryAgent(
        OneSpace(), RulesReasoner(), Meter(model, MemoryLedger(), Budgets(total=Budget(tokens=0)))
    ).say("Where?")
    assert (reply.by, reply.model_calls, model.calls) == ("memory", 0, [])
    assert "Raise the budget" in reply.why


def test_an_answer_that_breaks_off_is_kept_as_far_as_it_came() -> None:
    reply, space, _ = talk(Completion("In Ham", finish="length"))
    assert reply.text.strip() == "In Ham"
    assert reply.why.startswith("the answer broke off: the connection ended before the answer did (cut_off)")
    assert space.log[-1] == ("assistant", "In Ham ")


def test_what_had_come_when_its_reader_left_is_in_the_log() -> None:
    space = OneSpace()
    events = PrimaryAgent(space, RulesReasoner(), Script([Completion("In Hamburg, by the river.")])).stream("Where?")
    assert [next(events).text, next(events).text] == ["In ", "Hamburg, "]
    events.close()
    assert space.log == [("user", "Where?"), ("assistant", "In Hamburg, ")]


@pytest.mark.parametrize(
    "said", ["hi", "How are you?", "thanks!", "Good morning", "How was your day?", "Tell me a joke"]
)
def test_small_talk_is_not_answered_with_somebodys_breakup(said: str) -> None:
    sad = Hit("m1", "episode", "Lena broke up with me on Tuesday and I am sad", 1.0, 0.98, ("t1",), 1_793_836_800.0)
    agent = PrimaryAgent(
        OneSpace(hits=[sad]), RulesReasoner(), nearness=lambda question, _: [0.5 if "Lena" in question else 0.24]
    )
    assert "Lena" not in agent.say(said).text
    assert "Lena broke up" in agent.say("What happened with Lena?").text


def test_without_a_model_memory_answers() -> None:
    agent = PrimaryAgent(OneSpace(), RulesReasoner())
    reply = agent.say("Where do I live?")
    assert (reply.by, reply.why, reply.model_calls) == ("memory", "no model is set", 0)
    assert "Hamburg" in reply.text
    assert PrimaryAgent(OneSpace(hits=[]), RulesReasoner()).say("Who am I?").text == NOTHING


def test_a_reply_streams_in_pieces_and_ends_with_the_whole() -> None:
    agent = PrimaryAgent(OneSpace(), RulesReasoner(), Script([Completion("In Hamburg.", thinking="Hm.")]))
    events = list(agent.stream("Where do I live?"))
    assert [event.kind for event in events] == ["thinking", "text", "text", "end"]
    assert events[-1].reply == AgentReply(
        "In Hamburg. ", "model", "a model answered from the context", "Hm.", ("mem-1",), (), 1, "turn-2"
    )


def test_core_stands_first_then_the_talk_and_what_memory_has_stands_with_the_message() -> None:
    found = "\n".join(
        [
            '<block label="human">\nLou\n</block>',
            wrap_recalled("user: hello", "turns"),
            wrap_recalled('The user, 5 May 2026: "I live in Hamburg"', "memories"),
        ]
    )
    system, said = messages(found, "Be brief.", "Where do I live?")
    assert system.text.endswith('<block label="human">\nLou\n</block>')
    places = [said.text.index(words) for words in ("user: hello", "I live in Hamburg", "Where do I live?")]
    assert places == sorted(places)
    assert "Hamburg" not in system.text


@pytest.mark.parametrize("form", ["{}", "<tool_call>{}</tool_call>", "```json\n{}\n```"])
def test_a_tool_call_that_a_small_model_writes_out_is_made_and_not_shown(form: str) -> None:
    call = '{"name": "remember", "arguments": {"text": "I live in Kiel"}}'
    reply, space, _ = talk(Completion(form.replace("{}", call)))
    assert space.kept == [("I live in Kiel", "assistant")]
    assert "{" not in reply.text


def test_a_small_model_that_writes_the_same_call_until_it_is_cut_off_shows_none_of_it() -> None:
    call = '```json\n{"name": "block_read", "arguments": {"label": "human"}}\n```\n'
    again = [Completion(call * 3 + call[:30])] * 3
    reply, _, model = talk(*again)
    assert len(model.calls) == 3
    assert reply.by == "memory"
    assert "block_read" not in reply.text


def test_braces_that_are_no_tool_call_are_shown_whole() -> None:
    reply, space, _ = talk(Completion('{"city": "Hamburg"}'))
    assert (reply.text.strip(), space.kept) == ('{"city": "Hamburg"}', [])


def test_a_server_that_knows_no_tools_is_asked_again_without_them() -> None:
    reply, _, model = talk(ModelFault("rejected", "no tools here", status=400), Completion("In Hamburg."))
    assert (reply.by, reply.text.strip()) == ("model", "In Hamburg.")
    assert [bool(call.tools) for call in model.calls] == [True, False]
