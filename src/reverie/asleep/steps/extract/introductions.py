"""A quote that takes somebody for known is kept with the words by which its speaker first named them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.asleep.shared.episodes import Scene
from reverie.asleep.step import Minds
from reverie.language import quoting
from reverie.language.words import stem, tokens
from reverie.minds.rules.reference.introductions import begins_with, introduction, taken_for_known
from reverie.model.base import Instant, Trust
from reverie.model.memories import Memory
from reverie.model.thinking import FactDraft
from reverie.store.reader import Reader
from reverie.store.reading import memories, vectors

NEAR = 0.45  # how near an introduction has to be to a quote; a name that a quote begins with is enough
FIRST = 12  # memories with a word that are looked at, the earliest ones
COMMON = 40  # memories: a word in more of them introduces nothing


@dataclass(frozen=True, slots=True)
class Named:
    """A statement that may introduce what a later one names."""

    quote: str
    at: Instant
    source: str


def introduced(reader: Reader, minds: Minds, told: Mapping[str, Scene], drafts: Sequence[FactDraft]) -> list[FactDraft]:
    """The drafts, those with an introduction that need one and have one."""
    wanted = [_wanted(told, draft) for draft in drafts]
    known = _first_named(reader, {word for words in wanted for word in words})
    found: list[FactDraft] = []
    for draft, words in zip(drafts, wanted, strict=True):
        told_at = told[draft.source].memory.dated
        before = [
            Named(one.quote, told[one.source].memory.dated, one.source) for one in found if one.kind != "directive"
        ]
        first = _introduction(minds, draft, told_at, words, known, before)
        found.append(replace(draft, introduced=first) if first else draft)
    return found


def _wanted(told: Mapping[str, Scene], draft: FactDraft) -> tuple[str, ...]:
    scene = told[draft.source]
    own = scene.memory.trust >= Trust.USER and scene.episode.to_agent
    return taken_for_known(draft.quote) if own and draft.kind != "directive" and not draft.text else ()


def _first_named(reader: Reader, words: set[str]) -> dict[str, list[Memory]]:
    """The earliest of the user's facts that have each of these words; none for a word that stands everywhere."""
    rare = [word for word, n in vectors.occurrences(reader, sorted(words)).items() if n <= COMMON]
    held = vectors.containing(reader, rare, FIRST)
    every = memories.by_ids(reader, (id for ids in held.values() for id in ids))
    facts = {id: one for id, one in every.items() if _may_introduce(one)}
    return {word: sorted((facts[id] for id in ids if id in facts), key=_when) for word, ids in held.items()}


def _may_introduce(memory: Memory) -> bool:
    return memory.kind == "fact" and bool(memory.quote) and memory.trust >= Trust.USER and not memory.quarantined


def _when(memory: Memory) -> tuple[float, str]:
    return memory.dated, memory.id


def _introduction(
    minds: Minds,
    draft: FactDraft,
    at: Instant,
    words: Sequence[str],
    known: Mapping[str, Sequence[Memory]],
    before: Sequence[Named],
) -> str:
    """How the first of these words that was named before was named, with the day."""
    shown = " ".join((draft.on, draft.told, draft.about, draft.talk))
    for word in words:
        stored = [Named(one.quote, one.dated, one.sources[-1] if one.sources else "") for one in known.get(word, ())]
        named = [one for one in (*stored, *before) if one.at <= at and one.source != draft.source and _has(one, word)]
        if not named:
            continue
        first = min(named, key=lambda one: one.at)
        said = introduction(first.quote, word, draft.quote, shown)
        if said and _bears_on(minds, draft.quote, said, word):
            return f"{quoting.day(first.at)}: {quoting.quoted(said)}"
    return ""


def _has(one: Named, word: str) -> bool:
    return word in map(stem, tokens(one.quote))


def _bears_on(minds: Minds, quote: str, said: str, word: str) -> bool:
    """Whether the same is meant: the quote begins with the name, or the two statements are near each other."""
    if begins_with(quote, word) and any(word in map(stem, tokens(name)) for name in quoting.named(said)):
        return True
    if not minds.embedder.dim:
        return False
    one, other = minds.embedder.embed([quote, said])
    return float(one @ other) >= NEAR
