"""Log lines: how many of each level, from when to when, and how long that was."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from reverie.model.thinking import Thought
from reverie.policy.ponder.amounts import with_unit

_STAMPED = re.compile(
    r"\[?(?:(\d{4}-\d{2}-\d{2})[T ])?(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,6}))?Z?\]?[\s|:-]{1,4}(.{0,300})"
)
_LEVEL = re.compile(r"\[?\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b\]?")
LEAST = 3  # lines


@dataclass(frozen=True, slots=True)
class LogLine:
    line: int
    day: str
    second: Fraction
    level: str
    clock: str


def log_figures(lines: Sequence[str]) -> Iterator[Thought]:
    """What a log comes to.

    >>> log = ["10:00:00 INFO start", "10:00:30 ERROR no route", "10:01:15 INFO stop"]
    >>> [thought.text for thought in log_figures(log)]
    ['Number of log lines by level: INFO = 2; ERROR = 1; in all 3', \
'Duration of the log from the first to the last line: 10:00:00 to 10:01:15 = 75 s', \
'Longest gap between two log lines: 10:00:30 to 10:01:15 = 45 s']
    """
    found = [one for n, line in enumerate(lines, 1) if (one := _log_line(n, line)) is not None]
    if len(found) < LEAST:
        return
    all_lines = tuple(one.line for one in found)
    levels = Counter(one.level for one in found if one.level)
    if sum(levels.values()) == len(found):
        told = "; ".join(f"{level} = {n}" for level, n in levels.items())
        yield Thought(
            "computation", f"Number of log lines by level: {told}; in all {len(found)}", all_lines, told, told
        )
    if len({one.day for one in found}) == 1 and all(a.second <= b.second for a, b in pairwise(found)):
        yield _gap("Duration of the log from the first to the last line", found[0], found[-1])
        a, b = max(pairwise(found), key=lambda pair: pair[1].second - pair[0].second)
        yield _gap("Longest gap between two log lines", a, b)


def _gap(what: str, a: LogLine, b: LogLine) -> Thought:
    told = with_unit(b.second - a.second, "s")
    text = f"{what}: {a.clock} to {b.clock} = {told}"
    return Thought("computation", text, (a.line, b.line), told, f"{b.clock} - {a.clock}")


def _log_line(n: int, line: str) -> LogLine | None:
    match = _STAMPED.match(line.strip())
    if match is None:
        return None
    hour, minute, second = (int(match[i]) for i in (2, 3, 4))
    part = Fraction(int(match[5]), 10 ** len(match[5])) if match[5] else Fraction(0)
    level = _LEVEL.search(match[6])
    clock = f"{match[2]}:{match[3]}:{match[4]}" + (f".{match[5]}" if match[5] else "")
    return LogLine(n, match[1] or "", 3600 * hour + 60 * minute + second + part, level[1] if level else "", clock)
