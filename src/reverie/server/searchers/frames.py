"""Messages between a server and its searchers: a header in JSON and bytes behind it, each with its length in front."""

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

LENGTHS = struct.Struct(">II")  # of the header, and of all bytes behind it


class Frame(NamedTuple):
    header: Sequence[Any]
    blob: bytes


def packed(header: Sequence[Any], *blobs: bytes) -> bytes:
    """
    >>> list(Unpacker().fed(packed(["recall", 7], b"{}") + packed(["clear"])))
    [Frame(header=['recall', 7], blob=b'{}'), Frame(header=['clear'], blob=b'')]
    """
    head = json.dumps(header).encode()
    return b"".join((LENGTHS.pack(len(head), sum(map(len, blobs))), head, *blobs))


class Unpacker:
    """Puts frames together from what comes in, piece by piece."""

    def __init__(self) -> None:
        self._held = bytearray()

    def fed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are whole now."""
        held = self._held
        held += data
        while len(held) >= LENGTHS.size:
            head, blob = LENGTHS.unpack_from(held)
            end = LENGTHS.size + head + blob
            if len(held) < end:
                return
            middle = LENGTHS.size + head
            frame = Frame(json.loads(bytes(held[LENGTHS.size : middle])), bytes(held[middle:end]))
            del held[:end]
            yield frame


def frames(receive: Callable[[int], bytes]) -> Iterator[Frame]:
    """Every frame that comes, until the other side has closed."""
    unpacker = Unpacker()
    while data := receive(2**16):
        yield from unpacker.fed(data)
