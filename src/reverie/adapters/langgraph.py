"""A LangGraph `BaseStore` on a space: `graph.compile(store=ReverieStore(space))`. LangMem's tools work on it.

Items come back as they were put. What they say is remembered too, so that recall finds it and nights consolidate it.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from reverie.adapters.calls import call
from reverie.adapters.shared import given_space, matches, off_loop
from reverie.errors import extra_needed
from reverie.model.base import MINUTE
from reverie.model.spaces import ShelfEntry
from reverie.space import Space
from reverie.telemetry import Operation
from reverie.verbs.files import renewed

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        IndexConfig,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        ensure_embeddings,
        get_text_at_path,
        tokenize_path,
        validate_op_namespace,
    )
except ModuleNotFoundError as missing:
    missing.add_note(extra_needed("langgraph"))
    raise

SHELF = "langgraph"
LABEL, KEY = "\x1f", "\x1e"  # between labels of a namespace, and before the key
Vectors = dict[str, Any]
READS: Mapping[type, str] = {GetOp: "get", SearchOp: "search", ListNamespacesOp: "list_namespaces"}
PUTS: Operation = "upsert_memory"
DELETES: Operation = "delete_memory"


class ReverieStore(BaseStore):  # type: ignore[misc]  # without LangGraph its base is unknown
    """`index` is LangGraph's, for an embedder of your own; without one the store's embedder is used.

    `consolidate=False` keeps items out of recall and nights.
    """

    supports_ttl = True

    def __init__(
        self,
        space: Space,
        *,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
        consolidate: bool = True,
    ) -> None:
        self.space = given_space(space)
        self.shelf = space.shelf(SHELF)
        self.index_config = index
        self.ttl_config = ttl
        self.consolidate = consolidate
        self.embeddings = ensure_embeddings(index["embed"]) if index else None
        self.fields = list((index or {}).get("fields") or ["$"])

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads see the store as it was before the batch; of several puts of one key the last counts."""
        given = list(ops)
        for op in given:
            validate_op_namespace(op)
        results = [self._told(op) for op in given]
        puts = {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}
        for op in puts.values():
            name, operation = ("delete", DELETES) if op.value is None else ("put", PUTS)
            with call(SHELF, name, operation, self.space.id):
                self._put(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await off_loop(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Deletes what has expired; answers how many. Expired items are shown to nobody before that."""
        return self.shelf.sweep()

    def _told(self, op: Op) -> Result:
        name = READS.get(type(op))
        if name is None:
            return None
        with call(SHELF, name, "search_memory", self.space.id):
            return self._read(op)

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            entry = self.shelf.get(_key(op.namespace, op.key))
            self._refresh([entry] if entry else [], op.refresh_ttl)
            return None if entry is None else Item(**_fields(entry))
        if isinstance(op, SearchOp):
            return self._search(op)
        return self._namespaces(op)

    def _put(self, op: PutOp) -> None:
        key = _key(op.namespace, op.key)
        known = self.shelf.get(key)
        if op.value is None:
            for gone in self.shelf.delete(key):
                renewed(self.space, gone.ref, "")
            return
        texts = self._texts(op)
        ttl = op.ttl
        said = "\n".join(dict.fromkeys(_words(op.value))) if self.consolidate and op.index is not False else ""
        ref = renewed(self.space, known.ref if known else None, said, namespace="/".join(op.namespace), key=op.key)
        value = {"value": dict(op.value), "vectors": self._vectors(texts), "ttl": ttl}
        self.shelf.put(key, value, ref=ref, expires_at=None if ttl is None else self.space.now() + ttl * MINUTE)

    def _texts(self, op: PutOp) -> dict[str, str]:
        """What is embedded and remembered of a value, by its place."""
        if op.index is False:
            return {}
        paths = [(path, path if path == "$" else tokenize_path(path)) for path in op.index or self.fields]
        found = [(path, get_text_at_path(op.value, tokens)) for path, tokens in paths]
        return {f"{path}.{n}": text for path, texts in found for n, text in enumerate(texts)}

    def _vectors(self, texts: Mapping[str, str]) -> Vectors:
        return dict(zip(texts, map(_packed, self._embedded(list(texts.values()))), strict=False))

    def _embedded(self, texts: list[str]) -> Sequence[Sequence[float]]:
        if not texts:
            return []
        return self.embeddings.embed_documents(texts) if self.embeddings else self.space.vectors(texts)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        prefix = tuple(op.namespace_prefix)
        found = [
            entry
            for entry in self.shelf.all(LABEL.join(prefix))
            if _namespace(entry)[: len(prefix)] == prefix and matches(entry.value["value"], op.filter or {})
        ]
        scored = self._scored(op.query, found) if op.query else [(None, entry) for entry in found]
        shown = scored[op.offset : op.offset + op.limit]
        self._refresh([entry for _, entry in shown], op.refresh_ttl)
        return [SearchItem(**_fields(entry), score=score) for score, entry in shown]

    def _scored(self, query: str, found: Sequence[ShelfEntry]) -> list[tuple[float | None, ShelfEntry]]:
        """Best first; what has no vector comes last."""
        asked = self.embeddings.embed_query(query) if self.embeddings else next(iter(self.space.vectors([query])), None)
        if asked is None:
            return [(None, entry) for entry in found]
        best = [(_closest(np.asarray(asked, np.float32), entry.value["vectors"]), entry) for entry in found]
        near = sorted((pair for pair in best if pair[0] is not None), key=lambda pair: -float(pair[0] or 0.0))
        return [*near, *(pair for pair in best if pair[0] is None)]

    def _refresh(self, entries: Sequence[ShelfEntry], wanted: bool | None) -> None:
        for entry in entries:
            if entry.value["ttl"] is not None and wanted is not False:
                self.shelf.touch(entry, self.space.now() + entry.value["ttl"] * MINUTE)

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        every = {_namespace(entry) for entry in self.shelf}
        wanted = [one for one in every if all(_fits(one, condition) for condition in op.match_conditions or ())]
        cut = sorted({one[: op.max_depth] if op.max_depth else one for one in wanted})
        return cut[op.offset : op.offset + op.limit]


def _words(value: Any) -> Iterator[str]:
    """The texts in a value, wherever they stand."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Mapping, list, tuple)):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _words(part)


def _fits(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(label in ("*", own) for label, own in zip(path, part, strict=True))


def _key(namespace: tuple[str, ...], key: str) -> str:
    return f"{LABEL.join(namespace)}{KEY}{key}"


def _namespace(entry: ShelfEntry) -> tuple[str, ...]:
    return tuple(entry.key.partition(KEY)[0].split(LABEL))


def _fields(entry: ShelfEntry) -> dict[str, Any]:
    return {
        "namespace": _namespace(entry),
        "key": entry.key.partition(KEY)[2],
        "value": entry.value["value"],
        "created_at": datetime.fromtimestamp(entry.created_at, UTC),
        "updated_at": datetime.fromtimestamp(entry.updated_at, UTC),
    }


def _packed(vector: Sequence[float]) -> str:
    return base64.b64encode(np.asarray(vector, np.float32).tobytes()).decode()


def _closest(asked: Any, vectors: Vectors) -> float | None:
    """The cosine of the nearest of an item's vectors; None if it has none."""
    if not vectors:
        return None
    rows = np.stack([np.frombuffer(base64.b64decode(packed), np.float32) for packed in vectors.values()])
    norms = np.linalg.norm(rows, axis=1) * np.linalg.norm(asked)
    return float(np.max(np.divide(rows @ asked, norms, out=np.zeros(len(rows), np.float32), where=norms > 0)))
