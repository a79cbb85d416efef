"""One table of settings, and one loader: flag, environment, ./reverie.toml, user's toml, default."""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reverie.errors import ConfigError
from reverie.files import write_whole
from reverie.model.rhythm import CENTURY, SLEEP_SETTINGS, Sleeping
from reverie.model.settings import Setting
from reverie.policy.safety.secrets.shapes import KINDS
from reverie.policy.settings import SettingPlace, read, unknown
from reverie.policy.sleep import settings as sleep_settings

PROJECT_FILE = "reverie.toml"
PREFIX = "REVERIE_"
NEARLY = 0.75  # so much alike, a variable is a setting's name with a slip; others may belong to another program
ENGINES = ("embedded", "procrastinate")
PROXY_MODES = ("off", "read", "read-write")
LEVELS = ("debug", "info", "warning", "error")


def _budget(span: str, tokens: int | None, dollars: float | None, whose: str) -> tuple[Setting, Setting]:
    rest = f"{whose}; 0: rules only; none: no limit"
    return (
        Setting(f"budget_{span}_tokens", tokens, f"tokens {rest}", "whole", optional=True),
        Setting(f"budget_{span}_cost", dollars, f"dollars {rest}", "number", optional=True),
    )


def _of_sleep(*names: str) -> tuple[Setting, ...]:
    """The sleep settings of these names, as they hold for all spaces."""
    return tuple(SLEEP_SETTINGS[name] for name in names)


def _prices(text: str) -> None:
    from reverie.minds.prices import written

    written(text)


def _kinds_of_secrets(text: str) -> None:
    if unknown := secret_kinds(text) - set(KINDS):
        raise ValueError(unknown)


def secret_kinds(text: str) -> set[str]:
    """The kinds that `store_secrets` names."""
    return {kind.strip() for kind in text.split(",")} - {""}


def org_places(text: str) -> dict[str, str]:
    """The stores that `places` names, by org.

    >>> org_places("acme=postgresql://db1/memory globex=postgresql://db2/memory")["globex"]
    'postgresql://db2/memory'
    """
    found = dict(part.partition("=")[::2] for part in text.split())
    if not all(org and "://" in url for org, url in found.items()):
        raise ValueError(text)
    return found


