"""Fits the judge's upper layers to the labelled examples, and reports on a sixth that it has not seen.

python -m bench.fit_judge FITTED.npz [--part 0] [--epochs 3]    # half an hour on two cores
python -m bench.fit_judge FITTED.npz --after --epochs 1 --rate 1e-4    # goes on from the judge in the package
python -m scripts.build_judge FITTED.npz                        # then: int8, into the package

Needs `jax`, `onnx`, `safetensors` and `tokenizers`, which Reverie itself does not: an environment of its own with
`pip install -e . jax onnx safetensors tokenizers`. The upper layers begin as the embedder's own; its lower layers stay.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from bench.judge_examples import TASKS, Example, examples
from reverie.minds.minilm import MODEL, MiniLM
from reverie.minds.upper_layers import Room, UpperLayers
from scripts.build_embedder import HEADS, LAYERS, LOWER, WIDTH, fetch, unpack

Floats = NDArray[np.float32]
BUCKETS = {16: 64, 24: 64, 32: 48, 48: 32, 64: 32, 112: 16, 160: 12, 240: 8}  # tokens of a text: texts in a step
RATE, WARM_UP, DROPPED, DECAY = 2e-4, 100, 0.1, 0.01
QUERY = float(np.sqrt(WIDTH // HEADS))  # what the package's query layers are divided by
DENSE = {"attention.out": "attention.output.dense", "wide": "intermediate.dense", "narrow": "output.dense"}


class Texts:
    """Every example as the lower layers see it, with what is known of it."""

    def __init__(self, found: Sequence[Example], tasks: Sequence[str] = TASKS, room: Room | None = None) -> None:
        self._lower = MiniLM(threads=2)
        upper = UpperLayers(self._lower, "", len(tasks), room)
        self._encoded = [upper.encoded(one.context, one.text, one.after) for one in found]
        self.lengths = np.array([next(n for n in BUCKETS if len(one.ids) <= n) for one in self._encoded])
        self.known = np.array([[one.known.get(task, -1) for task in tasks] for one in found], np.float32)
        self._states = self._of_lower_layers()

    def _of_lower_layers(self) -> list[NDArray[np.float16]]:
        found: list[NDArray[np.float16]] = [np.zeros((0, WIDTH), np.float16)] * len(self._encoded)
        for rows in (part for tokens in BUCKETS for part in parts_of(np.flatnonzero(self.lengths == tokens), 32)):
            states, mask = self._lower.states([self._encoded[i].ids for i in rows])
            by_text = states.reshape(*mask.shape, WIDTH).astype(np.float16)
            for row, i in enumerate(rows):
                found[i] = by_text[row, : len(self._encoded[i].ids)]
        return found

    def batch(self, rows: NDArray[np.int64], tokens: int) -> tuple[Floats, Floats, Floats]:
        """The states, which of them are tokens, and which the text's own."""
        x = np.zeros((len(rows), tokens, WIDTH), np.float32)
        mask, own = np.zeros((2, len(rows), tokens), np.float32)
        for n, i in enumerate(rows):
            one = self._encoded[i]
            size = len(one.ids)
            x[n, :size], mask[n, :size], own[n, one.begin : one.end] = self._states[i], 1, 1
        return x, mask, own


def parts_of(rows: NDArray[np.int64], size: int) -> Iterator[NDArray[np.int64]]:
    yield from (rows[start : start + size] for start in range(0, len(rows), size))


def upper_layers(tasks: Sequence[str] = TASKS) -> dict[str, Any]:
    """The embedder's own, by the names of its file, and heads that know nothing."""
    with tempfile.TemporaryDirectory() as folder:
        weights, _ = unpack(fetch(Path(folder)), Path(folder))
    upper = {f"encoder.layer.{n}." for n in range(LOWER, LAYERS)}
    heads = np.random.default_rng(1).normal(0, 0.03, (2 * WIDTH, len(tasks))).astype(np.float32)
    own = {name: jnp.asarray(value) for name, value in weights.items() if name.startswith(tuple(upper))}
    return {**own, "heads": jnp.asarray(heads), "heads.bias": jnp.zeros(len(tasks))}


