"""Session files of one JSON object a line, plain or packed with zstd."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from reverie.errors import BadInput, extra_needed

MAX_LINE = 4_000_000  # characters; a longer one holds a picture or a dump, nothing that was said
ZST = ".zst"


def objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, object) of each line that is one; the rest is passed over."""
    with _opened(path) as file:
        number = 0
        while line := file.readline(MAX_LINE + 1):
            whole = len(line) <= MAX_LINE
            while not line.endswith("\n") and (more := file.readline(MAX_LINE)):
                line, whole = more, False
            found = _object(line) if whole else None
            if found is not None:
                yield number, found
            number += 1


def files_below(path: Path, *endings: str) -> list[Path]:
    """The file itself, or those of a directory with these endings, oldest first. Links are not followed."""
    if not path.is_dir():
        return [path]
    found = (file for file in path.rglob("*") if file.name.endswith(endings) and not file.is_symlink())
    return sorted((file for file in found if file.is_file()), key=lambda file: (file.stat().st_mtime, file))


def _object(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    if path.suffix != ZST:
        with path.open(encoding="utf-8", errors="replace") as file:
            yield file
        return
    try:
        import zstandard
    except ImportError as error:
        raise BadInput(
            f"{path.name} is packed with zstd, and `zstandard` is not installed",
            next_move=f"{extra_needed('zstd')} Or unpack it with `zstd -d` and name the .jsonl.",
        ) from error
    with path.open("rb") as packed, zstandard.ZstdDecompressor().stream_reader(packed) as plain:
        try:
            yield io.TextIOWrapper(plain, "utf-8", "replace")
        except zstandard.ZstdError as error:
            raise BadInput(f"{path.name} is not packed with zstd: {error}") from error
