"""Light sleep thinks for the first time: episodes give atomic facts. What is said again is reinforced, not doubled.

The episodes' search keys gain what was drawn from them, so that a question in other words finds the turn itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from reverie.asleep.shared import derived
from reverie.asleep.shared.episodes import Scene, scenes
from reverie.asleep.shared.items import Attempts
from reverie.asleep.step import Minds
from reverie.asleep.steps.extract.introductions import introduced
from reverie.asleep.steps.extract.restatements import Restatements
from reverie.language import quoting
from reverie.language.speech import is_spoken
from reverie.minds.reasoner import Reasoner
from reverie.model.base import JSON, Trust, derived_memory_id
from reverie.model.changes import Changes, Vector
from reverie.model.memories import Document, Kind, Memory
from reverie.model.night import Night
from reverie.model.thinking import Episode, FactDraft
from reverie.policy.care.decay import confidence_at, exemption, starting_confidence
from reverie.policy.care.tagging import Frequencies, auto_tags, words_of
from reverie.policy.safety.trust import needs_quarantine
from reverie.policy.truth.statements import lexical_surprisal, surprisal
from reverie.store.reader import Reader
from reverie.store.reading import facts, memories, vectors, work
from reverie.store.reading import vectors as keywords

LEAST, MOST = 3, 500  # characters of a quote
KNOWN = 100  # facts of the subject that a new one is compared with: the latest
A_PROMPT = 12  # turns that are read at once: a model answers for so many in one call
STEP = "extract"


def extract(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    batch, rest = work.news(reader, ("episode",), cursor=cursor, limit=A_PROMPT, echoes=True)
    minds.reasoner.prepare(facts=_ahead(reader, cursor))
    return replace(_read(night, reader, minds, batch), cursor=rest)


def _ahead(reader: Reader, cursor: str | None) -> Iterator[list[Episode]]:
    """This batch and those after it, each as it will be read."""
    while True:
        batch, cursor = work.news(reader, ("episode",), cursor=cursor, limit=A_PROMPT, echoes=True)
        told = scenes(reader, _readable(reader, batch))
        if told:
            yield [scene.episode for scene in told]
        if cursor is None:
            return


def extract_again(night: Night, reader: Reader, minds: Minds, items: Sequence[str]) -> Changes:
    standing = [memory for memory in memories.by_ids(reader, items).values() if not memory.quarantined]
    return replace(_read(night, reader, minds, standing), tried=tuple(items))


def _read(night: Night, reader: Reader, minds: Minds, batch: Sequence[Memory]) -> Changes:
    told = {scene.memory.id: scene for scene in scenes(reader, _readable(reader, batch))}
    attempts = Attempts()
    drafts = _drafts(minds.reasoner, list(told.values()), attempts)
    sound = introduced(reader, minds, told, [draft for draft in drafts if _sound(draft, told)])
    said = Restatements.of(reader, night.now, [_fact(night, told[draft.source].memory, draft) for draft in sound])
    new, embedded = _weighed(reader, minds, _tagged(night, reader, said.new))
    reviews = tuple(derived.quarantine(night, fact) for fact in new if fact.quarantined)
    return Changes(
        memories=tuple(new),
        revisions=said.revisions,
        sources=said.more_sources,
        documents=(*map(derived.document, new), *_keys(told, sound)),
        vectors=embedded,
        mentions=_mentions(said.ids, sound),
        keywords={fact.id: words_of(fact.quote or fact.text) for fact in new},
        reviews=reviews,
        tried=tuple(told),
        failed=attempts.failed,
        counts={
            "considered": len(batch),
            "drafts": len(drafts),
            "rejected": len(drafts) - len(sound),
            "facts": len(new),
            "said_again": said.again,
            "quarantined": len(reviews),
        },
    )


def _sound(draft: FactDraft, told: Mapping[str, Scene]) -> bool:
    """Whether its quote stands word for word in its source."""
    return (
        draft.source in told
        and LEAST <= len(draft.quote) <= MOST
        and draft.quote in told[draft.source].memory.text
        and (draft.kind != "directive" or _as_heard(told[draft.source].memory, draft).trust >= Trust.USER)
    )


def _readable(reader: Reader, batch: Sequence[Memory]) -> list[Memory]:
    """Not what an agent wanted in a block, nor what has failed three times or was taken back by an undo."""
    skipped = work.set_aside(reader, STEP) | work.suppressed(reader)
    return [
        memory
        for memory in batch
        if memory.block is None and memory.id not in skipped and skipped.isdisjoint(memory.sources)
    ]


def _drafts(reasoner: Reasoner, told: Sequence[Scene], attempts: Attempts) -> list[FactDraft]:
    """The whole batch at once; if that fails, one by one, so that a single episode cannot hold up the rest."""
    if len(told) > 1:
        with suppress(Exception):
            return reasoner.facts([scene.episode for scene in told])
    drafts: list[FactDraft] = []
    for scene in told:
        with attempts.item(scene.memory.id):
            drafts += reasoner.facts([scene.episode])
    return drafts


def _fact(night: Night, episode: Memory, draft: FactDraft) -> Memory:
    episode = _as_heard(episode, draft)
    correction = draft.kind == "correction" and episode.trust >= Trust.USER
    sure = min(draft.confidence, starting_confidence(episode.trust, correction=correction))
    kind: Kind = "directive" if draft.kind == "directive" else "fact"
    speaker = episode.speaker or episode.origin
    fact = derived.new_memory(
        night,
        kind,
        derived_memory_id(night.space, kind, episode.id, draft.quote, draft.predicate),
        draft.quote if kind == "directive" else _shown(draft, speaker, episode.dated),
        [episode],
        sources=(*(source for source in episode.sources if source != episode.id), episode.id),
        subject=draft.subject or None,
        predicate=draft.predicate or None,
        value=draft.value or None,
        said_at=episode.said_at,
        happened_at=draft.happened_at,
        **_validity(draft),
        importance=draft.importance,
        base_confidence=sure,
        correction=correction,
        asked=draft.asked and episode.trust >= Trust.USER,
        quarantined=needs_quarantine(draft.quote, episode.trust) is not None,
        session=episode.session,
        speaker=episode.speaker,
        marks=_marks(draft),
    )
    said_at = episode.said_at if episode.said_at is not None else night.now
    return replace(fact, confidence=confidence_at(sure, said_at, night.now, exempt=exemption(fact) is not None))


def _marks(draft: FactDraft) -> dict[str, JSON]:
    """What is known of a quote beside its words; what is not the case takes no room."""
    known: dict[str, JSON] = {
        "quote": draft.quote,
        "about": draft.about,
        "on": draft.on,
        "told": draft.told,
        "when": draft.when,
        "introduced": draft.introduced,
        "line": draft.line,
        "line_when": draft.line_when,
        "talk": draft.talk if draft.kind == "directive" else "",  # a fact's text has it
        "reasons": list(draft.reasons),
        "scope": draft.scope,
        "negated": draft.negated,
        "cue": draft.cue,
        "replaces": draft.replaces,
        "exclusive": draft.exclusive,
        "fact_kind": draft.kind,
    }
    judged: dict[str, JSON] = {"core": draft.core, "alone": draft.read_alone, "leans": draft.leans}
    told = {name: value for name, value in known.items() if value}
    return told | {name: odds for name, odds in judged.items() if odds is not None}


def _as_heard(episode: Memory, draft: FactDraft) -> Memory:
    """The episode, no more trusted than a file where the quote stands in what its speaker brought along, or may."""
    remembered = episode.id in episode.sources
    own = not draft.doubted and is_spoken(episode.text, draft.quote)
    if episode.trust < Trust.USER or remembered or own:
        return episode
    return replace(episode, origin="file", trust=Trust.CONTENT)


def _shown(draft: FactDraft, speaker: str, said_at: float) -> str:
    about = f"{draft.told} {draft.about}".strip()
    return draft.text or quoting.shown(
        draft.quote, speaker, said_at, about, draft.when, draft.on, draft.introduced, draft.talk
    )


def _validity(draft: FactDraft) -> dict[str, float | None]:
    """ "I stopped in March" holds since March; what it ends is for `contradict` to find."""
    if draft.negated:
        return {"valid_from": draft.valid_from if draft.valid_from is not None else draft.valid_until}
    return {"valid_from": draft.valid_from, "valid_until": draft.valid_until}


def _said(fact: Memory) -> str:
    """A fact's line without the talk before it, whose words are not its own."""
    return quoting.by_itself(fact.text, fact.quote)