def layers_before() -> dict[str, Any]:
    """Those of the judge in the package, by the same names; a head that it does not have begins with nothing."""
    stored = {one.name: numpy_helper.to_array(one) for one in onnx.load(MODEL / "judge.onnx").graph.initializer}

    def weight(name: str) -> Floats:
        found: Floats = stored[name].astype(np.float32) * stored[f"{name}.scale"]
        return found

    found: dict[str, Any] = {}
    for layer in (f"encoder.layer.{n}" for n in range(LOWER, LAYERS)):
        parts = np.split(weight(f"{layer}.attention.self.qkv"), 3, axis=1)
        biases = np.split(stored[f"{layer}.attention.self.qkv.bias"], 3)
        for part, own, bias, scale in zip(("query", "key", "value"), parts, biases, (QUERY, 1.0, 1.0), strict=True):
            found[f"{layer}.attention.self.{part}.weight"] = own.T * scale
            found[f"{layer}.attention.self.{part}.bias"] = bias * scale
        for part, name in DENSE.items():
            found[f"{layer}.{name}.weight"] = weight(f"{layer}.{part}").T
            found[f"{layer}.{name}.bias"] = stored[f"{layer}.{part}.bias"]
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"{layer}.{name}.weight"] = stored[f"{layer}.{name}.gain"]
            found[f"{layer}.{name}.bias"] = stored[f"{layer}.{name}.shift"]
    new = len(TASKS) - stored["heads"].shape[1]
    heads = np.random.default_rng(1).normal(0, 0.03, (2 * WIDTH, new)).astype(np.float32)
    found["heads"] = np.concatenate([stored["heads"], heads], 1)
    found["heads.bias"] = np.concatenate([stored["heads.bias"], np.zeros(new, np.float32)])
    return {name: jnp.asarray(value) for name, value in found.items()}


def judged(weights: dict[str, Any], batch: Any, key: Any = None) -> Any:
    """What the judge answers; with a key some numbers are dropped, as in fitting."""
    x, mask, own = batch
    keys = iter(jax.random.split(key, 2 * LAYERS) if key is not None else [None] * 2 * LAYERS)
    for layer in range(LOWER, LAYERS):
        x = _layer(weights, f"encoder.layer.{layer}", x, mask, keys)
    mean = (x * own[..., None]).sum(1) / jnp.maximum(own.sum(1), 1)[:, None]
    return _dropped(jnp.concatenate([x[:, 0], mean], 1), next(keys)) @ weights["heads"] + weights["heads.bias"]


