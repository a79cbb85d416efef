"""Three planted histories that reach every step in which a model has a part, and what nights and a chat leave of them.

The talk of each is by another hand, with a label for every sentence; behind it stands what makes a night ask a model
the rest: something to add up, a change without a plain word, a theme, a long text, a document, a block without room.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from reverie.language.words import tokens
from reverie.minds.llm.selection.exam import planted
from reverie.model.base import DAY, HOUR
from reverie.reverie import Reverie
from reverie.space import Space

HISTORIES = Path("bench/histories/dev")
WORTH = ("keep", "keep-about", "directive")
LATER = 120 * DAY  # by then a long text is only shown by some of its sentences
ROOM = 500  # characters of the block that gets too long
SHOP = "# Tea shop\n\n| tea | sold | price ($) |\n|---|---|---|\n| Sencha | 12 | 4.50 |\n| Assam | 8 | 3.00 |\n"
BESIDES = (
    "Rent was $900 this month, food came to $350.",
    "I like strong sweet coffee.",
    "I bought a red bicycle from Tom for 200 euros.",
    "My bicycle has a bell from Kiel.",
    "My sister Anna plays chess in Kiel.",
    "The bicycle shop opens at nine on Mondays.",
    "These days I like bitter black coffee instead.",
    "Remember that I'm allergic to walnuts and to latex, and that the pharmacy in the Lindenstraße has my papers.",
    "Anna is allergic to cats.",
    "Remember that Anna has the second key, and that she works nights at the station until June.",
    "Remember that my bank is the Volksbank in Kiel, and that its card only works with the grey reader.",
    "Remember that our landlord is Mr Tamm, and that he wants the rent on the third of every month.",
    "Remember that my doctor is Dr Okafor, and that she is away every August until the school begins.",
)
# Of the agent's own words nothing is kept, but it is a text that is too long to be shown in whole.
RECITED = " ".join(f"Boat {n} of the list is red and lies at pier {n + 4}. It has {n} oars." for n in range(1, 24))


@dataclass(frozen=True, slots=True)
class SaidTurn:
    role: str
    text: str
    at: float
    session: str


@dataclass(frozen=True, slots=True)
class PlantedTalk:
    """Turns, the sentences of it that are labelled, and those of them that are worth keeping."""

    turns: tuple[SaidTurn, ...]
    labelled: frozenset[str]
    worth: frozenset[str]
    questions: tuple[str, ...]

    @property
    def heard(self) -> str:
        """All words that anybody said or wrote in it."""
        return words(" ".join((*(turn.text for turn in self.turns), *BESIDES, RECITED, SHOP, *self.questions)))


def words(text: str) -> str:
    return " ".join(tokens(text))


def studio() -> PlantedTalk:
    """The history on which `reverie models check` examines a model."""
    history = planted()
    turns = []
    for place, episode in enumerate(history.episodes):
        for line in (*episode.before, f"user: {episode.text}"):
            role, _, text = line.partition(": ")
            turns.append(SaidTurn(role, text, episode.said_at, f"s{place // 5}"))
    worth = frozenset(said for _, said in history.kept | history.wishes)
    asked = tuple(question for question, _ in history.questions[:3])
    return PlantedTalk(tuple(turns), worth, worth, asked)


def labelled(name: str, most: int) -> PlantedTalk:
    """The first turns of one of the labelled histories."""
    rows = [json.loads(line) for line in (HISTORIES / f"{name}.jsonl").read_text("utf-8").splitlines()[:most]]
    turns = tuple(
        SaidTurn(row["role"], row["text"], datetime.fromisoformat(row["at"]).timestamp(), row["session"])
        for row in rows
    )
    heard = {str(row["n"]) for row in rows}
    known = dict[str, bool]()
    for line in (HISTORIES / f"{name}.sentences.tsv").read_text("utf-8").splitlines():
        place, label, _, text = line.split("\t")
        if place.split(":")[-2] in heard:
            known[text] = label in WORTH
    worth = frozenset(text for text, kept in known.items() if kept)
    return PlantedTalk(turns, frozenset(known), worth, ("Where do I live?", "What did I buy from Tom?"))


def histories(most: int) -> Mapping[str, PlantedTalk]:
    return {"studio": studio(), "anahit": labelled("anahit", most), "corwin": labelled("corwin", most)}


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """What is left of a history after a night: what was kept, what is told, what has ended."""

    facts: frozenset[str]  # their quotes
    directives: frozenset[str]
    core: frozenset[str]
    answers: frozenset[str]
    insights: Mapping[str, Mapping[str, Any]]
    texts: frozenset[str]  # of notes and profiles, summaries, diaries, reviews
    ended: frozenset[str]


@dataclass(frozen=True, slots=True)
class LivedHistory:
    """After the first night, after a chat and a second one long after it, and what was replied."""

    first: LeftBehind
    last: LeftBehind
    replies: tuple[str, ...]


def lived(home: Path, talk: PlantedTalk, settings: Mapping[str, Any]) -> LivedHistory:
    """A night over the history, questions in a chat, and a night when all that has grown old."""
    now = [talk.turns[-1].at + DAY]
    with Reverie.open(home, embedder="minilm", durable=False, clock=lambda: now[0], **settings) as memory:
        space = memory.space()
        _hear(space, talk)
        assert space.sleep().status == "done"
        first = _left(space)
        replies = tuple(space.say(question).text for question in talk.questions)
        now[0] += LATER
        assert space.sleep().status == "done"
        return LivedHistory(first, _left(space), replies)


def _hear(space: Space, talk: PlantedTalk) -> None:
    space.blocks["human"].append("Call me Lou.")
    space.blocks["human"].describe(limit=ROOM)
    for turn in talk.turns:
        space.append(turn.role, turn.text, session=turn.session, at=turn.at)
    for place, text in enumerate(BESIDES, 1):
        space.append("user", text, session="besides", at=talk.turns[-1].at + place * 60)
    space.append("assistant", RECITED, session="besides", at=talk.turns[-1].at + HOUR)
    space.study(text=SHOP, name="shop")


def _left(space: Space) -> LeftBehind:
    made = [one for one in space.all(limit=1_000) if one.kind != "episode"]
    told = [one.text for one in made if one.kind in ("note", "profile")]
    short = [one.summary for one in space.all(limit=1_000) if one.summary]
    return LeftBehind(
        facts=frozenset(one.quote or one.text for one in made if one.kind == "fact"),
        directives=frozenset(one.text for one in made if one.kind == "directive"),
        core=frozenset(line for block in space.blocks for line in block.value.splitlines() if line),
        answers=frozenset(one.answer for one in space.answers()),
        insights={one.text: one.marks for one in made if one.kind == "insight"},
        texts=frozenset((*told, *short, *(entry.text for entry in space.diary()))),
        ended=frozenset(one.text for one in space.all(limit=1_000) if one.valid_until is not None),
    )
