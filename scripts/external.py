"""`make external`: the judges that need an environment of their own, one after another.

A judge is a folder `tests/judges/NAME` with `requirements.txt` (exact pins: what is judged by) and tests. It gets the
virtual environment `.external/NAME` with this checkout and those requirements, made once for each wording of the pins,
and is run there by pytest. `python scripts/external.py NAME …` runs only those; `--list` names them all.
"""

import hashlib
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JUDGES = ROOT / "tests" / "judges"
SECONDS = 1_800
EXTRAS = "all"
EXTRAS_LINE = "# extras: "  # in a judge's pins: with fewer of ours, where theirs cannot be beside all of them
TOOLS = ["pytest>=8.3", "pytest-timeout>=2.3", "pytest-asyncio>=0.25", "httpx>=0.28"]


def main(arguments: list[str]) -> int:
    known = sorted(folder.name for folder in JUDGES.iterdir() if (folder / "requirements.txt").is_file())
    if "--list" in arguments:
        print("\n".join(known))
        return 0
    unknown = [name for name in arguments if name not in known]
    if unknown:
        print(f"no such judge: {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    failed = [name for name in arguments or known if judge(name) != 0]
    print(f"\n{len(arguments or known) - len(failed)} of {len(arguments or known)} judges are content.", flush=True)
    for name in failed:
        print(f"not content: {name} (again: python scripts/external.py {name})")
    return 1 if failed else 0


def judge(name: str) -> int:
    """pytest's exit code for one judge."""
    print(f"\n== {name}", flush=True)
    started = time.monotonic()
    python = environment(name)
    command = [str(python), "-m", "pytest", str(JUDGES / name), "-p", "no:cacheprovider", "-o", "testpaths="]
    command += ["-o", "asyncio_default_fixture_loop_scope=function"]  # an older pytest-asyncio wants it said
    try:
        code = subprocess.run(command, cwd=ROOT, timeout=SECONDS, check=False).returncode
    except subprocess.TimeoutExpired:
        print(f"{name} was stopped after {SECONDS} s", flush=True)
        code = 1
    print(
        f"== {name}: {'content' if code == 0 else 'not content'} after {time.monotonic() - started:.0f} s", flush=True
    )
    return code


def environment(name: str) -> Path:
    """The judge's Python, with this checkout and its pins; made again when the pins have changed."""
    pins = JUDGES / name / "requirements.txt"
    home = ROOT / ".external" / name
    python = home / "bin" / "python"
    mark = home / ".ready"
    wanted = hashlib.sha256(pins.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if python.exists() and mark.exists() and mark.read_text() == wanted:
        return python
    venv.create(home, with_pip=True, clear=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "-e", f".[{extras(pins)}]", *TOOLS, "-r", str(pins)], cwd=ROOT, check=True)
    mark.write_text(wanted)
    return python


def extras(pins: Path) -> str:
    """Our optional parts that a judge's environment has."""
    lines = pins.read_text("utf-8").splitlines()
    return next((line.removeprefix(EXTRAS_LINE) for line in lines if line.startswith(EXTRAS_LINE)), EXTRAS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
