"""LanceDB: a table on disk, its full-text index, both searched and fused by its own ranker."""

from pathlib import Path
from typing import Any

from bench.peers.wire import Vector, serve

USER = "user"


class LanceDB:
    def __init__(self, folder: Path) -> None:
        import lancedb

        self._db: Any = lancedb.connect(str(folder / "lance"))
        self._table: Any = self._db.open_table("memories") if "memories" in self._db.table_names() else None

    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        rows = [
            {"id": id, "text": text, "vector": vector, "user": USER}
            for id, text, vector in zip(ids, texts, vectors, strict=True)
        ]
        if self._table is None:
            self._table = self._db.create_table("memories", rows)
        else:
            self._table.add(rows)
        if len(rows) > 1:
            self._table.create_fts_index("text", replace=True)

    def add(self, id: str, text: str, vector: Vector) -> None:
        self.fill([id], [text], [vector])

    def search(self, text: str, vector: Vector, n: int = 10) -> list[str]:
        asked = self._table.search(query_type="hybrid").vector(vector).text(text).where(f"user = '{USER}'").limit(n)
        return [row["id"] for row in asked.to_list()]


if __name__ == "__main__":
    serve(LanceDB)
