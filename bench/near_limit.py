"""When should a block be condensed? A simulated year: each threshold trades summarize calls against deferrals.

A block is looked at once a night: from the threshold on it is condensed to `limits.condensed_size`. An append that does
not fit waits for the next night (`deferred`); nothing is ever cut.

    python -m bench.near_limit
"""

from dataclasses import dataclass
from random import Random

from reverie.model.blocks import DEFAULT_LIMIT, NEAR_LIMIT
from reverie.policy.core.rewriting import condensed_size

DAYS = 365
THRESHOLDS = (0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class Outcome:
    threshold: float
    appends: int
    condensed: int
    deferred: int


def simulate(threshold: float, appends_a_day: int, limit: int = DEFAULT_LIMIT, seed: int = 1) -> Outcome:
    """One block for a year; about `appends_a_day` lines of 40 to 200 characters, more on some days than on others."""
    random = Random(seed)
    size = appends = condensed = deferred = waiting = 0
    for _ in range(DAYS):
        for _ in range(random.randint(0, 2 * appends_a_day)):
            appends += 1
            line = random.randint(40, 200)
            if size + line <= limit:
                size += line
            else:
                deferred += 1
                waiting += line
        if size >= threshold * limit or waiting:
            condensed += 1
            size, waiting = min(limit, condensed_size(limit) + waiting), 0
    return Outcome(threshold, appends, condensed, deferred)


def main() -> None:
    for appends_a_day in (2, 5, 10):
        print(f"\nabout {appends_a_day} appends a day, limit {DEFAULT_LIMIT:,} characters, one year")
        print("threshold  summarize calls  deferred appends")
        for threshold in THRESHOLDS:
            found = simulate(threshold, appends_a_day)
            mark = "  <- default" if threshold == NEAR_LIMIT else ""
            share = found.deferred / found.appends
            print(f"{threshold:9.0%}  {found.condensed:15}  {found.deferred:8} ({share:.1%}){mark}")


if __name__ == "__main__":
    main()
