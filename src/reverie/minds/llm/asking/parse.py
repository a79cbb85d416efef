"""A model's lines and JSON to values, as far as they hold against the lines that it was given."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reverie.errors import ModelFault
from reverie.language.words import terms
from reverie.minds.llm.asking.grounding import attributed, grounded_sentences, misquoted, ungrounded
from reverie.minds.llm.prompt_data import Sheet
from reverie.minds.llm.validate import GivenRecords, ParsedAnswer, as_bool, as_list, one_of, sift
from reverie.model.thinking import InsightDraft, Verdict
from reverie.policy.core.carrying import carries

InsightKind = Literal["deduction", "induction"]

DIARY_WORDS = (20, 180)  # a night with little to tell is short
INSIGHT_KINDS: tuple[InsightKind, ...] = ("deduction", "induction")
# How many premises each needs, and between which bounds its confidence lies.
SUPPORT: Mapping[InsightKind, tuple[int, float, float]] = {"deduction": (2, 0.8, 0.9), "induction": (3, 0.6, 0.75)}


Found = Mapping[str, Any]
_NOTHING = re.compile(r"\W*(?:none|nothing|no lines?|n/?a|0|-)?\W*", re.IGNORECASE)
_ITEM = re.compile(r"[^\w\n]{0,6}(\d{1,4})\b[\s.:)|,-]{0,4}(?:([KR])\b[\s.:)|-]{0,4})?(.*)")
_LETTERS_ALONE = re.compile(r"\W{0,8}[KR]\b(?:\W{1,8}none)?\W{0,8}", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,4}")
MOST_LINES = 400
LEAST_WORDS, MOST_WORDS = 4, 6  # of a copied sentence: that say which one it is, and that are looked at


def lines_of(text: str) -> list[str]:
    """The lines of an answer; none where it says that there is nothing to say."""
    found = [line.strip() for line in text.splitlines() if line.strip()][:MOST_LINES]
    return [] if all(_NOTHING.fullmatch(line) for line in found) else found


@dataclass(frozen=True, slots=True)
class Picked:
    """A sentence that a model chose, by its number: to be kept, or as a rule for the agent."""

    number: int
    rule: bool = False


def picks(text: str, sheet: Sheet, task: str) -> ParsedAnswer[list[Picked]]:
    """The chosen sentences, each where the words stand that were copied from it; numbers alone prove no reading."""
    lines = lines_of(text)
    if lines and all(_LETTERS_ALONE.fullmatch(line) for line in lines):
        return ParsedAnswer([], ("bad_shape",))  # so small models say "none": not worth a second call

    def build(line: str) -> Picked:
        found = _ITEM.fullmatch(line)
        said = (found[3] if found else line).split()
        if not found and len(said) < LEAST_WORDS:
            raise ModelFault("bad_shape", "a line has neither a number nor words of a sentence")
        if not said:
            raise ModelFault("not_verbatim", "a line copies no words of its sentence")
        claimed = int(found[1]) if found else None
        words = " ".join(said[:MOST_WORDS]).strip(" .\"'“”")  # some copy on to the end of the turn
        return Picked(attributed(words, claimed, sheet.lines, task), bool(found and found[2] == "R"))

    return sift(lines, build, len(sheet.refs))


def numbers(text: str, sheet: Sheet, most: int) -> ParsedAnswer[list[int]]:
    """The numbers of lines, in the model's order."""
    said = [int(one) for line in lines_of(text) for one in _NUMBERS.findall(line)]
    known = [number for number in dict.fromkeys(said) if number in sheet.refs]
    if said and not known:
        raise ModelFault("unknown_ids", "a number is cited that no line has")
    return ParsedAnswer(known[:most], ("unknown_ids",) * (len(set(said)) - len(known)))


@dataclass(frozen=True, slots=True)
class CitedText:
    text: str
    lines: tuple[int, ...]


