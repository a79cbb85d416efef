"""The console in a browser: console."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, app, configuration
from reverie.cli.output import Output
from reverie.errors import UsageError

SECONDS = 10


@app.command()
def console(
    host: Annotated[str | None, typer.Option(help="Where the server listens.")] = None,
    port: Annotated[str | None, typer.Option(metavar="NUMBER", help="On which port.")] = None,
    browser: Annotated[bool, typer.Option(help="Open it in a browser.")] = True,
    as_json: JsonFlag = False,
) -> None:
    """Open the console of a running server, signed in."""
    from reverie.token import find_token

    config = configuration(host=host, port=port)
    name = f"[{config['host']}]" if ":" in config["host"] else config["host"]
    address = f"http://{name}:{config['port']}"
    code = _code(address, find_token(Path(config["home"]).expanduser()))
    url = f"{address}/console/enter?code={code}"
    output = Output(as_json=as_json)
    output.value({"url": url}, url)
    if browser and not as_json:
        import webbrowser

        webbrowser.open(url)


def _code(address: str, token: str | None) -> str:
    """A word that lets a browser in once; the server gives it to whoever knows the token of its home."""
    headers = {} if token is None else {"x-reverie-key": token}
    asked = urllib.request.Request(f"{address}/console/codes", b"", headers, method="POST")
    try:
        with urllib.request.urlopen(asked, timeout=SECONDS) as reply:
            return str(json.loads(reply.read())["code"])
    except urllib.error.HTTPError as refused:
        refused.close()
        raise UsageError(
            f"the server at {address} does not know the token of this home",
            next_move="Name the server's own home with --home, or sign in at /console with a key.",
        ) from refused
    except OSError as error:
        raise UsageError(
            f"no server answers at {address}: {error}", next_move="Start one with `reverie up`, or name its --port."
        ) from error