def _tagged(night: Night, reader: Reader, new: Sequence[Memory]) -> list[Memory]:
    if not new:
        return []
    seen = keywords.occurrences(reader, (word for fact in new for word in words_of(_said(fact))))
    frequencies = Frequencies(memories.count(reader), seen)
    return [
        replace(fact, auto_tags=auto_tags(_said(fact), fact.origin, frequencies), last_tagged_at=night.now)
        for fact in new
    ]


def _weighed(reader: Reader, minds: Minds, new: Sequence[Memory]) -> tuple[list[Memory], tuple[Vector, ...]]:
    """Each fact with how much it surprises, given what is known of its subject, and its vector."""
    made = derived.vectors(minds, new)
    subjects = dict.fromkeys(fact.subject or "" for fact in new)
    if not made:
        texts = {subject: [_said(fact) for fact in facts.about(reader, subject, limit=KNOWN)] for subject in subjects}
        return [replace(f, surprisal=lexical_surprisal(_said(f), texts[f.subject or ""])) for f in new], ()
    known = {subject: facts.ids_about(reader, subject, limit=KNOWN) for subject in subjects}
    stored = vectors.by_refs(reader, (id for ids in known.values() for id in ids), minds.embedder.id)
    near = {subject: [stored[id][0] for id in sorted(ids) if id in stored] for subject, ids in known.items()}
    own = {vector.ref: derived.values(vector) for vector in made}
    return [replace(f, surprisal=surprisal(own[f.id], near[f.subject or ""])) for f in new], made


def _keys(told: Mapping[str, Scene], drafts: Sequence[FactDraft]) -> list[Document]:
    drawn: dict[str, list[str]] = {}
    for draft in drafts:
        drawn.setdefault(draft.source, []).append(" ".join((draft.on, draft.told, draft.about, draft.when, draft.text)))
    return [scene.key(drawn.get(id, ())) for id, scene in told.items() if not scene.memory.stale]


def _mentions(ids: Sequence[str], drafts: Sequence[FactDraft]) -> tuple[tuple[str, str], ...]:
    """Whom facts and their episodes are about; `ids` are the drafts' facts, new or known."""
    pairs = (
        (entity, ref)
        for id, draft in zip(ids, drafts, strict=True)
        for entity in _entities(draft)
        for ref in (id, draft.source)
    )
    return tuple(dict.fromkeys(pairs))


def _entities(draft: FactDraft) -> tuple[str, ...]:
    """Whose matter it is, unless it is the user's own, and whom it names."""
    own = (draft.subject,) if draft.subject and draft.subject != "user" else ()
    return (*own, *quoting.named(draft.quote))