def cited(text: str, sheet: Sheet, most: int, *, numbers_first: bool = False) -> ParsedAnswer[list[CitedText]]:
    """Lines of a text, a bar, and the numbers that it rests on; or the other way round."""
    given = sheet.given

    def build(line: str) -> CitedText:
        left, bar, right = line.partition("|") if numbers_first else line.rpartition("|")
        words, refs = (right, left) if numbers_first else (left, right)
        if not bar:
            raise ModelFault("bad_shape", "a line has no |")
        found = tuple(dict.fromkeys(int(one) for one in _NUMBERS.findall(refs)))
        given.ids([str(number) for number in found])
        return CitedText(given.text(_bare(words), 3, 400), found)

    return sift(lines_of(text), build, most)


def _bare(words: str) -> str:
    """Without a list's mark, and without marks of quotation around the whole.

    >>> _bare('- "tea"'), _bare('Anna: "tea"')
    ('tea', 'Anna: "tea"')
    """
    words = words.strip(" -*")
    return words[1:-1] if words[:1] in '"“' and words[-1:] in '"”' and not set(words[1:-1]) & set('"“”') else words


def questions(text: str, sheet: Sheet, most: int) -> ParsedAnswer[list[CitedText]]:
    """Questions with the lines that answer them; each names only what its lines name."""
    reading = cited(text, sheet, most)

    def build(one: CitedText) -> CitedText:
        if not one.text.endswith("?"):
            raise ModelFault("bad_shape", "a question has no mark")
        why = ungrounded(one.text, [sheet.texts[number] for number in one.lines], ASKING)
        if why is not None:
            raise ModelFault("not_grounded", why)
        return one

    kept = sift(reading.value, build, most)
    unlike = {one.text.lower(): one for one in reversed(kept.value)}
    return ParsedAnswer(list(reversed(unlike.values())), (*reading.dropped, *kept.dropped))


ASKING = (
    "what where when who whose which why how many much long often old do does did is are was were will can should",
    "name called live work job phone number date time birthday kind type current currently",
)


def replies(text: str, letters: Sequence[str], sheet: Sheet) -> ParsedAnswer[dict[str, tuple[str, ...]]]:
    """For each letter of a question the refs of the lines that are said to answer it."""
    found: dict[str, tuple[str, ...]] = {}
    dropped: list[str] = []
    for line in lines_of(text):
        match = re.fullmatch(r"\W{0,4}([A-Z])\b\W{0,3}(.{0,200})", line)
        refs = [sheet.refs[n] for n in map(int, _NUMBERS.findall(match[2])) if n in sheet.refs] if match else []
        only = letters[0] if len(letters) == 1 else None  # of one question, whatever letter is copied
        if match and (letter := only or match[1]) in letters and len(refs) <= MOST_CITED:
            found[letter] = tuple(dict.fromkeys(refs))
        else:
            dropped.append("unknown_ids" if match else "bad_shape")
    if dropped and not found:
        raise ModelFault(dropped[0], "no line answers a question by its letter")
    return ParsedAnswer(found, tuple(dropped))


MOST_CITED = 3


def title(text: str, sheet: Sheet) -> ParsedAnswer[CitedText | None]:
    """A note's title in words of its lines, and those lines that name it; None where they share no theme."""
    found = cited(text, sheet, 1).value
    if not found:
        return ParsedAnswer(None)
    told = {number: sheet.texts[number] for number in found[0].lines}
    if why := ungrounded(found[0].text, list(told.values())):
        raise ModelFault("not_grounded", why)
    named = set(terms(found[0].text))
    naming = tuple(number for number, line in told.items() if named & set(terms(line)))
    return ParsedAnswer(CitedText(found[0].text, naming), ("not_grounded",) * (len(told) - len(naming)))


