"""Is a model worth having? A planted history is read by the rules alone and with the model, and both are marked.

What counts is what a night would keep: sentences worth keeping that were kept, others that were kept as well, and those
that were missed. A model that keeps no more than the rules, or much more of what nobody needs, is not worth its price.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from reverie.model.thinking import Episode, FactDraft

BEGINS = 1_793_600_000.0
APART = 3_600.0  # seconds between two turns
WORTH_IT = 1.05  # of what the rules keep rightly
FALSE_SHARE = 0.25  # of what a model adds may be what nobody needs


@dataclass(frozen=True, slots=True)
class PlantedHistory:
    episodes: tuple[Episode, ...]
    kept: frozenset[tuple[str, str]]  # episode and sentence
    wishes: frozenset[tuple[str, str]]
    questions: tuple[tuple[str, tuple[str, ...]], ...] = ()  # each with words of which a right answer has one


@dataclass(frozen=True, slots=True)
class Marks:
    """What a reading kept rightly, wrongly, and not at all."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    wrongly: tuple[str, ...] = field(default=())


@cache
def planted() -> PlantedHistory:
    written = tomllib.loads((resources.files(__package__) / "exam.toml").read_text("utf-8"))
    turns = written["turn"]
    episodes = tuple(
        Episode(f"turn-{n}", turn["text"], BEGINS + n * APART, before=_before(turn)) for n, turn in enumerate(turns)
    )
    kept = frozenset((f"turn-{n}", said) for n, turn in enumerate(turns) for said in turn.get("keep", ()))
    wishes = frozenset((f"turn-{n}", said) for n, turn in enumerate(turns) for said in turn.get("rules", ()))
    questions = tuple((one["ask"], tuple(one["words"])) for one in written["question"])
    return PlantedHistory(episodes, kept, wishes, questions)


def _before(turn: dict[str, str]) -> tuple[str, ...]:
    return (f"assistant: {turn['before']}",) if "before" in turn else ()


def marked(drafts: Sequence[FactDraft], history: PlantedHistory) -> Marks:
    """A quote is wrong if nothing in it is worth keeping; a wish that is kept as a plain statement counts as missed."""
    worth = [(d, {(d.source, said) for id, said in history.kept | history.wishes if id == d.source and said in d.quote})
             for d in drafts]  # fmt: skip
    right = {one for draft, found in worth for one in found if one in history.kept or draft.kind == "directive"}
    wrong = tuple(draft.quote for draft, found in worth if not found)
    return Marks(len(right), len(wrong), len(history.kept | history.wishes) - len(right), wrong)


def worth_having(rules: Marks, model: Marks) -> bool:
    """Whether a model's marks are better than the rules' alone.

    >>> worth_having(Marks(20, 2, 10), Marks(25, 3, 5)), worth_having(Marks(20, 2, 10), Marks(21, 9, 9))
    (True, False)
    """
    added, junk = model.right - rules.right, max(0, model.wrong - rules.wrong)
    return model.right >= WORTH_IT * rules.right and junk <= FALSE_SHARE * (added + junk)
