"""API keys: keys create, list, revoke."""

from typing import Annotated

import typer

from reverie.cli.app import HowMany, JsonFlag, app, open_store
from reverie.cli.output import when

group = typer.Typer(help="API keys of the org: made, listed, revoked.", no_args_is_help=True)
app.add_typer(group, name="keys")


@group.command()
def create(
    name: Annotated[str, typer.Argument(help="A name to know it by.")],
    verbs: Annotated[
        str, typer.Option(metavar="LIST", help="Some of read, write, review, admin, with commas; see the guide.")
    ] = "read,write",
    space: Annotated[str | None, typer.Option(help="For this space only (its name or id).")] = None,
    days: Annotated[float | None, typer.Option(help="Days until it expires; by default it never does.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Make a key. Its secret is shown this once."""
    with open_store(as_json) as (memory, output):
        made = memory.keys.create(name, verbs, space=space, days=days)

        def say() -> None:
            output.say(made.secret)
            output.err.print(f"{made.key.id}: keep the secret now, it is not shown again.", style="dim", soft_wrap=True)

        output.value({"key": made.key, "secret": made.secret}, say)


@group.command("list")
def list_all(limit: HowMany = 50, as_json: JsonFlag = False) -> None:
    """All keys, without their secrets."""
    with open_store(as_json) as (memory, output):
        columns = {
            "id": lambda key: key.id,
            "name": lambda key: key.name,
            "verbs": lambda key: ",".join(key.verbs),
            "space": lambda key: key.space,
            "made": lambda key: when(key.created_at),
            "expires": lambda key: when(key.expires_at),
            "revoked": lambda key: when(key.revoked_at),
            "used": lambda key: when(key.used_at),
        }
        output.rows(memory.keys.list(limit=limit), columns, empty="No keys. Try: reverie keys create NAME")


@group.command()
def revoke(id: Annotated[str, typer.Argument(help="The key's id.")], as_json: JsonFlag = False) -> None:
    """End a key: at once in a new request, within two seconds in a running server."""
    with open_store(as_json) as (memory, output):
        memory.keys.revoke(id)
        output.value({"revoked": id}, "revoked")
