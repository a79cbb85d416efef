"""Schemathesis reads our OpenAPI document and sends what nobody would: no 5xx, no status that is not documented."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.server.app import create_app
from reverie.server.settings import ServerSettings
from tests.support.serving import HERE, bearer

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SAMPLE, CAMPAIGN = 3, 100
SECRET = "Marzipan"
OWN = "/v1/spaces"  # others' contracts (Letta, Anthropic) have their own clients for tests, and fewer requests here


@schemathesis.serializer("application/x-ndjson")
def lines(_context: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "replace")


@dataclass
class Campaign:
    schema: Any
    client: TestClient
    space: str


@contextmanager
def campaign(home: Path) -> Iterator[Campaign]:
    """A server with two orgs and a key of the one: what the other says must never come out."""
    with Reverie.open(home, embedder="none", durable=False) as memory:
        alice, other = memory.space("alice"), memory.in_org("other").space("alice")
        for space, text in ((alice, "I moved to Hamburg."), (other, SECRET)):
            space.append("user", text, "s1")
            space.remember(text)
            space.nap()
        with TestClient(create_app(memory, ServerSettings(require_key=True)), base_url=HERE) as client:
            client.headers.update(bearer(memory, "admin"))
            yield Campaign(schemathesis.openapi.from_dict(client.get("/openapi.json").json()), client, alice.id)


def attack(on: Campaign, examples: int, mode: GenerationMode = GenerationMode.POSITIVE) -> list[str]:
    """Every operation with some requests made up from its schema; answers which operations were tried.

    In the negative mode requests break the schema: each must be refused.
    """
    tried = []
    checks = [*CHECKS, negative_data_rejection] if mode.is_negative else CHECKS
    for found in on.schema.get_all_operations():
        operation = found.ok()
        if mode.is_negative and not operation.body:
            continue
        tried.append(operation.label)

        @settings(
            max_examples=examples if operation.path.startswith(OWN) else max(1, examples // 3),
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def one(case: Any) -> None:
            reply = on.client.request(**request_of(case, on.space))
            case.validate_response(reply, checks=checks)
            assert SECRET not in reply.text

        one()
    return tried


def request_of(case: Any, space: str) -> dict[str, Any]:
    """The case as our client sends it, in a real space (unless that would be deleted): made-up ones are nobody's."""
    if "space" in (case.path_parameters or {}) and case.operation.label != "DELETE /v1/spaces/{space}":
        case.path_parameters["space"] = space
    wanted = case.as_transport_kwargs(base_url=HERE)
    wanted["content"] = wanted.pop("data", None)
    return {name: wanted[name] for name in ("method", "url", "headers", "params", "json", "content") if name in wanted}


def test_no_request_made_up_from_the_document_breaks_the_server(tmp_path: Path) -> None:
    with campaign(tmp_path) as on:
        tried = attack(on, SAMPLE)
    assert "POST /v1/spaces/{space}/recall" in tried


def test_no_request_that_breaks_the_document_is_taken(tmp_path: Path) -> None:
    with campaign(tmp_path) as on:
        tried = attack(on, SAMPLE - 1, GenerationMode.NEGATIVE)
    assert "POST /v1/spaces/{space}/turns" in tried


@pytest.mark.torture
def test_many_requests_made_up_from_the_document_do_not_break_the_server(tmp_path: Path) -> None:
    with campaign(tmp_path) as on:
        attack(on, CAMPAIGN)
        attack(on, CAMPAIGN, GenerationMode.NEGATIVE)
