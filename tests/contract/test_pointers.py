"""What a model points to before an unclear quote is shown where the quote may speak of it; else the quote goes without."""

import pytest

from reverie.model.thinking import Episode
from tests.contract.test_llm import Rig
from tests.support.fault_server import fault_server
from tests.support.thinking_samples import NOW

PELLE = (
    "user: I met a guy called Floris for the plan.",
    "user: pelle thinks he has. He made a board with 61 cards.",
    "assistant: With colours, I presume.",
)


@pytest.mark.parametrize(
    ("before", "about"),
    [
        ((*PELLE[:1], *PELLE[2:]), PELLE[0].removeprefix("user: ")),
        (PELLE, ""),  # somebody else was named since
        (("user: My sister Ada called.", *PELLE[2:]), ""),  # "him" is not she
    ],
)
def test_a_pointer_to_a_person_holds_where_one_is_named_there_who_may_be_meant(
    before: tuple[str, ...], about: str
) -> None:
    said = Episode("mem-p", "I like him, he signed the plan of the whole group for 900 euros.", NOW, before=before)
    with fault_server(lambda _: ("guy called Floris sister Ada", "stop")) as server:
        (found,) = Rig(server, "pointing").reasoner.facts([said])
    assert (found.quote, found.about) == (said.text, about)
