"""Errors as letta-client reads them: one `detail`, in words, with the next move."""

from typing import Any

from reverie.server.errors import Problem


def detail(problem: Problem) -> dict[str, Any]:
    """
    >>> detail(Problem(404, "not_found", "no agent 'x'", "Check the id."))["detail"]
    "no agent 'x'. Check the id."
    """
    said = f"{problem.message.rstrip('.')}. {problem.next_move}".strip()
    return {"detail": said, "code": problem.code, "data": dict(problem.data)}
