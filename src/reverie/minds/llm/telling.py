"""A model's failure in a person's words: what happened, and the next move."""

from collections.abc import Mapping

from reverie.errors import ModelFault
from reverie.minds.llm.client import Failure

KEYS = "Set the right key: `model_api_key` for `model_base_url`, else OPENAI_API_KEY or ANTHROPIC_API_KEY."
URL = "Check the model's name, and `model_base_url`: for most servers it ends in /v1."
ANOTHER = "Try another model; until then the rules do the thinking."
LATER = "Try again later; until then the rules do the thinking."

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


def told(failure: Failure) -> str:
    """What happened, and what to do about it.

    >>> told(ModelFault("bad_key", "openai:x: HTTP 401", status=401)).partition(".")[0]
    'the key was refused (bad_key, HTTP 401)'
    """
    if not isinstance(failure, ModelFault):
        return f"{failure.message}. {failure.next_move}"
    what, move = TOLD.get(failure.kind, (failure.message, failure.next_move))
    return f"{what} ({_code(failure)}). {move}"


def _code(fault: ModelFault) -> str:
    return fault.kind if fault.status is None else f"{fault.kind}, HTTP {fault.status}"
