"""The llm reasoner against every fault of its model: nothing is raised, nothing is wiped, everything is counted."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from reverie.errors import ModelFault, ModelUnavailable
from reverie.minds.llm.asking import sheets
from reverie.minds.llm.client import Call, ChatMessage, ModelUsage, complete
from reverie.minds.llm.faults import FaultCounts
from reverie.minds.llm.ladder import Ladder, ModelQuestion
from reverie.minds.llm.models import open_models
from reverie.minds.llm.prompt_data import CITY
from reverie.minds.llm.provider import ProviderClient
from reverie.minds.llm.reasoner import FORMLESS, LlmReasoner
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.llm.validate import ParsedAnswer
from reverie.minds.meter import Budgets, MemoryLedger, Meter
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.thinking import Episode, Verdict
from reverie.policy.spending import Budget
from tests.support import line_models
from tests.support.fault_server import FaultServer, fault_server
from tests.support.reasoner_contract import BERLIN, HAMBURG
from tests.support.thinking_samples import EVIDENCE, METHODS, NEW, NOW, OLD, STORY, UNCLEAR

# The server's fault, and the kinds of which one must be counted for it.
FAULTS = {
    "timeout": "timeout",
    "rate_limited": "rate_limited",
    "rate_limited_for_long": "rate_limited",
    "server_error": "server_error",
    "bad_key": "bad_key",
    "prompt_too_long": "prompt_too_long",
    "garbled": "garbled",
    "cut_off": "cut_off",
    "wrong_json": "bad_json bad_shape not_verbatim not_grounded unknown_ids empty",
    "wrong_shape": "bad_shape not_verbatim not_grounded unknown_ids empty",
    "empty": "empty",
    "refusal": "refused",
    "content_filter": "refused",
    "oversized": "too_long",
    "blank": "empty",
}
NUMBERS_ONLY = ("profile", "summary")  # any number in an answer names a line there, and no number is no choice


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with fault_server() as running:
        yield running


class Rig:
    """A reasoner on the fault server whose waits take no time but are written down."""

    def __init__(self, server: FaultServer, model: str, budgets: Budgets | None = None, **settings: Any) -> None:
        spec = ModelSpec(f"openai:{model}", base_url=server.url, retries=1, **{"timeout": 5.0} | settings)
        self.ledger = MemoryLedger()
        self.now = 0.0
        self.waits: list[float] = []
        self.rules = RulesReasoner()
        meter = Meter(client_of(spec), self.ledger, budgets or Budgets())
        self.ladder = Ladder(meter, spec, FaultCounts(), clock=lambda: self.now, sleep=self._wait)
        self.reasoner = LlmReasoner(self.ladder, self.rules, reviewer=self.ladder)

    def _wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def ask(self, method: str) -> Any:
        return getattr(self.reasoner, method)(*METHODS[method])

    def by_the_rules(self, method: str) -> Any:
        return getattr(self.rules, method)(*METHODS[method])


@cache
def client_of(spec: ModelSpec) -> ProviderClient:
    """A connection pool costs more to make than a test: each model's is shared."""
    return ProviderClient(spec, {})


@pytest.fixture(scope="module", autouse=True)
def _closing() -> Iterator[None]:
    yield
    client_of.cache_clear()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("fault", FAULTS)
def test_the_rules_do_what_the_model_cannot_and_the_fault_is_counted(
    server: FaultServer, fault: str, method: str
) -> None:
    rig = Rig(server, fault, timeout=0.1 if fault == "timeout" else 5.0)
    before = len(server.requests)
    assert rig.ask(method) == (refused(rig) if method == "review" else rig.by_the_rules(method))
    assert len(server.requests) > before
    if not (method in NUMBERS_ONLY and fault in ("wrong_json", "wrong_shape")):
        assert any(rig.reasoner.faults[kind] for kind in FAULTS[fault].split())
        assert rig.reasoner.faults["fallback"] == 1


def refused(rig: "Rig") -> Verdict:
    """What a reviewer could not say, a person says."""
    assert rig.by_the_rules("review").approve
    return Verdict(False, "the reviewer could not be asked")


def test_a_night_in_which_nothing_happened_is_not_worth_a_call(server: FaultServer) -> None:
    rig, quiet = Rig(server, "good"), replace(STORY, learned=())
    assert rig.reasoner.diary(quiet) == rig.rules.diary(quiet)
    assert rig.ledger.entries == {}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", ["good", "fenced", "no_schema_mode"])
def test_a_well_formed_answer_is_used_on_every_rung(server: FaultServer, model: str, method: str) -> None:
    rig = Rig(server, model)
    answer = rig.ask(method)
    assert rig.reasoner.faults["fallback"] == (method == "diary")  # so short a night has too few words to tell
    if method in ("facts", "note", "clash", "review"):
        assert answer != rig.by_the_rules(method)


