"""Every benchmark in turn: one JSON, bench/results/measured.json, and docs/measured.md with its charts.

    reverie bench all [--quick] [--only NAME ...] [--again] [--data DIR]

In full this takes as long as it takes, an hour and more; `--quick` about three minutes, with small sizes. What has been
measured within 20 hours on a quiet machine is not measured again, unless `--again`: a stopped report goes on where it
was. Before a part that measures time a full report waits up to two minutes for the load to fall. `--stored NAME ...`
takes over what bench/results/NAME.json has.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.measured import page
from bench.measured.parts import COUNTED, PARTS, Part
from bench.measured.record import LOADED, Record, Run, read, write
from bench.report import RESULTS

FILES = {"locomo": "locomo_dev.json", "pairs": "qqp_dev.jsonl"}
DATA = Path("../shared/data")
RECENT = timedelta(hours=20)
PATIENCE = 120  # seconds that a full report waits for a quiet machine
ROOT = Path(__file__).parents[1]
PATHS = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
TICK = os.sysconf("SC_CLK_TCK")


def busy() -> float | None:
    """Processor seconds that this machine has spent on anything; None where nobody counts them."""
    try:
        fields = [int(n) for n in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    except (OSError, ValueError, IndexError):
        return None
    user, nice, system, _, _, *rest = fields
    return (user + nice + system + sum(rest[:3])) / TICK


def spent() -> float:
    """Processor seconds of the benchmarks that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wait_for_quiet(patience: float) -> None:
    until = time.monotonic() + patience
    while os.getloadavg()[0] > LOADED and time.monotonic() < until:
        time.sleep(2)


def measure(part: Part, *, quick: bool, data: Path) -> Run | None:
    """Runs a part in a process of its own; None: it failed, or what it reads is not there."""
    args = list(part.args(quick=quick))
    if part.data:
        file = data / FILES[part.data]
        if not file.exists():
            say(f"{part.name}: left out, there is no {file}; --data DIR names the folder")
            return None
        args += ["--data", str(file)]
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        before, began, machine_busy, own = os.getloadavg()[0], time.monotonic(), busy(), spent()
        env = {**os.environ, "REVERIE_BENCH_RESULTS": folder, "PYTHONPATH": PATHS}
        command = [sys.executable, "-m", f"bench.{part.bench}", *args]
        if subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=False).returncode:
            say(f"{part.name}: failed; the rest goes on. Alone: reverie bench {part.bench}")
            return None
        seconds = time.monotonic() - began
        after = busy()
        others = None if machine_busy is None or after is None else after - machine_busy - (spent() - own)
        raw = Path(folder) / f"{part.bench}.json"
        found = raw.read_text("utf-8")
    run = run_of(
        part,
        json.loads(found),
        quick=quick,
        command=shown(part, quick=quick),
        seconds=round(seconds, 1),
        load_before=round(before, 2),
        others=None if others is None else round(max(0.0, others / seconds), 2),
    )
    if not quick and believed(run):
        RESULTS.mkdir(parents=True, exist_ok=True)
        (RESULTS / f"{part.name}.json").write_text(found, "utf-8")
    return run


def believed(run: Run) -> bool:
    """Whether what others did has left its figures alone."""
    return not run.loaded or run.part in COUNTED


def shown(part: Part, *, quick: bool) -> str:
    return " ".join(["reverie bench", part.bench, *part.args(quick=quick)])


def run_of(part: Part, found: dict[str, Any], **noted: Any) -> Run:
    machine = dict(found["machine"])
    load, at = machine.pop("load"), machine.pop("at", "")
    return Run(
        **{
            "part": part.name,
            "at": at,
            "embedder": part.embedder,
            "load_after": load[0],
            "machine": machine,
            "figures": part.kept(found["figures"]),
            **noted,
        }
    )


def stored(part: Part, file: Path, at: str | None, embedder: str | None) -> Run:
    """What an earlier run of one benchmark has left; its day is the file's own, or else the one that is given."""
    found = json.loads(file.read_text("utf-8"))
    noted = {"seconds": None, "load_before": None, "others": None, "command": f"reverie bench {part.bench}"}
    when = (
        at or found["machine"].get("at") or datetime.fromtimestamp(file.stat().st_mtime, UTC).isoformat("T", "seconds")
    )
    return run_of(part, found, quick=False, **noted, at=when, embedder=embedder or part.embedder)


def fresh(record: Record, part: Part, *, quick: bool) -> bool:
    """Whether the record has a recent run of this part, as far as is asked for."""
    now = datetime.now(UTC)
    recent = [run for run in record.parts.get(part.name, {}).values() if now - datetime.fromisoformat(run.at) < RECENT]
    return any(run.quick == quick and (quick or believed(run)) for run in recent)


def run(chosen: argparse.Namespace, record: Record) -> None:
    asked = [part for part in PARTS if not chosen.only or part.name in chosen.only]
    for n, part in enumerate(asked, 1):
        if chosen.quick and part.quick is None:
            say(f"[{n}/{len(asked)}] {part.name}: only in full")
            continue
        quick = chosen.quick and part.quick != part.full
        if not (chosen.again or chosen.only) and fresh(record, part, quick=quick):
            say(f"[{n}/{len(asked)}] {part.name}: was measured lately; --again measures it again")
            continue
        wait_for_quiet(0 if chosen.quick or part.name in COUNTED else PATIENCE)
        say(f"[{n}/{len(asked)}] {shown(part, quick=quick)}")
        if (found := measure(part, quick=quick, data=chosen.data)) is not None:
            record = read()  # another report may have added to it meanwhile
            record.add(found)
            write(record)
            loads = f"load {found.load_before:.1f} before, {found.load_after:.1f} after"
            say(f"    {found.seconds:.0f} s, {found.kind} ({loads})")


def say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    names = [part.name for part in PARTS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, about three minutes")
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--again", action="store_true", help="also what was measured lately")
    parser.add_argument("--data", type=Path, default=DATA, help=f"a folder with {' and '.join(FILES.values())}")
    parser.add_argument("--stored", nargs="+", choices=names, metavar="NAME", help="take over, measure nothing")
    parser.add_argument(
        "--from", dest="file", type=Path, help="with --stored: the file, if not bench/results/NAME.json"
    )
    parser.add_argument("--at", help="with --stored: when it was measured, if the file does not say")
    parser.add_argument("--embedder", help="with --stored: what it was measured with")
    chosen = parser.parse_args()
    record = read()
    if chosen.stored:
        for part in (part for part in PARTS if part.name in chosen.stored):
            record.add(stored(part, chosen.file or RESULTS / f"{part.name}.json", chosen.at, chosen.embedder))
        write(record)
    else:
        run(chosen, record)
    for path in page.written(read()):
        say(f"written: {path}")


if __name__ == "__main__":
    main()
