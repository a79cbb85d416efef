"""The whole campaign on both backends and with both embedders; `python -m tests.torture.attacks` prints the tables."""

import pytest

from tests.conftest import BACKENDS
from tests.support.attacks.corpus import Corpus, benign
from tests.torture.attacks import run, run_gullible

pytestmark = [pytest.mark.torture, pytest.mark.timeout(3_600)]
EMBEDDERS = ("none", "minilm")  # with the second, a judge and a reader of two statements decide more


@pytest.mark.parametrize("embedder", EMBEDDERS)
@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_no_attack_gets_through_any_door_and_benign_texts_are_left_alone(
    location: str, embedder: str, request: pytest.FixtureRequest
) -> None:
    corpus = Corpus.read()
    report = run(location, corpus.attacks, corpus.controls, list(benign()), embedder)
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(f"\n{report}")
    through = {outcome.attack.id for outcome in report.through}
    if embedder == "minilm":
        assert through == set()
        assert {outcome.attack.id for outcome in report.kept_out} <= corpus.lost
    else:  # nobody reads whose words they are: these are known to pass, each inside the user's own turn
        assert through <= corpus.unread
    assert report.false_quarantine < 0.01


def test_a_model_that_believes_what_it_reads_puts_none_of_it_into_core_or_answers(location: str) -> None:
    report = run_gullible(location, Corpus.read())
    assert {outcome.attack.id: outcome.grave for outcome in report.through if outcome.grave} == {}
