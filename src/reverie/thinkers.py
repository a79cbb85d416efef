"""From settings to who thinks: which models, with which budgets; the rules where none is set."""

import os

from reverie.config import Config
from reverie.minds.budgets import Budgets
from reverie.minds.llm.opening import Models, open_models
from reverie.minds.llm.spec import ROLES, ModelRole, ModelSpec
from reverie.minds.meter import Ledger
from reverie.model.base import Instant
from reverie.model.ledger import Scope
from reverie.policy.spending import Budget, allows, day_start

OWN_KEY = "REVERIE_MODEL_API_KEY"


def specs_of(config: Config) -> list[ModelSpec]:
    """A spec for each role that is set. The base URL serves OpenAI's protocol, so it is not for other providers."""
    return [_spec(config, role) for role in ROLES if config[f"{role}_model"]]


def budgets_of(config: Config) -> Budgets:
    return Budgets(
        night=Budget(config["budget_night_tokens"], config["budget_night_cost"]),
        day=Budget(config["budget_day_tokens"], config["budget_day_cost"]),
    )


def spent_today(config: Config, ledger: Ledger, now: Instant) -> str:
    """Why nights may call no model until tomorrow; empty while they may, and where the rules alone think anyway."""
    budget = budgets_of(config).day
    if not config["sleeper_model"] or budget.rules_only:
        return ""
    decision = allows(budget, ledger.spent(Scope(regime="asleep"), day_start(now)))
    return "" if decision else f"today: {decision.why}"


def models_of(config: Config, ledger: Ledger) -> Models | None:
    specs = specs_of(config)
    return open_models(specs, ledger, budgets_of(config), environ=environ_of(config)) if specs else None


def environ_of(config: Config) -> dict[str, str]:
    """The environment, with the key from the settings under its own name."""
    return {**os.environ, **({OWN_KEY: config["model_api_key"]} if config["model_api_key"] else {})}


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
        batch_tokens=config["model_batch_tokens"],
        answer_tokens=config["model_answer_tokens"],
    )
