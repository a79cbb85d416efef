"""Weights for a linear score over named marks, fitted to labelled examples; most come out as nought, and go."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def vocabulary(examples: Sequence[Sequence[str]], least: int = 4) -> dict[str, int]:
    """The marks that occur in enough examples, each with its column."""
    seen = Counter(mark for marks in examples for mark in set(marks))
    return {mark: i for i, mark in enumerate(sorted(mark for mark, n in seen.items() if n >= least))}


@dataclass(frozen=True)
class Shown:
    """Which example shows which marks, as pairs of row and column."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    height: int
    width: int

    @classmethod
    def of(cls, examples: Sequence[Sequence[str]], columns: dict[str, int]) -> "Shown":
        pairs = [(i, columns[mark]) for i, marks in enumerate(examples) for mark in set(marks) if mark in columns]
        both = np.array(pairs, np.int64).reshape(-1, 2)
        return cls(both[:, 0], both[:, 1], len(examples), len(columns))

    def times(self, weights: Floats) -> Floats:
        return np.bincount(self.rows, weights[self.columns], self.height).astype(np.float64)

    def back(self, errors: Floats) -> Floats:
        return np.bincount(self.columns, errors[self.rows], self.width).astype(np.float64)

    def largest(self) -> float:
        """The largest eigenvalue of x'x, by powers."""
        vector = np.ones(self.width)
        size = 1.0
        for _ in range(30):
            vector = self.back(self.times(vector))
            size = float(np.linalg.norm(vector))
            vector /= size
        return size


def fit(x: Shown, y: NDArray[np.bool_], penalty: float, rounds: int = 800) -> tuple[float, Floats]:
    """Logistic regression with an L1 penalty, by accelerated proximal gradient: the bias, and each column's weight."""
    step = 4.0 / (x.largest() + x.height)
    weights = momentum = np.zeros(x.width)
    bias = bias_momentum = 0.0
    pace = 1.0
    for _ in range(rounds):
        error = 1 / (1 + np.exp(-(x.times(momentum) + bias_momentum))) - y
        moved = momentum - step * x.back(error)
        new = np.sign(moved) * np.maximum(np.abs(moved) - step * penalty, 0.0)
        new_bias = bias_momentum - step * float(error.sum())
        next_pace = (1 + np.sqrt(1 + 4 * pace**2)) / 2
        momentum = new + (pace - 1) / next_pace * (new - weights)
        bias_momentum = new_bias + (pace - 1) / next_pace * (new_bias - bias)
        weights, bias, pace = new, new_bias, next_pace
    return bias, weights


def table(columns: dict[str, int], bias: float, weights: Floats) -> str:
    """The weights as a file: one mark a line, by kind and then by weight."""
    rows = [(mark, round(float(weights[i]), 3)) for mark, i in columns.items() if abs(weights[i]) >= 0.0005]
    rows.sort(key=lambda row: (row[0].split(" ")[0], -row[1], row[0]))
    return "".join(f"{mark}\t{weight}\n" for mark, weight in [("bias", round(bias, 3)), *rows])
