"""One shape for every error that leaves the server, and the HTTP status of each.

ReverieError (see reverie.errors), and the server's own:
├── NoKey                401, no key or not a valid one
├── WrongPlace           403, a Host or Origin that this server does not answer to
├── TooSlow              408, a body that does not come to its end
├── TooLarge             413, a body over the limit
├── TooManyRequests      429, with retry-after
└── Overloaded           503, with retry-after
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie import errors
from reverie.errors import ReverieError
from reverie.policy.safety.redaction import Redactor


class NoKey(ReverieError):
    code = "no_key"
    next_move = (
        "Send `Authorization: Bearer rv_…` or `x-reverie-key: rv_…`. On the server's machine `reverie connect` prints"
        " the token and the lines to copy; `reverie keys create NAME` makes a key."
    )


class WrongPlace(ReverieError):
    code = "wrong_place"
    next_move = "Call the server by the address it is bound to, not from another site's page."


class TooSlow(ReverieError):
    code = "too_slow"
    next_move = "Send the whole body at once, or in smaller parts."


class TooLarge(ReverieError):
    code = "too_large"
    next_move = "Send less at once, or raise `max_body_mb`."


class TooManyRequests(ReverieError):
    code = "too_many_requests"
    next_move = "Wait as long as `retry-after` says."


class Overloaded(ReverieError):
    code = "overloaded"
    next_move = "Try again as soon as `retry-after` says."


# The nearest ancestor of an error decides.
STATUS: Mapping[type[Exception], int] = {
    errors.UsageError: 422,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.NotAllowed: 403,
    errors.BlockTooLong: 422,
    errors.StoreError: 500,
    errors.StoreBusy: 503,
    errors.StoreBroken: 503,
    errors.LeaseLost: 409,
    errors.ModelError: 502,
    errors.ModelUnavailable: 503,
    errors.BudgetSpent: 402,
    NoKey: 401,
    WrongPlace: 403,
    TooSlow: 408,
    TooLarge: 413,
    TooManyRequests: 429,
    Overloaded: 503,
    ReverieError: 500,
}
CODES = {
    400: "bad_request",
    401: "no_key",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    415: "unsupported_media_type",
}
RETRY_LATER = {429, 503}
_REDACTOR = Redactor()
# Generated clients repeat a 409 by themselves; these would only be refused again.
FINAL = (errors.StaleVersion, errors.NoSingleMatch, errors.KeyReused, errors.RestsOn, errors.ConversationBusy)


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as a client sees it."""

    status: int
    code: str
    message: str
    next_move: str
    data: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def body(self) -> dict[str, Any]:
        said = {"code": self.code, "message": self.message, "next_move": self.next_move, "data": dict(self.data)}
        return {"error": said}


def problem_of(error: ReverieError) -> Problem:
    status = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    said, data = _REDACTOR.value((error.message, error.data))  # a client may log what it is told
    return Problem(status, error.code, said, error.next_move, data, _headers(status, error))


def _headers(status: int, error: ReverieError) -> dict[str, str]:
    if status == 401:
        return {"www-authenticate": "Bearer"}
    if isinstance(error, TooSlow):
        return {"connection": "close"}
    if isinstance(error, FINAL):
        return {"x-should-retry": "false"}
    if status in RETRY_LATER:
        return {"retry-after": str(max(1, round(error.data.get("retry_after", 1))))}
    return {}


def invalid_request(faults: Sequence[Mapping[str, Any]], *, within: tuple[str, ...] = ()) -> Problem:
    """A request that does not fit its schema; `faults` as pydantic lists them. Input is not sent back."""
    places = [
        {"at": ".".join(map(str, (*within, *fault["loc"]))), "why": fault["msg"], "kind": fault["type"]}
        for fault in faults
    ]
    first = places[0] if places else {"at": "body", "why": "is not valid"}
    return Problem(
        422, "bad_input", f"{first['at']}: {first['why']}", errors.BadInput.next_move, {"faults": places[:20]}
    )


def framework_problem(status: int, message: str, headers: Mapping[str, str] | None = None) -> Problem:
    """What the framework itself refuses: no such route, no such method."""
    return Problem(
        status, CODES.get(status, "error"), message, "See /docs for what there is.", headers=dict(headers or {})
    )


UNEXPECTED = Problem(500, "error", "something went wrong inside the server", ReverieError.next_move)


def unstorable(error: Exception) -> Problem:
    """A value that passed its schema and cannot be stored all the same: half a surrogate pair, a number too large."""
    return Problem(422, "bad_input", f"a value cannot be stored: {type(error).__name__}", errors.BadInput.next_move)