SETTINGS: tuple[Setting, ...] = (
    # where
    Setting("home", ".reverie", "directory of the embedded store"),
    Setting("store", "", "postgresql://… to keep memory in Postgres instead of `home`"),
    Setting("org", "default", "the org that spaces belong to"),
    Setting(
        "places",
        "",
        "orgs that have a database of their own (`reverie place`); all others lie in `store`",
        secret=True,
        form=org_places,
        form_wants="ORG=postgresql://…, separated by spaces",
    ),
    Setting("space", "default", "the space that commands work on"),
    Setting("durable", True, "survive power loss: one disk sync for every acknowledged write"),
    Setting("vector_cache_mb", 512, "memory for vectors of recently used spaces", most=1_000_000_000),
    # minds
    Setting("embedder", "minilm", "minilm (built in), fastembed:NAME, openai:NAME, or none"),
    Setting("sleeper_model", "", "model for nights, as provider:name; empty: the rules"),
    Setting("primary_model", "", "model that answers the user; empty: extractive answers"),
    Setting("reviewer_model", "", "second opinion on protected blocks; empty: a person decides"),
    Setting("model_base_url", "", "any OpenAI-compatible server (Ollama, vLLM, llama.cpp)"),
    Setting("model_api_key", "", "key for `model_base_url`; providers' own variables work too", secret=True),
    Setting("model_timeout", 60.0, "seconds until a model call is given up", least=0.001, most=86_400),
    Setting("model_concurrency", 4, "model calls that one night makes at the same time", least=1),
    Setting("model_calls_per_minute", 0, "most calls of a model that nights start in a minute; 0: no limit"),
    Setting("model_batch_tokens", 6_000, "tokens of data that a night puts into one call", least=1),
    Setting("model_answer_tokens", 2_000, "tokens that a model may write in one call, its reasoning included", least=1),
    Setting("model_effort", "", "how much a model reasons: low, medium or high; empty: as its provider has it"),
    Setting("model_tier", "", "the provider's service tier, such as flex or priority; empty: its default"),
    Setting(
        "model_batches",
        "off",
        "nights that go out as provider batches, at half the price: unattended (nobody waits for them), all, or off",
        "choice",
        choices=("off", "unattended", "all"),
    ),
    Setting("context_tokens", 4_000, "tokens of blocks, memories and recent turns that the primary model is given"),
    Setting(
        "chat_tools",
        "auto",
        "when the primary model is offered tools: always, asked (the message wants something kept, changed or looked "
        "up), or auto (asked with `model_base_url`, where models are small)",
        "choice",
        choices=("auto", "always", "asked"),
    ),
    # money
    *_budget("night", 200_000, 0.5, "a night may spend"),
    *_budget("day", 2_000_000, 5.0, "all nights of a day may spend"),
    *_of_sleep("budget_space_tokens", "budget_space_cost"),
    *_budget("total", None, None, "all spaces together may ever spend, nights and chat"),
    Setting(
        "model_prices",
        "",
        "prices of yours, in dollars for a million tokens: openai:m=0.2/0.6",
        form=_prices,
        form_wants="PROVIDER:MODEL=READ/WRITE or PROVIDER:MODEL=READ/WRITE/CACHED, separated by commas",
    ),
    # sleep
    replace(SLEEP_SETTINGS["enabled"], name="sleep"),
    *_of_sleep("idle_seconds", "cadence_turns", "interval_minutes", "cron", "timezone"),
    *_of_sleep("night_after_hours", "night_after_sessions", "max_naps_per_hour", "min_hours_between_nights"),
    replace(SLEEP_SETTINGS["skip_steps"], default="", help="steps that nights leave out, separated by commas"),
    *_of_sleep("keep_nights"),
    Setting(
        "engine",
        "embedded",
        "what brings nights to workers; procrastinate needs Postgres",
        "choice",
        choices=ENGINES,
    ),
    Setting("org_nights", 0, "most spaces of one org that sleep at the same time, over all workers; 0: no limit"),
    # anticipation
    Setting("anticipate", 8, "questions to answer in advance each night; 0: off"),
    Setting(
        "max_wrong_hits", 0.02, "largest share of served answers that may be wrong; thresholds adapt to keep it", most=1
    ),
    Setting("answer_hours", 24.0, "hours that a precomputed answer lives", most=CENTURY["h"]),
    # safety
    Setting(
        "store_secrets",
        "",
        "kinds of secrets that are stored as they are, separated by commas; empty: none",
        form=_kinds_of_secrets,
        form_wants=f"any of {', '.join(KINDS)}, separated by commas",
    ),
    # files
    Setting("mirror", "", "directory that MEMORY.md, topic files and DREAMS.md are kept in"),
    # server
    Setting("host", "127.0.0.1", "address to serve on; other than loopback needs a key"),
    Setting("require_key", True, "on loopback too: the token of `home` or a key; false: everybody on this machine may"),
    Setting("port", 8283, "port to serve on; 0: any that is free", most=65_535),
    Setting("server_idle_minutes", 240.0, "minutes after which a server that a hook has started ends; 0: never"),
    Setting("processes", 0, "processes that answer recalls when many come at once; 0: one a core, 1: the server alone"),
    Setting("max_body_mb", 8.0, "largest request body", most=1_000_000),
    Setting("requests_per_minute", 6_000, "most requests with one key in a minute", least=1),
    Setting("proxy_openai_url", "https://api.openai.com/v1", "where /openai/v1 goes: any OpenAI-compatible API"),
    Setting("proxy_anthropic_url", "https://api.anthropic.com", "where /anthropic goes"),
    Setting("proxy_mode", "read-write", "memory in proxied requests", "choice", choices=PROXY_MODES),
    Setting("log_level", "info", "least grave event that is logged", "choice", choices=LEVELS),
)
BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}
BY_VARIABLE: Mapping[str, Setting] = {setting.env: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting with its value and where that came from."""

    values: Mapping[str, Any]
    origins: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def location(self) -> str:
        """Where the store of the org lies: in a database of its own, or where all others do."""
        return org_places(self["places"]).get(self["org"]) or self["store"] or self["home"]

    def with_values(self, **given: Any) -> "Config":
        """A copy with some values given by a caller."""
        checked = {name: _read(name, value, "argument") for name, value in given.items()}
        return Config({**self.values, **checked}, {**self.origins, **dict.fromkeys(given, "argument")})


def load(
    flags: Mapping[str, Any] | None = None,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    user_file: Path | None = None,
) -> Config:
    """The first source that names a setting wins. An unknown name is an error, with the nearest known one."""
    environment = os.environ if env is None else env
    values: dict[str, Any] = {s.name: s.default for s in SETTINGS}
    origins = dict.fromkeys(values, "default")
    place = user_file or user_settings(environment)
    project = project_file(cwd)
    sources: list[tuple[str, Mapping[str, Any]]] = [
        (str(place), _toml(place)),
        (str(project), _toml(project)),
        ("environment", _variables(environment)),
        ("flag", {name: value for name, value in (flags or {}).items() if value is not None}),
    ]
    for origin, given in sources:
        for name, value in given.items():
            values[name] = _read(name, value, origin)
            origins[name] = origin
    return Config(values, origins)


def user_settings(environment: Mapping[str, str] | None = None) -> Path:
    """The user's own file of settings, for all directories."""
    known = os.environ if environment is None else environment
    return Path(known.get("XDG_CONFIG_HOME", Path.home() / ".config")) / "reverie" / "config.toml"


def project_file(cwd: Path | None = None) -> Path:
    """The settings of a directory."""
    return (cwd or Path.cwd()) / PROJECT_FILE


def known_setting(name: str) -> Setting:
    """The setting of that name; an error with the nearest known one."""
    setting = BY_NAME.get(name.replace("-", "_"))
    if setting is None:
        raise unknown(name, BY_NAME, SettingPlace("argument"))
    return setting


def change_file(path: Path, name: str, value: str | None) -> None:
    """Sets a setting in a file of settings, or with None takes it out; every other line stays as it is.

    Read as it would be read from there: what is wrong raises, and changes nothing.
    """
    line = None if value is None else f"{name} = {_toml_value(_read(name, value, 'argument'))}"
    before = path.read_text("utf-8") if path.exists() else ""
    _toml(path)
    after = "\n".join([*(each for each in _with_line(before.splitlines(), name, line)), ""])
    if after.strip() or path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [after if after.strip() else ""], _checked_file)


