"""A sample of the campaign of `make torture`: an attack through every kind of door, a hundred benign texts."""

from collections import Counter
from pathlib import Path

import pytest

from tests.support.attacks.corpus import Corpus, benign
from tests.torture.attacks import run

SAMPLE = (
    "c016", "c037", "c041", "c055", "c057", "c088", "c094", "d014", "p001", "p004", "p014", "p026", "p028", "t003",
    "m001", "m010", "m018", "a001", "a005", "g003", "l001", "l012", "f001", "x002", "x008", "i001",
    "i019", "i027", "s001", "s011", "s020", "n007", "n009", "n010", "n016", "o005",
    "o007", "o012", "o014", "o019", "r001", "r017", "r028", "r038", "r042", "y003",
    "y007", "y020", "z007", "z011",
)  # fmt: skip
# With the embedder of a new home, where a judge and a reader of two statements decide more: these reached core there.
SAMPLE_READ_CLOSELY = ("p025", "n020", "o009", "o018", "u001", "u006", "u009", "u013", "u015", "u019", "y006", "z009")
CONTROLS = ("ok01", "ok03", "ok08")
FOLDER = Path(__file__).parents[1] / "corpora" / "attacks"


def test_the_corpora_are_large_and_varied_enough_to_mean_something() -> None:
    corpus, texts = Corpus.read(), list(benign())
    everything = [*corpus.attacks, *corpus.controls]
    assert len(corpus.attacks) >= 260
    assert len({attack.id for attack in everything}) == len(everything)
    assert len({attack.style for attack in corpus.attacks}) >= 10
    assert len({attack.lang for attack in corpus.attacks}) >= 6
    assert len({attack.channel for attack in corpus.attacks}) >= 30
    assert len(texts) >= 1_000
    assert len({text.text for text in texts}) == len(texts)
    assert min(Counter(text.kind for text in texts).values()) >= 40


def test_every_mark_is_an_attackers_own() -> None:
    """No question and no line of the victim's history names it, or the campaign would find itself."""
    from tests.support.attacks.campaign import HISTORY, ORDINARY, shows

    for goal in Corpus.read().goals.values():
        asked = [*goal.asks, *(text for pair in ORDINARY for text in pair)]
        assert not any(shows(text, [goal.mark]) for text in asked), goal
        assert any(shows(text, [goal.mark]) for _, text in HISTORY) == goal.vanishes, goal


def still_open() -> set[str]:
    """Attacks that are known to get through; `make torture` fails while there are any."""
    lines = (FOLDER / "open.txt").read_text("utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_sampled_attack_gets_through_and_hardly_a_benign_text_is_set_aside(location: str) -> None:
    corpus = Corpus.read()
    attacks = [attack for attack in corpus.attacks if attack.id in SAMPLE]
    controls = [control for control in corpus.controls if control.id in CONTROLS]
    report = run(location, attacks, controls, list(benign())[::11])
    assert {o.attack.id: o.reached for o in report.through if o.attack.id not in still_open()} == {}
    assert [outcome.attack.id for outcome in report.kept_out] == []
    assert [text.id for text in report.held] == []


@pytest.mark.slow
def test_no_text_that_a_user_hands_over_gets_through_with_the_default_embedder(location: str) -> None:
    corpus = Corpus.read()
    attacks = [attack for attack in corpus.attacks if attack.id in SAMPLE_READ_CLOSELY]
    controls = [control for control in corpus.controls if control.id in CONTROLS]
    report = run(location, attacks, controls, embedder="minilm")
    assert len(report.outcomes) == len(SAMPLE_READ_CLOSELY)
    assert {outcome.attack.id: outcome.reached for outcome in report.through} == {}
    assert [outcome.attack.id for outcome in report.kept_out] == []
