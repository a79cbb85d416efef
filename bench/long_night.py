"""A large import slept over in one request, killed at the end of each piece and asked for again until it is done.

python -m bench.long_night --home DIR [--turns 100000] [--piece 600]

A call is one piece, so that others get the machine in between; the first also imports. CPU is that of the whole
process, killed or not.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

from bench import report
from bench.nights import chat
from reverie import Reverie

SPACE = "bench"
SESSION = 20  # turns


@dataclass
class Piece:
    """One process that ended by itself, or was killed."""

    doing: str
    status: int  # the process's: 0 is done, -9 killed
    cpu: float
    seconds: float
    unread: int  # turns after it
    nights: dict[str, int] = field(default_factory=dict)  # of the space, by status
    told: list[str] = field(default_factory=list)  # of its progress: the first two estimates, and the last two


def piece(home: Path, doing: str, words: list[str], longest: float) -> Piece:
    """What a command of Reverie's came to, killed without warning when its time is over."""
    began, before = time.monotonic(), _cpu()
    with (home / "said.txt").open("wb") as err:
        child = subprocess.Popen([sys.executable, "-m", "reverie", "--home", str(home / "store"), *words], stderr=err)
        try:
            child.wait(longest)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    spent, took = _cpu() - before, time.monotonic() - began
    lines = [line.strip() for line in (home / "said.txt").read_text("utf-8").splitlines() if "turns read" in line]
    with Reverie.open(home / "store") as memory:
        space = memory.space(SPACE)
        nights = Counter(str(night.status) for night in space.nights(limit=1_000))
        told = lines if len(lines) < 5 else [*lines[:2], *lines[-2:]]
        return Piece(doing, child.returncode, round(spent, 1), round(took, 1), space.unread(), dict(nights), told)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write_talk(path: Path, turns: int) -> None:
    """A history of so many turns, a minute each, as another product would have exported it."""
    began = time.time() - 60 * turns
    with path.open("w", encoding="utf-8") as lines:
        for n, (role, text) in enumerate(islice(chat(2), turns)):
            row = {"role": role, "text": text, "session": f"s{n // SESSION}", "at": began + 60 * n}
            lines.write(json.dumps(row) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True, help="where the store lies between two calls")
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--piece", type=float, default=600.0, help="seconds, then it is killed")
    chosen = parser.parse_args()
    home, kept = chosen.home, chosen.home / "pieces.json"
    home.mkdir(parents=True, exist_ok=True)
    pieces = [Piece(**one) for one in json.loads(kept.read_text("utf-8"))] if kept.exists() else []
    if not pieces:
        write_talk(home / "talk.jsonl", chosen.turns)
        words = ["import", "jsonl", str(home / "talk.jsonl"), "--space", SPACE]
        pieces.append(piece(home, "import", words, 3_600))
    pieces.append(piece(home, "sleep", ["sleep", "--space", SPACE], chosen.piece))
    kept.write_text(json.dumps([asdict(one) for one in pieces], indent=1), "utf-8")
    slept = [one for one in pieces if one.doing == "sleep"]
    print(pieces[-1])
    print(f"{sum(one.cpu for one in slept) / 60:.1f} minutes of CPU so far, {len(slept)} processes")
    if not pieces[-1].unread and not pieces[-1].status:
        report.write("long_night", {"turns": chosen.turns, "pieces": [asdict(one) for one in pieces]})


if __name__ == "__main__":
    main()
