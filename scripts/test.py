"""`make test`: the whole suite on two workers, each file on one of them.

A hang ends as a failure. A worker that dies (a native library may crash) is told, and the files it took with it are run
again alone, once: what fails then has failed.
"""

import os
import re
import shutil
import signal
import subprocess
import sys

SECONDS = 1_500
BROWSER_SECONDS = 300
SUITE = ["-n", "2", "--dist", "loadfile", "--max-worker-restart", "3", "-m", "not torture"]
CRASHED = re.compile(r"worker '\w+' crashed while running '([^']+)'")
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


def main(arguments: list[str]) -> int:
    find_browser()
    code, said = run([*SUITE, *arguments])
    crashed = set(CRASHED.findall(said))
    if code == 0 or not crashed or set(FAILED.findall(said)) - crashed:
        return code
    print(f"\nA worker died in {', '.join(sorted(crashed))}; their files run again, alone.", flush=True)
    code, _ = run([*sorted({test.partition("::")[0] for test in crashed}), "-m", "not torture"])
    return code


def find_browser() -> None:
    """The console is tried in Debian's chromium, installed where it is missing; where that cannot be, it is said."""
    if shutil.which("chromium") or shutil.which("chromium-browser") or os.environ.get("REVERIE_CHROMIUM"):
        return
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        print("No chromium here, and only root can install it: the console's pages are NOT tried.", flush=True)
        return
    print("Installing chromium for the console's tests …", flush=True)
    installing = ["install", "-q", "-y", "--no-install-recommends", "chromium"]
    if not (_apt(apt, *installing) or (_apt(apt, "update", "-q") and _apt(apt, *installing))):
        print("chromium could not be installed: the console's pages are NOT tried.", flush=True)


def _apt(apt: str, *words: str) -> bool:
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    null = subprocess.DEVNULL
    done = subprocess.run([apt, *words], stdout=null, stderr=null, env=env, timeout=BROWSER_SECONDS, check=False)
    return done.returncode == 0


def run(arguments: list[str]) -> tuple[int, str]:
    """pytest's exit code and what it said, shown as it comes; killed with all its children when time is up."""
    command = [sys.executable, "-m", "pytest", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    signal.signal(signal.SIGALRM, lambda *_: end(process))
    signal.alarm(SECONDS)
    said = []
    assert process.stdout is not None
    try:
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            said.append(line)
        return process.wait(), "".join(said)
    finally:
        signal.alarm(0)
        end(process)


def end(process: "subprocess.Popen[str]") -> None:
    if process.poll() is None:
        print(f"\nStopped after {SECONDS} s.", flush=True)
        os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
