"""A model's JSON to drafts: repaired where it was wrapped or cut off, kept where it holds against the data."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from reverie.errors import ModelFault
from reverie.language.sentences import sentences
from reverie.minds.llm.prompt_data import CLASH_KINDS
from reverie.minds.llm.validate import GivenRecords, ParsedAnswer, as_bool, as_list, as_share, one_of, sift
from reverie.minds.rules.reading.facts import quoted
from reverie.minds.rules.reference.spans import LONGEST_QUOTE
from reverie.model.thinking import (
    AnswerDraft,
    BlockDraft,
    Clash,
    ClashKind,
    Episode,
    FactDraft,
    InsightDraft,
    NoteDraft,
    ProfileDraft,
    QuestionDraft,
    Sentence,
    Verdict,
)

InsightKind = Literal["deduction", "induction"]

_FENCE = re.compile(r"```(?:json)?\s*(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
_CLOSE = {"{": "}", "[": "]"}
FACTS_PER_EPISODE = 12
DIARY_WORDS = (20, 180)  # a night with little to tell is short
INSIGHT_KINDS: tuple[InsightKind, ...] = ("deduction", "induction")
# How many premises each needs, and between which bounds its confidence lies.
SUPPORT: Mapping[InsightKind, tuple[int, float, float]] = {"deduction": (2, 0.8, 0.9), "induction": (3, 0.6, 0.75)}


def read_json(text: str) -> tuple[dict[str, Any], bool]:
    """The object in `text`, and whether it had to be closed because its end was missing.

    >>> read_json('Sure! ```json\\n{"facts": [1, 2,]}\\n```')
    ({'facts': [1, 2]}, False)
    >>> read_json('{"facts": [{"a": 1}, {"a": 2')
    ({'facts': [{'a': 1}]}, True)
    """
    text = _THINKING.sub("", text).strip()
    if not text:
        raise ModelFault("empty", "the model wrote nothing")
    for candidate in (text, *_FENCE.findall(text), text[text.find("{") :] if "{" in text else ""):
        found = _object(candidate)
        if found is not None:
            return found, False
    cut = _closed(text)
    if cut is None:
        raise ModelFault("bad_json", "the model wrote no JSON object")
    return cut, True


def _object(text: str) -> dict[str, Any] | None:
    try:
        found, _ = json.JSONDecoder(strict=False).raw_decode(_TRAILING_COMMA.sub("", text.strip()))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _closed(text: str) -> dict[str, Any] | None:
    """Cut back to the last whole element, then close what is open: whole items are kept, half ones dropped."""
    start = text.find("{")
    if start < 0:
        return None
    body = text[start:]
    for end, stack in reversed(_boundaries(body)):
        found = _object(body[:end] + "".join(_CLOSE[bracket] for bracket in reversed(stack)))
        if found is not None:
            return found
    return None


def _boundaries(body: str) -> list[tuple[int, str]]:
    """Where an inner object or array has just ended, with the brackets still open there."""
    found: list[tuple[int, str]] = []
    stack, quoted, escaped = "", False, False
    for place, char in enumerate(body):
        if quoted:
            escaped, quoted = (char == "\\" and not escaped), (char != '"' or escaped)
        elif char == '"':
            quoted = True
        elif char in _CLOSE:
            stack += char
        elif char in "}]" and stack:
            stack = stack[:-1]
            if stack:
                found.append((place + 1, stack))
    return found[-50:]  # a bounded number of tries, newest first


Found = Mapping[str, Any]


def facts(found: Found, given: GivenRecords, said: Mapping[str, Episode]) -> ParsedAnswer[list[FactDraft]]:
    """The quotes that a model picked, each as it stands in its episode; all else about them is read by the rules."""

    def build(item: Found) -> FactDraft:
        episode = said[given.id(item.get("source"))]
        quote = _verbatim(given.text(item.get("quote"), 3, LONGEST_QUOTE), episode.text)
        if quote is None:
            raise ModelFault("not_verbatim", "a quote does not stand in its episode")
        about = given.text(item.get("about", ""), 0, 200)
        draft = quoted(episode, quote, about if about and any(about in line for line in episode.before) else "")
        value = _named(item.get("value"), quote)
        if not value:
            return draft
        return replace(
            draft,
            subject="user" if item.get("subject") == "user" else _named(item.get("subject"), quote) or draft.subject,
            predicate=given.text(item.get("predicate"), 2, 40).lower().replace(" ", "_"),
            value=value,
            negated=as_bool(item.get("negated", False)),
            replaces=_named(item.get("replaces"), quote),
        )

    return sift(as_list(found.get("facts")), build, FACTS_PER_EPISODE * len(given.handles))


def _verbatim(quote: str, text: str) -> str | None:
    """The span of the text that has these words, blanks aside."""
    pattern = r"\s+".join(re.escape(word) for word in quote.split())
    match = re.search(pattern, text)
    return match.group() if match else None


def _named(raw: Any, quote: str) -> str:
    """What a model says stands in the quote, if it does."""
    words = str(raw or "").strip()
    return words if words and words.casefold() in quote.casefold() else ""


def note(found: Found, given: GivenRecords) -> ParsedAnswer[NoteDraft | None]:
    if _nothing(found):
        return ParsedAnswer(None)
    sources = given.ids(found.get("sources"), min(2, len(given.handles)))
    return ParsedAnswer(
        NoteDraft(given.text(found.get("title"), 3, 120), given.text(found.get("text"), 20, 2_000), sources)
    )


def clash(found: Found, given: GivenRecords) -> ParsedAnswer[Clash]:
    kind: ClashKind = one_of(found.get("kind"), CLASH_KINDS)
    confidence = as_share(found.get("confidence"))
    return ParsedAnswer(Clash(kind, given.text(found.get("why"), 3, 400), confidence))


def profile(found: Found, given: GivenRecords) -> ParsedAnswer[ProfileDraft | None]:
    if _nothing(found):
        return ParsedAnswer(None)
    return ParsedAnswer(ProfileDraft(given.text(found.get("text"), 20, 2_000), given.ids(found.get("sources"))))


def _nothing(found: Found) -> bool:
    """The agreed way to say that there is nothing to say; silence in another form is a fault."""
    return found.get("text") == "" and found.get("sources") == []


def insights(found: Found, given: GivenRecords) -> ParsedAnswer[list[InsightDraft]]:
    """However sure a model is: what was inferred stays below what was said."""

    def build(item: Found) -> InsightDraft:
        kind: InsightKind = one_of(item.get("kind"), INSIGHT_KINDS)
        premises, low, high = SUPPORT[kind]
        return InsightDraft(
            text=given.text(item.get("text"), 10, 300),
            kind=kind,
            premises=given.ids(item.get("premises"), at_least=premises),
            confidence=min(high, max(low, as_share(item.get("confidence")))),
        )

    return sift(as_list(found.get("insights")), build, len(given.handles))


def summary(found: Found, given: GivenRecords, most: int, longest: int) -> ParsedAnswer[str]:
    text = given.text(found.get("text"), 1, longest)
    return ParsedAnswer(" ".join(sentences(text)[:most]))


def questions(found: Found, given: GivenRecords, most: int) -> ParsedAnswer[list[QuestionDraft]]:
    def build(item: Found) -> QuestionDraft:
        text = given.text(item.get("text"), 5, 200)
        return QuestionDraft(text, given.text(item.get("why"), 0, 200), given.ids(item.get("sources"), 0))

    reading = sift(as_list(found.get("questions")), build, most)
    unlike = {draft.text.lower(): draft for draft in reversed(reading.value)}
    return ParsedAnswer(list(reversed(unlike.values())), reading.dropped)


def answer(found: Found, given: GivenRecords) -> ParsedAnswer[AnswerDraft | None]:
    """An unknown answer is a good one; a known one needs sources and may hold no number that they do not."""
    if not as_bool(found.get("known")):
        return ParsedAnswer(None)
    text = given.text(found.get("text"), 1, 1_000)
    given.numbers_of(text)
    return ParsedAnswer(AnswerDraft(text, as_share(found.get("confidence")), given.ids(found.get("sources"))))


def diary(found: Found, given: GivenRecords) -> ParsedAnswer[str]:
    text = given.text(found.get("text"), 100, 2_000)
    fewest, most = DIARY_WORDS
    if not fewest <= (words := len(text.split())) <= most:
        raise ModelFault("bad_shape", f"the diary has {words} words, not {fewest} to {most}")
    given.numbers_of(text)
    return ParsedAnswer(text)


def verdict(found: Found, given: GivenRecords) -> ParsedAnswer[Verdict]:
    return ParsedAnswer(Verdict(as_bool(found.get("approve")), given.text(found.get("why"), 3, 1_000)))


def block(
    found: Found, given: GivenRecords, old: BlockDraft, standing: Mapping[str, Sentence]
) -> ParsedAnswer[BlockDraft]:
    """The block anew. Strict, unlike lists of drafts: a dropped sentence may be the one that two others went into."""

    def build(item: Found) -> Sentence:
        kept = str(item.get("keep") or "").strip()
        if kept:
            given.id(kept)
            if kept not in standing:
                raise ModelFault("unknown_ids", "a memory cannot be kept as if it stood in the block")
            return standing[kept]
        text = given.text(item.get("text"), 5, 400)
        cited = [str(handle).strip() for handle in as_list(item.get("sources"))]
        given.ids(cited)
        ids = [id for handle in cited for id in _rests_on(handle, given, standing)]
        return Sentence(text, tuple(dict.fromkeys(ids)))

    reading = sift(as_list(found.get("sentences")), build, 200)
    if reading.dropped:
        raise ModelFault(reading.dropped[0], "a sentence of the block does not hold")
    return ParsedAnswer(_with_own(old, reading.value))


def _rests_on(handle: str, given: GivenRecords, standing: Mapping[str, Sentence]) -> Sequence[str]:
    return standing[handle].sources if handle in standing else (given.id(handle),)


def _with_own(old: BlockDraft, new: Sequence[Sentence]) -> BlockDraft:
    """A person's own words stay, whatever the model left out; the limit holds, and nothing is ever wiped."""
    if not new and old.sentences:
        raise ModelFault("empty", "the block would be empty")
    lost = [sentence for sentence in old.sentences if sentence.own and sentence not in new]
    together = tuple(dict.fromkeys((*lost, *new)))
    size = sum(len(sentence.text) + 1 for sentence in together)
    if size > old.limit:
        raise ModelFault("too_long", f"the block would hold {size} characters, its limit is {old.limit}")
    return BlockDraft(old.label, old.limit, together, old.description)
