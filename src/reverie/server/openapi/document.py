"""The OpenAPI document: every route with its errors and an example, and a page to read it that loads nothing else."""

import html
import json
from collections.abc import Collection
from typing import Any

from fastapi import FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field

from reverie.server.openapi.descriptions import describe
from reverie.server.openapi.examples import EXAMPLES

PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
STYLE = (
    "body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "code,pre{font:14px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.6rem;border:1px solid #8886}"
    "summary{cursor:pointer;padding:.3rem 0}"
)


class Error(BaseModel):
    code: str = Field(description="Stable and machine-readable.", examples=["not_found"])
    message: str
    next_move: str = Field(description="What to do about it.")
    data: dict[str, Any] = Field(description="The figures.")


class ErrorReply(BaseModel):
    error: Error


WHY = {
    400: "The request cannot be read.",
    401: "No key, or not a valid one.",
    402: "The budget is spent.",
    403: "The key's scope, a read-only block, or a foreign Host or Origin.",
    404: "There is no such thing, or the key may not see it.",
    409: "Somebody else was first: the current state is in `data`.",
    413: "The body is too large.",
    422: "A value is malformed or out of range.",
    429: "Too many requests: see `retry-after`.",
    500: "A fault of the server.",
    502: "A model failed.",
    503: "Overloaded, stopping, or the store is busy: see `retry-after`.",
}
# By reference: a model here would be compiled anew for every route and status, and triple the start.
REFERENCE = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorReply"}}}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"description": why, "content": REFERENCE} for status, why in WHY.items()
}


SECURITY: dict[str, dict[str, Any]] = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "The home's token, or a key: `Bearer rv_…`."},
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": "x-reverie-key",
        "description": "The same, in a header of its own.",
    },
}


def operation_id(route: APIRoute) -> str:
    """What a generated client calls the operation: the name of its function, after the surface that it belongs to."""
    room = route.endpoint.__module__.removeprefix("reverie.server.").partition(".")[0]
    return route.name if room in ("rest", "reverie") else f"{room}_{route.name}"


def with_security(document: dict[str, Any], public: Collection[str]) -> dict[str, Any]:
    """Says where the key goes, and which operations need none."""
    document["components"]["securitySchemes"] = SECURITY
    document["security"] = [{name: []} for name in SECURITY]
    for path, operations in document["paths"].items():
        if path in public:
            for operation in operations.values():
                operation["security"] = []
    return document


def errors_as(schema: dict[str, Any]) -> dict[int | str, dict[str, Any]]:
    """The same statuses for a surface whose errors have another shape."""
    content = {"application/json": {"schema": schema}}
    return {status: {"description": why, "content": content} for status, why in WHY.items()}


def install(app: FastAPI, public: Collection[str]) -> None:
    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            schema = ErrorReply.model_json_schema(ref_template="#/components/schemas/{model}")
            made["components"]["schemas"] |= {**schema.pop("$defs"), "ErrorReply": schema}
            app.openapi_schema = with_security(describe(with_examples(made)), public)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]

    async def docs(_request: Request) -> HTMLResponse:
        return HTMLResponse(html_page(app.openapi()), headers={"content-security-policy": PAGE_POLICY})

    app.add_route("/docs", docs, include_in_schema=False)


def with_examples(document: dict[str, Any]) -> dict[str, Any]:
    """Puts an example beside every JSON answer, by the noun that it holds."""
    for operations in document["paths"].values():
        for operation in operations.values():
            for status, reply in operation["responses"].items():
                content = reply.get("content", {}).get("application/json")
                if content is not None and status[0] == "2":
                    found = example_of(content.get("schema", {}))
                    if found is not None:
                        content["example"] = found
    return document


def example_of(schema: dict[str, Any]) -> Any:
    """
    >>> example_of({"$ref": "#/components/schemas/Page_Ended_"})
    {'items': [{'ended': True}], 'next': None}
    """
    name = schema.get("$ref", "").rsplit("/", 1)[-1] or schema.get("title", "")
    if name.startswith("Page_"):
        inner = EXAMPLES.get(name.removeprefix("Page_").removesuffix("_"))
        return None if inner is None else {"items": [inner], "next": None}
    return EXAMPLES.get(name)


def html_page(document: dict[str, Any]) -> str:
    """The document as one plain page: no script, nothing from elsewhere."""
    entries = "".join(
        _entry(method.upper(), path, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    )
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Reverie API</title><style>{STYLE}</style>"
        f"<h1>Reverie {html.escape(document['info']['version'])}</h1><p>{html.escape(document['info']['description'])}"
        f"<p>For tools: <a href=/openapi.json>openapi.json</a></p>{entries}</html>"
    )


def _entry(method: str, path: str, operation: dict[str, Any]) -> str:
    parts = [html.escape(operation.get("description") or operation.get("summary", ""))]
    names = [f"<code>{html.escape(p['name'])}</code> ({p['in']})" for p in operation.get("parameters", [])]
    if names:
        parts.append("Parameters: " + ", ".join(names))
    for status, reply in operation["responses"].items():
        example = reply.get("content", {}).get("application/json", {}).get("example")
        if example is not None:
            shown = html.escape(json.dumps(example, indent=2, ensure_ascii=False))
            parts.append(f"{status}:<pre>{shown}</pre>")
    title = f"<code>{method} {html.escape(path)}</code>"
    return f"<details><summary>{title}</summary><p>{'<p>'.join(parts)}</details>"
