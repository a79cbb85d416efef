"""`reverie chat` as a person has it: the real command in a process of its own, line by line."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
# As at a terminal, also where the tests themselves run in the background, which ignores Ctrl-C.
COMMAND = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from reverie.cli.main import run; run()"
)
PATIENCE = 100.0  # seconds for one answer, on a busy machine


@dataclass
class Conversation:
    """`footers` are what the command says about each answer, on stderr; `pieces` are its answers, as they came."""

    process: "subprocess.Popen[bytes]"
    keys: int  # where what is typed goes
    footers: "queue.Queue[str]" = field(default_factory=queue.Queue)
    pieces: list[bytes] = field(default_factory=list)
    heard: int = 0

    def say(self, text: str) -> str:
        """Answers the footer of the reply."""
        self.send(text)
        return self.footers.get(timeout=PATIENCE)

    def send(self, text: str) -> None:
        os.write(self.keys, f"{text}\n".encode())

    def wait_for(self, text: bytes) -> None:
        """Until it stands in what came since the last wait."""
        until(lambda: text in b"".join(self.pieces[self.heard :]), PATIENCE)
        self.heard = len(self.pieces)

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Ctrl-D, or the end of a pipe."""
        if os.isatty(self.keys):
            os.write(self.keys, b"\x04")
        else:
            os.close(self.keys)
        return self.process.wait(30)


@contextmanager
def conversation(
    home: Path, settings: Mapping[str, object], *options: str, terminal: bool = False
) -> Iterator[Conversation]:
    """`settings` as the environment gives them; whatever happens, the process is gone afterwards."""
    keys, stdin = os.openpty() if terminal else os.pipe()[::-1]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "chat", *options],
        cwd=home, env=environment(home, settings), stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(stdin)
    talk = Conversation(process, keys)
    readers = [threading.Thread(target=read, args=(talk,), daemon=True) for read in (_answers, _footers)]
    for reader in readers:
        reader.start()
    try:
        yield talk
    finally:
        process.kill()
        process.wait(10)
        for reader in readers:
            reader.join(10)
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            pipe.close()
        with suppress(OSError):  # a pipe that `end` has closed
            os.close(keys)


def environment(home: Path, settings: Mapping[str, object]) -> dict[str, str]:
    """This process's, with none of its settings but those given."""
    given = {"home": home / "store", "embedder": "none", **settings}
    env = {name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")}
    env |= {f"REVERIE_{name.upper()}": str(value) for name, value in given.items()}
    return env | {"PYTHONPATH": str(ROOT / "src"), "XDG_CONFIG_HOME": str(home / "config")}


def _answers(talk: Conversation) -> None:
    assert talk.process.stdout is not None
    while piece := os.read(talk.process.stdout.fileno(), 65_536):
        talk.pieces.append(piece)


def _footers(talk: Conversation) -> None:
    assert talk.process.stderr is not None
    for line in talk.process.stderr:
        talk.footers.put(line.decode().rstrip())
