"""What judges share: a suite from its source distribution, run here by a plugin that swaps the class under test.

Nothing of it is committed. Which of its tests cannot pass is in the judge's `expected.txt`, each with its reason; all
others must pass, and of each suite at least four fifths do.
"""

import os
import re
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as xml
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = ROOT / ".external" / "sources"
MOST_EXPECTED = 0.2


def sdist(name: str, version: str) -> Path:
    """The unpacked source distribution of a package, fetched from the package index once."""
    found = list(CACHE.glob(f"{name.replace('-', '_')}-{version}"))
    if not found:
        CACHE.mkdir(parents=True, exist_ok=True)
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        subprocess.run([*fetch, f"{name}=={version}", "-d", str(CACHE)], check=True)
        (packed,) = CACHE.glob(f"{name.replace('-', '_')}-{version}.tar.gz")
        with tarfile.open(packed) as archive:
            archive.extractall(CACHE, filter="data")
        found = list(CACHE.glob(f"{name.replace('-', '_')}-{version}"))
    return found[0]


@dataclass(frozen=True)
class Verdict:
    """How the tests of a suite went, by name; a test is named by its file and function, with what was given to it."""

    passed: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        return f"{len(self.passed)} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"


def run(folder: Path, files: Sequence[str], *options: str, plugin: Path, **environment: str) -> Verdict:
    """Runs test files of a suite in their own folder, with a plugin of ours before them."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    paths = os.pathsep.join((str(plugin.parent), str(folder), str(ROOT / "src"), str(ROOT)))
    command = [
        sys.executable, "-m", "pytest", *files, "-q", "-c", os.devnull, "--rootdir", str(folder), "-p", plugin.stem,
        "-p", "no:cacheprovider", "-o", "asyncio_mode=auto", f"--junitxml={report}", *options,
    ]  # fmt: skip
    env = {**os.environ, "PYTHONPATH": paths, **environment}
    told = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if not report.exists():
        raise AssertionError(f"the suite did not run:\n{told.stdout[-4000:]}\n{told.stderr[-4000:]}")
    return _read(report)


def _read(report: Path) -> Verdict:
    verdict = Verdict()
    for case in xml.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').split('.')[-1]}::{case.get('name')}"
        problem = next((part for part in case if part.tag in ("failure", "error")), None)
        left_out = next((part for part in case if part.tag == "skipped"), None)
        if problem is not None:
            verdict.failed[name] = (
                (problem.get("message") or "").splitlines()[0][:200] if problem.get("message") else ""
            )
        elif left_out is not None:
            verdict.skipped[name] = left_out.get("message") or ""
        else:
            verdict.passed.add(name)
    verdict.passed.difference_update(verdict.failed)  # a test that failed as it was put away
    return verdict


def expected(judge: Path) -> dict[str, str]:
    """The tests that cannot pass, each with its reason: lines of `name  # reason`."""
    lines = (judge / "expected.txt").read_text("utf-8").splitlines()
    named = [re.split(r"\s+#\s+", line, maxsplit=1) for line in lines if line.strip() and not line.startswith("#")]
    assert all(len(parts) == 2 for parts in named), "every line of expected.txt needs a reason"
    return {name.strip(): reason for name, reason in named}


def check(verdict: Verdict, known: dict[str, str], *, most: float = MOST_EXPECTED) -> None:
    """Every test passes but those that are expected not to; of those, few."""
    print(verdict.line)
    news = {name: why for name, why in verdict.failed.items() if name not in known}
    assert not news, "\n".join(f"{name}: {why}" for name, why in news.items())
    outdated = [name for name, why in known.items() if name in verdict.passed and not why.startswith("either way:")]
    assert not outdated, f"these pass now, take them out of expected.txt: {outdated}"
    ran = len(verdict.passed) + len(verdict.failed)
    assert verdict.passed
    assert len(verdict.failed) <= most * ran
