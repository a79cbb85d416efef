"""What stands in core from the first night on, before anybody needed it: who the user is and what they are doing.

Such lines are provisional. They stay while they are fresh and there is room, move to `human` once the evidence is there
(`promotion`), and otherwise leave again; the fact they quote stays in the archive.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reverie.language.vocabulary import APOSTROPHES
from reverie.model.base import DAY, Instant, Trust
from reverie.model.memories import Memory
from reverie.policy.core import lines
from reverie.policy.decision import Decision
from reverie.policy.truth.statements import is_over

PROVISIONAL = "provisional"  # in its metadata: the night that put it into core without evidence
PROMOTED = "promoted"  # in its metadata: the night that promoted it
LABEL = "learned_context"


@dataclass(frozen=True, slots=True)
class ProvisionalWeights:
    enters: float = 0.6  # the weight from which a line enters
    room: float = 0.6  # of the block's limit
    fades_after: float = 28.0  # days in which nobody said it or needed it
    lasting_fades_after: float = 180.0
    a_use: float = 0.05
    most_uses: int = 6
    a_week: float = 0.04  # what a week takes from its weight


WEIGHTS = ProvisionalWeights()

# Why a statement has no place in core before anybody needed it, the words that show it. Read without upper case.
_NOT_YET: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    (
        "of the moment",
        "quote",
        re.compile(
            r"(?<!since )(?<!from )\b(?:today|tonight|this (?:morning|afternoon|evening|night)|right now|just now|at the moment|for now|"
            r"in a (?:sec|second|min|minute|bit|moment)|\d+ ?(?:min|mins|minutes|sec|secs|seconds) (?:ago|left|late))\b"
        ),
    ),
    (
        "leans on what was said before it",
        "alone",
        re.compile(
            r"(?:(?:and|but|so|also|well|yeah|yes|yep|no|nope|oh|ok|okay|ha(?:ha)*|lol|then|plus|because|cos|or|which)"
            r"[\s,.!:]+)*(?:it|its|it's|that|that's|thats|this|they|they're|them|these|those|she|she's|he|he's|both|same)\b"
        ),
    ),
    (
        "answers an offer",
        "about",
        re.compile(
            r".*\b(?:do you want|would you like|shall (?:i|we)|should (?:i|we|it|the)|want me|can i|may i|could i|"
            r"anything (?:else|open|more)|is that (?:ok|okay|right|wrong)|does that)\b"
        ),
    ),
)


def may_enter(memory: Memory, now: Instant, w: ProvisionalWeights = WEIGHTS) -> Decision:
    """May a new fact stand in core without evidence?

    >>> from dataclasses import replace
    >>> said = Memory("m", "s", "fact", "", ("t",), 0.0, trust=Trust.USER, metadata={"quote": "I'm celiac"})
    >>> may_enter(replace(said, metadata={"quote": "I'm celiac", "reasons": ["health"]}), 0.0).why
    'health'
    >>> may_enter(said, 0.0).why
    'says too little of who the user is or what they are doing'
    """
    if memory.kind != "fact" or not memory.quote:
        return Decision(False, "no quote")
    if memory.trust < Trust.USER or memory.quarantined:
        return Decision(False, "not the user's own words")
    if memory.stale or is_over(memory, now):
        return Decision(False, "no longer holds")
    if len(lines.shown(memory)) > 2 * lines.LONGEST:
        return Decision(False, "too long for a line")
    if why := _not_yet(memory):
        return Decision(False, why)
    if lines.weight(memory) < w.enters:
        return Decision(False, "says too little of who the user is or what they are doing")
    return Decision(True, ", ".join(lines.classes_of(memory)))


def _not_yet(memory: Memory) -> str | None:
    said, about = memory.quote.translate(APOSTROPHES).casefold(), memory.about.translate(APOSTROPHES).casefold()
    texts = {"quote": said, "about": about, "alone": "" if about else said}
    for why, field, words in _NOT_YET:
        if words.search(texts[field]) if field == "quote" else words.match(texts[field]):
            return why
    return None


def is_provisional(memory: Memory) -> bool:
    return PROVISIONAL in memory.metadata and PROMOTED not in memory.metadata


def faded(memory: Memory, now: Instant, w: ProvisionalWeights = WEIGHTS) -> bool:
    """Whether nobody has said or needed it for weeks."""
    used = max(memory.dated, memory.last_used_at or 0.0, memory.reinforced_at or 0.0)
    return now - used > (w.lasting_fades_after if lines.is_lasting(memory) else w.fades_after) * DAY


def weight(memory: Memory, now: Instant, w: ProvisionalWeights = WEIGHTS) -> float:
    """What it is worth in core: how much it tells, how often it was needed, how fresh it is."""
    weeks = max(0.0, now - memory.dated) / (7 * DAY)
    return lines.weight(memory) + w.a_use * min(memory.uses, w.most_uses) - w.a_week * weeks


def chosen(candidates: Sequence[Memory], fixed: Sequence[Memory], room: int, now: Instant) -> list[Memory]:
    """Those that stand provisionally: one a matter, not what a lasting line says, as many as there is room for.

    `fixed` are the lasting lines of core, `room` is in characters. What is left out stays in the archive.
    """
    fresh = [memory for memory in candidates if not faded(memory, now) and not is_over(memory, now)]
    matters = [m for m in lines.newest_of_each(fresh) if not any(_told(m, other) for other in fixed)]
    kept: list[Memory] = []
    for memory in sorted(matters, key=lambda memory: (-weight(memory, now), memory.id)):
        size = len(lines.shown(memory)) + 1
        if size <= room:
            kept.append(memory)
            room -= size
    return kept


def _told(memory: Memory, line: Memory) -> bool:
    """Whether a standing line says it already: the same matter, and not said before."""
    return memory.id == line.id or (lines.same_matter(memory, line) and memory.dated <= line.dated)
