"""Does a model work? One small question on each rung: what `reverie models check` prints for a role."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.errors import ModelError, ModelFault
from reverie.minds.llm.client import Call, ChatMessage, Client, Completion, Mode, ModelUsage, complete
from reverie.minds.llm.faults import explained
from reverie.minds.llm.ladder import RUNGS, declined
from reverie.minds.llm.models import prices_for
from reverie.minds.llm.prompt_data import CITY, prompt
from reverie.minds.llm.provider import ProviderClient
from reverie.minds.llm.repair import read_json
from reverie.minds.llm.sheets import numbered
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.prices import Price, Prices

TYPICAL = ModelUsage(tokens_in=1_000_000, tokens_out=100_000)  # a night reads about ten times what it writes

LONGEST = 500  # tokens: two words, and room for a model that reasons before it writes them
ON_EVERY_RUNG = frozenset({"timeout", "unreachable", "rate_limited", "bad_key", "no_credit"})


@dataclass(frozen=True, slots=True)
class CheckResult:
    spec: ModelSpec
    works: bool
    why: str  # what to tell the user, also when it works
    modes: Mapping[Mode, str] = field(default_factory=dict)  # each rung: "works", or the kind of its fault
    best: Mode | None = None
    seconds: float = 0.0  # of the first answer
    tokens_per_second: float = 0.0
    price: float | None = None  # US dollars for a million tokens read and 100,000 written; None: not known


def check(
    spec: ModelSpec, prices: Mapping[str, Price] | None = None, environ: Mapping[str, str] = os.environ
) -> CheckResult:
    """Costs three short calls. Never raises for what a model or its server does wrong."""
    try:
        client = ProviderClient(spec, environ)
    except ModelError as missing:
        return CheckResult(spec, False, explained(missing))
    try:
        return examine(client, spec, prices_for([spec], prices or {}))
    finally:
        client.close()


def examine(client: Client, spec: ModelSpec, prices: Prices) -> CheckResult:
    tried = _tried(client, min(spec.answer_tokens, LONGEST))
    modes: dict[Mode, str] = {mode: _said(tried.get(mode)) for mode in RUNGS}
    price = prices.cost(spec.name, TYPICAL)
    answered = {mode: outcome for mode, outcome in tried.items() if isinstance(outcome, Completion)}
    if not answered:
        last = list(tried.values())[-1]
        assert isinstance(last, ModelFault)
        return CheckResult(spec, False, f"does not work: {explained(last)}", modes, price=price)
    best, first = next(iter(answered.items()))
    speed = first.usage.tokens_out / first.seconds if first.seconds else 0.0
    unpriced = "" if price is not None else "; its price is not known, only tokens are counted"
    return CheckResult(spec, True, f"works in {best} mode{unpriced}", modes, best, first.seconds, speed, price)


def _tried(client: Client, tokens: int) -> dict[Mode, Completion | ModelFault]:
    """Each rung's outcome, up to a fault that is the same on all of them: nobody waits for three timeouts."""
    tried: dict[Mode, Completion | ModelFault] = {}
    for mode in RUNGS:
        outcome = tried[mode] = _try(client, mode, tokens)
        if isinstance(outcome, ModelFault) and outcome.kind in ON_EVERY_RUNG:
            break
    return tried


def _said(outcome: Completion | ModelFault | None) -> str:
    if outcome is None:
        return "not tried"
    return "works" if isinstance(outcome, Completion) else outcome.kind


def _try(client: Client, mode: Mode, tokens: int) -> Completion | ModelFault:
    text = prompt("check") + ("" if mode == "schema" else f"\n\nAnswer with JSON of this schema:\n{json.dumps(CITY)}")
    data = numbered("lines", ["The user lives in Hamburg."]).text
    call = Call((ChatMessage("system", prompt("data")), ChatMessage("user", f"{data}\n\n{text}")), tokens, mode, CITY)
    try:
        completion = complete(client, call)
        if declined(completion):
            raise ModelFault("refused", "the model declined")
        found, _ = read_json(completion.text)
        if not isinstance(found.get("city"), str):
            raise ModelFault("bad_shape", "the answer has another shape")
        return completion
    except ModelFault as fault:
        return fault
