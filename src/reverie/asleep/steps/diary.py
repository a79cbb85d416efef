"""The night's one story, from what it changed: begun after its first phase, finished in the morning. No evidence.

After light sleep, REM, deep sleep and the dream the story is told as far as it goes, by the rules and for nothing: a
night that is broken off, or still runs, can be read. A phase that has nothing to tell leaves it as it is.
"""

from collections.abc import Iterable, Sequence

from reverie.asleep.step import Minds
from reverie.language.sentences import asks
from reverie.language.speech import utterances
from reverie.minds.rules import diary as plain
from reverie.model.base import Trust
from reverie.model.changes import Changes
from reverie.model.memories import Contradiction, Kind, Memory
from reverie.model.night import Night
from reverie.model.thinking import NightStory, Quote
from reverie.policy.core.lines import BULLET
from reverie.store.reader import Reader
from reverie.store.reading import core, facts, memories, work
from reverie.store.tables import nights

MOST = 400  # memories of a kind that a story is made from
LEARNED = 12
QUESTIONS = 3
LEAST_WORDS = 4  # of a question worth telling
AHEAD = "anticipate"  # the step that answers questions before they are asked

MATERIAL = {  # what each phase has to tell
    "light": ("learned", "directives"),
    "rem": ("changed", "open", "topics"),
    "deep": ("directives", "core"),
    "dream": ("ahead",),
}

Pair = tuple[Quote, Quote]


def diary(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    story = _story(night, reader)
    text = minds.reasoner.diary(story).strip()
    if not 0 < len(text.split()) <= plain.MOST:
        text = plain.diary(story)
    return Changes(diary=text, counts={"words": len(text.split())})


def light_entry(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    return _entry("light", night, reader)


def rem_entry(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    return _entry("rem", night, reader)


def deep_entry(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    return _entry("deep", night, reader)


def dream_entry(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    return _entry("dream", night, reader)


def _entry(phase: str, night: Night, reader: Reader) -> Changes:
    """The story so far; no change where the phase had no material."""
    story = _story(night, reader)
    if story.empty or not any(getattr(story, name) for name in MATERIAL[phase]):
        return Changes(counts={"words": 0})
    text = plain.diary(story)
    return Changes(diary=text, counts={"words": len(text.split())})


def _story(night: Night, reader: Reader) -> NightStory:
    tokens, cost = nights.spent(reader, night.id)
    since = night.settings.get("since", 0.0)
    clashes = facts.contradictions_since(reader, since)
    learned = _learned(night, _recent(reader, "fact"))
    directives = tuple(map(_quote, _recent(reader, "directive")))
    return NightStory(
        night.id,
        night.now,
        night.kind,
        learned=learned,
        changed=_pairs(reader, [clash for clash in clashes if clash.kind == "update"]),
        directives=directives,
        core=_gained(core.lines_gained(reader, since), (*learned, *directives)),
        open=_pairs(reader, [clash for clash in clashes if clash.kind == "conflict" and clash.status == "open"]),
        topics=tuple(dict.fromkeys(note.title for note in _recent(reader, "note") if note.title)),
        asked=_asked(_recent(reader, "episode")),
        ahead=sum(step.counts.get("answers", 0) for step in nights.steps(reader, night.id) if step.step == AHEAD),
        tokens=tokens,
        cost=cost,
    )


def _recent(reader: Reader, kind: Kind) -> list[Memory]:
    """What this night and the naps before it have made, and only what a person said."""
    made, _ = work.recent(reader, (kind,), cursor=None, limit=MOST)
    return [memory for memory in made if memory.trust >= Trust.USER]


def _learned(night: Night, made: Sequence[Memory]) -> tuple[Quote, ...]:
    """What matters most and still holds."""
    holds = [fact for fact in made if fact.valid_until is None or fact.valid_until > night.now]
    best = sorted(holds, key=lambda fact: (-fact.importance, fact.dated, fact.id))
    return tuple(map(_quote, best[:LEARNED]))


def _gained(lines: Iterable[str], told: Sequence[Quote]) -> tuple[str, ...]:
    """New lines of core, without those that quote what is told as learned or as a directive anyway."""
    return tuple(line.removeprefix(BULLET) for line in lines if not any(quote.text in line for quote in told))


def _quote(memory: Memory) -> Quote:
    return Quote(memory.quote or memory.text, memory.speaker or memory.origin, memory.dated, memory.about)


def _pairs(reader: Reader, clashes: Sequence[Contradiction]) -> tuple[Pair, ...]:
    """Both sides of each, where the user said both: what others wrote is not told again (the reviews have it)."""
    found = memories.by_ids(reader, {id for clash in clashes for id in (clash.older, clash.newer)})
    sides = {id: memory for id, memory in found.items() if memory.trust >= Trust.USER}
    return tuple(
        (_quote(sides[clash.older]), _quote(sides[clash.newer]))
        for clash in clashes
        if clash.older in sides and clash.newer in sides
    )


def _asked(episodes: Iterable[Memory]) -> tuple[Quote, ...]:
    """The user's last questions."""
    heard = sorted((memory for memory in episodes if memory.origin == "user"), key=lambda memory: -memory.dated)
    asked = [
        Quote(sentence.text, memory.speaker or "user", memory.dated)
        for memory in heard
        for sentence in utterances(memory.text)
        if asks(sentence.text) and len(sentence.text.split()) >= LEAST_WORDS
    ]
    return tuple(asked[:QUESTIONS])
