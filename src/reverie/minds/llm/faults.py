"""A model's faults, counted by kind and told in a person's words: what happened, and the next move."""

import threading
from collections import Counter
from collections.abc import Mapping

from reverie.errors import ModelFault
from reverie.minds.llm.client import Failure

# Transport: may pass by itself, so it is tried again.
PASSING = frozenset({"timeout", "rate_limited", "server_error", "unreachable", "cut_off"})
# Trying the same thing in other words would not help either: straight to the rules.
FINAL = frozenset(
    {"refused", "no_credit", "bad_key", "prompt_too_long", "circuit_open", "budget_spent", "model_unavailable"}
)
# The answer has not the form that the rung asks for: another rung may do better.
PROTOCOL = frozenset({"garbled", "bad_json", "bad_shape"})
# Each of these says something about the server, not about one answer: they open the circuit.
OUTAGES = PASSING | {"no_credit", "bad_key"}
KEYS = "Set the right key: `model_api_key` for `model_base_url`, else OPENAI_API_KEY or ANTHROPIC_API_KEY."
URL = "Check the model's name, and `model_base_url`: for most servers it ends in /v1."
ANOTHER = "Try another model; until then the rules do the thinking."
LATER = "Try again later; until then the rules do the thinking."


class FaultCounts:
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


TOLD: Mapping[str, tuple[str, str]] = {
    "timeout": ("it did not answer in time", "Raise `model_timeout`, or choose a faster model."),
    "rate_limited": (
        "it is asked more often than it allows",
        "Wait, lower `model_concurrency`, or set `model_calls_per_minute`.",
    ),
    "server_error": ("its server failed", LATER),
    "unreachable": ("no server answers there", "Check `model_base_url`, the network, and that the server runs."),
    "cut_off": ("the connection ended before the answer did", LATER),
    "bad_key": ("the key was refused", KEYS),
    "no_credit": ("the account has no credit left", "Add credit with the provider, or choose another model."),
    "rejected": ("its server refused the request", URL),
    "prompt_too_long": ("it cannot read that much", "Lower `context_tokens` and `model_batch_tokens`."),
    "garbled": ("what answers there does not speak the protocol", URL),
    "refused": ("it declined to answer", ANOTHER),
    "empty": ("its answer was empty", "Raise `model_answer_tokens` if it reasons long, or try another model."),
    "too_long": ("its answer had no end", "Raise `model_answer_tokens`, or try another model."),
    "bad_json": ("its answer was no JSON", ANOTHER),
    "bad_shape": ("its answer had another shape than asked for", ANOTHER),
}


def explained(failure: Failure) -> str:
    """What happened, and what to do about it.

    >>> explained(ModelFault("bad_key", "openai:x: HTTP 401", status=401)).partition(".")[0]
    'the key was refused (bad_key, HTTP 401)'
    """
    if not isinstance(failure, ModelFault):
        return f"{failure.message}. {failure.next_move}"
    what, move = TOLD.get(failure.kind, (failure.message, failure.next_move))
    return f"{what} ({_code(failure)}). {move}"


def _code(fault: ModelFault) -> str:
    return fault.kind if fault.status is None else f"{fault.kind}, HTTP {fault.status}"
