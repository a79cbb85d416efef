"""The guide's curl lines run, in their order, against a real app."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reverie import Reverie
from tests.support.serving import TOKEN, running

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guides" / "server.md"


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text("utf-8"), re.M | re.S)
    return [line for block in blocks for line in block.splitlines() if line.startswith("curl ")]


def request_of(command: str) -> dict[str, Any]:
    """What curl would send."""
    words = iter(shlex.split(command)[1:])
    found: dict[str, Any] = {"method": "GET", "headers": {}}
    for word in words:
        if word == "-H":
            name, _, value = next(words).replace("$KEY", f"x-reverie-key: {TOKEN}").partition(":")
            found["headers"][name] = value.strip()
        elif word == "-X":
            found["method"] = next(words)
        elif word == "--json":
            found["content"] = next(words)
            found["headers"]["content-type"] = "application/json"
            found["method"] = "POST" if found["method"] == "GET" else found["method"]
        elif not word.startswith("-"):
            found["url"] = word.removeprefix("localhost:8283")
    return found


def test_every_example_of_the_guide_works(location: str, opened: Callable[[Any], Any]) -> None:
    memory = opened(Reverie.open(location, embedder="none", durable=False))
    assert len(commands()) > 20
    with running(memory, require_key=True) as client:
        for command in commands():
            reply = client.request(**request_of(command))
            assert reply.status_code < 300, (command, reply.text)
        assert reply.json()["items"][0]["name"] == "laptop"
