"""What a night changed, so that a person can read it: what each row says, and what moved in it."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from reverie.console.words import DiffLine, diff_lines
from reverie.errors import NotFound
from reverie.language.quoting import day
from reverie.model.night import Change
from reverie.space import Space

# What is written in passing and says nothing to a reader.
SILENT = (
    "vectors", "documents", "sources", "block_sentences", "block_versions", "checkpoints", "spaces", "mentions",
    "answer_rests",
)  # fmt: skip
TITLES = {
    "memories": "memory", "blocks": "core memory", "edges": "link", "answers": "prepared answer", "diary": "diary",
    "contradictions": "contradiction", "reviews": "review",
}  # fmt: skip
MOVED = {
    "tier": "tier", "stale": "out of date", "valid_until": "held until", "confidence": "confidence",
    "pinned": "pinned", "quarantined": "quarantined", "dropped": "dropped", "status": "status",
    "title": "title", "summary": "summary",
}  # fmt: skip


ENDINGS = {"stale", "valid_until", "quarantined", "text"}  # what is no longer so is worth a line


@dataclass(frozen=True, slots=True)
class ReadableChange:
    sign: str  # + made, - taken away, ~ changed
    noun: str
    text: str
    step: str
    ref: str = ""  # the memory's id, where it can be opened
    moved: tuple[str, ...] = ()
    lines: tuple[DiffLine, ...] = ()
    minor: bool = False  # care for what is there already: tags, links, tiers, scores

    @property
    def kept(self) -> bool:
        """A turn that was kept as it was said: nothing was thought yet."""
        return self.sign == "+" and self.noun == "episode"


def readable(space: Space, changes: Sequence[Change]) -> list[ReadableChange]:
    """One entry a row that says something, in the night's order."""
    labels = {block.id: block.label for block in space.blocks}
    made = {one.key: one.after for one in changes if one.relation == "memories" and one.before is None and one.after}
    return [_read(space, change, labels, made) for change in _each_once(changes) if change.relation not in SILENT]


def _each_once(changes: Sequence[Change]) -> list[Change]:
    """A prepared answer that was dropped and made again in one night is one change."""
    found: dict[tuple[str, object], Change] = {}
    for change in changes:
        at = (change.relation, change.key if change.relation == "answers" else change.n)
        found[at] = replace(found[at], after=change.after) if at in found else change
    return list(found.values())


Made = Mapping[str, Mapping[str, object]]  # the memories that these changes made, by id; a dry run keeps none of them


def _read(space: Space, change: Change, labels: Mapping[str, str], made: Made) -> ReadableChange:
    sign = "+" if change.before is None else "-" if change.after is None else "~"
    noun = TITLES.get(change.relation, change.relation.replace("_", " "))
    row = change.after or change.before or {}
    if change.relation == "blocks" and change.before is not None and change.after is not None:
        before, after = str(change.before.get("value", "")), str(change.after.get("value", ""))
        label = str(row.get("label") or labels.get(change.key, change.key))
        return ReadableChange(sign, noun, label, change.step, lines=tuple(diff_lines(before, after)))
    if change.relation == "memories":
        return _memory(space, change, sign, made.get(change.key, {}))
    if change.relation == "edges":
        why = str(row.get("why") or row.get("relation") or change.key)
        return ReadableChange(sign, noun, why, change.step, minor=True)
    if change.relation == "contradictions":
        return ReadableChange(sign, noun, _both(space, change.key, row), change.step, moved=_moved(change))
    said = row.get("question") or row.get("text") or row.get("value") or row.get("evidence")
    if said is None and change.relation == "answers":
        with suppress(NotFound):
            said = space.prepared(change.key).question
    moved = _moved(change)
    again = change.relation == "answers" and sign == "~" and not moved
    return ReadableChange(sign, noun, str(said or change.key), change.step, moved=moved, minor=again)


def _both(space: Space, id: str, row: Mapping[str, object]) -> str:
    """The two statements of a contradiction, the older first."""
    if "older" in row and "newer" in row:
        return f"{row['older']} ⇄ {row['newer']}"
    with suppress(NotFound):
        clash = space.contradiction(id)
        return " ⇄ ".join(space.named(one).text for one in (clash.older, clash.newer))
    return "one of the two statements was forgotten since"


def _memory(space: Space, change: Change, sign: str, made: Mapping[str, object]) -> ReadableChange:
    row = made or change.after or change.before or {}
    kind, text = row.get("kind"), row.get("text")
    ref = ""
    with suppress(NotFound):  # taken back or forgotten since
        memory = space.memory(change.key)
        kind, text, ref = memory.kind, memory.text, memory.id
    minor = sign == "~" and not ENDINGS.intersection(change.after or ())
    noun = str(kind or "memory")
    return ReadableChange(sign, noun, str(text or change.key), change.step, ref, _moved(change), minor=minor)


A_MEMORY = re.compile(r"(mem-[0-9a-z-]{1,48}) (.{1,600})")


@dataclass(frozen=True, slots=True)
class StepLine:
    """What a step had to say, with the memory that it is about where it names one."""

    text: str
    ref: str = ""


def step_lines(told: Mapping[str, Sequence[str]], most: int = 20) -> dict[str, list[StepLine]]:
    """
    >>> step_lines({"tier": ["mem-0a1 hot -> warm: moderate_priority"], "promote": ["Nothing."]})["tier"]
    [StepLine(text='hot → warm: moderate priority', ref='mem-0a1')]
    """
    return {step: [_step_line(line) for line in lines[:most]] for step, lines in told.items()}


def _step_line(line: str) -> StepLine:
    found = A_MEMORY.fullmatch(line)
    if found is None:
        return StepLine(line)
    return StepLine(found[2].replace("->", "→").replace("_", " "), found[1])


def _moved(change: Change) -> tuple[str, ...]:
    """Which columns went from what to what, in words."""
    if change.before is None or change.after is None:
        return ()
    return tuple(
        f"{word}: {_shown(change.before.get(name), name)} → {_shown(change.after[name], name)}"
        for name, word in MOVED.items()
        if name in change.after and change.before.get(name) != change.after[name]
    )


def _shown(value: object, name: str = "") -> str:
    """
    >>> _shown(None), _shown(0.123456), _shown("warm"), _shown(1_793_836_800.0, "valid_until")
    ('none', '0.12', 'warm', '5 November 2026')
    """
    if value is None or value == "":
        return "none"
    if name == "valid_until" and isinstance(value, int | float):
        return day(value)
    return f"{value:.2g}" if isinstance(value, float) else str(value)[:80]
