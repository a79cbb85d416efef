"""Settings: config list, get, set, unset, show; place."""

from pathlib import Path
from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, app, configuration
from reverie.cli.output import Output
from reverie.config import (
    SETTINGS,
    Config,
    change_file,
    known_setting,
    org_places,
    project_file,
    shown,
    user_settings,
)
from reverie.model.settings import Setting

settings = typer.Typer(help="Settings: where their values come from, and how to set them.", no_args_is_help=True)
app.add_typer(settings, name="config")
Name = Annotated[str, typer.Argument(metavar="KEY", help="The setting's name.")]
ForUser = Annotated[bool, typer.Option("--user", help="In your own file, for all directories, not in ./reverie.toml.")]


@settings.command("show")
def show_config(
    origin: Annotated[bool, typer.Option("--origin", help="Say where each value comes from.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Every setting with its value and meaning."""
    config = configuration()
    output = Output(as_json=as_json)
    items = [_item(setting, config) for setting in SETTINGS]

    def say() -> None:
        for item in items:
            output.say(f"{item['name']} = {value_text(item['value'])}" + (f"  ({item['origin']})" if origin else ""))
            output.fold(str(item["help"]), "    ", "dim")

    output.value(items, say)


@settings.command("list")
def list_config(as_json: JsonFlag = False) -> None:
    """What is set, and where; `config show` has all the rest with its meaning."""
    config = configuration()
    output = Output(as_json=as_json)
    items = [_item(setting, config) for setting in SETTINGS if config.origins[setting.name] != "default"]
    columns = {
        "name": lambda item: item["name"],
        "value": lambda item: value_text(item["value"]),
        "origin": lambda item: item["origin"],
    }
    output.rows(items, columns, empty="Nothing is set: the defaults hold. Try: reverie config set KEY VALUE")


@settings.command("get")
def get_config(name: Name, as_json: JsonFlag = False) -> None:
    """One setting's value."""
    item = _item(known_setting(name), configuration())
    Output(as_json=as_json).value(item, str(value_text(item["value"])))


@settings.command("set")
def set_config(
    name: Name,
    value: Annotated[str, typer.Argument(help="Its value; `none` where a setting may have none.")],
    for_user: ForUser = False,
    as_json: JsonFlag = False,
) -> None:
    """Set one setting, in ./reverie.toml. A wrong value changes nothing."""
    _change(name, value, for_user, as_json)


@settings.command("unset")
def unset_config(name: Name, for_user: ForUser = False, as_json: JsonFlag = False) -> None:
    """Take a setting out of the file again: what stands elsewhere holds, or the default."""
    _change(name, None, for_user, as_json)


@app.command()
def place(
    org: Annotated[str, typer.Argument(help="The org's name.")],
    url: Annotated[str, typer.Argument(help="postgresql://… of its database; `-` for where all others lie.")],
    for_user: ForUser = False,
    as_json: JsonFlag = False,
) -> None:
    """Give an org a database of its own, in ./reverie.toml. Its spaces are not moved: see export and restore."""
    path = user_settings() if for_user else project_file()
    places = {**org_places(configuration()["places"]), org: url}
    kept = " ".join(f"{name}={at}" for name, at in places.items() if at != "-")
    change_file(path, "places", kept or None)
    told = {name: shown(at) for name, at in places.items() if at != "-"}
    said = f"{org} lies at {told[org]}, in {path}" if org in told else f"{org} lies where all others do"
    Output(as_json=as_json).value({"org": org, "places": told, "file": str(path)}, said)


def _change(name: str, value: str | None, for_user: bool, as_json: bool) -> None:
    setting, path = known_setting(name), user_settings() if for_user else project_file()
    before = _item(setting, configuration())
    change_file(path, setting.name, value)
    after = _item(setting, configuration())
    told = {**after, "before": before["value"], "file": str(path)}
    Output(as_json=as_json).value(told, _told(before, after, path))


def _told(before: dict[str, object], after: dict[str, object], path: Path) -> str:
    """What holds now, and whether something else overrides the file."""
    said = f"{after['name']} = {value_text(after['value'])}"
    said += "" if before["value"] == after["value"] else f" (was {value_text(before['value'])})"
    overridden = after["origin"] not in (str(path), "default")
    return f"{said}, in {path}" + (f"; but it comes from {after['origin']}, which is stronger" if overridden else "")


def _item(setting: Setting, config: Config) -> dict[str, object]:
    return {
        "name": setting.name,
        "value": _visible(setting, config),
        "origin": config.origins[setting.name],
        "help": setting.help,
    }


def _visible(setting: Setting, config: Config) -> object:
    value = config[setting.name]
    if setting.secret:
        return "(set)" if value else value
    return shown(value) if setting.name == "store" else value


def value_text(value: object) -> object:
    """As a person would write it."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return "none" if value is None else value
