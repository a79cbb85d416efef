"""Several arrays in one file that is mapped, not read: it opens at once, and processes share its pages."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.files import close_to_others, make_directory

Arrays = dict[str, NDArray[Any]]
MAGIC = b"reverie1"
ALIGNED = 64


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
    with part.open("wb") as file:
        close_to_others(part)
        file.write(MAGIC + len(head).to_bytes(8, "little") + head)
        for values in arrays.values():
            file.write(np.ascontiguousarray(values).data if values.size else b"")
            file.write(b"\0" * (-values.nbytes % ALIGNED))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def opened(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays by name, and what was noted beside them. Raises OSError or ValueError where that cannot be read."""
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