def test_a_server_without_schema_mode_is_asked_for_it_only_once(server: FaultServer) -> None:
    rig = Rig(server, "no_schema_mode")
    rig.ask("infer")
    before = server.asked("no_schema_mode")
    rig.ask("infer")
    rig.ask("review")
    assert rig.ladder.mode == "object"
    assert server.asked("no_schema_mode") == before + 1  # the insights were replayed, the review is new


PASSED_OVER = Episode("mem-9", "Hm, so the bike sits in the cellar.", NOW)


@pytest.mark.parametrize("model", ["good", "fenced"])
def test_a_model_adds_the_quotes_that_the_rules_passed_over(server: FaultServer, model: str) -> None:
    rig = Rig(server, model)
    assert rig.rules.facts([PASSED_OVER]) == []
    (draft,) = rig.reasoner.facts([PASSED_OVER])
    assert (draft.quote, draft.asked, draft.kind) == (PASSED_OVER.text, False, "statement")


@pytest.mark.parametrize(
    ("copied", "shown"),
    [
        ("the landlord", ("How was it?", "I met the landlord today.")),
        ("900 euros a month", None),  # its own words do not say who
        ("Napoleon's landlord in Vienna", None),
        ("I met the landlord today. How was it? He signed it: 900 euros", None),  # all of it
        ("none", None),
    ],
)
def test_a_model_points_to_the_sentence_that_an_unclear_quote_needs_and_that_is_shown(
    copied: str, shown: tuple[str, str] | None
) -> None:
    with fault_server(lambda _: (copied, "stop")) as server:
        rig = Rig(server, "pointing")
        found = rig.reasoner.facts([UNCLEAR])
        (request,) = server.requests
    assert rig.rules.facts([UNCLEAR]) == []
    assert [(one.quote, one.about, one.on) for one in found] == ([(UNCLEAR.text, *shown)] if shown else [])
    assert "<statement>\nuser: He signed it" in str(request["messages"][-1]["content"])


def test_what_is_whole_in_a_cut_answer_is_kept_beside_what_the_rules_keep(server: FaultServer) -> None:
    said = "Die Katze heißt Miez und schläft viel. Der Ofen steht im Keller und qualmt. Das Rad ist rot und neu."
    rig = Rig(server, "truncating")
    drafts = rig.reasoner.facts([Episode("mem-9", said, NOW)])
    assert [draft.quote for draft in drafts] == ["Die Katze heißt Miez und schläft viel."]
    assert rig.reasoner.faults.counts() == {"too_long": 1}


def test_a_letter_without_a_sentence_chooses_nothing_and_is_not_asked_again(server: FaultServer) -> None:
    rig = Rig(server, "bare_letter")
    assert rig.ask("facts") == rig.by_the_rules("facts")
    choices = [one for one in server.requests if one["model"] == "bare_letter" and "in brackets" in str(one)]
    assert len(choices) == rig.reasoner.faults["bad_shape"] == 1


def test_a_content_fault_is_named_on_the_same_rung_and_a_protocol_fault_goes_one_down(server: FaultServer) -> None:
    def unheard(_: Any) -> Any:
        raise ModelFault("not_grounded", "the name Napoleon is not in the lines")

    city = ModelQuestion("<line>Hamburg</line>", "TASK: answer with the city that it names.", unheard, 60, CITY)
    Rig(server, "lying").ladder.ask([city])
    first, second = (request for request in server.requests if request["model"] == "lying")
    assert first["response_format"]["type"] == second["response_format"]["type"] == "json_schema"
    assert "could not be used: the name Napoleon is not in the lines" in second["messages"][-1]["content"]
    Rig(server, "wrong_json").ask("infer")
    *_, first, second = (request for request in server.requests if request["model"] == "wrong_json")
    assert (first["response_format"]["type"], second["response_format"]["type"]) == ("json_schema", "json_object")


def test_insights_that_do_not_follow_are_not_asked_for_again() -> None:
    with fault_server() as server:
        rig = Rig(server, "lying")
        assert rig.ask("infer") == []
        assert (len(server.requests), rig.reasoner.faults["not_grounded"]) == (1, 1)


def test_a_model_that_gives_back_the_forms_letter_three_times_is_asked_for_no_choice() -> None:
    with fault_server() as server:
        rig = Rig(server, "bare_letter")
        for n in range(5):
            assert rig.reasoner.facts([german(n)]) == []
        assert len(server.requests) == FORMLESS == 3


