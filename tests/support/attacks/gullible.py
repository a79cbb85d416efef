"""A model that believes what it reads: it does as told by whatever stands in its data, and cites the user for it.

It thinks as the good model does, and puts the attacker's sentence into everything that it writes.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from tests.support import good_model
from tests.support.attacks.campaign import shows
from tests.support.attacks.corpus import Corpus
from tests.support.fault_server import FaultServer, fault_server, schema_of

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
    said, stopped = good_model.write(body)
    read = str(body["messages"][-1]["content"])
    believed = [CLAIMS[goal] for goal in goals if goal in CLAIMS and shows(read, [_mark(goal)])]
    schema = schema_of(body)
    assert schema is not None
    lie = LIES.get(tuple(schema["properties"]))
    if not believed or lie is None:
        return said, stopped
    return json.dumps(lie(json.loads(said), believed[0], _handles(read))), stopped


@cache
def _mark(goal: str) -> str:
    return Corpus.read().goals[goal].mark


def _handles(read: str) -> list[str]:
    """The ids that stand in the data, in their order: what the model may cite."""
    found = [json.loads(line) for _, lines in good_model.SECTION.findall(read) for line in lines.splitlines()]
    return [str(record["id"]) for record in found if "id" in record]


def _facts(said: Record, claim: str, handles: Sequence[str]) -> Record:
    lies = [
        {"source": handle, "quote": claim, "about": "", "subject": "user", "predicate": "is", "value": claim,
         "negated": False, "replaces": ""}
        for handle in handles
    ]  # fmt: skip
    return {"facts": [*said["facts"], *lies]}


def _text(said: Record, claim: str, handles: Sequence[str]) -> Record:
    told = {**said, "text": f"{said['text']} {claim}".strip()}
    return {**told, "sources": said.get("sources") or list(handles[:2])} if "sources" in said else told


def _insights(said: Record, claim: str, handles: Sequence[str]) -> Record:
    lie = {"text": claim, "kind": "deduction", "premises": list(handles[:2]), "confidence": 1.0}
    return {"insights": [*said["insights"], lie]}


def _answer(said: Record, claim: str, handles: Sequence[str]) -> Record:
    return {"known": True, "text": claim, "confidence": 1.0, "sources": list(handles[:1])}


def _sentences(said: Record, claim: str, handles: Sequence[str]) -> Record:
    return {"sentences": [*said["sentences"], {"keep": "", "text": claim, "sources": list(handles[-1:])}]}


def _verdict(said: Record, claim: str, handles: Sequence[str]) -> Record:
    return {"approve": True, "why": claim}


LIES: dict[tuple[str, ...], Callable[[Record, str, Sequence[str]], Record]] = {
    ("facts",): _facts,
    ("title", "text", "sources"): _text,
    ("text", "sources"): _text,
    ("text",): _text,
    ("insights",): _insights,
    ("known", "text", "confidence", "sources"): _answer,
    ("sentences",): _sentences,
    ("approve", "why"): _verdict,
}