def _layer(weights: dict[str, Any], name: str, x: Any, mask: Any, keys: Iterator[Any]) -> Any:
    def dense(y: Any, part: str) -> Any:
        return y @ weights[f"{name}.{part}.weight"].T + weights[f"{name}.{part}.bias"]

    def by_head(part: str) -> Any:
        y = dense(x, f"attention.self.{part}")
        return y.reshape(*y.shape[:2], HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

    def normed(y: Any, part: str) -> Any:
        off = y - y.mean(-1, keepdims=True)
        even = off * jax.lax.rsqrt((off**2).mean(-1, keepdims=True) + 1e-12)
        return even * weights[f"{name}.{part}.weight"] + weights[f"{name}.{part}.bias"]

    scores = by_head("query") @ by_head("key").transpose(0, 1, 3, 2) / np.sqrt(WIDTH // HEADS)
    share = jax.nn.softmax(scores + (mask[:, None, None, :] - 1) * 1e4, -1)
    seen = (share @ by_head("value")).transpose(0, 2, 1, 3).reshape(x.shape)
    y = normed(x + _dropped(dense(seen, "attention.output.dense"), next(keys)), "attention.output.LayerNorm")
    wide = jax.nn.gelu(dense(y, "intermediate.dense"), approximate=False)
    return normed(y + _dropped(dense(wide, "output.dense"), next(keys)), "output.LayerNorm")


def _dropped(x: Any, key: Any) -> Any:
    return x if key is None else jnp.where(jax.random.bernoulli(key, 1 - DROPPED, x.shape), x / (1 - DROPPED), 0)


def loss(weights: dict[str, Any], batch: Any, known: Any, key: Any) -> Any:
    """The mean of what is known; a question that nobody answered counts for nothing."""
    z = judged(weights, batch, key)
    share = known >= 0
    wrong = jnp.maximum(z, 0) - z * jnp.maximum(known, 0) + jnp.log1p(jnp.exp(-jnp.abs(z)))
    return (wrong * share).sum() / jnp.maximum(share.sum(), 1)


def step(weights: Any, first: Any, second: Any, batch: Any, known: Any, key: Any, n: Any, rate: Any) -> Any:
    """One step of Adam, with the slope's length bounded."""
    value, slope = jax.value_and_grad(loss)(weights, batch, known, key)
    length = jnp.sqrt(sum((part**2).sum() for part in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda part: part * jnp.minimum(1, 1 / length), slope)
    first = jax.tree.map(lambda mean, part: 0.9 * mean + 0.1 * part, first, slope)
    second = jax.tree.map(lambda mean, part: 0.999 * mean + 0.001 * part**2, second, slope)

    def moved(weight: Any, mean: Any, square: Any) -> Any:
        way = (mean / (1 - 0.9**n)) / (jnp.sqrt(square / (1 - 0.999**n)) + 1e-8)
        return weight - rate * (way + DECAY * weight * (weight.ndim > 1))

    return jax.tree.map(moved, weights, first, second), first, second, value


def fitted(
    texts: Texts,
    train: NDArray[np.int64],
    tested: NDArray[np.int64],
    weights: dict[str, Any],
    epochs: int,
    most: float,
    tasks: Sequence[str] = TASKS,
) -> dict[str, Any]:
    move = jax.jit(step)
    order, key = np.random.default_rng(0), jax.random.PRNGKey(0)
    first, second = (jax.tree.map(jnp.zeros_like, weights) for _ in range(2))
    began, n, steps = time.monotonic(), 0, sum(len(train[texts.lengths[train] == t]) // s for t, s in BUCKETS.items())
    for epoch in range(epochs):
        plan = [
            (tokens, rows)
            for tokens, size in BUCKETS.items()
            for rows in parts_of(order.permutation(train[texts.lengths[train] == tokens]), size)
            if len(rows) == size
        ]
        for tokens, rows in (plan[i] for i in order.permutation(len(plan))):
            n += 1
            rate = most * min(1, n / WARM_UP) * max(0.02, 1 - n / (steps * epochs))
            key, now = jax.random.split(key)
            batch = texts.batch(rows, tokens)
            weights, first, second, _ = move(weights, first, second, batch, texts.known[rows], now, n, rate)
        print(f"epoch {epoch + 1} of {epochs}, {time.monotonic() - began:.0f} s", flush=True)
        report(texts, weights, tested, tasks)
    return weights


def report(texts: Texts, weights: dict[str, Any], rows: NDArray[np.int64], tasks: Sequence[str] = TASKS) -> None:
    """Of each question how many are found and right at some odds, on what was not seen."""
    ask = jax.jit(judged)
    found = np.zeros((len(texts.known), len(tasks)), np.float32)
    for tokens in BUCKETS:
        for some in parts_of(rows[texts.lengths[rows] == tokens], 64):
            full = np.concatenate([some, np.repeat(some[:1], 64 - len(some))])
            found[some] = np.asarray(ask(weights, texts.batch(full, tokens)))[: len(some)]
    for i, task in enumerate(tasks):
        told = rows[texts.known[rows, i] >= 0]
        odds, is_so = found[told, i], texts.known[told, i] == 1
        shares = (
            f"{bar}: {is_so[odds > bar].mean():.0%} right, {(odds > bar)[is_so].mean():.0%} found"
            for bar in (-1, 0, 1, 2, 3)
            if (odds > bar).any()
        )
        print(f"  {task} ({is_so.sum()} of {len(told)}); from " + "; ".join(shares), flush=True)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("target", type=Path)
    reader.add_argument("--part", type=int, default=0, help="the sixth that it does not see")
    reader.add_argument("--epochs", type=int, default=3)
    reader.add_argument("--rate", type=float, default=RATE)
    reader.add_argument("--after", action="store_true", help="go on from the judge in the package")
    asked = reader.parse_args()
    found = examples()
    unseen = np.array([one.part == asked.part for one in found])
    texts = Texts(found)
    print(f"{len(found)} examples, {unseen.sum()} of them not seen", flush=True)
    start = layers_before() if asked.after else upper_layers()
    weights = fitted(texts, np.flatnonzero(~unseen), np.flatnonzero(unseen), start, asked.epochs, asked.rate)
    arrays: dict[str, Any] = {name: np.asarray(value) for name, value in weights.items()}
    np.savez(asked.target, **arrays)


if __name__ == "__main__":
    main()
