"""Every fault is counted by its kind, so that a night can say what went wrong and who did the work instead."""

import threading
from collections import Counter
from collections.abc import Mapping

# Transport: may pass by itself, so it is tried again.
PASSING = frozenset({"timeout", "rate_limited", "server_error", "unreachable", "cut_off"})
# Trying the same thing in other words would not help either: straight to the rules.
FINAL = frozenset(
    {"refused", "no_credit", "bad_key", "prompt_too_long", "circuit_open", "budget_spent", "model_unavailable"}
)
# Each of these says something about the server, not about one answer: they open the circuit.
OUTAGES = PASSING | {"no_credit", "bad_key"}


class Faults:
    """Counts by kind: `timeout`, `bad_json`, `unknown_ids`, … and `fallback`, the batches that the rules did."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, kind: str, times: int = 1) -> None:
        with self._lock:
            self._counts[kind] += times

    def __getitem__(self, kind: str) -> int:
        return self._counts[kind]

    def __bool__(self) -> bool:
        return any(self._counts.values())

    def counts(self) -> Mapping[str, int]:
        with self._lock:
            return dict(self._counts)

    def take(self) -> Mapping[str, int]:
        """The counts since the last take: what a step puts into its own counts."""
        with self._lock:
            counts, self._counts = dict(self._counts), Counter()
            return counts
