"""What somebody tells and does not claim: a dream, a case to reckon with, a task from a book, words that came to them.

It is told in the first person and in the same breath as what they ask about it, so it goes on to the end of its line.
"""

import re
from collections.abc import Iterator

from reverie.language.sentences import split_spans

_SUPPOSED = re.compile(
    # a case to reckon with
    r"\b(?:let['’]?s (?:say|assume|suppose|imagine|pretend)|suppose|supposing|assuming|assume|imagine|hypothetically"
    r"|(?:purely |just )?for the sake of argument|nehmen wir an|angenommen|supposons|supongamos|supponiamo)"
    r"(?: that|:|,)? (?:i|i['’]m|i['’]ve|i['’]d|my|we|our|ich|meine?|je|mon|ma|mi)\b"
    # a dream that was dreamt
    r"|\bi (?:just )?(?:dreamed|dreamt)\b|\bin (?:my|the|this|that) dream\b|\b(?:dream|nightmare) last night\b"
    r"|\b(?:had|having) (?:an?|this|the) (?:[\w-]{1,20} ){0,2}(?:dream|nightmare)\b(?! of \w{2,20}ing\b)"
    # what a pattern is tried on
    r"|\b(?:regexp?|regular expression|glob|pattern|parser|grammar)\b[^.!?\n]{0,80}\b(?:match(?:es)?|accepts?)\b",
    re.I,
)
# A task from a book: it has a number, and asks in the end.
_TASK = re.compile(
    r"\A\W{0,3}(?:exercise|task|problem|example|word problem|aufgabe|übung|exercice|ejercicio|esercizio)"
    r" ?(?:no\.? ?)?\d{1,3}[a-z]? ?[:.)]\s",
    re.I,
)
# Words that came to somebody, and speak to them: "got a text saying your parcel is here, please pay".
_TOLD_TO_THEM = re.compile(
    r"\b(?:texts?|messages?|sms|e-?mails?|mails?|calls?|notes?|letters?|signs?|notifications?|pop-?ups?|banners?|posts?|dms?"
    r"|voicemails?|pages?|bots?|stickers?|posters?)"
    r" (?:(?:that|which) )?(?:saying|says|said|reading|reads|read|telling me|tells me|told me)[,:]?"
    r" (?=[^.!?\n]{0,80}\b(?:you|your|please)\b)",
    re.I,
)


def supposed_at(passage: str) -> int | None:
    """The place in a line from which on its speaker claims nothing; None if there is no such place.

    >>> line = "I like maths. Suppose I live in Oslo. I pay 30%. What is left?"
    >>> line[: supposed_at(line)]
    'I like maths. '
    """
    if _TASK.match(passage) and passage.rstrip().endswith("?"):
        return 0
    supposed, told = _SUPPOSED.search(passage), _TOLD_TO_THEM.search(passage)
    places = [found for found in (supposed and supposed.start(), told and told.end()) if found is not None]
    return min(places, default=None)


def claimed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """A passage up to where its speaker only supposes or tells; what they ask in the end is theirs again."""
    place = supposed_at(text[begin:end])
    if place is None:
        yield begin, end
        return
    if place:
        yield begin, begin + place
    asked = split_spans(text, begin + place, end)[-1:] if text[begin:end].rstrip().endswith("?") else []
    yield from (span for span in asked if span[0] > begin + place)
