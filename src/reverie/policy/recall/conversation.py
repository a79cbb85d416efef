"""Which of the last turns a prompt shows: as many as fit, none that says nothing, no answer without its question."""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.language import quoting
from reverie.language.excerpts import excerpt, says_nothing
from reverie.language.sentences import asks
from reverie.language.words import token_count
from reverie.model.turns import Turn
from reverie.policy.recall.lines import speaker
from reverie.policy.recall.packing import Item
from reverie.policy.safety.trust import strip_recalled

LEAST = 60  # tokens that a turn may take in any case
LARGEST = 1 / 3  # of the room: so that an answer fits beside its question


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """A turn without what was quoted from memory: that is in a section of its own, if it still matters."""

    turn: Turn
    text: str
    answers: bool  # it would make no sense without the turn before it


def recent(turns: Sequence[Turn], room: int) -> list[Item]:
    """The last of these turns, oldest first, as lines of at most `room` tokens; a long one is cut between sentences."""
    chosen: list[tuple[SaidTurn, Item]] = []
    used, day = 0, ""
    for one in reversed(_said(turns)):
        item = Item(one.turn.id, _line(one, max(LEAST, int(room * LARGEST))), quoting.day(one.turn.at))
        tokens = token_count(item.text) + (token_count(item.heading) if item.heading != day else 0)
        if item.text and used + tokens > room:
            break
        if item.text:
            chosen.append((one, item))
            used, day = used + tokens, item.heading
    while chosen and chosen[-1][0].answers and chosen[-1][0].turn.id != turns[0].id:
        chosen.pop()
    return [item for _, item in reversed(chosen)]


def _said(turns: Sequence[Turn]) -> list[SaidTurn]:
    """Without acknowledgements, unless one answers a question: "ok" to "shall I delete it?" says much."""
    texts = [strip_recalled(turn.text).strip() for turn in turns]
    asked = [False, *(asks(text) for text in texts)]
    return [
        SaidTurn(turn, text, turn.role in ("assistant", "tool") or before_asks)
        for turn, text, before_asks in zip(turns, texts, asked, strict=False)
        if text and (not says_nothing(text) or (before_asks and turn.role == "user"))
    ]


def _line(one: SaidTurn, room: int) -> str:
    """Later lines of a text are set in: no line of it passes for somebody else's. Empty if not a sentence fits."""
    text = one.text if token_count(one.text) <= room else excerpt(one.text, room)
    set_in = "\n  ".join(text.splitlines())
    return f"{speaker(one.turn.speaker or one.turn.role, one.turn.trust)}: {set_in}" if text else ""
