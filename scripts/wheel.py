"""`make wheel`: builds the wheel from a clean copy, the same bytes for the same sources on whatever machine and day.

Dates and modes are the same for every file, and nothing that lies around in the working tree gets in.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
EPOCH = 1_700_000_000  # of every file in the wheel; when it was built is no part of what it is
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "src")
NOT_OURS = shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info", ".*")


def main(arguments: list[str]) -> None:
    print(build(Path(arguments[0] if arguments else ROOT / "dist"), isolated="--no-isolation" not in arguments))


def build(target: Path, *, isolated: bool = True, root: Path = ROOT) -> Path:
    """The wheel, in that directory. Not `isolated`: with the setuptools that is installed, so without the network."""
    with tempfile.TemporaryDirectory(prefix="reverie-wheel-") as folder:
        copy = Path(folder) / "reverie"
        copied(root, copy)
        how = [] if isolated else ["--no-build-isolation"]
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *how, "-w", str(target), str(copy)]
        subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH), "PYTHONHASHSEED": "0"})
    return max(target.glob("reverie-*.whl"), key=lambda path: path.stat().st_mtime)


def copied(root: Path, copy: Path) -> None:
    copy.mkdir()
    for name in SOURCES:
        if (root / name).is_dir():
            shutil.copytree(root / name, copy / name, ignore=NOT_OURS)
        else:
            shutil.copy(root / name, copy / name)
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (EPOCH, EPOCH))


if __name__ == "__main__":
    main(sys.argv[1:])
