"""A pointer of a model to somebody in the talk holds where the quote may mean them; else the quote goes without."""

import pytest

from reverie.model.thinking import Episode
from tests.contract.test_llm import Rig
from tests.support.fault_server import fault_server
from tests.support.thinking_samples import NOW

SAID = "He signed it: 900 euros a month until March 2028."
HOW = "assistant: How was it?"


@pytest.mark.parametrize(
    ("told", "copied", "on"),
    [
        (("user: I met the landlord today.",), "the landlord", "I met the landlord today."),
        (("user: I met the landlady today.",), "the landlady", ""),  # "he" is not she
        (
            ("user: I met the landlord today.", "user: My brother Jon rang, the roof leaks.", "user: It is late."),
            "the landlord",
            "",  # somebody else was named since
        ),
    ],
)
def test_a_person_that_a_model_points_to_is_one_whom_the_quote_may_mean(
    told: tuple[str, ...], copied: str, on: str
) -> None:
    before = (*told, HOW)
    said = Episode("mem-p", SAID, NOW, before=before[-2:], earlier=before[:-2])
    with fault_server(lambda _: (copied, "stop")) as server:
        (found,) = Rig(server, "pointing").reasoner.facts([said])
    assert (found.quote, found.on) == (SAID, on)
