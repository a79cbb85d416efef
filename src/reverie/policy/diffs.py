"""What changed between two texts, as a person reads it, and whether a person must."""

import difflib
from dataclasses import dataclass

from reverie.policy.words import normalised, sentences


@dataclass(frozen=True, slots=True)
class Weights:
    review_from: float = 0.25  # share of a block's sentences; a rewrite that removes more waits for a person


WEIGHTS = Weights()


def unified(before: str, after: str) -> str:
    """A unified diff without file names; empty if nothing changed.

    >>> print(unified("tea\\nmilk", "tea\\ncoffee"))
    @@ -1,2 +1,2 @@
     tea
    -milk
    +coffee
    """
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


def removed_share(before: str, after: str) -> float:
    """Which part of a text's sentences is gone. A sentence that moved, or changed in spacing only, is still there.

    >>> removed_share("Anna bakes. Tom sings. Ben runs. Eve reads.", "Eve reads. Anna bakes. Ben runs.")
    0.25
    """
    old = [normalised(sentence) for sentence in sentences(before)]
    kept = {normalised(sentence) for sentence in sentences(after)}
    return sum(sentence not in kept for sentence in old) / len(old) if old else 0.0


def needs_review(before: str, after: str, w: Weights = WEIGHTS) -> str | None:
    """Why a person must look at a night's rewrite, or None: it takes away more than a quarter of the sentences.

    `before` should be without what the night replaces on purpose: a superseded sentence is not lost.

    >>> needs_review("Anna bakes. Tom sings.", "Anna bakes.")
    '50% of the sentences would go, at most 25% without a review'
    """
    if before.strip() and not after.strip():
        return "nothing would be left of it"
    share = removed_share(before, after)
    if share > w.review_from:
        return f"{share:.0%} of the sentences would go, at most {w.review_from:.0%} without a review"
    return None
