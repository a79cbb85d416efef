"""Morning: the night tells its own story, from what it changed. Nobody ever reads it as evidence."""

from collections.abc import Mapping, Sequence

from reverie.asleep.step import Minds
from reverie.minds.rules import diary as plain
from reverie.model.changes import Changes
from reverie.model.night import Night, NightStep
from reverie.model.thinking import NightStory
from reverie.store.reader import Reader
from reverie.store.reading import facts
from reverie.store.tables import nights

HIGHLIGHTS = 4

# What the diary tells, and the counts it is made of: one number for each thing that happened.
TOLD: Mapping[str, Sequence[tuple[str, str]]] = {
    "turns": (("collect", "turns"),),
    "duplicates": (("dedupe", "exact"), ("dedupe", "near")),
    "tags": (("tag", "tagged"),),
    "facts": (("extract", "facts"),),
    "notes": (("consolidate", "notes_written"),),
    "contradictions": (("contradict", "retired"), ("contradict", "open")),
    "profiles": (("profile", "profiles"),),
    "insights": (("reason", "insights"),),
    "links": (("link", "links"),),
    "promoted": (("promote", "promoted"),),
    "blocks": (("rethink", "blocks"),),
    "tiers": (("tier", "tiers"),),
    "summaries": (("summarize", "summaries"),),
    "answers": (("anticipate", "answers"),),
}


def diary(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    story = _story(night, reader)
    text = minds.reasoner.diary(story).strip()
    if not plain.LEAST <= len(text.split()) <= plain.MOST:
        text = plain.diary(story)
    return Changes(diary=text, counts={"words": len(text.split())})


def _story(night: Night, reader: Reader) -> NightStory:
    counted = counts_of(nights.steps(reader, night.id))
    tokens, cost = nights.spent(reader, night.id)
    highlights = tuple(memory.text for memory in facts.highlights(reader, HIGHLIGHTS))
    return NightStory(night.id, night.now, night.kind, counted, highlights, tokens, cost)


def counts_of(steps: Sequence[NightStep]) -> dict[str, int]:
    by_step = {step.step: step.counts for step in steps}
    found = {name: sum(int(by_step.get(s, {}).get(n, 0)) for s, n in parts) for name, parts in TOLD.items()}
    return {name: number for name, number in found.items() if number}
