"""The lines that each task shows a model: people's words, who said them and when, each once."""

from collections.abc import Sequence

from reverie.language import quoting
from reverie.minds.llm.prompt_data import Sheet, fitting, shown
from reverie.model.memories import Memory
from reverie.model.thinking import Evidence, NightStory, ProposedChange, Quote

NO_LIMIT = 1_000_000
TOLD = 7  # lines of a kind that a diary is written from
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"


def numbered(tag: str, texts: Sequence[str]) -> Sheet:
    """A numbered line for each text; its number is its place, from 1."""
    sheet = Sheet()
    return sheet.add(tag, [sheet.numbered(str(place), text) for place, text in enumerate(texts)])


def memories(known: Sequence[Memory]) -> Sheet:
    sheet = Sheet()
    return sheet.add("lines", [sheet.numbered(memory.id, line(memory)) for memory in known])


def line(memory: Memory) -> str:
    """Its text without the talk before it and without how something in it was first named: that stands among the lines,
    or is paid for twice.
    """
    return quoting.alone(memory.text, memory.quote, str(memory.marks.get("introduced") or ""))


def evidence(known: Sequence[Evidence]) -> Sheet:
    sheet = Sheet()
    return sheet.add("lines", [sheet.numbered(one.id, _said(one)) for one in known])


def _said(one: Evidence) -> str:
    """A fact says who and when itself; a turn does not."""
    if one.quote or one.said_at is None:
        return one.text
    return quoting.shown(one.text, one.speaker or "user", one.said_at)


def asked(questions: Sequence[tuple[str, Sequence[Evidence]]], tokens: int) -> tuple[Sheet, str]:
    """What may answer some questions, each line once, then the questions under their letters. A turn that says no more
    than a fact of it is that fact.
    """
    known: dict[str, Evidence] = {}
    for one in sorted((one for _, found in questions for one in found), key=lambda one: one.kind != "fact"):
        known.setdefault(_said(one), one)
    sheet = evidence(fitting(list(known.values()), lambda one: one.text, tokens))
    letters = LETTERS[: len(questions)]
    sheet.add("questions", [f"{letter} {shown(q)}" for letter, (q, _) in zip(letters, questions, strict=True)])
    return sheet, letters


def pairs(compared: Sequence[tuple[Memory, Memory]]) -> Sheet:
    sheet = Sheet()
    lines = [f"{n} older: {shown(line(a))} / newer: {shown(line(b))}" for n, (a, b) in enumerate(compared, 1)]
    return sheet.add("pairs", lines)


def change(proposed: ProposedChange) -> Sheet:
    sheet = evidence(proposed.evidence)
    return sheet.add("before", [shown(proposed.before)]).add("after", [shown(proposed.after)])


def night(story: NightStory) -> tuple[Sheet, list[str]]:
    """A night's lines by what they are, and all of them together: what its diary is checked against."""
    sheet, told = Sheet(), [quoting.day(story.began_at)]
    parts = {
        "learned": [_quote(quote) for quote in story.learned[:TOLD]],
        "changed": [f"{_quote(older)} -> {_quote(newer)}" for older, newer in story.changed],
        "directives": [_quote(quote) for quote in story.directives],
        "core": list(story.core[:TOLD]),
        "open": [f"{_quote(older)} or {_quote(newer)}" for older, newer in story.open],
    }
    sheet.add("night", [f"{quoting.day(story.began_at)}, a {story.kind}"])
    for tag, lines in parts.items():
        if lines:
            sheet.add(tag, [shown(line) for line in lines])
            told += lines
    return sheet, told


def _quote(quote: Quote) -> str:
    return quoting.shown(quote.text, quote.speaker, quote.said_at, quote.about)
