"""LoCoMo as its file has it: long talks of two people, questions, and the turns that answer them."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reverie.space import Space

DEFAULT_DATA = Path("../shared/data/locomo_dev.json")
CATEGORIES = {1: "multi-hop", 2: "time", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
TURN_ID = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Said:
    id: str
    session: str
    speaker: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: frozenset[str]
    category: int
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Talk:
    name: str
    turns: tuple[Said, ...]
    questions: tuple[Question, ...]


def load(path: Path) -> list[Talk]:
    return [_talk(sample) for sample in json.loads(path.read_text("utf-8"))]


def _talk(sample: dict[str, Any]) -> Talk:
    turns = tuple(_turns(sample["conversation"]))
    known = {turn.id for turn in turns}
    questions = (
        Question(qa["question"], _evidence(qa) & known, qa["category"], str(qa.get("answer") or ""))
        for qa in sample["qa"]
    )
    return Talk(str(sample["sample_id"]), turns, tuple(q for q in questions if q.evidence))


def _evidence(qa: dict[str, Any]) -> frozenset[str]:
    return frozenset(TURN_ID.findall(" ".join(qa.get("evidence") or [])))


def _turns(talk: dict[str, Any]) -> Iterator[Said]:
    number = 1
    while f"session_{number}_date_time" in talk:
        began = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for place, turn in enumerate(talk.get(f"session_{number}", [])):
            caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Said(
                turn["dia_id"], f"session {number}", turn["speaker"], turn["text"] + caption, began.timestamp() + place
            )
        number += 1


def tell(space: Space, turns: Sequence[Said]) -> dict[str, str]:
    """Appends the turns; answers which of them each stored turn is."""
    return {
        space.append("user", said.text, said.session, speaker=said.speaker, at=said.at).id: said.id for said in turns
    }
