"""One table of settings, what each may be, and one loader: flag, environment, ./reverie.toml, user's toml, default."""

import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import ConfigError

if TYPE_CHECKING:
    from reverie.model.rhythm import Sleeping


TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


@dataclass(frozen=True, slots=True)
class Kind:
    """`parse` raises ValueError, TypeError or OverflowError for what is not `wants`."""

    wants: str
    parse: Callable[[Any], Any]


def _boolean(value: Any) -> bool:
    said = str(value).lower()
    if said in TRUE | FALSE:
        return said in TRUE
    raise ValueError(value)


def _whole_from(least: int) -> Callable[[Any], int]:
    def whole(value: Any) -> int:
        number = int(value)
        if isinstance(value, bool) or number < least or number != float(value):
            raise ValueError(value)
        return number

    return whole


def _positive(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number) or number < 0:
        raise ValueError(value)
    return number


def _or_none(parse: Callable[[Any], float]) -> Callable[[Any], float | None]:
    return lambda value: None if str(value).lower() == "none" else parse(value)


def _prices(value: Any) -> str:
    """Kept as it was written, so that a child process can be told the same."""
    from reverie.minds.prices import written

    written(str(value))
    return str(value)


BY_TYPE: Mapping[type, Kind] = {
    bool: Kind("true or false", _boolean),
    int: Kind("a whole number", int),
    float: Kind("a number", float),
    str: Kind("a text", str),
}
COUNT = Kind("a whole number, 0 or more", _whole_from(0))
AT_LEAST_ONE = Kind("a whole number, 1 or more", _whole_from(1))
TOKENS = Kind("a whole number, 0 or more, or none", _or_none(_whole_from(0)))
DOLLARS = Kind("a number, 0 or more, or none", _or_none(_positive))
PRICES = Kind("PROVIDER:MODEL=READ/WRITE or PROVIDER:MODEL=READ/WRITE/CACHED, separated by commas", _prices)


PROJECT_FILE = "reverie.toml"


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    default: Any
    help: str
    secret: bool = False
    own_kind: Kind | None = None  # where the default's type does not say it all

    @property
    def env(self) -> str:
        return "REVERIE_" + self.name.upper()

    @property
    def kind(self) -> Kind:
        return self.own_kind or BY_TYPE[type(self.default)]


def _budget(span: str, tokens: int | None, dollars: float | None, whose: str) -> tuple[Setting, Setting]:
    return (
        Setting(f"budget_{span}_tokens", tokens, f"tokens {whose}; 0: rules only; none: no limit", own_kind=TOKENS),
        Setting(f"budget_{span}_cost", dollars, f"dollars {whose}; 0: rules only; none: no limit", own_kind=DOLLARS),
    )


