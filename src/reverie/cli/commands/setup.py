"""Setup: which models are there, what a night of this store would cost with each, and the choice written down."""

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, configuration, open_space
from reverie.cli.output import Output
from reverie.errors import UsageError

if TYPE_CHECKING:
    from reverie.config import Config
    from reverie.minds.estimate import NightEstimate
    from reverie.minds.llm.selection.discovery import FoundModel

TURNS, NIGHTS = 2_000, 30  # the latest, from which a night is estimated
ROLES = ("sleeper", "primary")
RULES = "rules"


@dataclass(frozen=True)
class ModelOffer:
    model: "FoundModel"
    night: "NightEstimate"


@app.command()
def setup(
    model: Annotated[str | None, typer.Option(help="Choose this model, or `rules`, without asking.")] = None,
    url: Annotated[list[str] | None, typer.Option(help="Look at this server as well.")] = None,
    role: Annotated[list[str] | None, typer.Option(help="For this role only: sleeper or primary.")] = None,
    project: Annotated[bool, typer.Option("--project", help="Write ./reverie.toml, not the user's file.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Find models (keys, Ollama, llama.cpp, vLLM, LM Studio), show what a night would cost, write the choice down."""
    config = configuration()
    roles = tuple(role or ROLES)
    if unknown := set(roles) - set(ROLES):
        raise UsageError(f"{sorted(unknown)[0]!r} is no role", next_move=f"Choose one of {', '.join(ROLES)}.")
    with open_space(as_json, space) as (here, output):
        from reverie.minds.estimate import traffic_of

        traffic = traffic_of(here.turns(limit=TURNS), here.nights(limit=NIGHTS), time.time())
    offers = _offers(config, traffic, url or [])
    if not as_json:
        _tell(output, offers, traffic.measured)
    chosen = model if model is not None else _asked(output, offers, as_json)
    written = _write(config, offers, chosen, roles, url or [], project) if chosen is not None else None
    if as_json:
        output.value({"traffic": traffic, "found": offers, "chosen": chosen, "written": written and str(written)}, "")
    elif written is None:
        output.say("Nothing was changed. `reverie setup --model NAME` chooses without asking.")
    else:
        output.say(f"Written to {written}. `reverie models check` says whether it is worth having.")


def _offers(config: "Config", traffic: object, urls: list[str]) -> list[ModelOffer]:
    from reverie.minds.estimate import NightTraffic, estimate
    from reverie.minds.llm.selection.discovery import find
    from reverie.minds.prices import Prices, written

    assert isinstance(traffic, NightTraffic)
    known = [config["model_base_url"]] if config["model_base_url"] else []
    found = find(os.environ, [*known, *urls])
    local = frozenset(one.name for one in found if one.base_url)
    prices = Prices(written(config["model_prices"]), local)
    return [ModelOffer(one, estimate(one.name, bool(one.base_url), traffic, prices)) for one in found]


def _tell(output: Output, offers: list[ModelOffer], measured: bool) -> None:
    columns = {
        "": lambda row: row[0],
        "model": lambda row: row[1].model.name,
        "found": lambda row: row[1].model.where,
        "tokens a night": lambda row: f"{row[1].night.tokens_in:,} in, {row[1].night.tokens_out:,} out",
        "cost": lambda row: "no price known" if row[1].night.cost is None else f"${row[1].night.cost:.4f}",
        "time": lambda row: f"about {row[1].night.seconds:.0f} s",
    }
    none = "No model was found: no key is set, and no server answers on this machine. The rules go on alone."
    output.rows(list(enumerate(offers, 1)), columns, empty=none)
    if not offers:
        return
    basis = "this store's nights with a model" if measured else "this store's turns, and what a turn usually takes"
    output.say(f"Estimated from {basis}. Nothing has been sent to any of them.")


def _asked(output: Output, offers: list[ModelOffer], as_json: bool) -> str | None:
    """A person's choice; None where nobody can be asked, or nothing is chosen."""
    if as_json or not offers or not sys.stdin.isatty():
        return None
    said = typer.prompt("Which one? A number, `rules`, or nothing", default="", show_default=False).strip()
    if said.isdigit() and 1 <= int(said) <= len(offers):
        return offers[int(said) - 1].model.name
    if said and said != RULES:
        output.say(f"{said!r} is none of them.")
    return RULES if said == RULES else None


def _write(
    config: "Config", offers: list[ModelOffer], chosen: str, roles: tuple[str, ...], urls: list[str], project: bool
) -> Path:
    from reverie.config import change_file, project_file, user_settings
    from reverie.minds.llm.spec import ModelSpec

    values: dict[str, str] = {f"{role}_model": "" if chosen == RULES else chosen for role in roles}
    if chosen != RULES:
        ModelSpec(chosen)  # a name that is none says so
        served = _server_of(chosen, offers, urls)
        if served or (chosen.startswith("openai:") and config["model_base_url"]):
            values["model_base_url"] = served
    path = project_file() if project else user_settings()
    for name, value in values.items():
        change_file(path, name, value)
    return path


def _server_of(chosen: str, offers: list[ModelOffer], urls: list[str]) -> str:
    """The server that has this model: the one that lists it, or else the only one that was named (a server may list
    more models than are looked at, or none).
    """
    listing = next((offer.model.base_url for offer in offers if offer.model.name == chosen), None)
    if listing is not None:
        return listing
    return urls[0].rstrip("/") if len(urls) == 1 and chosen.startswith("openai:") else ""
