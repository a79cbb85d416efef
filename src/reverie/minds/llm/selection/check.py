"""Does a model work, and is it worth having? What `reverie models check` prints for a role.

One small question on each rung says whether it works. A planted history of thirty turns, read by the rules alone and
with the model, says whether it is worth its price.
"""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from reverie.errors import ModelError, ModelFault
from reverie.minds.embed import by_name
from reverie.minds.judge import Judge
from reverie.minds.llm.asking.repair import read_json
from reverie.minds.llm.asking.sheets import numbered
from reverie.minds.llm.client import Call, ChatMessage, Client, Completion, Mode, ModelUsage, complete
from reverie.minds.llm.faults import explained
from reverie.minds.llm.ladder import RUNGS, declined
from reverie.minds.llm.models import open_models, prices_for
from reverie.minds.llm.prompt_data import CITY, prompt
from reverie.minds.llm.provider import ProviderClient
from reverie.minds.llm.selection.exam import Marks, marked, planted, worth_having
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.meter import MemoryLedger
from reverie.minds.prices import Price, Prices
from reverie.minds.rules.reasoner import RulesReasoner

TYPICAL = ModelUsage(tokens_in=1_000_000, tokens_out=100_000)  # a night reads about ten times what it writes

AT_ONCE = 12  # turns in one call, as in a night
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


@dataclass(frozen=True, slots=True)
class QualityCheck:
    """How a planted history was read by the rules alone and with a model, and what that took."""

    rules: Marks
    model: Marks
    use_it: bool
    verdict: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    cost: float | None = None
    faults: Mapping[str, int] = field(default_factory=dict)


def rules_with(embedder: str) -> RulesReasoner:
    """The rules as nights have them with the embedder of this name: the bundled one brings the judge."""
    return RulesReasoner(Judge.by(by_name(embedder)) if embedder == "minilm" else None)


def quality(
    spec: ModelSpec,
    rules: RulesReasoner,
    prices: Mapping[str, Price] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> QualityCheck:
    """How a model does beside the rules of this store's nights. Costs about three calls; what the model fails at counts
    as the rules have it.
    """
    history, ledger = planted(), MemoryLedger()
    models = open_models([replace(spec, role="sleeper", batches="off")], ledger, None, prices, environ)
    try:
        reasoner = models.reasoner(rules)
        assert reasoner is not None
        parts = [history.episodes[i : i + AT_ONCE] for i in range(0, len(history.episodes), AT_ONCE)]
        began = time.monotonic()
        reasoner.prepare(facts=parts)
        drafts = [draft for part in parts for draft in reasoner.facts(part)]
        seconds = time.monotonic() - began
        faults = reasoner.faults.counts()
    finally:
        models.close()
    alone, together = marked(rules.facts(history.episodes), history), marked(drafts, history)
    paid = list(ledger.entries.values())
    costs = [entry.cost for entry in paid]
    cost = None if any(one is None for one in costs) else sum(one or 0.0 for one in costs)
    use_it = worth_having(alone, together)
    return QualityCheck(
        alone, together, use_it, _verdict(alone, together, use_it),
        sum(entry.tokens_in for entry in paid), sum(entry.tokens_out for entry in paid), seconds, cost, faults,
    )  # fmt: skip


def _verdict(rules: Marks, model: Marks, use_it: bool) -> str:
    told = f"{model.right} right and {model.wrong} wrong with it, {rules.right} and {rules.wrong} by the rules alone"
    return f"use it: {told}" if use_it else f"the rules are better: {told}"


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
