"""Lets writers be killed: each is a fork that appends and says so, until SIGKILL comes at a random moment.

Run as `python -m tests.support.writer_host HOME KILLS SEED`; prints every key that was acknowledged, one a line.
"""

import os
import random
import select
import signal
import sys
import time

from reverie import Reverie

BLOCK = "human"


def write(home: str, start: int, acknowledge: int) -> None:
    """Appends turn after turn, each with its key; what was acknowledged is told through the pipe."""
    memory = Reverie.open(home, embedder="none")
    space = memory.space("alice")
    n = start
    while True:
        space.append("user", f"turn {n}", key=f"key-{n}")
        os.write(acknowledge, f"{n}\n".encode())
        n += 1


def one_life(home: str, start: int, seconds: float) -> list[int]:
    """A writer from its birth to its violent end; the numbers it acknowledged."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            write(home, start, writer)
        finally:
            os._exit(1)
    os.close(writer)
    said = _read_for(reader, seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    said += _read_for(reader, 5.0)
    os.close(reader)
    return [int(line) for line in said.decode().splitlines()]


def _read_for(reader: int, seconds: float) -> bytes:
    """What comes until time is up or the other end is closed; at least one acknowledgement is waited for."""
    end, said = time.monotonic() + seconds, b""
    while (left := end - time.monotonic()) > 0 or not said:
        ready, _, _ = select.select([reader], [], [], max(0.01, left))
        part = os.read(reader, 65536) if ready else b""
        said += part
        if (ready and not part) or time.monotonic() > end + 20:
            break
    return said


def main(home: str, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    start = 0
    for _ in range(kills):
        acknowledged = one_life(home, start, chance.uniform(0.0, 0.06))
        for n in acknowledged:
            print(n)
        # The last one that was not acknowledged is sent again with its key, as a client would.
        start = max(acknowledged, default=start - 1) + 1


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