def updates(text: str, pairs: int) -> ParsedAnswer[frozenset[int]]:
    """The numbers of the pairs that are said to be updates."""
    told = [re.fullmatch(r"\W{0,4}(\d{1,3})\b\W{0,4}(none|update)\b.{0,200}", line, re.I) for line in lines_of(text)]
    good = {int(one[1]): one[2].lower() for one in told if one is not None and 1 <= int(one[1]) <= pairs}
    if told and not good:
        raise ModelFault("bad_shape", "no line has the number of a pair and none or update")
    return ParsedAnswer(frozenset(n for n, kind in good.items() if kind == "update"), ("bad_shape",) * told.count(None))


def joined(text: str, sheet: Sheet) -> ParsedAnswer[list[CitedText]]:
    """Lines of a block said in one: each still carries every one of them, and says nothing else."""

    def build(one: CitedText) -> CitedText:
        before = [sheet.texts[number] for number in one.lines]
        if len(before) < 2 or len(one.text) >= sum(map(len, before)):
            raise ModelFault("bad_shape", "two lines or more are joined, into a shorter one")
        if not all(carries(line, one.text) for line in before):
            raise ModelFault("not_carried", "a joined line loses what one of them says")
        if why := ungrounded(one.text, before):
            raise ModelFault("not_grounded", why)
        if misquoted(one.text, before):
            raise ModelFault("not_verbatim", "nobody said what stands in quotation marks")
        return one

    reading = cited(text, sheet, len(sheet.refs), numbers_first=True)
    kept = sift(reading.value, build, len(sheet.refs))
    apart: list[CitedText] = []
    for one in kept.value:
        if not any(set(one.lines) & set(other.lines) for other in apart):
            apart.append(one)
    return ParsedAnswer(apart, (*reading.dropped, *kept.dropped))


def insights(found: Found, sheet: Sheet) -> ParsedAnswer[list[InsightDraft]]:
    """However sure a model is: what was inferred stays below what was said, and uses no words but its premises'."""
    given = sheet.given

    def build(item: Found) -> InsightDraft:
        if not isinstance(item, dict):
            raise ModelFault("bad_shape", "an item is not an object")
        kind: InsightKind = one_of(item.get("kind"), INSIGHT_KINDS)
        least, low, high = SUPPORT[kind]
        lines = [int(n) for n in as_list(item.get("lines")) if str(n).isdigit()]
        premises = given.ids([str(n) for n in lines], at_least=least)
        text = given.text(item.get("text"), 10, 300)
        told = [sheet.texts[number] for number in dict.fromkeys(lines)]
        if why := ungrounded(text, told) or _one_sided(text, told):
            raise ModelFault("not_grounded", why)
        return InsightDraft(text, kind, premises, confidence=(low + high) / 2)

    return sift(as_list(found.get("insights")), build, len(sheet.refs))


def _one_sided(text: str, lines: Sequence[str]) -> str | None:
    """What one line says alone is no conclusion."""
    return "one line says so alone" if any(ungrounded(text, [line]) is None for line in lines) else None


TELLING = (
    "I learned learn night tonight user said told says wrote asked wants want mentioned changed change from now before"
    " core memory gained remains open remembered noted kept today also still both what directives lines new older",
    "january february march april may june july august september october november december",
)


def diary(text: str, given: GivenRecords, lines: Sequence[str]) -> ParsedAnswer[str]:
    """The sentences of a diary that stand in the night's lines; too few of them are none."""
    told = given.text(text, 40, 2_000)
    if wrong := misquoted(told, lines):
        raise ModelFault("not_verbatim", f"nobody said {wrong[:60]!r}")
    kept, dropped = grounded_sentences(told, lines, TELLING)
    fewest, most = DIARY_WORDS
    if not fewest <= (words := len(" ".join(kept).split())) <= most:
        raise ModelFault("not_grounded", f"{words} words of it stand in the lines, not {fewest} to {most}")
    return ParsedAnswer(" ".join(kept), ("not_grounded",) * dropped)


def verdict(found: Found, given: GivenRecords) -> ParsedAnswer[Verdict]:
    return ParsedAnswer(Verdict(as_bool(found.get("approve")), given.text(found.get("why"), 3, 1_000)))
