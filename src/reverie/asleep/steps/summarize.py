"""Deep sleep does the follow-up work of tiering, the most urgent first: shorter summaries, smaller rows.

A text in the archive is compressed; it comes back whole when use brings the memory back.
"""

from collections.abc import Callable, Mapping, Sequence

from reverie.asleep.shared.items import Attempts
from reverie.asleep.step import BATCH, Minds
from reverie.language.calendar import date_words
from reverie.language.sentences import sentences
from reverie.model.base import Instant
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Memory, Tier
from reverie.model.night import Night
from reverie.policy.care.tiering import SUMMARY_SENTENCES
from reverie.store.reader import Reader
from reverie.store.reading import memories, work
from reverie.store.rows import pack

STEP = "summarize"
A_NIGHT = 500
CHORES: tuple[Tier, ...] = ("archive", "warm", "hot")


def summarize(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """The cursor counts what this night has done: each batch takes what is then most urgent."""
    done = int(cursor or 0)
    aside = work.set_aside(reader, STEP)
    waiting = work.chores_of(reader, CHORES, BATCH + len(aside))
    queue = [(memory, chore) for memory, chore in waiting if memory not in aside][: min(BATCH, A_NIGHT - done)]
    known = memories.by_ids(reader, (memory for memory, _ in queue))
    # A memory that has moved on since has a newer chore of its own.
    due = [known[memory] for memory, chore in queue if memory in known and known[memory].tier == chore]
    attempts = Attempts()
    summaries = _summaries(minds, due, attempts)
    rested = [memory for memory in due if memory.tier == "archive"]
    woken = [memory for memory in due if memory.tier != "archive"]
    packed = {memory.id: blob for memory in rested if (blob := _packed(memory.text)) is not None}
    return Changes(
        revisions=_revisions(due, summaries),
        packed=packed,
        unpacked={memory.id: memory.text for memory in woken},
        done_chores=tuple(queue),
        tried=attempts.tried,
        failed=attempts.failed,
        counts={"summaries": sum(text is not None for text in summaries.values()), "packed": len(packed)},
        cursor=str(done + len(queue)) if len(queue) == BATCH and done + len(queue) < A_NIGHT else None,
    )


def summarize_again(night: Night, reader: Reader, minds: Minds, items: Sequence[str]) -> Changes:
    """Only the summary can fail: the rest of the follow-up work is done."""
    due = list(memories.by_ids(reader, items).values())
    attempts = Attempts()
    summaries = _summaries(minds, due, attempts)
    return Changes(
        revisions=_revisions(due, summaries),
        tried=tuple(items),
        failed=attempts.failed,
        counts={"summaries": sum(text is not None for text in summaries.values())},
    )


def _summaries(minds: Minds, due: Sequence[Memory], attempts: Attempts) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for memory in due:
        with attempts.item(memory.id):
            found[memory.id] = _summary(minds.reasoner.summary, memory)
    return found


def _revisions(due: Sequence[Memory], summaries: Mapping[str, str | None]) -> tuple[Revision, ...]:
    return tuple(Revision(m.id, m.version, {"summary": summaries[m.id]}) for m in due if m.id in summaries)


def _summary(summary: Callable[[str, int], str], memory: Memory) -> str | None:
    """None for what is short already, and for what is hot again: the text itself is read there."""
    most = SUMMARY_SENTENCES.get(memory.tier, 0)
    if not most or len(sentences(memory.text)) <= most:
        return None
    short = summary(memory.text, most).strip()
    return f"{_heading(memory)} {short}".strip() if short and len(short) < len(memory.text) else None


def _heading(memory: Memory) -> str:
    """Where it comes from, in a few words: title, source, day, tags."""
    parts = [memory.title or "", memory.speaker or memory.origin, _day(memory.said_at), ", ".join(memory.tags[:3])]
    return f"[{'; '.join(part for part in parts if part)}]"


def _day(at: Instant | None) -> str:
    return "" if at is None else date_words(at)


def _packed(text: str) -> bytes | None:
    """Compressed, where that is smaller at all."""
    blob = pack(text)
    return blob if text and len(blob) < len(text.encode()) else None
