"""Reverie as peers are run: a process of its own that is handed vectors, so that its first answer can be compared."""

from pathlib import Path

from bench.peers.wire import Vector, serve

ANY = [1.0] + [0.0] * 383


class Ours:
    def __init__(self, folder: Path) -> None:
        from reverie import Reverie
        from reverie.minds.embed import FromFunction
        from reverie.minds.minilm import MiniLM

        self._known: dict[str, Vector] = {}
        # Turns are embedded behind their appends together with the turn before: for those any vector will do.
        known = FromFunction(lambda texts: [self._known.get(text, ANY) for text in texts], MiniLM.id, 384)
        self._space = Reverie.open(folder, embedder=known).space("user")

    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        raise NotImplementedError("a store that is there already is opened")

    def add(self, id: str, text: str, vector: Vector) -> None:
        self._known[text] = vector
        self._space.append("user", text, "added")

    def search(self, text: str, vector: Vector, n: int = 10) -> list[str]:
        self._known[text] = vector
        return [hit.id for hit in self._space.recall(text, n, quiet=True)]


if __name__ == "__main__":
    serve(Ours)
