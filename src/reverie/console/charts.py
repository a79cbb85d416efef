"""Bars, strips and the picture of a graph, worked out here so that a page draws them as plain SVG."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from reverie.console.words import plain
from reverie.model.memories import MemoryGraph
from reverie.model.night import Night, NightStep
from reverie.policy.sleep.verdict import NightVerdict, verdict

STRIP_HEIGHT = 48
ROUNDS = 60  # of the layout
WIDTH, HEIGHT = 960, 640
LABELLED = 60  # the best linked
LABEL = 26  # signs of a name
LETTER, LINE = 6.2, 13.0  # how wide a sign and how high a line of a name is


@dataclass(frozen=True, slots=True)
class StripBar:
    night: Night
    verdict: NightVerdict
    x: int
    y: float
    height: float
    seconds: float


def strip(nights: Sequence[Night]) -> list[StripBar]:
    """Nights from the oldest on, each as high as it was long (by the logarithm: naps and nights stand side by side)."""
    seconds = [max(0.0, (night.ended_at or 0.0) - (night.began_at or night.ended_at or 0.0)) for night in nights]
    top = max((math.log1p(10 * s) for s in seconds), default=0.0) or 1.0
    bars = []
    for i, (night, took) in enumerate(zip(nights, seconds, strict=True)):
        height = 6 + (STRIP_HEIGHT - 6) * math.log1p(10 * took) / top
        bars.append(StripBar(night, verdict(night), 18 * i, round(STRIP_HEIGHT - height, 1), round(height, 1), took))
    return bars


@dataclass(frozen=True, slots=True)
class StepBar:
    step: NightStep
    x: float  # percent of the whole
    width: float


def waterfall(steps: Sequence[NightStep]) -> list[StepBar]:
    """Steps one after the other: where each begins and how long it took, in percent of all."""
    total = sum(step.duration_ms for step in steps) or 1.0
    bars, begun = [], 0.0
    for step in steps:
        width = 100 * step.duration_ms / total
        bars.append(StepBar(step, round(begun, 2), round(max(width, 0.3 if step.duration_ms else 0.0), 2)))
        begun += width
    return bars


@dataclass(frozen=True, slots=True)
class Share:
    name: str
    value: float
    x: float
    width: float


def shares(parts: Mapping[str, float], whole: float) -> list[Share]:
    """Parts of a whole side by side, in percent.

    >>> [(s.name, s.x, s.width) for s in shares({"blocks": 30, "turns": 20}, 100)]
    [('blocks', 0.0, 30.0), ('turns', 30.0, 20.0)]
    """
    found, begun = [], 0.0
    for name, value in parts.items():
        width = 100 * value / (whole or 1.0)
        found.append(Share(name, value, round(begun, 2), round(width, 2)))
        begun += width
    return found


@dataclass(frozen=True, slots=True)
class GraphPlace:
    x: float
    y: float
    size: float


def layout(graph: MemoryGraph) -> dict[str, GraphPlace]:
    """Where each memory stands: linked ones near each other. The same graph always gives the same picture."""
    if not graph.nodes:
        return {}
    index = {node.id: i for i, node in enumerate(graph.nodes)}
    pairs = tuple((index[edge.a], index[edge.b]) for edge in graph.edges)
    places = _scaled(len(graph.nodes), pairs)
    degree = Counter(end for pair in pairs for end in pair)
    return {
        node.id: GraphPlace(
            round(40 + x * (WIDTH - 240), 1), round(20 + y * (HEIGHT - 40), 1), round(4 + 1.2 * math.sqrt(degree[i]), 1)
        )
        for i, (node, (x, y)) in enumerate(zip(graph.nodes, places, strict=True))
    }


@lru_cache(maxsize=16)  # a page is often looked at again before a night changes the links
def _scaled(count: int, pairs: tuple[tuple[int, int], ...]) -> list[tuple[float, float]]:
    """Places between 0 and 1 for so many, linked by these pairs."""
    a, b = np.array(pairs, dtype=int).reshape(-1, 2).T
    turns = np.arange(count) * 2.399963  # the golden angle: a sunflower to begin with
    at = (np.stack([np.cos(turns), np.sin(turns)], 1) * np.sqrt(np.arange(count) + 1)[:, None]).astype(np.float32)
    ones = np.ones(count, np.float32)
    near = np.empty((count, count), np.float32)  # filled anew each round: a page waits for sixty of them
    ideal = 1.5
    for round_ in range(ROUNDS):
        square = np.sum(at**2, 1)
        np.matmul(at, -2 * at.T, out=near)
        near += square[:, None]
        near += square[None, :]
        np.maximum(near, np.float32(0.01), out=near)
        np.reciprocal(near, out=near)
        drawn = near @ np.column_stack([at, ones])
        push = (at * drawn[:, 2:] - drawn[:, :2]) * ideal**2
        along = at[a] - at[b]
        force = along * np.linalg.norm(along, axis=1, keepdims=True) / ideal
        pull = np.zeros_like(at)
        np.add.at(pull, a, -force)
        np.add.at(pull, b, force)
        move = push + pull - 0.3 * at
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        at += move / length * np.minimum(length, 2.0 * (1 - round_ / ROUNDS) + 0.02)
    low, high = at.min(0), at.max(0)
    scaled: list[list[float]] = ((at - low) / np.maximum(high - low, 1e-9)).tolist()
    return [(x, y) for x, y in scaled]


def _under(place: GraphPlace, right: float, other: GraphPlace) -> bool:
    """Whether a name that begins at `place` would cover another memory's circle."""
    return abs(other.y - place.y) < other.size + LINE / 2 and place.x < other.x + other.size and other.x < right


def labels(graph: MemoryGraph, places: Mapping[str, GraphPlace]) -> dict[str, str]:
    """The names that are written, by memory: of two that would cover each other, the better linked one's."""
    taken: list[tuple[float, float, float]] = []
    found: dict[str, str] = {}
    for node in graph.nodes[:LABELLED]:
        place, name = places[node.id], plain(node.quote or node.title or node.text, LABEL)
        left, right = place.x, place.x + 2 * place.size + LETTER * len(name)
        free = all(abs(place.y - y) >= LINE or right < a or b < left for a, b, y in taken)
        if free and not any(_under(place, right, other) for id, other in places.items() if id != node.id):
            taken.append((left, right, place.y))
            found[node.id] = name
    return found