def _with_line(lines: list[str], name: str, line: str | None) -> list[str]:
    """The line in the place of the one that set it before, else before the first table, where settings stand."""
    found = re.compile(rf"[ \t]{{0,40}}{re.escape(name)}[ \t]{{0,40}}=")
    kept = [each for each in lines if not found.match(each)]
    if line is None:
        return kept
    at = next((n for n, each in enumerate(lines) if found.match(each)), None)
    tables = (n for n, each in enumerate(kept) if each.lstrip().startswith("["))
    return [*kept[: (end := next(tables, len(kept)) if at is None else at)], line, *kept[end:]]


def _checked_file(path: Path) -> None:
    for name, value in _toml(path).items():
        _read(name, value, str(path))


def _toml_value(value: Any) -> str:
    """
    >>> [_toml_value(value) for value in (True, 2.5, "a \\"b\\"", None)]
    ['true', '2.5', '"a \\\\"b\\\\""', '"none"']
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else json.dumps("none" if value is None else str(value))


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Settings in the environment. An empty variable is none; one that is nearly a setting's is a slip."""
    given = {key: value for key, value in environment.items() if key.startswith(PREFIX) and value}
    for key in given:
        name = key.removeprefix(PREFIX).lower()
        if name not in BY_NAME and difflib.get_close_matches(name, BY_NAME, n=1, cutoff=NEARLY):
            raise unknown(key, BY_VARIABLE, SettingPlace("environment"))
    return {BY_VARIABLE[key].name: value for key, value in given.items() if key in BY_VARIABLE}


def _read(name: str, value: Any, origin: str) -> Any:
    setting = BY_NAME.get(name)
    if setting is None:
        raise unknown(name, BY_NAME, SettingPlace(origin))
    if setting.type == "steps":
        setting = replace(setting, choices=step_names())
    given = str(value) if isinstance(value, Path) else value
    found = read(setting, given, SettingPlace(_place(setting, origin)))
    return ",".join(found) if setting.type == "steps" else found  # as it is shown, and as a child process is told


def _place(setting: Setting, origin: str) -> str:
    """Where exactly the value stands."""
    exact = {
        "environment": f"environment variable {setting.env}",
        "flag": f"flag --{setting.name.replace('_', '-')}",
        "argument": f"argument {setting.name}",
    }
    return exact.get(origin, f"{origin}, key {setting.name}")


def step_names() -> tuple[str, ...]:
    """The steps of a night, in order. Asked only where they are needed: it loads all that nights need."""
    from reverie.asleep.pipeline import STEPS

    return tuple(step.name for step in STEPS)


def shown(location: str) -> str:
    """A store's place as it may be shown: a URL without its password.

    >>> shown("postgresql://me:s3cret@db/memory"), shown(".reverie")
    ('postgresql://me:…@db/memory', '.reverie')
    """
    return re.sub(r"(://[^:/@]*):.*@", r"\1:…@", location)


def own_settings(given: Mapping[str, Any], space: str, *, texts: bool = False) -> dict[str, Any]:
    """What a space is given for itself, read and checked; None takes a setting back to the configuration's value.

    `texts`: a text may stand for a number or a list, as on a command line.
    """
    steps = step_names() if given.get("skip_steps") is not None else ()
    return sleep_settings.checked(given, steps, space, texts=texts)


def sleeping_of(config: Config, own: Mapping[str, Any]) -> Sleeping:
    """When a space sleeps: its own settings, then the configuration's."""
    common = {setting.space: config[setting.name] for setting in SETTINGS if setting.space}
    common["skip_steps"] = [step for step in config["skip_steps"].split(",") if step]
    return Sleeping.of({**common, **own})


def environment_of(config: Config) -> dict[str, str]:
    """What was given by flag or argument, as variables: for a child process that loads the same configuration."""
    given = (s for s in SETTINGS if config.origins[s.name] in ("flag", "argument"))
    return {setting.env: str(config[setting.name]) for setting in given if str(config[setting.name])}
