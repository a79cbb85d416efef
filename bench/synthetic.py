"""Made-up memories and questions with the statistics of talk: a few common words, many rare ones."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from reverie.minds.embed import FromFunction

DIM = 384
SYLLABLES = [a + b for a, b in product("bdfgklmnprstvz", "aeiou")]
WORDS = [a + b + c for a, b, c in product(SYLLABLES[::3], SYLLABLES[::5], ("n", "r", "l", "t", "x", "k", "p", "m"))]
# The commonest word stands in every sixth text, half of all words in fewer than one of a hundred.
ODDS = 1 / (np.arange(len(WORDS)) + 30)
ODDS /= ODDS.sum()
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Corpus:
    texts: list[str]
    vectors: Vectors
    questions: list[str]


def corpus(size: int, questions: int, seed: int = 7) -> Corpus:
    random = np.random.default_rng(seed)
    texts = [_sentence(random, int(random.integers(12, 40))) for _ in range(size)]
    asked = [f"What about {_sentence(random, 6)}?" for _ in range(questions)]
    return Corpus(texts, unit(random.standard_normal((size, DIM), np.float32)), asked)


def unit(rows: Vectors) -> Vectors:
    lengths: Vectors = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / lengths


def embedder() -> FromFunction:
    """A vector that follows from the text, in microseconds: embedding is measured apart."""
    return FromFunction(lambda texts: np.stack([_vector(text) for text in texts]), "synthetic", DIM)


def _vector(text: str) -> Vectors:
    seed = int.from_bytes(text.encode()[:64], "little") % 2**63
    return np.random.default_rng(seed).standard_normal(DIM, np.float32)


def _sentence(random: np.random.Generator, length: int) -> str:
    return " ".join(WORDS[place] for place in random.choice(len(WORDS), length, p=ODDS))
