"""The night's story in 80 to 180 words, in the first person, from its counts and highlights."""

from collections.abc import Mapping
from datetime import UTC, datetime

from reverie.language.calendar import MONTHS
from reverie.model.thinking import NightStory

LEAST, MOST = 80, 180  # words
HIGHLIGHTS = 4

# Counts that deserve a sentence, by the words that a count's name may hold; the first that fits is used.
_TOLD = (
    (("episode", "turn", "collected"), "I went through {n} new {things} from the day", ("message", "messages")),
    (
        ("duplicate", "merged", "dedupe"),
        "I put {n} {things} together with what I had heard before",
        ("repetition", "repetitions"),
    ),
    (("tag",), "I tagged {n} {things}", ("memory", "memories")),
    (("fact",), "I wrote down {n} {things}", ("fact", "facts")),
    (("note",), "I drew related moments together into {n} {things}", ("note", "notes")),
    (
        ("contradiction", "clash", "conflict", "update"),
        "I weighed {n} {things} against what I had heard before",
        ("statement", "statements"),
    ),
    (("profile",), "I rewrote {n} {things}", ("portrait", "portraits")),
    (("insight", "deduction", "induction"), "I arrived at {n} {things} of my own", ("conclusion", "conclusions")),
    (("edge", "link"), "I tied {n} {things} between memories", ("thread", "threads")),
    (("promot",), "I moved {n} {things} into what I always keep in mind", ("memory", "memories")),
    (("block", "rethink"), "I reworded {n} {things} of my core memory", ("part", "parts")),
    (
        ("tier", "archiv", "demot"),
        "I let {n} {things}",
        ("memory sink to where it rests", "memories sink to where they rest"),
    ),
    (("summar",), "I shortened {n} {things}", ("memory", "memories")),
    (
        ("answer", "question", "anticipat"),
        "I prepared {n} {things} may come",
        ("answer to a question that", "answers to questions that"),
    ),
)
_QUIET = (
    "It was a quiet night, and I used it to read over what I already hold rather than to add to it.",
    "Nothing that was said before has been thrown away; whatever I set aside tonight can be brought back.",
    "Each thing I wrote rests on words that were really said, and I kept the references beside it.",
    "Where I was not sure, I left both sides standing and marked the question as open.",
    "What nobody has asked about again I did not push forward, since only real use counts as evidence.",
    "If I have understood something wrongly, a single correction in the morning will outweigh all of this.",
)


def diary(night: NightStory) -> str:
    """
    >>> text = diary(NightStory("n1", 1683547200.0, "night", {"facts": 3}, ("The user lives in Kiel",)))
    >>> 80 <= len(text.split()) <= 180
    True
    """
    told = _sentences(night.counts)
    parts = [_opening(night), *told]
    if night.highlights:
        kept = (_short(text) for text in night.highlights[:HIGHLIGHTS])
        parts.append(f"What stays with me: {'; '.join(kept).replace('; The ', '; the ')}.")
    if night.tokens:
        cost = f" (${night.cost:.4f})" if night.cost else ""
        parts.append(f"I spent {night.tokens:,} token{'s' if night.tokens > 1 else ''}{cost}.")
    for line in _QUIET[bool(told) :]:
        if _words(parts) >= LEAST + 5:
            break
        parts.append(line)
    return _bounded(parts)


def _opening(night: NightStory) -> str:
    at = datetime.fromtimestamp(night.began_at, UTC)
    rest = "took a nap" if night.kind == "nap" else "slept"
    return f"On {at.day} {MONTHS[at.month - 1].title()} {at.year}, at {at:%H:%M}, I {rest}."


def _sentences(counts: Mapping[str, int]) -> list[str]:
    told = []
    for words, template, (one, many) in _TOLD:
        number = sum(n for name, n in counts.items() if any(word in name.casefold() for word in words))
        if number > 0:
            told.append(template.format(n=number if number > 1 else "one", things=many if number > 1 else one) + ".")
    return told


def _short(text: str) -> str:
    words = text.strip().rstrip(".").split()
    return " ".join(words[:18]) + ("…" if len(words) > 18 else "")


def _words(parts: list[str]) -> int:
    return len(" ".join(parts).split())


def _bounded(parts: list[str]) -> str:
    """Whole sentences while they fit."""
    kept: list[str] = []
    for part in parts:
        if _words([*kept, part]) > MOST:
            break
        kept.append(part)
    return " ".join(kept)