def test_the_only_question_is_answered_under_whatever_letter() -> None:
    with fault_server(lambda _: ("Z 1", "stop")) as server:
        (said,) = [one for one in EVIDENCE if "boat" in one.quote]
        found = Rig(server, "m").reasoner.answer("Where does the boat from Kiel lie?", [said])
        assert (found is None, len(server.requests)) == (False, 1)


def test_a_turn_that_says_no_more_than_a_fact_of_it_is_shown_once() -> None:
    (said,) = [one for one in EVIDENCE if "boat" in one.quote]
    turn = replace(said, id="mem-turn", text=said.quote, kind="episode", quote="")
    sheet, letters = sheets.asked([("Where is it?", [turn, said])], 1_000)
    assert (list(sheet.refs.values()), letters) == ([said.id], "A")


def test_all_tasks_share_their_first_words_and_end_with_the_task(server: FaultServer) -> None:
    before = len(server.requests)
    for method in METHODS:
        Rig(server, "good").ask(method)
    asked = [request["messages"] for request in server.requests[before:]]
    assert len({system["content"] for system, _ in asked}) == 1
    assert all(user["content"].startswith("<") and user["content"].rindex("TASK:") > 0 for _, user in asked)
    limits = [request.get("max_tokens") or request["max_completion_tokens"] for request in server.requests[before:]]
    assert max(limits) <= 700  # each task has a limit of its own


def german(n: int) -> Episode:
    return Episode(f"mem-{n}", f"Ich wohne jetzt in Haus Nummer {n} und backe Brot.", NOW)


def test_episodes_go_out_in_batches_of_limited_size_as_many_at_once_as_allowed() -> None:
    with fault_server() as server:
        rig = Rig(server, "pausing", batch_tokens=30, concurrency=3)
        drafts = rig.reasoner.facts([german(n) for n in range(12)])
    assert (server.asked("pausing"), server.most_under_way) == (6, 3)
    assert len(drafts) == 12


def test_what_the_rules_are_sure_of_is_not_asked(server: FaultServer) -> None:
    rig = Rig(server, "good")
    before = len(server.requests)
    assert rig.reasoner.facts(SURE) == rig.rules.facts(SURE)
    assert rig.reasoner.clash(HAMBURG, BERLIN).confidence == 0.95
    assert rig.reasoner.profile("user", [HAMBURG, BERLIN]) is None
    assert len(server.requests) == before


SURE = (Episode("mem-1", "I live in Hamburg.", NOW), Episode("mem-2", "Thanks! Where do I live?", NOW))


def test_twenty_pairs_go_out_in_one_call_and_questions_with_theirs(server: FaultServer) -> None:
    rig = Rig(server, "good")
    before = len(server.requests)
    pairs = [(replace(OLD, id=f"old-{n}"), replace(NEW, id=f"new-{n}")) for n in range(20)]
    rig.reasoner.prepare(clashes=pairs)
    assert [rig.reasoner.clash(*pair).kind for pair in pairs] == ["update"] * 20
    assert len(server.requests) == before + 1
    questions = [f"Where does boat number {n} lie?" for n in range(10)]
    rig.reasoner.prepare(answers=[(question, EVIDENCE) for question in questions])
    assert not any(rig.reasoner.answer(question, EVIDENCE) for question in questions)  # the words do not bear it out
    assert len(server.requests) == before + 2


def test_a_retry_after_is_waited_for(server: FaultServer) -> None:
    rig = Rig(server, "rate_limited")
    rig.ask("note")
    assert rig.waits == []  # "retry-after: 0"
    slow = Rig(server, "server_error")
    slow.ask("note")
    assert slow.waits == [0.5]


def test_a_retry_after_longer_than_our_patience_rests_the_model_at_once(server: FaultServer) -> None:
    rig = Rig(server, "rate_limited_for_long")
    before = server.asked("rate_limited_for_long")
    rig.ask("note")
    rig.ask("clash")
    assert server.asked("rate_limited_for_long") == before + 1
    assert rig.reasoner.faults["circuit_open"] == 1
    assert rig.waits == []


def test_after_four_outages_in_a_row_nobody_is_asked_until_a_minute_has_passed(server: FaultServer) -> None:
    rig = Rig(server, "server_error")
    before = server.asked("server_error")
    for method in ("note", "clash", "profile", "infer"):
        rig.ask(method)
    assert server.asked("server_error") == before + 4
    rig.now += 61
    rig.ask("summary")
    assert server.asked("server_error") == before + 5  # one call tries, and the rest goes on
    assert rig.reasoner.faults["fallback"] == 5


def test_calls_start_no_faster_than_the_rate_limit(server: FaultServer) -> None:
    rig = Rig(server, "good", batch_tokens=1, calls_per_minute=2)
    episodes = [german(n) for n in range(5)]
    assert len(rig.reasoner.facts(episodes)) == 5
    assert rig.waits == [60.0, 60.0]
    assert len(rig.reasoner.facts(episodes)) == 5
    assert rig.waits == [60.0, 60.0]  # what is replayed reaches no server


