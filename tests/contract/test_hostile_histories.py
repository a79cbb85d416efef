"""Whole planted histories with hostile models: what is left is what the rules alone leave, or people's own words.

The histories reach every step in which a model has a part; the test of all of them says so.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reverie.language.sentences import sentences
from reverie.policy.ponder.amounts import stated
from reverie.policy.ponder.program import CONSTANTS
from reverie.reverie import Reverie
from tests.contract.test_hostile_models import QUOTED, THEIRS
from tests.support.fault_server import fault_server
from tests.support.line_models import HOSTILE, TASKS, Request
from tests.support.planted_histories import (
    BESIDES,
    SHOP,
    LeftBehind,
    LivedHistory,
    PlantedTalk,
    histories,
    lived,
    words,
)

TURNS = 60  # of a labelled history
# All but `review`: who gives a second opinion is tested below.
ASKED = {*TASKS, "ponder", "chat"} - {"review"}
SAMPLE = {*(("studio", model) for model in HOSTILE), ("anahit", "lying"), ("corwin", "greedy")}
EVERY = [
    pytest.param(name, model, marks=() if (name, model) in SAMPLE else pytest.mark.torture)
    for name in ("studio", "anahit", "corwin")
    for model in HOSTILE
]


@cache
def talk_of(name: str) -> PlantedTalk:
    return histories(TURNS)[name]


@cache
def by_the_rules(home: Path, name: str) -> LivedHistory:
    return lived(home / name, talk_of(name), {})


def with_model(home: Path, name: str, model: str, asked: set[str]) -> LivedHistory:
    """Notes in `asked` which tasks were set."""
    with fault_server() as server:
        named = f"openai:{model}"
        settings = {"sleeper_model": named, "primary_model": named, "model_base_url": server.url}
        found = lived(home, talk_of(name), settings)
        asked |= {_task(one) for one in server.requests}
    return found


def _task(request: dict[str, Any]) -> str:
    text = str(request["messages"][-1]["content"])
    return Request(request).task if "TASK:" in text or "<context>" in text else "chat"


@pytest.mark.parametrize(("name", "model"), EVERY)
def test_nothing_of_the_rules_is_lost_core_is_no_worse_and_the_rest_is_people_s_own_words(
    name: str, model: str, home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rules = by_the_rules(tmp_path_factory.getbasetemp() / "by-the-rules", name)
    found = with_model(home, name, model, set())
    talk = talk_of(name)
    for theirs, its in ((rules.first, found.first), (rules.last, found.last)):
        nothing_lost(theirs, its)
        core_no_worse(theirs, its, talk)
        grounded(theirs, its, talk)
    assert all(reply.strip() for reply in found.replies)


def nothing_lost(rules: LeftBehind, found: LeftBehind) -> None:
    assert rules.facts <= found.facts
    assert rules.directives == found.directives
    assert rules.answers <= found.answers
    assert rules.insights.keys() <= found.insights.keys()
    assert found.ended <= rules.ended | found.texts


def core_no_worse(rules: LeftBehind, found: LeftBehind, talk: PlantedTalk) -> None:
    """Every line of the rules is there, and each that came in besides holds something that is worth keeping."""
    assert rules.core <= found.core
    for line in found.core - rules.core:
        assert any(said in line for said in (*talk.worth, *BESIDES))


def grounded(rules: LeftBehind, found: LeftBehind, talk: PlantedTalk) -> None:
    """What the rules alone did not leave is made of sentences that somebody said."""
    heard = talk.heard
    assert all(words(quote) in heard for quote in found.facts)
    for text in (found.core - rules.core) | (found.answers - rules.answers):
        assert QUOTED.findall(text)
    for text in (found.core | found.answers | found.texts) - (rules.core | rules.answers | rules.texts):
        said = (one for quote in QUOTED.findall(text) for one in sentences(quote))
        assert not [one for one in said if words(one) not in heard]
        assert not [word for word in THEIRS if word in words(text).split() and word not in heard.split()]
    numbers = stated(f"{heard} {SHOP}") | CONSTANTS
    for text in found.insights.keys() - rules.insights.keys():
        marks = found.insights[text]
        assert (marks["by"], stated(marks["expression"]) <= numbers) == ("code", True)
        assert not [word for word in THEIRS if word in words(text).split()]


@pytest.mark.torture
def test_every_task_is_set_in_these_histories(home: Path) -> None:
    asked = set[str]()
    for name in ("studio", "anahit", "corwin"):
        with_model(home / name, name, "greedy", asked)
    assert asked >= ASKED


@pytest.mark.parametrize("model", HOSTILE)
def test_into_a_protected_block_a_hostile_reviewer_lets_nothing_but_a_persons_own_lines(model: str, home: Path) -> None:
    with fault_server() as server:
        named = {"sleeper_model": f"openai:{model}", "reviewer_model": f"openai:{model}"}
        settings: dict[str, Any] = {**named, "model_base_url": server.url}
        with Reverie.open(home, embedder="none", durable=False, **settings) as memory:
            persona = memory.space().blocks["persona"]
            persona.append("Call me Lou.")
            persona.describe(limit=30)
            persona.append("Ignore no wish of mine, and speak plainly, even where it hurts.")  # waits for room
            persona.describe(limit=500)
            before = set(persona.value.splitlines())
            assert memory.space().sleep().status == "done"
            added = set(persona.value.splitlines()) - before
        assert {_task(one) for one in server.requests} <= {"review", "diary"}
    assert added <= {"Ignore no wish of mine, and speak plainly, even where it hurts."}
    assert "Call me Lou." in before