SETTINGS: tuple[Setting, ...] = (
    # where
    Setting("home", ".reverie", "directory of the embedded store"),
    Setting("store", "", "postgresql://… to keep memory in Postgres instead of `home`"),
    Setting("org", "default", "the org that spaces belong to"),
    Setting("space", "default", "the space that commands work on"),
    Setting("durable", True, "survive power loss: one disk sync for every acknowledged write"),
    Setting("vector_cache_mb", 512, "memory for vectors of recently used spaces"),
    # minds
    Setting("embedder", "minilm", "minilm (built in), fastembed:NAME, openai:NAME, or none"),
    Setting("sleeper_model", "", "model for nights, as provider:name; empty: the rules"),
    Setting("primary_model", "", "model that answers the user; empty: extractive answers"),
    Setting("reviewer_model", "", "second opinion on protected blocks; empty: a person decides"),
    Setting("model_base_url", "", "any OpenAI-compatible server (Ollama, vLLM, llama.cpp)"),
    Setting("model_api_key", "", "key for `model_base_url`; providers' own variables work too", secret=True),
    Setting("model_timeout", 60.0, "seconds until a model call is given up"),
    Setting("model_concurrency", 4, "model calls that one night makes at the same time", own_kind=AT_LEAST_ONE),
    Setting(
        "model_calls_per_minute", 0, "most calls of a model that nights start in a minute; 0: no limit", own_kind=COUNT
    ),
    Setting("model_batch_tokens", 6_000, "tokens of data that a night puts into one call"),
    Setting("model_answer_tokens", 2_000, "tokens that a model may write in one call, its reasoning included"),
    Setting("context_tokens", 4_000, "tokens of blocks, memories and recent turns that the primary model is given"),
    # money
    *_budget("night", 200_000, 0.5, "a night may spend"),
    *_budget("day", 2_000_000, 5.0, "all nights of a day may spend"),
    *_budget("space", None, None, "a space may spend in all its time, nights and chat"),
    *_budget("total", None, None, "all spaces together may ever spend, nights and chat"),
    Setting("model_prices", "", "prices of yours, in dollars for a million tokens: openai:m=0.2/0.6", own_kind=PRICES),
    # sleep
    Setting("sleep", True, "whether spaces sleep by themselves"),
    Setting("idle_seconds", 60.0, "a nap is due after this long without a turn"),
    Setting("cadence_turns", 5, "a nap is due after this many turns"),
    Setting("interval_minutes", 0.0, "a nap is due this often; 0: off"),
    Setting("cron", "0 3 * * *", "when a night is due, in `timezone`; empty: never by the clock"),
    Setting("timezone", "UTC", "time zone of `cron`"),
    Setting("night_after_hours", 24.0, "a night is due this long after the last, if enough sessions came"),
    Setting("night_after_sessions", 5, "how many sessions that takes"),
    Setting("max_naps_per_hour", 12, "most naps in an hour"),
    Setting("min_hours_between_nights", 6.0, "fewest hours between two nights"),
    Setting("skip_steps", "", "steps that nights leave out, separated by commas"),
    Setting("keep_nights", 30, "how many nights can be undone"),
    # anticipation
    Setting("anticipate", 8, "questions to answer in advance each night; 0: off"),
    Setting("max_wrong_hits", 0.02, "largest share of served answers that may be wrong; thresholds adapt to keep it"),
    Setting("answer_hours", 24.0, "hours that a precomputed answer lives"),
    # files
    Setting("mirror", "", "directory that MEMORY.md, topic files and DREAMS.md are kept in"),
    # server
    Setting("host", "127.0.0.1", "address to serve on; other than loopback needs a key"),
    Setting("port", 8283, "port to serve on"),
    Setting("max_body_mb", 8.0, "largest request body"),
    Setting("requests_per_minute", 6_000, "most requests with one key in a minute"),
    Setting("log_level", "info", "debug, info, warning or error"),
)
BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting with its value and where that came from."""

    values: Mapping[str, Any]
    origins: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def with_values(self, **given: Any) -> "Config":
        """A copy with some values given by a caller."""
        checked = {name: _parsed(_known(name, "argument"), value, "argument") for name, value in given.items()}
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
    place = user_file or Path(environment.get("XDG_CONFIG_HOME", Path.home() / ".config")) / "reverie" / "config.toml"
    project = (cwd or Path.cwd()) / PROJECT_FILE
    sources: list[tuple[str, Mapping[str, Any]]] = [
        (str(place), _toml(place)),
        (str(project), _toml(project)),
        ("environment", {s.name: environment[s.env] for s in SETTINGS if environment.get(s.env)}),
        ("flag", {name: value for name, value in (flags or {}).items() if value is not None}),
    ]
    for origin, given in sources:
        for name, value in given.items():
            values[name] = _parsed(_known(name, origin), value, origin)
            origins[name] = origin
    return Config(values, origins)


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error


def _known(name: str, origin: str) -> Setting:
    if name in BY_NAME:
        return BY_NAME[name]
    import difflib

    near = difflib.get_close_matches(name, BY_NAME, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ConfigError(f"unknown setting {name!r} ({origin}){hint}")


def shown(location: str) -> str:
    """A store's place as it may be shown: a URL without its password.

    >>> shown("postgresql://me:s3cret@db/memory"), shown(".reverie")
    ('postgresql://me:…@db/memory', '.reverie')
    """
    return re.sub(r"(://[^:/@]*):.*@", r"\1:…@", location)


def _parsed(setting: Setting, value: Any, origin: str) -> Any:
    try:
        return setting.kind.parse(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ConfigError(
            f"{setting.name} ({origin}) must be {setting.kind.wants}, not {value!r}",
            next_move=f"{setting.name}: {setting.help}.",
        ) from error


SLEEPING = (
    "idle_seconds",
    "cadence_turns",
    "interval_minutes",
    "cron",
    "timezone",
    "night_after_hours",
    "night_after_sessions",
    "max_naps_per_hour",
    "min_hours_between_nights",
    "keep_nights",
    "budget_space_tokens",
    "budget_space_cost",
)


def sleeping_of(config: Config, own: Mapping[str, Any]) -> "Sleeping":
    """When a space sleeps: its own settings, then the configuration's."""
    from reverie.model.rhythm import Sleeping

    skipped = tuple(step.strip() for step in config["skip_steps"].split(",") if step.strip())
    common = {name: config[name] for name in SLEEPING} | {"enabled": config["sleep"], "skip_steps": skipped}
    return Sleeping.of({**common, **own})


def environment_of(config: Config) -> dict[str, str]:
    """What was given by flag or argument, as variables: for a child process that loads the same configuration."""
    given = (s for s in SETTINGS if config.origins[s.name] in ("flag", "argument"))
    return {setting.env: str(config[setting.name]) for setting in given if str(config[setting.name])}
