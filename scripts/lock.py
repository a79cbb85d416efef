"""`make lock`: writes requirements.txt, every pin of constraints.txt with the digests of its files; no address in it.

With `pip install --require-hashes -r requirements.txt` nothing else gets in, from wherever pip fetches. The digests are
those that pip's own indexes name: run it after a pin has changed, and read the difference.
"""

import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from pip._internal.models.index import PyPI

ROOT = Path(__file__).parent.parent
PINS, LOCK = ROOT / "constraints.txt", ROOT / "requirements.txt"
FILE = re.compile(r'href="[^"#]*/(?P<file>[^"/#]+)#sha256=(?P<sha>[0-9a-f]{64})"')
# Pythons that are supported, on whatever machine; a source archive only where there is no wheel.
WHEEL = re.compile(r"-(?:py3|py2\.py3|cp311|cp312|cp313|cp314|cp3\d+-abi3)[\w.]*-.*\.whl$|-cp3\d+-abi3-.*\.whl$")


def main() -> None:
    pins = PINS.read_text("utf-8").split()
    LOCK.write_text("\n".join(locked(*pin.split("==")) for pin in pins) + "\n", "utf-8")
    print(f"{LOCK.name}: {len(pins)} packages")


def locked(name: str, version: str) -> str:
    files = files_of(name, version)
    wanted = {sha for file, sha in files.items() if WHEEL.search(file)} or set(files.values())
    if not wanted:
        raise SystemExit(f"no index knows {name} {version}")
    return " \\\n".join((f"{name}=={version}", *(f"    --hash=sha256:{sha}" for sha in sorted(wanted))))


def files_of(name: str, version: str) -> dict[str, str]:
    """The files of one release and their digests, as the indexes name them."""
    plain = re.sub(r"[-_.]+", "-", name).lower()
    found = {match["file"]: match["sha"] for page in pages(plain) for match in FILE.finditer(page)}
    stem = re.compile(
        rf"{re.escape(plain).replace('-', '[-_.]')}".replace("\\", "") + rf"-{re.escape(version)}(?:-|\.tar\.gz|\.zip)",
        re.I,
    )
    return {file: sha for file, sha in found.items() if stem.match(file)}


def pages(name: str) -> list[str]:
    return [page for index in indexes() if (page := fetched(f"{index.rstrip('/')}/{name}/"))]


def fetched(address: str) -> str:
    """An index's page on a package; empty if it has none."""
    address += "index.html" if address.startswith("file:") else ""
    try:
        with urllib.request.urlopen(address, timeout=60) as page:
            text: str = page.read().decode()
            return text
    except (urllib.error.URLError, FileNotFoundError):
        return ""


def indexes() -> list[str]:
    """Where pip looks, by its own configuration."""
    said = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    own = dict(re.findall(r"(?m)^[\w:]+\.((?:extra-)?index-url)='([^']*)'", said.stdout))
    return [own.get("index-url", PyPI.simple_url), *own.get("extra-index-url", "").split()]


if __name__ == "__main__":
    main()
