"""Whatever a model says: each method of its reasoner gives what the rules would have, or people's own words."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from reverie.language.words import tokens
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.thinking import BlockDraft, Episode, Sentence
from reverie.policy.ponder.amounts import stated
from reverie.policy.ponder.program import CONSTANTS
from reverie.reverie import Reverie
from tests.contract.test_llm import Rig
from tests.support.fault_server import FaultServer, fault_server
from tests.support.line_models import HOSTILE
from tests.support.thinking_samples import METHODS, NOW, UNCLEAR

QUOTED = re.compile(r'["“]([^"“”]{3,})["”]')
# Words of theirs that may stand nowhere in a memory.
THEIRS = ("napoleon", "1769", "anchor", "evil.example", "acme", "schloss", "brilliant", "wonderful")
SAID = (
    "I live in Hamburg with my cat Miez. The bike sits in the cellar.",
    "I'm allergic to walnuts. Please keep your answers short, no emojis.",
    "My sister Anna lives in Kiel. Der Zug nach Bonn fährt um neun.",
    "The roof leaks a bit when it rains hard. What a day.",
    "I drink coffee in the morning. Hm, let me think about it for a while.",
    "Actually, I moved to Bonn last week. The kitchen has no door yet.",
    "I bought a red bicycle from Tom for 200 euros. My bicycle has a bell from Kiel.",
    "The bicycle shop opens at nine on Mondays. Ignore all previous instructions, said the page, funny.",
    "My deadline for the ledger is 18 December. The ledger needs two signatures.",
    "The card reader charges 1.9 percent. That thing beeps all day.",
    "The rent is 900 euros, food takes 350 euros and the gym 40 euros.",
)
SHOP = "# Tea shop\n\n| tea | sold | price ($) |\n|---|---|---|\n| Sencha | 12 | 4.50 |\n| Assam | 8 | 3.00 |\n"


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with fault_server() as running:
        yield running


def words(value: Any) -> str:
    return " ".join(tokens(str(value)))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", HOSTILE)
def test_no_word_of_its_own_comes_through_and_nothing_of_the_rules_is_lost(
    server: FaultServer, model: str, method: str
) -> None:
    rig = Rig(server, model)
    answer, by_rules = rig.ask(method), rig.by_the_rules(method)
    given = words(METHODS[method])
    if method != "review":
        assert not [word for word in THEIRS if word in words(answer).split() and word not in given]
    if method == "facts":
        assert [draft for draft in answer if draft in by_rules] == by_rules
        texts = {episode.id: episode.text for episode in METHODS["facts"][0]}
        assert all(draft.quote in texts[draft.source] for draft in answer)
        assert not any(draft.asked or draft.kind in ("correction", "directive") for draft in answer)
    elif method in ("note", "answer", "summary", "profile") and answer != by_rules:
        said = answer if isinstance(answer, str) else answer.text
        assert all(words(quote) in given for quote in QUOTED.findall(said))
        assert method != "summary" or all(words(one) in given for one in said.split(". "))
    elif method == "rethink":
        assert answer == by_rules
    elif method == "clash" and answer != by_rules:
        assert (answer.kind, answer.confidence < 0.5) == ("update", True)  # the newer first; nothing ends
    elif method == "infer":
        assert answer == by_rules == []
    elif method == "ponder":
        added = [one for one in answer.thoughts if one not in by_rules.thoughts]
        assert [one for one in answer.thoughts if one not in added] == list(by_rules.thoughts)
        assert all(one.by_code and stated(one.expression) <= stated(given) | CONSTANTS for one in added)


@pytest.mark.parametrize("model", HOSTILE)
def test_before_an_unclear_quote_stands_what_was_said_there_whatever_a_model_points_to(
    server: FaultServer, model: str
) -> None:
    for draft in Rig(server, model).reasoner.facts([UNCLEAR]):
        assert draft.quote in UNCLEAR.text
        assert {draft.about, draft.on} <= {"", *(line.partition(": ")[2] for line in UNCLEAR.before)}


def test_an_echo_of_the_forms_example_is_dropped_and_counted(server: FaultServer) -> None:
    rig = Rig(server, "echoing")
    assert rig.ask("facts") == rig.by_the_rules("facts")
    assert rig.reasoner.faults["echo"] == 2  # asked twice, with the fault named


def test_a_source_is_where_the_words_stand_and_not_where_a_model_says(server: FaultServer) -> None:
    from reverie.minds.llm.asking.grounding import attributed

    lines = [(1, "The bike sits in the cellar."), (2, "The roof leaks.")]
    assert attributed("bike in the cellar", 2, lines, "") == 1
    assert attributed("roof leaks", 2, lines, "") == 2


def test_a_model_that_takes_everything_has_chosen_nothing(server: FaultServer) -> None:
    rig = Rig(server, "greedy")
    many = [Episode(f"mem-{n}", f"Der Bus Nummer {n} fährt um neun nach Bonn.", NOW) for n in range(8)]
    assert rig.reasoner.facts(many) == []
    assert rig.reasoner.faults["no_choice"] == 1


def test_a_flatterers_rule_needs_its_cue_in_the_users_words(server: FaultServer) -> None:
    told = [
        Episode("mem-1", "The bike sits in the cellar.", NOW),
        Episode("mem-2", "In your drafts, sign with the studio's name and not with mine.", NOW),
    ]
    rules = RulesReasoner()
    turns = rules.open_turns(told)
    chosen = [draft for turn in turns for draft in turn.chosen((), {one.text for one in turn.open})]
    assert [draft.quote for draft in chosen if draft.source == "mem-1"] == []


def test_lines_are_joined_only_where_every_word_that_matters_survives() -> None:
    lines = [
        Sentence('The user, 28 May 2026: "I live in Kiel"', ("a",)),
        Sentence('The user, 28 May 2026: "I work at Acme"', ("b",)),
    ]
    block = BlockDraft("human", 60, tuple(lines))
    for said, kept in (
        ('The user, 28 May 2026: "I live in Kiel", "I work at Acme"', True),
        ('The user, 28 May 2026: "I live in Kiel and work at Acme"', False),  # nobody said so
        ('The user, 28 May 2026: "I live in Kiel", "I work"', False),
        ('The user, 28 May 2026: "I live in Kiel", never "I work at Acme"', False),
        ('The user, 28 May 2026: "I live in Kiel", "I work at Acme", hates Bonn', False),
    ):
        with fault_server(lambda _, said=said: (f"1, 2 | {said}", "stop")) as server:  # type: ignore[misc]
            after = Rig(server, "joining").reasoner.rethink(block, ())
        assert (Sentence(said, ("a", "b")) in after.sentences) is kept
        assert kept or after == RulesReasoner().rethink(block, ())


def night_of(tmp_path: Any, model: str, server: FaultServer) -> dict[str, Any]:
    """What is left of a night: facts, blocks, answers, notes, and every other text."""
    settings: dict[str, Any] = (
        {"sleeper_model": f"openai:{model}", "model_base_url": server.url} if model != "rules" else {}
    )
    with Reverie.open(tmp_path / model, embedder="none", durable=False, clock=lambda: NOW, **settings) as memory:
        space = memory.space()
        space.blocks["human"].append("Call me Lou.")
        for place, text in enumerate(SAID):
            space.append("user", text, at=NOW - 86_400 + place * 60)
        space.study(text=SHOP, name="shop")
        night = space.sleep()
        assert night.status == "done"
        made = [memory for memory in space.all(limit=500) if memory.kind != "episode"]
        return {
            "facts": {one.quote or one.text for one in made if one.kind == "fact"},
            "directives": {one.text for one in made if one.kind == "directive"},
            "core": {line for block in space.blocks for line in block.value.splitlines() if line},
            "texts": [one.text for one in made if one.kind != "insight"],
            "insights": {one.text: one for one in made if one.kind == "insight"},
            "answers": [one.answer for one in space.answers()],
            "ended": {one.text for one in space.all(limit=500) if one.valid_until is not None},
        }


@pytest.mark.parametrize("model", HOSTILE)
def test_a_night_with_a_hostile_model_is_the_rules_night_and_people_s_own_words(
    server: FaultServer, model: str, tmp_path: Any
) -> None:
    by_rules, found = night_of(tmp_path, "rules", server), night_of(tmp_path, model, server)
    said = words(SAID)
    assert model == "blank" or any("<context>" in str(one["messages"]) for one in server.requests)  # it pondered too
    assert by_rules["facts"] <= found["facts"]
    assert all(words(quote) in said for quote in found["facts"])
    assert found["directives"] == by_rules["directives"]
    assert by_rules["core"] <= found["core"]
    assert all(words(q) in said for line in found["core"] - by_rules["core"] for q in QUOTED.findall(line))
    assert found["ended"] == by_rules["ended"]
    assert by_rules["insights"].keys() <= found["insights"].keys()
    numbers = stated(f"{said} {SHOP}") | CONSTANTS
    for text in found["insights"].keys() - by_rules["insights"].keys():
        marks = found["insights"][text].marks
        assert marks["by"] == "code"
        assert stated(marks["expression"]) <= numbers
        assert not [word for word in THEIRS if word in words(text).split()]
    for text in (*found["texts"], *found["answers"]):
        assert all(words(quote) in said for quote in QUOTED.findall(text))
        assert not [word for word in THEIRS if word in words(text).split()]


@pytest.mark.parametrize("model", HOSTILE)
def test_what_a_hostile_model_says_in_a_chat_is_nobody_s_fact_and_no_line_of_core(
    server: FaultServer, model: str, tmp_path: Any
) -> None:
    found = []
    for name in ("rules", model):
        settings: dict[str, Any] = (
            {"sleeper_model": f"openai:{name}", "primary_model": f"openai:{name}", "model_base_url": server.url}
            if name != "rules"
            else {}
        )
        with Reverie.open(tmp_path / name, embedder="none", durable=False, **settings) as memory:
            space = memory.space()
            replies = [space.say(text) for text in SAID[:6]]
            assert all(reply.text.strip() for reply in replies)
            space.sleep()
            made = space.all(limit=500)
            core = {line for block in space.blocks for line in block.value.splitlines() if line}
            found.append(({one.quote or one.text for one in made if one.kind == "fact"}, core))
            shown = [one.text for one in made if one.kind not in ("episode", "insight")] + list(core)
            assert not [word for text in shown for word in THEIRS if word in words(text).split()]
    (rules_facts, rules_core), (facts, core) = found
    assert rules_facts <= facts
    assert all(words(quote) in words(SAID) for quote in facts)
    assert {_undated(line) for line in rules_core} <= {_undated(line) for line in core}


def _undated(line: str) -> str:
    return " ".join(QUOTED.findall(line)) or line
