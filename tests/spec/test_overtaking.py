"""The small reader of two statements: does the later one bring the earlier one up to date?"""

import pytest

from reverie.minds.embed import NoEmbedder
from reverie.minds.minilm import MiniLM
from reverie.minds.overtaking import OvertakingReader


@pytest.fixture(scope="module")
def reader() -> OvertakingReader:
    return OvertakingReader(MiniLM())


CHANGED = [
    ("Pixel has her vet appointment on Tuesday.", "The vet rang, they've pushed Pixel to Thursday."),
    ("Rent is 1090 warm.", "Letter from the landlord: 1180 from the first."),
    ("I work the early shift", "scrap the early shift, I stay on late until the end of june"),
    ("the bathroom budget is 9000", "spoke with my wife, we can stretch to 14000"),
]
BOTH_HOLD = [
    ("I'm celiac", "I had a great pizza last night"),
    ("my sister lives in Oslo", "my brother moved to Bergen"),
    ("Mabli's bedtime is 8.30", "mabli swims on tuesdays at 5"),
    ("I do everything in Neovim", "gave Zed a go for an afternoon. pretty"),
]


@pytest.mark.parametrize(("older", "newer"), CHANGED)
def test_a_change_in_other_words_is_seen(reader: OvertakingReader, older: str, newer: str) -> None:
    assert reader.read([(older, newer)])[0].overtakes > 1


@pytest.mark.parametrize(("older", "newer"), BOTH_HOLD)
def test_what_both_holds_is_left_alone(reader: OvertakingReader, older: str, newer: str) -> None:
    assert reader.read([(older, newer)])[0].overtakes < 0


def test_a_pair_reads_the_same_in_any_company(reader: OvertakingReader) -> None:
    together = reader.read([*CHANGED, *BOTH_HOLD])
    assert together == [OvertakingReader(MiniLM()).read([pair])[0] for pair in (*CHANGED, *BOTH_HOLD)]


def test_only_the_bundled_embedder_has_the_layers_it_needs() -> None:
    assert OvertakingReader.by(NoEmbedder()) is None
    assert isinstance(OvertakingReader.by(MiniLM()), OvertakingReader)
