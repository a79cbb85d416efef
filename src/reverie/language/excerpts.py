"""A text in fewer words, all of them its own: sentences that matter, and what says nothing at all."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from reverie.language.sentences import sentences
from reverie.language.words import terms, token_count

GAP = "…"
ENOUGH = 2  # words of the question that a sentence shares
LEAST = 20  # characters: less of a longer text says nothing
SHORT = 160  # characters: a text of that length is not worth cutting

_ACKNOWLEDGEMENTS = frozenset(
    phrase.strip()
    for phrase in """
    ok, okay, k, noted, got it, gotcha, understood, roger, roger that, copy that, will do, done, all set, all done, sure
    sure thing, of course, absolutely, certainly, definitely, right, alright, all right, yes, yep, yeah, yup, no, nope
    hm, hmm, mhm, ah, oh, wow, cool, nice, nice one, great, perfect, awesome, amazing, excellent, fantastic, lovely
    sounds good, sounds great, sounds fine, that's fine, that's good, that's great, that's cool, that's awesome
    fine, good, that's amazing, makes sense, fair enough, agreed, exactly, indeed, lol, haha, thank you, thanks
    thanks a lot, thanks so much, thanks again, thank you so much, thank you very much, many thanks, thx, ty, cheers
    much appreciated, you're welcome, you are welcome, no problem, no worries, my pleasure, anytime, any time
    don't mention it, happy to help, glad to help, hi, hey, hello, hi there, hey there, good morning, good afternoon
    good evening, good night, goodbye, bye, see you, see ya, see you later, see you soon, take care
    talk soon, talk later, talk to you later, talk to you soon
    have a good one, have a good day, have a great day, have a nice day
    i've noted that, i have noted that, i've noted it, noted that, saved, saved it, i've saved that, updated, added
    i'll remember that, i will remember that, i'll keep that in mind, i'll note that, remembered
    let me know if you need anything else, let me know if you need anything, let me know if there's anything else
    is there anything else, anything else
    """.replace("\n", ",").split(",")
    if phrase.strip()
)
_LONGEST_ACKNOWLEDGEMENT = 120
_CALLS = ("thank", "thx", "hi", "hey", "hello", "good", "bye", "cheers", "you")  # what a name may follow
_PIECES = re.compile(r"[^\w\s']+|\s-+\s")
_SAYS_BACK = re.compile(r"(?:noted|got it|understood|ok(?:ay)?|saved|clear|will do|done)\b[,.:;!]", re.IGNORECASE)
_SIGNS = re.compile(r"[^\w]+")
_FENCE = re.compile(r"^[ \t]{0,40}(?:```|~~~)[\w+-]{0,40}[ \t]*$", re.MULTILINE)


def says_nothing(text: str) -> bool:
    """Whether a text is empty, or only an acknowledgement, a greeting or thanks, to somebody by name or not.

    >>> [says_nothing(text) for text in ("Got it! 👍", "Thanks, Mara!", "Noted. I like tea.", "No, Berlin", " … ")]
    [True, True, False, False, True]
    """
    if len(text) > _LONGEST_ACKNOWLEDGEMENT:
        return False
    pieces = [piece.strip() for piece in _PIECES.split(text.replace("’", "'")) if piece.strip()]
    return all(
        piece.lower() in _ACKNOWLEDGEMENTS or (before.lower().startswith(_CALLS) and _is_name(piece))
        for before, piece in pairwise(["", *pieces])
    )


def _is_name(piece: str) -> bool:
    return piece.istitle() and len(piece.split()) == 1


def repeats_an_order(text: str) -> bool:
    """Whether a reply only says back what it was told.

    >>> repeats_an_order("Noted: 12 to 8 until the end of May."), repeats_an_order("Use two indexes.")
    (True, False)
    """
    return len(text) <= _LONGEST_ACKNOWLEDGEMENT and _SAYS_BACK.match(text) is not None


def one_line(text: str) -> str:
    """The text on one line, without the marks around code.

    >>> one_line("run this:\\n```sh\\nmake  all\\n```")
    'run this: make all'
    """
    return " ".join((_FENCE.sub("", text) if "\n" in text else text).split())


class LookedFor(NamedTuple):
    """The words of a question without their endings, and how many of them make a sentence matter."""

    words: tuple[str, ...]
    enough: int

    def in_(self, sentence: str) -> bool:
        said = f" {_SIGNS.sub(' ', sentence.lower())}"
        return sum(word in said for word in self.words) >= self.enough


ANYTHING = LookedFor((), 1)


def looked_for(query: str) -> LookedFor:
    """
    >>> wanted = looked_for("Where did Anna move?")
    >>> wanted.in_("Anna is moving"), wanted.in_("Anna sings"), looked_for("").in_("Anna sings")
    (True, False, False)
    """
    stems = dict.fromkeys(f" {stem.rstrip('ei') if len(stem) > 3 else stem}" for stem in terms(query))
    return LookedFor(tuple(stems), min(ENOUGH, len(stems)) or 1)


def excerpt(text: str, room: int, wanted: LookedFor = ANYTHING, quotes: Collection[str] = ()) -> str:
    """Those of its sentences that hold the words looked for, or stand in one of the quotes, as many as fit.

    Without such a sentence, the longest that fits. Never half a sentence; empty if none fits into `room` tokens.

    >>> text = "Hi there! My cat Tom is ill. It rained all day long. We saw the vet on Monday about Tom, the cat."
    >>> excerpt(text, 23, looked_for("cat Tom"))
    '… My cat Tom is ill. … We saw the vet on Monday about Tom, the cat.'
    >>> excerpt(text, 12, looked_for("cat Tom")), excerpt(text, 3, looked_for("cat Tom"))
    ('… My cat Tom is ill. …', '')
    """
    line = one_line(text)
    if len(line) <= SHORT and token_count(line) <= room:
        return line
    said = [one_line(sentence) for sentence in sentences(_FENCE.sub("", text))]
    chosen = [i for i, sentence in enumerate(said) if _matters(sentence, wanted, quotes)]
    chosen = chosen or _longest(said, room)
    while chosen:
        shown = _joined(said, chosen)
        if token_count(shown) <= room:
            return shown if len(shown) >= LEAST else ""
        chosen.pop()
    return ""


def _longest(said: Sequence[str], room: int) -> list[int]:
    fitting = [i for i, sentence in enumerate(said) if token_count(sentence) + 2 <= room and not says_nothing(sentence)]
    return [max(fitting, key=lambda i: len(said[i]))] if fitting else []


def _matters(sentence: str, wanted: LookedFor, quotes: Collection[str]) -> bool:
    return any(sentence in quote for quote in quotes) or wanted.in_(sentence)


def _joined(said: Sequence[str], chosen: Sequence[int]) -> str:
    parts, last = [], -1
    for i in chosen:
        parts += [GAP, said[i]] if i > last + 1 else [said[i]]
        last = i
    return " ".join([*parts, GAP] if last < len(said) - 1 else parts)
