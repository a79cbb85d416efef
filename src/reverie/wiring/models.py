"""From settings to who thinks: which models, with which budgets; the rules where none is set."""

import os
from collections.abc import Callable, Mapping

from reverie.config import Config, sleeping_of
from reverie.minds.llm.client import ModelUsage
from reverie.minds.llm.models import Models, open_models, prices_for
from reverie.minds.llm.spec import ROLES, ModelRole, ModelSpec
from reverie.minds.meter import Budgets, Ledger
from reverie.minds.prices import written
from reverie.model.base import DAY, JSON, Instant
from reverie.model.ledger import Purpose
from reverie.model.rhythm import Exhausted
from reverie.policy.spending import NO_LIMIT, NOTHING, Budget, allows, day_start

OWN_KEY = "REVERIE_MODEL_API_KEY"
SPANS = ("night", "day", "space", "total")
SettingsOf = Callable[[str], Mapping[str, JSON]]  # a space's own settings, by its id


def specs_of(config: Config) -> list[ModelSpec]:
    """A spec for each role that is set. The base URL serves OpenAI's protocol, so it is not for other providers."""
    return [_spec(config, role) for role in ROLES if config[f"{role}_model"]]


def budgets_of(config: Config, settings_of: SettingsOf) -> Budgets:
    night, day, space, total = (_budget(config, span) for span in SPANS)

    def own(space: str) -> Budget:
        settings = sleeping_of(config, settings_of(space))
        return Budget(settings.budget_space_tokens, settings.budget_space_cost)

    return Budgets(night, day, space, total, own)


def exhausted(config: Config, ledger: Ledger, settings_of: SettingsOf, space: str, now: Instant) -> Exhausted | None:
    """The budget that lets nights of a space call no model; None while all do, or if the rules alone think anyway."""
    today = day_start(now)
    limits = list(budgets_of(config, settings_of).over(Purpose("asleep", space), today))
    if not config["sleeper_model"] or any(budget.rules_only for _, budget, _, _ in limits):
        return None
    for name, budget, scope, since in limits:
        decision = allows(budget, NOTHING if budget == NO_LIMIT else ledger.spent(scope, since))
        if not decision:
            return Exhausted(f"{name}: {decision.why}", today + DAY if since == today else None)
    return None


def unpriced(config: Config) -> list[str]:
    """The models that no price is known for: only tokens can hold them."""
    specs = specs_of(config)
    prices = prices_for(specs, written(config["model_prices"]))
    return sorted({spec.name for spec in specs if prices.cost(spec.name, ModelUsage(1, 1)) is None})


def money_only(config: Config) -> list[str]:
    """Budgets in dollars with no tokens beside them: a model without a known price passes them unseen."""
    return [f"`budget_{span}_cost`" for span in SPANS if _budget(config, span).money_only]


def models_of(config: Config, ledger: Ledger, settings_of: SettingsOf) -> Models | None:
    specs = specs_of(config)
    if not specs:
        return None
    budgets = budgets_of(config, settings_of)
    return open_models(specs, ledger, budgets, written(config["model_prices"]), environ_of(config))


def environ_of(config: Config) -> dict[str, str]:
    """The environment, with the key from the settings under its own name."""
    return {**os.environ, **({OWN_KEY: config["model_api_key"]} if config["model_api_key"] else {})}


def _budget(config: Config, span: str) -> Budget:
    return Budget(config[f"budget_{span}_tokens"], config[f"budget_{span}_cost"])


def _spec(config: Config, role: ModelRole) -> ModelSpec:
    name: str = config[f"{role}_model"]
    ours = bool(config["model_base_url"]) and name.startswith("openai:")
    return ModelSpec(
        name,
        role=role,
        base_url=config["model_base_url"] if ours else None,
        api_key_env=OWN_KEY if ours else None,
        timeout=config["model_timeout"],
        concurrency=config["model_concurrency"],
        calls_per_minute=config["model_calls_per_minute"],
        batch_tokens=config["model_batch_tokens"],
        answer_tokens=config["model_answer_tokens"],
        effort=config["model_effort"],
        tier=config["model_tier"],
        batches=config["model_batches"],
    )
