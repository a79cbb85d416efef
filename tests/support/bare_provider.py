"""A provider that is nothing but a port: a test says, byte for byte, what goes over each connection."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def answering(handle: Callable[[socket.socket], object]) -> Iterator[int]:
    """A port; `handle` gets each connection, in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection = server.accept()[0]
                except OSError:
                    return
                with connection:
                    handle(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def request_on(connection: socket.socket) -> bytes:
    """The head of the next request, and what came with it; empty if there is none."""
    read = b""
    while b"\r\n\r\n" not in read:
        part = connection.recv(65_536)
        if not part:
            return b""
        read += part
    return read


def body_on(connection: socket.socket) -> bytes:
    """The body of the next request, read to its end; empty if there is none."""
    head, _, body = request_on(connection).partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    parts, missing = [body], int(lengths[0].partition(b":")[2]) - len(body) if lengths else 0
    while missing > 0:
        parts.append(connection.recv(2**20))
        missing -= len(parts[-1])
    return b"".join(parts)
