"""What somebody tells and does not claim: a dream, a case to reckon with, a task from a book, words that came to them.

It is told in the first person and in the same breath as what they ask about it, so it goes on to the end of its line.
A single sentence of the kind is left to whoever weighs it.
"""

import re
from collections.abc import Iterator

from reverie.language.sentences import split_spans

# A case to reckon with. "Assume I have no oven" is none: it asks for something to be kept to.
_CASE = re.compile(
    r"\b(?:let['’]?s (?:say|assume|suppose|imagine|pretend)|(?<!\bi )suppos(?:e|ing)|imagine|pretend|hypothetically"
    r"|for the sake of argument|nehmen wir an|angenommen|supposons|supongamos|supponiamo)"
    r"(?: that|:|,)? (?:i|i['’]m|i['’]ve|i['’]d|my|we|our|ich|meine?|je|mon|ma|mi)\b",
    re.I,
)
_DREAM = re.compile(
    r"\bi (?:just )?(?:dreamed|dreamt)\b|\bin (?:my|the|this|that) dream\b|\b(?:dream|nightmare) last night\b"
    r"|\b(?:had|having) (?:an?|this|the) (?:[\w-]{1,20} ){0,2}(?:dream|nightmare)\b(?! of \w{2,20}ing\b)",
    re.I,
)
# What a pattern is tried on, where it is asked whether it fits.
_TRIED = re.compile(
    r"\b(?:regexp?|regular expression|glob|pattern)\b[^.!?\n]{0,80}\bmatch(?:es)?\b(?=[^\n]{0,400}\?)", re.I
)
# A task from a book: it has a number, and asks in the end.
_TASK = re.compile(
    r"\A\W{0,3}(?:exercise|task|problem|example|word problem|aufgabe|übung|exercice|ejercicio|esercizio)"
    r" ?(?:no\.? ?)?\d{1,3}[a-z]? ?[:.)]\s",
    re.I,
)
# Words that came to somebody, and speak to them: "got a text saying your parcel is here, please pay".
_TOLD_TO_THEM = re.compile(
    r"\b(?:got|gets?|getting|received?|receiving|saw|found|had|came|comes)\b[^.!?\n]{0,40}"
    r"\b(?:texts?|messages?|sms|e-?mails?|mails?|calls?|notes?|letters?|notifications?|pop-?ups?|dms?|voicemails?)"
    r"[^.!?\n]{0,30} (?:saying|says|said|reading|reads|telling me|tells me|told me)[,:]?"
    r" (?=[^.!?\n]{0,80}\b(?:you|your|please)\b)",
    re.I,
)

# Words that are shown and not said: "it says My …", "turned my message into I …", "the parrot keeps saying".
_MENTIONED = re.compile(
    r"\b(?:says?|said|reads?|gave me|goes|shows?|wrote|writes) (?=(?:My|Your|Our|Please|Always|Never|Remember)\b)"
    r"|\b(?:into|reads as|came out as|comes out as|shows up as|autocorrects? to)"
    r" (?=I[ '’]|[Mm]y \w{1,30} (?:is|are)\b)"
    r"|\b(?<!I )(?<!we )keeps? (?:on )?(?:saying|repeating|singing|shouting|chanting|screaming)\b"
)


def opens_case(passage: str) -> bool:
    """Whether a line is nothing but the beginning of a case: "pretend I live in Oslo."."""
    return _CASE.match(passage) is not None and not passage.endswith("?")


def claimed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """A passage up to where its speaker only supposes or tells; what they ask in the end is theirs again.

    >>> line = "I like maths. Suppose I live in Oslo. I pay 30%. What is left?"
    >>> [line[first:last] for first, last in claimed(line, 0, len(line))]
    ['I like maths. ', 'What is left?']
    """
    passage = text[begin:end]
    place = _supposed_at(passage)
    if place is None:
        yield begin, end
        return
    if place:
        yield begin, begin + place
    if passage.endswith("?"):
        yield from split_spans(text, begin + place, end)[1:][-1:]


def _supposed_at(passage: str) -> int | None:
    """The place in a passage from which on its speaker claims nothing; None if there is no such place."""
    places = [told.end()] if (told := _TOLD_TO_THEM.search(passage)) else []
    places += [found.end() for found in (_TRIED.search(passage), _MENTIONED.search(passage)) if found]
    if _TASK.match(passage) and passage.endswith("?"):
        places.append(0)
    case = _CASE.search(passage) if passage.endswith("?") else None
    for found in filter(None, (case, _DREAM.search(passage))):
        spans = split_spans(passage, 0, len(passage))
        first = next(i for i, (_, stop) in enumerate(spans) if found.start() < stop)
        if first + 1 < len(spans):  # more of it follows
            places.append(spans[first][0])
    return min(places, default=None)
