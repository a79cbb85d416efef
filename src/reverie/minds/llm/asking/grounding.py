"""Whether a model's words stand in what it was given: sentence by sentence, by code, whatever the model claims.

A text of a model's own is believed only where its names, numbers and nearly all of its words stand in the lines that it
rests on, and where it denies nothing that these state. What stands in our prompt and not in the lines is an echo.
"""

import re
from collections.abc import Iterable, Sequence

from reverie.errors import ModelFault
from reverie.language.sentences import sentences
from reverie.language.words import terms, tokens
from reverie.policy.core.carrying import NEGATIONS, figures, names

MOST_NEW = 0.2  # of a sentence's words may be its own
LEAST_COPIED = 0.6  # of the words that a model copied, in the sentence that it names


def copied_from(words: str, text: str) -> bool:
    """Whether these words were copied from a text, a slip or two aside.

    >>> copied_from("flat third floor", "The flat is on the third floor."), copied_from("anchor chain", "The flat.")
    (True, False)
    """
    wanted, there = set(tokens(words)), set(tokens(text))
    return bool(set(terms(words)) & set(terms(text))) and len(wanted & there) >= LEAST_COPIED * len(wanted)


def attributed(words: str, claimed: int | None, lines: Sequence[tuple[int, str]], task: str) -> int:
    """The number of the line that the words were copied from: the one that is claimed, or else the only other."""
    texts = dict(lines)
    if claimed in texts and copied_from(words, texts[claimed]):
        return claimed
    others = [number for number, text in lines if copied_from(words, text)]
    if len(others) == 1:
        return others[0]
    if len(set(tokens(words))) > 1 and copied_from(words, task):
        raise ModelFault("echo", "the form's own example came back")
    raise ModelFault("not_verbatim", "the copied words do not stand in the sentence of that number")


def ungrounded(sentence: str, lines: Sequence[str], own: Iterable[str] = ()) -> str | None:
    """Why a sentence says what the lines do not, or None. `own` are words that its writer may add.

    >>> ungrounded("Anna lives in Kiel.", ["My sister Anna lives in Kiel"])
    >>> ungrounded("Anna lives in Bonn.", ["My sister Anna lives in Kiel"])
    'the name Bonn is not in the lines'
    """
    there, added = " ".join(lines), " ".join(own)
    if new := names(sentence) - set(tokens(there)) - set(tokens(added)):
        return f"the name {sorted(new)[0].title()} is not in the lines"
    if new := figures(sentence) - figures(there):
        return f"the number {sorted(new)[0]} is not in the lines"
    if NEGATIONS & set(tokens(sentence)) and not NEGATIONS & set(tokens(there)):
        return "it denies what the lines say"
    words = set(terms(sentence)) - set(terms(added))
    missing = words - set(terms(there))
    return None if len(missing) <= MOST_NEW * len(words) else f"{len(missing)} of its words are not in the lines"


def grounded_sentences(text: str, lines: Sequence[str], own: Iterable[str] = ()) -> tuple[list[str], int]:
    """The sentences of a text that are grounded, and how many are not."""
    said = sentences(text)
    added = tuple(own)
    kept = [one for one in said if ungrounded(one, lines, added) is None]
    return kept, len(said) - len(kept)


_MARKED = re.compile(r"[\"“]([^\"“”]{3,400})[\"”]")


def misquoted(text: str, lines: Sequence[str]) -> str | None:
    """A passage in quotation marks that stands in none of the lines, or None."""
    there = [" ".join(tokens(line)) for line in lines]
    marked = _MARKED.findall(text)
    return next((said for said in marked if not any(" ".join(tokens(said)) in line for line in there)), None)
