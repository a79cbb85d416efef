"""By hand: an FTS5 table beside the vectors, and both lists fused by rank, as ours are."""

import re
from typing import Any

DEPTH = 100
K = 10  # of reciprocal rank fusion


def words(text: str) -> str:
    """A query for FTS5: any of the words."""
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", text.lower())))


def by_words(db: Any, text: str) -> list[int]:
    match = words(text)
    sql = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT ?"
    return [row for (row,) in db.execute(sql, (match, DEPTH))] if match else []


def fused(lists: list[list[int]], n: int) -> list[int]:
    scores: dict[int, float] = {}
    for weight, rows in zip((1.0, 0.5), lists, strict=True):
        for place, row in enumerate(rows, start=1):
            scores[row] = scores.get(row, 0.0) + weight / (K + place)
    return sorted(scores, key=lambda row: (-scores[row], row))[:n]
