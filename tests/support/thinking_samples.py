"""One small input for each method of a reasoner, on which the rules leave something open: for tests of all of them."""

from typing import Any

from reverie.language.quoting import shown
from reverie.model.memories import Memory
from reverie.model.thinking import (
    BlockDraft,
    ContextLine,
    Episode,
    Evidence,
    Material,
    NightStory,
    ProposedChange,
    QuestionContext,
    Quote,
    Sentence,
)

NOW = 1_780_000_000.0
DAY = 86_400.0

UNCLEAR = Episode(
    "mem-u", "He signed it: 900 euros a month until March 2028.", NOW + 180,
    before=("user: I met the landlord today.", "assistant: How was it?"),
)  # fmt: skip
EPISODES = (
    Episode("mem-1", "I live in Hamburg with my cat Miez. The bike sits in the cellar.", NOW, speaker="user"),
    Episode("mem-2", "I work as a gardener. The roof leaks a bit when it rains hard.", NOW + 60, speaker="user"),
    Episode("mem-9", "Ich wohne jetzt in Bonn und arbeite als Gärtner.", NOW + 120, speaker="user"),
)
THEMES = tuple(
    Episode(f"mem-t{n}", text, NOW + n * DAY)
    for n, text in enumerate(
        (
            "I bought a red bicycle from Tom for 200 euros.",
            "My bicycle has a bell from Kiel.",
            "My sister Anna lives in Kiel and plays chess.",
            "The bicycle shop opens at nine on Mondays.",
        )
    )
)


def fact(id: str, quote: str, value: str, at: float = NOW, predicate: str = "lives_in", **marks: object) -> Memory:
    return Memory(
        id=id, space="s", kind="fact", text=shown(quote, "user", at), sources=("mem-1",), created_at=at, said_at=at,
        subject="user", predicate=predicate, value=value, speaker="user", marks={"quote": quote, **marks},
    )  # fmt: skip


OLD = fact("mem-3", "I drink coffee in the morning.", "coffee", predicate="drinks")
NEW = fact("mem-4", "I switched to tea in the morning.", "tea", NOW + 3600, "drinks", cue="switched")
MANY = tuple(
    fact(f"mem-m{n}", f"I own a boat called Nera{n} in Kiel.", f"Nera{n}", predicate="owns") for n in range(16)
)
EVIDENCE = (
    Evidence("mem-5", 'The user, 28 May 2026: "The dentist opens at nine on Mondays"', NOW, "user", 0.9, kind="fact",
             quote="The dentist opens at nine on Mondays"),
    Evidence("mem-6", 'The user, 28 May 2026: "The boat lies in Kiel"', NOW, "user", 0.9, kind="fact",
             quote="The boat lies in Kiel"),
)  # fmt: skip
OWN = Sentence("Call me Lou, never Louise.", ("mem-0",), own=True)
BLOCK = BlockDraft("human", 300, (OWN, *(Sentence(m.text, (m.id,)) for m in MANY[:5])), "who the user is")
STORY = NightStory("night-1", NOW, "night", (Quote("I live in Hamburg.", "user", NOW),))
CHANGE = ProposedChange("safety", "Be kind.", "Be kind. The boat lies in Kiel.", EVIDENCE)
MONEY = Material(
    "money",
    tuple(ContextLine(text, "mem-1") for text in ("- Rent: $900", "- Food: $350", "The gym is 40 euros for 3 months.")),
)
LONG = " ".join(f"We built boat number {n} and painted it red. Tom bought {n} oars for it." for n in range(21))

METHODS: dict[str, tuple[Any, ...]] = {
    "facts": (EPISODES,),
    "note": (THEMES, "bicycle"),
    "clash": (OLD, NEW),
    "profile": ("user", MANY),
    "infer": ((OLD, NEW),),
    "summary": (LONG, 2),
    "questions": (QuestionContext(EVIDENCE, EPISODES), 6),
    "answer": ("Where does the boat lie?", EVIDENCE),
    "rethink": (BLOCK, ()),
    "diary": (STORY,),
    "review": (CHANGE,),
    "ponder": (MONEY,),
}
