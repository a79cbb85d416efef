"""One line of a context: who said it, to what, the words, whether they still hold, and the id to ask further by."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from reverie.language import quoting
from reverie.language.excerpts import LookedFor, excerpt, one_line, repeats_an_order
from reverie.language.sentences import asks, sentences
from reverie.language.words import terms, token_count
from reverie.model.base import Trust, short_id
from reverie.model.hits import RAW_KINDS, Hit
from reverie.model.memories import Quoted
from reverie.model.turns import Turn
from reverie.policy.recall.packing import Item
from reverie.policy.recall.repeats import Statement
from reverie.policy.safety.trust import shown_name

FEW = 60  # characters: so short an answer may say nothing without its question
FEW_WORDS = 3  # that carry a meaning
LONGEST_QUESTION = 140
MATTER_SHARE = 0.5  # of a shorter line: what was asked may take so much of it

# Who is behind a text that is not the user's.
TRUST_WORDS: Mapping[Trust, str] = {
    Trust.ASSISTANT: "assistant",
    Trust.TOOL: "tool",
    Trust.CONTENT: "page or file",
    Trust.UNKNOWN: "unknown source",
}
FLAG_WORDS: Mapping[str, str] = {
    "conflict": "disputed",
    "superseded": "no longer so",
    "stale": "out of date",
    "earlier": "said earlier, changed since",
}


class QuoteParts(NamedTuple):
    """A fact's text in its parts: what it answers or is about, and the dates that it names, made plain."""

    matter: str = ""
    dates: str = ""


def speaker(name: str | None, trust: Trust) -> str:
    """
    >>> speaker(None, Trust.USER), speaker("Mara", Trust.USER), speaker("assistant", Trust.ASSISTANT)
    ('user', 'Mara', 'assistant')
    >>> speaker("Nova", Trust.ASSISTANT), speaker(None, Trust.CONTENT)
    ('Nova (assistant)', 'page or file')
    """
    behind, name = TRUST_WORDS.get(trust), shown_name(name or "")
    if behind is None:
        return name or "user"
    return behind if not name or name.casefold() == behind else f"{name} ({behind})"


def who(hit: Hit) -> str:
    """Who said it; what was made of several statements is called what it is."""
    if hit.kind in ("turn", "episode", "fact", "directive"):
        return speaker(hit.speaker, hit.trust)
    behind = TRUST_WORDS.get(hit.trust)
    return f"{hit.kind} (from {behind})" if behind else hit.kind


def says_who(hit: Hit) -> bool:
    """Whether its text names who said it and when, as the text of a quote does."""
    return bool(hit.quote) and parts_of(Quoted(hit.quote, hit.text), hit) is not None


def flag_words(flags: Sequence[str]) -> str:
    """
    >>> flag_words(("conflict", "stale")), flag_words(())
    (' (disputed; out of date)', '')
    """
    return f" ({'; '.join(FLAG_WORDS.get(flag, flag) for flag in flags)})" if flags else ""


def parts_of(said: Quoted, hit: Hit) -> QuoteParts | None:
    """The parts of a quote by whoever said the hit; None where the text is another's, or a sentence of its own.

    >>> text = 'Mara, 1 January 1970, on the lease: "it ends tomorrow" (2 January 1970)'
    >>> hit = Hit("f", "fact", text, 1.0, 1.0, (), 0.0, speaker="Mara")
    >>> parts_of(Quoted("it ends tomorrow", hit.text), hit)
    QuoteParts(matter=', on the lease', dates=' (2 January 1970)')
    """
    head, quoted, dates = quoting.by_itself(said.text, said.quote).partition(f': "{said.quote}"')
    opening = f"{quoting.who(hit.speaker or 'user')}, {quoting.day(hit.said_at or 0.0)}"
    return QuoteParts(head.removeprefix(opening), dates) if quoted and head.startswith(opening) else None


def needs_question(hit: Hit) -> bool:
    """Whether what was found is a reply: an assistant's or tool's, or a few words."""
    return hit.kind in RAW_KINDS and (hit.trust < Trust.USER or len(hit.text) <= FEW)


class Known(NamedTuple):
    """What belongs to a line besides its words."""

    before: Turn | None = None  # the turn that a reply answers
    quotes: Sequence[Quoted] = ()  # what facts quote of a turn
    follows: bool = False  # the turn that it answers has a line of its own, above it


def worth_a_line(one: Statement, known: Known) -> bool:
    """A word of assent needs the question that it answers; a reply that says back what it was told says nothing."""
    if one.hit.kind not in RAW_KINDS or one.facts or known.quotes:
        return True
    if one.hit.trust < Trust.USER:
        return not (known.follows and repeats_an_order(one.hit.text))
    stands_alone = len(one.hit.text) > FEW or len(terms(one.hit.text)) >= FEW_WORDS
    unasked = known.before is None or not asks(known.before.text)
    return stands_alone or unasked or known.follows or bool(known.before and _answers(one.hit, known.before))


def item(one: Statement, rank: int, known: Known, wanted: LookedFor) -> Item:
    """The line of a statement, below its day; in a shorter form, the sentences of it that matter."""
    hit = one.hit
    quotes = [*known.quotes, *(Quoted(fact.quote, fact.text) for fact in (hit, *one.facts) if fact.quote)]
    parts = [part for quote in quotes if (part := parts_of(quote, hit))]
    matter = next((part.matter for part in parts if part.matter), "")
    if not matter and known.before is not None and not known.follows:
        matter = _answers(hit, known.before)
    dates = "".join(dict.fromkeys(part.dates for part in parts))
    head, foot = f"- {who(hit)}{matter}: ", f"{dates}{flag_words(one.flags)} [{short_id(hit.id)}]"
    body = f'"{one_line(hit.quote)}"' if hit.kind == "fact" and parts else one_line(hit.text)

    def cut(opening: str, room: int) -> str:
        left = room - token_count(opening + foot)
        if hit.kind == "fact":
            text = body if token_count(body) <= left else ""
        else:
            text = excerpt(hit.text, left, wanted, [said.quote for said in quotes])
        return f"{opening}{text}{foot}" if text else ""

    def shorter(room: int) -> str:
        """The sentences that matter. What they answer gives way to them."""
        whole = cut(head, room) if token_count(matter) <= MATTER_SHARE * room else ""
        return whole or cut(f"- {who(hit)}: ", room)

    day = quoting.day(hit.said_at) if hit.said_at is not None else "undated"
    return Item(hit.id, f"{head}{body}{foot}", day, rank, shorter)


def _answers(hit: Hit, before: Turn) -> str:
    """What a reply answers: the last question before it, or the longest sentence of a request."""
    said = [one for one in sentences(before.text[-10 * LONGEST_QUESTION :]) if len(one) <= LONGEST_QUESTION]
    questions = [sentence for sentence in said if asks(sentence)]
    if questions and (hit.trust < Trust.USER or asks(before.text)):
        return f', asked "{one_line(questions[-1])}"'
    if hit.trust < Trust.USER and said and before.role != "tool":
        return f', told "{one_line(max(said, key=len))}"'
    return ""
