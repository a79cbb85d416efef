"""The Python of the clients' guides runs as it stands, but for the address: against a server and a provider."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.server.proxy import memory as proxy_memory
from tests.support.live import live
from tests.support.provider import FakeProvider, provider
from tests.support.serving import TOKEN
from tests.support.waiting import until

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
OURS = "http://localhost:8283"


@dataclass
class Running:
    memory: Reverie
    provider: FakeProvider
    address: str

    def follow(self, guide: str) -> None:
        text = (GUIDES / f"{guide}.md").read_text("utf-8")
        code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
        assert code
        exec(compile(textwrap.dedent(code).replace(OURS, self.address).replace("rv_…", TOKEN), guide, "exec"), {})


@pytest.fixture
def running(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(proxy_memory, "DEADLINE", 10.0)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "sk-mine")
    with Reverie.open(home, embedder="none", durable=False) as memory, provider() as upstream:
        urls = {"/openai/v1": f"{upstream.url}/v1", "/anthropic": upstream.url}
        with live(memory, providers=urls) as address:
            yield Running(memory, upstream, address)


@pytest.mark.parametrize("guide", ["openai", "anthropic"])
def test_the_lines_of_a_proxys_guide_work(running: Running, guide: str, capsys: pytest.CaptureFixture[str]) -> None:
    running.follow(guide)
    assert "Noted." in capsys.readouterr().out
    space = running.memory.space("default")
    until(lambda: len(space.turns()) == 2, 10)
    assert [turn.text for turn in space.turns()] == ["Hello!", "Noted."]
