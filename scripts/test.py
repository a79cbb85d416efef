"""`make test`: the whole suite on two workers, each file on one of them; a hang ends as a failure."""

import subprocess
import sys


def main() -> int:
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", "-m", "not torture", *sys.argv[1:]]
    return subprocess.run(command, check=False, timeout=2100).returncode


if __name__ == "__main__":
    sys.exit(main())
