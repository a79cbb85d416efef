"""A person says what is true instead. It holds at once, and so does the end of all that rested on the mistake."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from reverie.awake.edits.memories import clean, entry_of, put_entry
from reverie.language import quoting
from reverie.language.sentences import sentences
from reverie.language.words import content_hash, terms
from reverie.minds.rules.reading.matters import Matter, matter_of
from reverie.minds.rules.reading.values import says_otherwise
from reverie.model.base import Instant, Trust, derived_id, new_id
from reverie.model.blocks import Block
from reverie.model.hits import Asking
from reverie.model.memories import Contradiction, Edge, Memory
from reverie.model.spaces import SpaceRecord
from reverie.model.turns import Turn, is_turn
from reverie.policy.care.decay import gone_stale
from reverie.policy.core import lines
from reverie.policy.core.provisional import leans
from reverie.policy.recall.current import PART, WHOLE
from reverie.policy.recall.search_keys import episode_id, memory_id
from reverie.policy.safety.channels import Channel
from reverie.policy.safety.trust import held_back, needs_quarantine
from reverie.policy.truth.statements import over_since
from reverie.retrieve import Retriever
from reverie.store.db import Database, Transaction
from reverie.store.forget.traces import without
from reverie.store.tables import blocks, contradictions, memories, reviews, turns
from reverie.store.tables.blocks import Writer

WORDINGS = 20  # hits among which other wordings of the mistake are looked for
LONGEST_QUERY = 2_000
PROSE = ("insight", "profile", "note", "summary")
OF_THE_QUOTE = (
    "quote",
    "about",
    "on",
    "told",
    "talk",
    "line",
    "line_when",
    "introduced",
    "core",
    "leans",
    "negated",
    "exclusive",
)  # marks that hold for a whole quote alone


def correct(retriever: Retriever, space: SpaceRecord, wrong: Memory | Turn, text: str, now: Instant) -> Memory:
    """What the person says instead: certain, exempt from decay, and always before what it corrects."""
    db = retriever.db
    said = _said(clean(db, text))
    entry = entry_of(retriever.embedder, said.id, said.text, now)
    otherwise = _otherwise(retriever, space.id, wrong, said.text, now)
    kept = _kept(wrong, said.text, now)
    kept_entries = [entry_of(retriever.embedder, one.id, one.text, one.said_at) for one in kept]
    with db.write("memory") as tx:  # all that is read about the mistake is read in here: embedding may have taken long
        _still_there(db, space.id, wrong)
        mistakes = _mistakes(db, space.id, wrong)
        right = _right(space, wrong, mistakes, said, now)
        if kept and not said.matter.predicate:  # what was wrong is on the matter of those words, not of all of them
            right = replace(right, predicate=matter_of(" ".join(in_question(_words(wrong), said.text))).predicate)
        resting = {memory.id: memory for id in mistakes for memory in memories.made_of(db, space.id, id)}
        for episode in list(_emptied(db, space.id, mistakes, now)):
            memories.edit(tx, episode, {"valid_until": now})
        for mistake in mistakes.values():
            memories.edit(tx, mistake, {"valid_until": now, **gone_stale(mistake)})
            _overtaken(
                tx, space, mistake, right, now, part=" ".join(in_question(_words(mistake), said.text)) if kept else ""
            )
        for memory in resting.values():
            if memory.kind in PROSE and not memory.stale:
                memories.edit(tx, memory, gone_stale(memory))
        _out_of_core(tx, mistakes, right, kept, now)
        memories.insert(tx, right)
        other = dict.fromkeys((id for id in otherwise if id not in mistakes), "")
        for older, part in {**other, **_sayings(space.id, wrong, mistakes.values(), said.text)}.items():
            why = part or "corrected by a person"
            memories.put_edge(tx, Edge(space.id, right.id, older, "updates", PART if part else WHOLE, now, why=why))
        for one in kept:
            memories.insert(tx, one)
        for each in (*kept_entries, entry):
            put_entry(tx, space, each)
    return right


def objected(
    retriever: Retriever, space: SpaceRecord, wrong: Memory | Turn, text: str, now: Instant, *, channel: Channel
) -> Memory:
    """What an agent says instead: a claim with its channel's trust. The user's words stand beside it, and no block
    changes; what was no more trusted than the agent is superseded."""
    db = retriever.db
    said = _said(clean(db, text))
    entry = entry_of(retriever.embedder, said.id, said.text, now)
    with db.write("memory") as tx:
        _still_there(db, space.id, wrong)
        known = memories.by_ids(db, space.id, [memory_id(space.id, wrong.id)])
        claim = _claim(_right(space, wrong, known, said, now), channel)
        memories.insert(tx, claim)
        for mistake in known.values():
            if mistake.trust > channel.trust or mistake.correction or mistake.pinned:
                contradictions.put(tx, _clash(space, mistake, claim, now))
            else:
                memories.edit(tx, mistake, {"valid_until": now, **gone_stale(mistake)})
                _overtaken(tx, space, mistake, claim, now, by="agent")
        put_entry(tx, space, entry)
        if claim.quarantined:
            reviews.hold(tx, held_back(claim, now))
    return claim


def _claim(right: Memory, channel: Channel) -> Memory:
    return replace(
        right,
        kind="fact",
        confidence=0.7,
        base_confidence=0.7,
        importance=0.6,
        priority=0.6,
        correction=False,
        asked=channel.asks,
        quarantined=needs_quarantine(right.text, channel.trust) is not None,
        origin=channel.origin,
        trust=channel.trust,
    )


@dataclass(frozen=True, slots=True)
class CorrectionText:
    """What the person says, and the matter that the rules read in it."""

    id: str
    text: str
    matter: Matter


def _said(text: str) -> CorrectionText:
    return CorrectionText(new_id("mem"), text, matter_of(text))


def _otherwise(retriever: Retriever, space: str, wrong: Memory | Turn, right: str, now: Instant) -> list[str]:
    """Other memories and turns on the matter that say what was wrong: found as a question would find them."""
    mistake = _words(wrong)
    hits = retriever.retrieve(space, f"{mistake} {right}"[:LONGEST_QUERY], Asking(k=WORDINGS), now)
    return [
        id
        for hit in hits
        if hit.id != wrong.id and says_otherwise(hit.text, mistake, right)
        for id in ((hit.id, episode_id(space, hit.id)) if hit.kind == "turn" else (hit.id,))
    ]


def _words(wrong: Memory | Turn) -> str:
    return (wrong.quote or wrong.text) if isinstance(wrong, Memory) else wrong.text


def in_question(quote: str, right: str) -> list[str]:
    """The sentences of a quote that a correction is about, with those that lean on them; all if it names none of them.

    >>> in_question("I have a dog named Rex. He is lazy. I am allergic to peanuts.", "I have a dog named Max.")
    ['I have a dog named Rex.', 'He is lazy.']
    """
    named = set(terms(right))
    found: list[str] = []
    before = ""
    for sentence in sentences(quote):
        if named.intersection(terms(sentence)) or (before in found and leans(sentence)):
            found.append(sentence)
        before = sentence
    return found or sentences(quote)


def _kept(wrong: Memory | Turn, right: str, now: Instant) -> list[Memory]:
    """What a corrected fact says besides the mistake, each run of sentences as a fact of its own."""
    if not isinstance(wrong, Memory) or not wrong.quote:
        return []
    mistaken = in_question(wrong.quote, right)
    runs: list[list[str]] = [[]]
    for sentence in sentences(wrong.quote):
        if sentence in mistaken:
            runs.append([])
        else:
            runs[-1].append(sentence)
    return [_of_the_rest(wrong, " ".join(run), now) for run in runs if run]


def _of_the_rest(wrong: Memory, quote: str, now: Instant) -> Memory:
    text = quoting.shown(quote, wrong.speaker or "user", wrong.dated) if wrong.kind == "fact" else quote
    matter = matter_of(quote)
    return replace(
        wrong,
        id=new_id("mem"),
        text=text,
        created_at=now,
        subject=matter.subject or wrong.subject,
        predicate=matter.predicate,
        value=matter.value,
        happened_at=None,
        version=1,
        night=None,
        marks={**{key: value for key, value in wrong.marks.items() if key not in OF_THE_QUOTE}, "quote": quote},
        hash=content_hash(text, wrong.space),
    )


def _sayings(space: str, wrong: Memory | Turn, mistakes: Iterable[Memory], right: str) -> dict[str, str]:
    """The turn and the episode that the mistake stands in, with the words in question where they say more."""
    if isinstance(wrong, Turn):
        return {wrong.id: "", episode_id(space, wrong.id): ""}
    known = {memory.id for memory in mistakes}  # these are superseded
    words = " ".join(in_question(wrong.quote, right))
    return {source: words for source in wrong.sources if source not in known and not is_turn(source)}


def _still_there(db: Database, space: str, wrong: Memory | Turn) -> None:
    """NotFound if it was forgotten since the caller read it."""
    if isinstance(wrong, Memory):
        memories.by_id(db, space, wrong.id)
    else:
        turns.by_id(db, space, wrong.id)


def _mistakes(db: Database, space: str, wrong: Memory | Turn) -> dict[str, Memory]:
    """What was wrong, and the facts that were drawn from it alone."""
    id = wrong.id if isinstance(wrong, Memory) else episode_id(space, wrong.id)
    found = memories.by_ids(db, space, [id])
    for memory in list(found.values()):
        said = {memory.id, *memory.sources}
        drawn = memories.made_of(db, space, memory.id) if memory.kind == "episode" else []
        found |= {
            fact.id: fact for fact in drawn if fact.kind in ("fact", "directive") and said.issuperset(fact.sources)
        }
    return found


def _emptied(db: Database, space: str, mistakes: Mapping[str, Memory], now: Instant) -> Iterator[Memory]:
    """Sentences that said nothing but the mistake."""
    sources = memories.by_ids(db, space, [source for memory in mistakes.values() for source in memory.sources])
    for episode in sources.values():
        if episode.kind != "episode" or episode.id in mistakes or episode.valid_until is not None:
            continue
        drawn = {m.id: m for ref in (episode.id, *episode.sources) for m in memories.made_of(db, space, ref)}
        facts = (memory for memory in drawn.values() if memory.kind == "fact")
        as_known = [replace(fact, valid_until=now) if fact.id in mistakes else fact for fact in facts]
        if over_since(episode, as_known, now) is not None:
            yield episode


def _right(
    space: SpaceRecord, wrong: Memory | Turn, mistakes: Mapping[str, Memory], said: CorrectionText, now: Instant
) -> Memory:
    known = wrong if isinstance(wrong, Memory) else None
    about = next((memory for memory in mistakes.values() if memory.subject), known)
    matter = said.matter if said.matter.predicate and not said.matter.negated else None
    return Memory(
        id=said.id,
        space=space.id,
        kind="directive" if known is not None and known.kind == "directive" else "fact",
        text=said.text,
        sources=(said.id, wrong.id),
        created_at=now,
        said_at=now,
        valid_from=now,
        subject=matter.subject if matter else about.subject if about else None,
        predicate=matter.predicate if matter else about.predicate if about else None,
        value=matter.value if matter else None,
        importance=0.9,
        confidence=1.0,
        base_confidence=1.0,
        correction=True,
        asked=True,
        manual_tags=known.manual_tags if known else (),
        trust=Trust.USER,
        session=wrong.session,
        priority=0.9,
        marks={"exclusive": matter.exclusive} if matter else {},
        hash=content_hash(said.text, space.id),
    )


def _clash(space: SpaceRecord, older: Memory, newer: Memory, now: Instant) -> Contradiction:
    """An open one: an agent says otherwise than what is more trusted than it."""
    return Contradiction(
        id=derived_id("con", space.id, older.id, newer.id),
        space=space.id,
        older=older.id,
        newer=newer.id,
        kind="conflict",
        status="open",
        winner=None,
        evidence=f"{newer.origin} says otherwise",
        resolved_by=None,
        created_at=now,
    )


def _overtaken(
    tx: Transaction, space: SpaceRecord, wrong: Memory, right: Memory, now: Instant, by: str = "person", part: str = ""
) -> None:
    """`part`: the words in question, where the rest of what was wrong stands on by itself."""
    record = replace(
        _clash(space, wrong, right, now),
        kind="update",
        status="resolved",
        winner=right.id,
        evidence=f"corrected by {'a person' if by == 'person' else 'an agent'}",
        resolved_by=by,
        resolved_at=now,
    )
    contradictions.put(tx, record)
    memories.put_edge(
        tx, Edge(space.id, right.id, wrong.id, "supersedes", PART if part else 1.0, now, why=part or "correction")
    )


def _out_of_core(tx: Transaction, mistakes: Iterable[str], right: Memory, kept: Sequence[Memory], now: Instant) -> None:
    """A line of a block that rests on the mistake says the correction instead, and what the line said besides; where
    that has no room, nothing."""
    said = right.text if right.text.endswith((".", "!", "?")) else f"{right.text}."
    for mistake in mistakes:
        for block, sentence in blocks.sentences_citing(tx, mistake):
            writer = Writer("person", f"corrected by {right.id}", now)
            now_said = {said: right.id, **{lines.shown(one): one.id for one in kept}}
            written = blocks.write(tx, block, partial(_instead, sentence, "\n".join(now_said), right.space), writer)
            for line, source in now_said.items():
                if line in written.value:
                    blocks.cite(tx, block, line, source)


def _instead(line: str, said: str, space: str, block: Block) -> str:
    if block.read_only or block.owner not in (None, space):
        return block.value
    value = block.value.replace(line, said, 1)
    return value if len(value) <= block.limit else without(block.value, line)
