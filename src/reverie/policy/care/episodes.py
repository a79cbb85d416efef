"""Which turns become episodes, and what an episode keeps of a turn."""

from collections.abc import Iterable
from dataclasses import dataclass

from reverie.model.turns import Turn
from reverie.policy.recall.search_keys import episode_id
from reverie.policy.safety.trust import strip_recalled


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A turn, and the text that its episode keeps of it."""

    turn: Turn
    text: str

    @property
    def episode(self) -> str:
        return episode_id(self.turn.space, self.turn.id)

    @property
    def speaker(self) -> str:
        return self.turn.speaker or self.turn.role


def worth_keeping(turns: Iterable[Turn]) -> list[KeptTurn]:
    """Those of these turns that become episodes."""
    return [found for turn in turns if (found := kept_turn(turn)) is not None]


def kept_turn(turn: Turn) -> KeptTurn | None:
    """None for what is not worth an episode: system prompts, and recalled text that came back."""
    if turn.role == "system" and turn.block is None:
        return None
    text = strip_recalled(turn.text)
    return KeptTurn(turn, text) if text else None


def is_to_agent(turn: Turn, around: Iterable[Turn]) -> bool:
    """Whether a turn is for the agent to follow: not where another person speaks next to it and no assistant does."""
    near = list(around)
    others = any(one.role == "user" and one.speaker != turn.speaker for one in near)
    return not others or any(one.role == "assistant" for one in near)
