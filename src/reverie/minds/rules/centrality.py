"""Extractive summaries: the sentences that share most with the others, in the order they were said."""

from collections import Counter
from collections.abc import Sequence

from reverie.language.sentences import sentences
from reverie.language.speech import utterances
from reverie.language.words import jaccard, terms

MOST_SENTENCES = 400  # the cost grows with the square, so a very long text is judged by a sample


def scores(lines: Sequence[str]) -> list[float]:
    """How central each line is: its overlap with the others, weighted a little to the front.

    >>> a, b, c = scores(["The cat sat.", "A cat sat on a mat.", "Stocks fell."])
    >>> c < a and c < b
    True
    """
    bags = [frozenset(terms(line)) for line in lines]
    common = Counter(term for bag in bags for term in bag)
    result = []
    for i, bag in enumerate(bags):
        overlap = sum(jaccard(bag, other) for j, other in enumerate(bags) if i != j)
        shared = sum(1 for term in bag if common[term] > 1) / len(bag) if bag else 0.0
        result.append(overlap + shared + (0.2 if i == 0 else 0.0) if len(bag) > 1 else 0.0)
    return result


def central(lines: Sequence[str], count: int) -> list[int]:
    """The places of the `count` most central lines that do not repeat each other, in order."""
    weight = scores(lines)
    bags = [frozenset(terms(line)) for line in lines]
    chosen: list[int] = []
    for i in sorted(range(len(lines)), key=lambda i: (-weight[i], i)):
        if len(chosen) < count and all(jaccard(bags[i], bags[j]) < 0.7 for j in chosen):
            chosen.append(i)
    return sorted(chosen)


def summary(text: str, count: int) -> str:
    """At most `count` sentences of the text, exactly as they stand there; of its speech, where it holds any."""
    lines = [one.text for one in utterances(text)] or [line for line in sentences(text) if line in text]
    if len(lines) <= count:
        return " ".join(lines) or text.strip()
    step = max(1, len(lines) // MOST_SENTENCES)
    lines = lines[::step]
    return " ".join(lines[i] for i in central(lines, max(1, count)))
