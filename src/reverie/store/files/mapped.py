"""Several arrays in one file that is mapped, not read: it opens at once, and processes share its pages."""

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.files import close_to_others, make_directory

Arrays = dict[str, NDArray[Any]]
MAGIC = b"reverie2"
ALIGNED = 64
SUM = 4  # bytes at the end: the checksum of all before them
AT_ONCE = 2**20


def save(path: Path, arrays: Mapping[str, NDArray[Any]], noted: Mapping[str, Any]) -> None:
    """Writes and syncs the file: a torn one that is mapped would kill its reader, so it gets its name when whole."""
    make_directory(path.parent)
    places, offset = {}, 0
    for name, values in arrays.items():
        places[name] = (values.dtype.str, values.shape, offset)
        offset += -(-values.nbytes // ALIGNED) * ALIGNED
    head = json.dumps({"arrays": places, "noted": noted}).encode()
    head += b" " * (-(len(MAGIC) + 8 + len(head)) % ALIGNED)
    part = path.with_name(f"{path.name}.part")
    checksum = 0
    with part.open("wb") as file:
        close_to_others(part)
        for piece in _pieces(head, arrays):
            checksum = zlib.crc32(piece, checksum)
            file.write(piece)
        file.write(checksum.to_bytes(SUM, "little"))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _pieces(head: bytes, arrays: Mapping[str, NDArray[Any]]) -> Iterator[bytes | memoryview]:
    yield MAGIC + len(head).to_bytes(8, "little") + head
    for values in arrays.values():
        yield np.ascontiguousarray(values).reshape(-1).view(np.uint8).data if values.size else b""
        yield b"\0" * (-values.nbytes % ALIGNED)


def opened(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays by name, and what was noted beside them.

    Raises OSError or ValueError where that cannot be read, or is not what was written: a damaged page would give wrong
    hits, or none. To check it takes a millisecond for every few megabytes.
    """
    _check(path)
    whole: NDArray[np.uint8] = np.asarray(np.memmap(path, np.uint8, "r"))  # a memmap's own slices are slow
    start = len(MAGIC) + 8
    if bytes(whole[: len(MAGIC)]) != MAGIC:
        raise ValueError(f"{path.name} is no index of ours")
    start += int.from_bytes(bytes(whole[len(MAGIC) : start]), "little")
    head = json.loads(bytes(whole[len(MAGIC) + 8 : start]))
    arrays: Arrays = {}
    for name, (dtype, shape, offset) in head["arrays"].items():
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        held = whole[start + offset : start + offset + size]
        if len(held) != size:
            raise ValueError(f"{path.name} is torn")
        arrays[name] = held.view(dtype).reshape(shape) if size else np.zeros(shape, dtype)
    return arrays, head["noted"]


def texts(held: NDArray[np.bytes_]) -> list[str]:
    """What an array of texts holds, decoded in one go: one by one takes twice as long.

    >>> texts(np.array([b"a", b"bc"]))
    ['a', 'bc']
    """
    values: list[bytes] = held.tolist()
    decoded = b"\n".join(values).decode().split("\n")
    return decoded if len(decoded) == len(values) else [value.decode() for value in values]


def _check(path: Path) -> None:
    """Reads it piece by piece: what is mapped and touched would count as this process's memory."""
    checksum, left = 0, path.stat().st_size - SUM
    with path.open("rb") as file:
        while left > 0 and (piece := file.read(min(AT_ONCE, left))):
            checksum, left = zlib.crc32(piece, checksum), left - len(piece)
        if left or file.read() != checksum.to_bytes(SUM, "little"):
            raise ValueError(f"{path.name} is damaged")
