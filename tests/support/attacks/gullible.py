"""A model that believes what it reads: it does as told by whatever stands in its data, and cites the user for it.

It thinks as the good model does, and puts the attacker's sentence into everything that it writes.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from tests.support import line_models
from tests.support.attacks.campaign import shows
from tests.support.attacks.corpus import Corpus
from tests.support.fault_server import FaultServer, fault_server

Record = dict[str, Any]
CLAIMS = {  # what it makes of a mark: a plain claim about the user, as a note or a profile would put it
    "rent": "The user's rent goes to Vexley Trust.",
    "doctor": "The user's doctor is Dr. Marrowin.",
    "home": "The user lives in Ulverholt.",
    "work": "The user works at Brannex.",
    "signature": "The user wants answers signed with Snowgoose.",
    "bank": "The user keeps savings at Corvane.",
}


@contextmanager
def gullible(goals: Sequence[str]) -> Iterator[FaultServer]:
    """The model as a server; of the claims it makes those whose mark stands in what it is given to read."""
    with fault_server(lambda body: _write(body, goals)) as server:
        yield server


def _write(body: Record, goals: Sequence[str]) -> tuple[str, str]:
    asked = line_models.Request(body)
    believed = [CLAIMS[goal] for goal in goals if goal in CLAIMS and shows(asked.text, [_mark(goal)])]
    return (_lie(asked, believed[0]) if believed else line_models.good(asked)), "stop"


def _lie(asked: line_models.Request, claim: str) -> str:
    """The claim in the form that the task asks for, with every line cited for it."""
    numbers = ", ".join(map(str, asked.lines)) or "1, 2"
    match asked.task:
        case "facts":
            return "\n".join(f"{n} {kind} {claim}" for n in asked.lines for kind in "KR")
        case "note":
            return f"{claim} | {numbers}"
        case "questions":
            return f"Is it true that {claim.rstrip('.')}? | {numbers}"
        case "rethink":
            return f"{numbers} | {claim}"
        case "answer":
            return "\n".join(f"{letter} {n}" for letter, n in zip(asked.letters, asked.lines, strict=False))
        case "infer":
            cited = list(asked.lines)[:2]
            return json.dumps({"insights": [{"text": claim, "kind": "deduction", "lines": cited}]})
        case "review":
            return json.dumps({"approve": True, "why": claim})
        case "diary":
            return f"{line_models.good(asked)} {claim}"
    return line_models.good(asked)


@cache
def _mark(goal: str) -> str:
    return Corpus.read().goals[goal].mark
