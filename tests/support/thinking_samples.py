"""One small input for each method of a reasoner, for tests that go through all of them."""

from typing import Any

from reverie.model.memories import Memory
from reverie.model.thinking import (
    BlockDraft,
    Episode,
    Evidence,
    NightStory,
    ProposedChange,
    QuestionContext,
    Quote,
    Sentence,
)

NOW = 1_780_000_000.0

EPISODES = (
    Episode("mem-1", "I live in Hamburg with my cat Miez.", NOW, speaker="user"),
    Episode("mem-2", "I work as a gardener.", NOW + 60, speaker="user", before=("user: I live in Hamburg.",)),
)


def fact(id: str, text: str, value: str, at: float = NOW) -> Memory:
    return Memory(
        id=id, space="s", kind="fact", text=text, sources=("mem-1",), created_at=at, said_at=at,
        subject="user", predicate="lives_in", value=value,
    )  # fmt: skip


OLD = fact("mem-3", "The user lives in Hamburg", "Hamburg")
NEW = fact("mem-4", "The user moved to Bonn", "Bonn", NOW + 3600)
EVIDENCE = (Evidence("mem-3", "The user lives in Hamburg", NOW, speaker="user", score=0.9, subject="user",
                     predicate="lives_in", value="Hamburg"),)  # fmt: skip
OWN = Sentence("Call me Lou, never Louise.", ("mem-0",), own=True)
BLOCK = BlockDraft("human", 2_000, (OWN, Sentence("The user lives in Hamburg.", ("mem-3",))), "who the user is")
STORY = NightStory("night-1", NOW, "night", (Quote("I live in Hamburg.", "user", NOW),))
CHANGE = ProposedChange("safety", "Be kind.", "Be kind. The user lives in Hamburg.", EVIDENCE)

METHODS: dict[str, tuple[Any, ...]] = {
    "facts": (EPISODES,),
    "note": (EPISODES,),
    "clash": (OLD, NEW),
    "profile": ("user", (OLD, NEW)),
    "infer": ((OLD, NEW),),
    "summary": ("I live in Hamburg. I have a cat. I work as a gardener. It rains today. " * 3, 2),
    "questions": (QuestionContext(EVIDENCE, EPISODES, ("Where do I live?",)), 3),
    "answer": ("Where do I live?", EVIDENCE),
    "rethink": (BLOCK, (NEW,)),
    "diary": (STORY,),
    "review": (CHANGE,),
}
