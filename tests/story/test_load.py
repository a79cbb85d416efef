"""Fifty clients at once while nights run: no error, no lost turn."""

import asyncio
import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from reverie import Reverie
from tests.support.served import served

CLIENTS = 50


@dataclass
class Seen:
    """What the clients met with."""

    appended: list[str] = field(default_factory=list)
    milliseconds: dict[str, list[float]] = field(default_factory=dict)
    wrong: list[tuple[int, bytes]] = field(default_factory=list)

    def report(self) -> str:
        return "; ".join(f"{verb} {len(took)} calls, {told(took)}" for verb, took in sorted(self.milliseconds.items()))


def told(took: list[float]) -> str:
    parts = statistics.quantiles(took, n=20)
    return f"p50 {statistics.median(took):.1f} ms, p95 {parts[18]:.1f} ms"


@dataclass
class Connection:
    """Just enough HTTP to keep one connection busy: a real client library would be what is measured."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    token: str

    async def post(self, path: str, body: Any) -> tuple[int, bytes]:
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-reverie-key: {self.token}\r\n"
        head += f"content-length: {len(data)}\r\n\r\n"
        self.writer.write(head.encode() + data)
        head_lines = (await self.reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        length = next(int(line[15:]) for line in head_lines if line.startswith(b"content-length:"))
        return int(head_lines[0].split()[1]), await self.reader.readexactly(length)


async def client(address: str, token: str, number: int, until: float, seen: Seen) -> None:
    place = urlsplit(address)
    connection = Connection(*await asyncio.open_connection(place.hostname, place.port), token)
    try:
        for verb, path, body, good in requests(number):
            if time.monotonic() > until:
                return
            began = time.perf_counter()
            async with asyncio.timeout(30):
                status, answer = await connection.post(path, body)
            seen.milliseconds.setdefault(verb, []).append((time.perf_counter() - began) * 1e3)
            if status != good:
                seen.wrong.append((status, answer[:200]))
            elif verb == "append":
                seen.appended.append(json.loads(answer)["id"])
            await asyncio.sleep(0.02)  # a person reads before speaking again
    finally:
        connection.writer.close()


def requests(number: int) -> Iterator[tuple[str, str, Any, int]]:
    """One client's conversation; ten share a space."""
    space = f"/v1/spaces/space{number % 5}"
    for n in range(10**9):
        text = f"Client {number} moved to town {n} and likes tea with {number * n % 17}."
        yield "append", f"{space}/turns", {"role": "user", "text": text, "session": f"s{number}"}, 201
        yield "recall", f"{space}/recall", {"query": f"what does client {number} like?", "k": 5}, 200
        yield "context", f"{space}/context", {"query": "tea", "budget": 800}, 200


async def crowd(address: str, token: str, seconds: float) -> Seen:
    seen = Seen()
    until = time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        for number in range(CLIENTS):
            group.create_task(client(address, token, number, until, seen))
    return seen


def under_load(where: Path, seconds: float, embedder: str) -> Seen:
    with served(where, embedder=embedder, cadence_turns=20, max_naps_per_hour=10_000) as up:
        for n in range(5):
            up.call("POST", "/v1/spaces", {"name": f"space{n}", "settings": {"min_seconds_between_naps": 0}})
            turns = [{"role": "user", "text": f"In year {year} I lived in Hamburg."} for year in range(60)]
            up.call("POST", f"/v1/spaces/space{n}/turns/batch", {"turns": turns})
            up.call("POST", f"/v1/spaces/space{n}/sleep")
        seen = asyncio.run(crowd(up.address, up.token, seconds))
        slept = up.call("GET", "/telemetry/sleep?limit=200")["runs"]
        assert [run for run in slept if run["status"] in ("completed", "running")], "no night ran beside it"
        assert not [run for run in slept if run["status"] == "failed"]
        up.stop()
    return seen


def stored(where: Path) -> list[str]:
    with Reverie.open(where / ".reverie", embedder="none") as memory:
        found = [turn.id for n in range(5) for turn in memory.space(f"space{n}").turns(limit=10**6)]
    assert len(found) == len(set(found))
    return found


def check(where: Path, seen: Seen) -> None:
    print(seen.report())
    assert seen.wrong == []
    assert len(seen.appended) > CLIENTS
    assert set(seen.appended) <= set(stored(where))


def test_fifty_clients_and_nights_beside_them(tmp_path: Path) -> None:
    check(tmp_path, under_load(tmp_path, 2.0, "none"))


@pytest.mark.torture
def test_fifty_clients_for_a_minute_with_vectors(tmp_path: Path) -> None:
    check(tmp_path, under_load(tmp_path, 60.0, "minilm"))