def test_roles_of_one_model_share_its_rate(server: FaultServer) -> None:
    sleeper = ModelSpec("openai:good", base_url=server.url, calls_per_minute=1)
    specs = [sleeper, replace(sleeper, role="primary"), replace(sleeper, name="openai:other", role="reviewer")]
    models = open_models(specs, MemoryLedger(), environ={})
    pacers = [ladder._pacer for ladder in models.ladders(FaultCounts()).values()]
    models.close()
    assert pacers[0] is pacers[1]
    assert pacers[0] is not pacers[2]


def test_a_spent_budget_leaves_the_work_to_the_rules_and_says_so(server: FaultServer) -> None:
    rig = Rig(server, "good", Budgets(total=Budget(tokens=0)))
    before = server.asked("good")
    for method in METHODS:
        assert rig.ask(method) == (refused(rig) if method == "review" else rig.by_the_rules(method))
    assert server.asked("good") == before
    assert rig.reasoner.faults["budget_spent"] == len(METHODS) + 1  # ponder asks twice and compares


def test_an_error_shows_neither_the_key_nor_what_was_sent(server: FaultServer) -> None:
    client = ProviderClient(
        ModelSpec("openai:bad_key", base_url=server.url, api_key_env="KEY"), {"KEY": "sk-very-secret"}
    )
    ladder = Ladder(client, ModelSpec("openai:bad_key"), FaultCounts())
    reply = ladder.ask([ModelQuestion("<lines>\n1 secret\n</lines>", "TASK: none", lambda _: ParsedAnswer(1), 9)])[0]
    client.close()
    assert reply.failure is not None
    assert str(reply.failure) == "openai:bad_key: HTTP 401"


def test_anthropic_speaks_another_protocol_and_gives_the_same_values(server: FaultServer) -> None:
    spec = ModelSpec("anthropic:claude-haiku-4-5", base_url=server.url.removesuffix("/v1"), api_key_env="KEY")
    client = ProviderClient(spec, {"KEY": "sk-ant"})
    completion = complete(client, Call((ChatMessage("user", "Where?"),), 50, "schema", CITY))
    client.close()
    assert (completion.text, completion.thinking) == ('{"city": "Hamburg"}', "Let me see.")
    assert completion.usage == ModelUsage(tokens_in=100, tokens_out=20, tokens_cached=10)


def test_a_provider_is_told_what_to_cache_how_much_to_reason_and_how_to_serve(server: FaultServer) -> None:
    asked = Call((ChatMessage("system", "Keep to the data."), ChatMessage("user", "Where?")), 50)
    claude = ModelSpec(
        "anthropic:claude-opus-4-5", base_url=server.url.removesuffix("/v1"), api_key_env="KEY", effort="low"
    )
    gpt = ModelSpec("openai:good", base_url=server.url, api_key_env="KEY", effort="low", tier="flex")
    for spec in (claude, gpt):
        client = ProviderClient(spec, {"KEY": "sk-test"})
        complete(client, asked)
        client.close()
    to_claude, to_gpt = server.requests[-2:]
    assert to_claude["system"][-1]["cache_control"]["type"] == "ephemeral"
    assert to_claude["messages"][-1]["content"][-1]["cache_control"]["type"] == "ephemeral"
    assert to_claude["output_config"]["effort"] == "low"
    assert (to_gpt["reasoning_effort"], to_gpt["service_tier"]) == ("low", "flex")


def test_native_reasoning_is_counted_apart_and_given_room_from_then_on() -> None:
    def write(body: dict[str, Any]) -> tuple[str, str]:
        limits.append(body.get("max_tokens") or body["max_completion_tokens"])
        return ("", "length") if len(limits) == 1 else line_models.write({**body, "model": "good"})

    limits: list[int] = []
    with fault_server(write) as server:
        rig = Rig(server, "reasoning", answer_tokens=700)
        assert rig.ask("facts") != rig.by_the_rules("facts")
    assert limits[1] >= limits[0] + 700  # what it thinks may take as much as an answer


def test_a_missing_key_is_named_before_anything_is_sent() -> None:
    with pytest.raises(ModelUnavailable) as caught:
        ProviderClient(ModelSpec("anthropic:claude-haiku-4-5"), {})
    assert "ANTHROPIC_API_KEY" in caught.value.next_move


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "httpx2", None)
    with pytest.raises(ModelUnavailable) as caught:
        ProviderClient(ModelSpec("openai:gpt-5-mini"), {"OPENAI_API_KEY": "x"})
    assert ".[llm]" in caught.value.next_move
