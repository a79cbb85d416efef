"""Which of the open sentences of some turns a model chooses, and what becomes of its choice.

A turn is shown once, its open sentences numbered; a turn with none is not shown at all. A model that takes nearly
everything has not chosen, and nothing of it is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.language.words import token_count
from reverie.minds.llm.asking.parse import Picked
from reverie.minds.llm.faults import FaultCounts
from reverie.minds.llm.prompt_data import Sheet, clipped, shown
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.minds.rules.undecided.quotes import UnclearQuote
from reverie.minds.rules.undecided.turns import OpenTurn
from reverie.model.thinking import Episode, FactDraft

LONGEST_BEFORE = 160  # characters of what somebody else said just before
LONGEST_AROUND = 600  # of a turn's other sentences
ENOUGH = 6  # sentences from which one can tell whether a model chooses at all
TAKES_ALL = 0.8  # of them


@dataclass(frozen=True, slots=True)
class ChoiceSheet:
    """Some turns of a batch as one call shows them."""

    sheet: Sheet
    places: tuple[tuple[int, str], ...]  # for each number the turn's place in the batch, and the sentence

    def chosen(self, picked: Sequence[Picked], *, rules: bool) -> dict[int, set[str]]:
        found: dict[int, set[str]] = {}
        for one in picked:
            place, text = self.places[one.number - 1]
            if one.rule == rules:
                found.setdefault(place, set()).add(text)
        return found


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A batch of turns as the rules read it, and what a model is asked about it."""

    episodes: Sequence[Episode]
    turns: Sequence[OpenTurn]
    sheets: Sequence[ChoiceSheet]

    @property
    def unclear(self) -> list[UnclearQuote]:
        return [one for turn in self.turns for one in turn.unclear]

    @classmethod
    def of(cls, rules: RulesReasoner, episodes: Sequence[Episode], tokens: int) -> "ReadBatch":
        """With sheets of so many tokens; with none where a model is not to be asked for a choice."""
        turns = rules.open_turns(episodes)
        return cls(episodes, turns, _sheets(turns, tokens) if tokens else [])

    def drafts(
        self, picked: Sequence[Sequence[Picked]], named: Sequence[FactDraft | None], faults: FaultCounts
    ) -> list[FactDraft]:
        """What the rules keep, turn by turn, and after it what the model chose besides; then the unclear quotes that it
        understands.
        """
        kept: dict[int, set[str]] = {}
        lasting: dict[int, set[str]] = {}
        for sheet, its in zip(self.sheets, picked, strict=True):
            if len(sheet.places) >= ENOUGH and len(its) >= TAKES_ALL * len(sheet.places):
                faults.add("no_choice")
                continue
            kept |= sheet.chosen(its, rules=False)
            lasting |= sheet.chosen(its, rules=True)
        chosen = [
            draft
            for place, turn in enumerate(self.turns)
            for draft in (*turn.kept, *turn.chosen(kept.get(place, ()), lasting.get(place, ())))
        ]
        return [*chosen, *(draft for draft in named if draft is not None)]


def _sheets(turns: Sequence[OpenTurn], tokens: int) -> list[ChoiceSheet]:
    """One call for all, unless they are more than `tokens`."""
    parts: list[list[int]] = [[]]
    size = 0
    for place, turn in enumerate(turns):
        if turn.open:
            cost = token_count(turn.episode.text[:LONGEST_AROUND])
            if parts[-1] and size + cost > tokens:
                parts.append([])
                size = 0
            parts[-1].append(place)
            size += cost
    return [_sheet(turns, part) for part in parts if part]


def _sheet(turns: Sequence[OpenTurn], part: Sequence[int]) -> ChoiceSheet:
    sheet, lines, places = Sheet(), list[str](), list[tuple[int, str]]()
    said: set[str] = set()
    for place in part:
        turn = turns[place]
        before = turn.episode.before[-1] if turn.episode.before else ""
        if before and not _said_by(turn.episode, before) and before not in said:
            lines.append(shown(clipped(before, LONGEST_BEFORE)))
        lines.append(f"{shown(turn.episode.speaker)}: {_turn(sheet, turn)}")
        said |= {before, f"{turn.episode.speaker}: {turn.episode.text}"}
        places += [(place, one.text) for one in turn.open]
    return ChoiceSheet(sheet.add("talk", lines), tuple(places))


def _said_by(episode: Episode, before: str) -> bool:
    return before.startswith(f"{episode.speaker}: ")


def _turn(sheet: Sheet, turn: OpenTurn) -> str:
    """Its sentences in order, those that are open behind their numbers, the rest as far as there is room."""
    open = {one.start: one for one in turn.open}
    room, parts = LONGEST_AROUND, list[str]()
    for one in sorted({*turn.open, *turn.turn.said}, key=lambda one: one.start):
        if one.start in open:
            parts.append(f"[{sheet.number(turn.episode.id, one.text)}] {shown(one.text)}")
        elif len(one.text) <= room:
            parts.append(shown(one.text))
            room -= len(one.text)
    return " ".join(parts)
