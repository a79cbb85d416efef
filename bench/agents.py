"""All that an agent's user waits for, in one run: each figure beside its limit.

    python -m bench.agents [--runs 40] [--rounds 7] [--prompts 50]

Wall times hold on a quiet machine only; CPU times can be compared on any. Python's bare start is measured beside them.
"""

import argparse
import os

from bench import hooks, starts

# What is measured (as `starts` names it): the limit in seconds of CPU, but for `mcp`, whose answer is awaited.
LIMITS = {
    "append": 0.35,
    "recall": 0.7,
    "mcp initialize, wall": 0.4,
    "append, by a server": 0.25,
    "recall, by a server": 0.25,
}
HOOK_P50, HOOK_P95 = 80.0, 150.0  # ms of wall time, beside a running night


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--prompts", type=int, default=50)
    asked = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    missed = commands(asked.rounds) + hook(asked.runs)
    missed += hooks.session(asked.prompts) > 0
    print("\nEvery limit is met." if not missed else f"\n{missed} limits are missed.")


def commands(rounds: int) -> int:
    """Prints what each command takes from start to end; answers how many take too long."""
    print("| command | best s | median s | limit |\n|---|---|---|---|")
    missed = 0
    for name, took in starts.measured(rounds).items():
        limit = LIMITS.get(name)
        missed += limit is not None and took["median"] > limit
        print(f"| {name} | {took['best']:.2f} | {took['median']:.2f} | {_verdict(took['median'], limit)} |")
    return missed


def hook(runs: int) -> int:
    """Prints the hook's wall times; answers how many of those beside a night are too long."""
    missed = 0
    print(f"\nThe hook; beside a night p50 at most {HOOK_P50:.0f} ms and p95 {HOOK_P95:.0f} ms:")
    for name, took in hooks.wall(runs)["beside a night"].items():
        if name != hooks.BARE_NAME:
            missed += (took.p50 > HOOK_P50) + (took.p95 > HOOK_P95)
    return missed


def _verdict(took: float, limit: float | None) -> str:
    return "" if limit is None else f"{limit:.2f}, {'met' if took <= limit else 'missed'}"


if __name__ == "__main__":
    main()
