"""From settings to minds: which reasoner thinks, with which models, within which budget."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reverie.config import BY_NAME, Config
from reverie.minds.budgets import Budgets
from reverie.model.rhythm import Sleeping
from reverie.policy.spending import Budget

if TYPE_CHECKING:
    from reverie.asleep.step import Minds
    from reverie.minds.embed import Embedder
    from reverie.minds.llm.opening import Models
    from reverie.minds.llm.spec import ModelSpec
    from reverie.store.db import Database

KEY_VARIABLE = BY_NAME["model_api_key"].env
SLEEP_SETTINGS = (
    "idle_seconds",
    "cadence_turns",
    "interval_minutes",
    "cron",
    "timezone",
    "night_after_hours",
    "night_after_sessions",
    "max_naps_per_hour",
    "min_hours_between_nights",
)


def sleeping(config: Config, own: dict[str, Any]) -> Sleeping:
    """A space's sleep settings: its own, then the configuration's."""
    skipped = tuple(step.strip() for step in config["skip_steps"].split(",") if step.strip())
    common = {name: config[name] for name in SLEEP_SETTINGS} | {"enabled": config["sleep"], "skip_steps": skipped}
    return Sleeping.of({**common, **own})


def budgets(config: Config) -> Budgets:
    return Budgets(
        night=Budget(config["budget_night_tokens"], config["budget_night_cost"]),
        day=Budget(config["budget_day_tokens"], config["budget_day_cost"]),
    )


def model_specs(config: Config) -> "list[ModelSpec]":
    """The roles that have a model. With a base URL, a bare name is a model of that server."""
    from reverie.minds.llm.spec import ROLES, ModelSpec

    url = config["model_base_url"] or None
    specs = []
    for role in ROLES:
        name = config[f"{role}_model"]
        if name:
            full = name if ":" in name or url is None else f"openai:{name}"
            specs.append(
                ModelSpec(
                    full,
                    role,
                    url,
                    api_key_env=KEY_VARIABLE if config["model_api_key"] else None,
                    timeout=config["model_timeout"],
                    concurrency=config["model_concurrency"],
                )
            )
    return specs


def models(config: Config, db: "Database") -> "Models | None":
    """None where no model is set: the rules think, and nothing of the model's packages is loaded."""
    specs = model_specs(config)
    if not specs:
        return None
    from reverie.minds.llm.opening import open_models
    from reverie.store.ledger import StoreLedger

    environment = {**os.environ, KEY_VARIABLE: config["model_api_key"] or "none"}
    return open_models(specs, StoreLedger(db), budgets(config), environ=environment)


def minds(embedder: "Embedder", opened: "Models | None", on_close: Callable[[Callable[[], None]], None]) -> "Minds":
    from reverie.asleep.step import Minds
    from reverie.minds.rules.reasoner import RulesReasoner

    rules = RulesReasoner()
    if opened is None or not ({"sleeper", "primary"} & set(opened.meters)):
        return Minds(rules, embedder)
    from reverie.minds.meter import charged_to

    on_close(opened.close)
    reasoner = opened.reasoner(rules)
    return Minds(reasoner, embedder, reasoner.faults, charged_to)
