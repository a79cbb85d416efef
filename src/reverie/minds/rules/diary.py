"""The night's story: what changed for the user, in the user's own words. An empty night is one short sentence."""

from collections.abc import Iterable, Sequence

from reverie.language import quoting
from reverie.model.thinking import NightStory, Quote

LEAST, MOST = 60, 180  # words; a night with little to tell has fewer
PAIRS, ORDERS, LINES, QUESTIONS, TOPICS = 3, 4, 3, 3, 6
LONGEST = 45  # words of one quote


def diary(night: NightStory) -> str:
    """
    >>> diary(NightStory("n1", 1683547200.0, "night", (Quote("I moved to Kiel", "user", 1683540000.0),)))
    'Night of 8 May 2023. On 8 May 2023 the user told me: "I moved to Kiel".'
    """
    opening = f"{'Nap' if night.kind == 'nap' else 'Night'} of {quoting.day(night.began_at)}."
    if night.empty:
        return f"{opening[:-1]}: I learned nothing new."
    rest = [*_changed(night), *_directives(night), *_core(night), *_open(night), *_topics(night), *_ahead(night)]
    told = [opening, *_learned(night, MOST - _words([opening, *rest, *_cost(night)])), *rest]
    if _words(told) < LEAST and night.asked:
        told.append(f"I was asked: {_listed(_in_quotes(night.asked[:QUESTIONS]))}")
    return _bounded([*told, *_cost(night)])


def _learned(night: NightStory, room: int) -> list[str]:
    """What was said, as much as there is room for, day by day and speaker by speaker; nothing that is told below."""
    below = " ".join([*night.core, *(quote.text for pair in night.changed[:PAIRS] for quote in pair)])
    chosen: list[Quote] = []
    for quote in night.learned:
        size = _words([quote.text, quote.about]) + 2
        if size <= min(room, LONGEST) and quote.text not in below:
            chosen.append(quote)
            room -= size + (8 if len(chosen) == 1 else 0)
    said: dict[tuple[str, str], list[Quote]] = {}
    for quote in sorted(chosen, key=lambda quote: quote.said_at):
        said.setdefault((quoting.day(quote.said_at), quote.speaker), []).append(quote)
    return [f"On {day} {_who(speaker)} told me: {_listed(map(_answer, its))}" for (day, speaker), its in said.items()]


def _changed(night: NightStory) -> list[str]:
    return [f"What changed: {_dated(older)} is now {_dated(newer)}." for older, newer in night.changed[:PAIRS]]


def _directives(night: NightStory) -> list[str]:
    return _one("From now on I keep to this", _in_quotes(night.directives[:ORDERS]))


def _core(night: NightStory) -> list[str]:
    return _one("New in my core memory", [line.rstrip(".") for line in night.core[:LINES]])


def _open(night: NightStory) -> list[str]:
    return [f"Left open: {_dated(one)}, or {_dated(other)}?" for one, other in night.open[:PAIRS]]


def _topics(night: NightStory) -> list[str]:
    if not night.topics:
        return []
    *first, last = night.topics[:TOPICS]
    return [f"I gathered what was said of {' and '.join([', '.join(first), last] if first else [last])}."]


def _ahead(night: NightStory) -> list[str]:
    if not night.ahead:
        return []
    return [f"{night.ahead} answer{'s are' if night.ahead > 1 else ' is'} ready for what may be asked."]


def _cost(night: NightStory) -> list[str]:
    if not night.tokens:
        return []
    cost = f" (${night.cost:.4f})" if night.cost else ""
    return [f"I spent {night.tokens:,} token{'s' if night.tokens > 1 else ''}{cost}."]


def _one(head: str, said: Sequence[str]) -> list[str]:
    return [f"{head}: {_listed(said)}"] if said else []


def _listed(said: Iterable[str]) -> str:
    """As one sentence; a quote that ends one needs no second stop."""
    listed = "; ".join(said)
    return listed if listed.endswith(tuple(stop + close for stop in ".!?" for close in '"”')) else f"{listed}."


def _in_quotes(quotes: Sequence[Quote]) -> list[str]:
    return [quoting.quoted(quote.text) for quote in quotes]


def _answer(quote: Quote) -> str:
    said = quoting.quoted(quote.text)
    return f"asked {quoting.quoted(quote.about)}, {said}" if quote.about.endswith("?") else said


def _dated(quote: Quote) -> str:
    return f"{quoting.quoted(quote.text)} ({_who(quote.speaker)}, {quoting.day(quote.said_at)})"


def _who(speaker: str) -> str:
    shown = quoting.who(speaker)
    return shown[:1].lower() + shown[1:] if shown in quoting.ROLES.values() else shown


def _words(parts: Iterable[str]) -> int:
    return len(" ".join(parts).split())


def _bounded(parts: Sequence[str]) -> str:
    """Whole sentences while they fit."""
    kept: list[str] = []
    for part in parts:
        if _words([*kept, part]) <= MOST:
            kept.append(part)
    return " ".join(kept)
