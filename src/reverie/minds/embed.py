"""What turns a text into a vector: the bundled model by default, others by name, any function, or nothing at all."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reverie.errors import ConfigError, ModelError, ModelUnavailable, extra_needed
from reverie.minds.minilm import CACHED_QUERIES, MiniLM
from reverie.native import keep_runtime_silent

__all__ = ["Embedder", "FromFunction", "MiniLM", "NoEmbedder", "Vectors", "by_name"]

Vectors = NDArray[np.float32]
REQUEST_TEXTS = 128
REQUEST_SECONDS = 30.0
MAX_CHARS = 24_000  # hosted models refuse a text past about 8,000 tokens; its beginning is embedded instead


class Embedder(Protocol):
    @property
    def id(self) -> str:
        """Stored with every vector: vectors of different ids are never compared."""

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 per text."""

    def embed_one(self, text: str) -> Vectors:
        """One query's vector, read-only, remembered for a while."""

    def expect(self, queries: Sequence[str]) -> None:
        """These will be asked for one by one: they may be embedded together now, which is cheaper."""


class NoEmbedder:
    """Lexical search alone: every vector is empty."""

    id = "none"
    dim = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), 0), np.float32)

    def embed_one(self, text: str) -> Vectors:  # noqa: ARG002 - the protocol's signature
        return np.zeros(0, np.float32)

    def expect(self, queries: Sequence[str]) -> None:
        pass


class FromFunction:
    """Any function from texts to vectors; its vectors are checked and brought to length 1.

    Without `dim`, the first question about it embeds one word to find out.
    """

    def __init__(self, function: Callable[[Sequence[str]], ArrayLike], id: str, dim: int | None = None) -> None:
        self.id = id
        self._function = function
        self._dim = dim
        self._cached = lru_cache(CACHED_QUERIES)(self._embed_one)
        self._expected: dict[str, Vectors] = {}

    @cached_property
    def dim(self) -> int:
        return self._dim or len(self.embed_one("memory"))

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        vectors = np.array(self._function(texts), np.float32)
        self._check(vectors, len(texts))
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return vectors

    def embed_one(self, text: str) -> Vectors:
        return self._cached(text)

    def expect(self, queries: Sequence[str]) -> None:
        self._expected = dict(zip(queries, self.embed(queries), strict=True))

    def _embed_one(self, text: str) -> Vectors:
        expected = self._expected.get(text)
        vector: Vectors = self.embed([text])[0] if expected is None else expected
        vector.setflags(write=False)
        return vector

    def _check(self, vectors: Vectors, count: int) -> None:
        wanted = (count, self._dim or vectors.shape[-1])
        if vectors.shape != wanted:
            raise ModelError(f"embedder {self.id!r} gave an array of {vectors.shape}, not {wanted}")
        if not np.isfinite(vectors).all():
            raise ModelError(f"embedder {self.id!r} gave a vector that is not finite")


def by_name(name: str) -> Embedder:
    """`minilm`, `none`, `fastembed:MODEL` or `openai:MODEL` (`OPENAI_BASE_URL`: any server that speaks the same)."""
    kind, _, model = name.partition(":")
    if name == "minilm":
        return MiniLM()
    if name == "none":
        return NoEmbedder()
    if kind == "fastembed" and model:
        return _fastembed(model)
    if kind == "openai" and model:
        return _openai(model)
    raise ConfigError(
        f"no embedder {name!r}",
        next_move="Set it to minilm, none, fastembed:MODEL or openai:MODEL.",
        embedder=name,
    )


def _fastembed(model: str) -> Embedder:
    keep_runtime_silent()
    package = _package("fastembed", "fastembed")
    try:
        engine = package.TextEmbedding(model, threads=1)
    except ValueError as error:
        raise ConfigError(f"fastembed has no model {model!r}: {error}", embedder=model) from error
    return FromFunction(lambda texts: list(engine.embed(list(texts))), f"fastembed:{model}")


def _openai(model: str) -> Embedder:
    package = _package("openai", "llm")
    try:
        client = package.OpenAI(timeout=REQUEST_SECONDS)
    except package.OpenAIError as error:
        raise ConfigError(f"embedder openai:{model}: {error}", next_move="Set OPENAI_API_KEY.") from error

    def request(texts: Sequence[str]) -> list[list[float]]:
        # An empty text is an error to these servers, and a space is as meaningless.
        answer = client.embeddings.create(model=model, input=[text[:MAX_CHARS] or " " for text in texts])
        return [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]

    def embed(texts: Sequence[str]) -> list[list[float]]:
        try:
            return [row for i in range(0, len(texts), REQUEST_TEXTS) for row in request(texts[i : i + REQUEST_TEXTS])]
        except package.OpenAIError as error:
            raise ModelError(f"embedder openai:{model}: {error}") from error

    return FromFunction(embed, f"openai:{model}")


def _package(name: str, extra: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ModelUnavailable(
            f"this embedder needs the package {name!r}", next_move=extra_needed(extra), package=name
        ) from error
