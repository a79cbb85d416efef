"""Provider batches: many calls handed in together and fetched later, at about half the price.

A night that nobody waits for may go out so. What was handed in is known by the batch's id, which the ledger keeps, so
that a night that was killed meanwhile fetches what it has paid for.
"""

import json
from collections.abc import Mapping
from typing import Any, Protocol

from reverie.errors import ModelFault
from reverie.minds.llm.client import Call, Completion, Failure, Finish, ModelUsage
from reverie.minds.llm.spec import ModelSpec

PRICE = 0.5  # of the same calls one by one
FEWEST = 8  # calls that are worth a batch
OPENAI, ANTHROPIC = "https://api.openai.com/v1", "https://api.anthropic.com"
MARK = "reverie"  # the metadata under which a batch is found again whose id was lost
LISTED = 100
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
Outcomes = dict[str, Completion | Failure]


class Batches(Protocol):
    """A provider's batches. Calls have names of ours, and so have their outcomes."""

    def send(self, calls: Mapping[str, Call], mark: str) -> str:
        """The batch's id."""
        ...

    def find(self, mark: str) -> str | None:
        """The id of a batch that was sent under this mark, if the provider tells."""
        ...

    def fetch(self, batch: str) -> Outcomes | None:
        """What came of its calls; None while it is under way."""
        ...


def batches_of(spec: ModelSpec, key: str | None) -> Batches | None:
    """The batches of a spec's provider; None where it has none, or where they are off."""
    if spec.batches == "off" or spec.provider not in ("openai", "anthropic"):
        return None
    return AnthropicBatches(spec, key) if spec.provider == "anthropic" else OpenAiBatches(spec, key)


class _Http:
    """Requests to one provider; whatever goes wrong becomes a fault that may pass."""

    def __init__(self, spec: ModelSpec, base: str, headers: Mapping[str, str]) -> None:
        import httpx2

        self.name = spec.name
        self._client = httpx2.Client(base_url=spec.base_url or base, headers=dict(headers), timeout=spec.timeout)

    def ask(self, method: str, path: str, **content: Any) -> Any:
        import httpx2

        try:
            reply = self._client.request(method, path, **content)
        except httpx2.HTTPError as error:
            raise ModelFault("unreachable", f"{self.name}: {type(error).__name__}") from error
        if reply.status_code >= 400:
            raise ModelFault("rejected", f"{self.name}: HTTP {reply.status_code}", status=reply.status_code)
        return reply

    def json(self, method: str, path: str, **content: Any) -> Any:
        return self.ask(method, path, **content).json()

    def lines(self, path: str) -> list[Any]:
        return [json.loads(line) for line in self.ask("GET", path).text.splitlines() if line.strip()]


class OpenAiBatches:
    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self._spec = spec
        self._http = _Http(spec, OPENAI, {"authorization": f"Bearer {key or 'none'}"})

    def send(self, calls: Mapping[str, Call], mark: str) -> str:
        lines = [
            {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": self._body(call)}
            for name, call in calls.items()
        ]
        content = "\n".join(json.dumps(line) for line in lines).encode()
        file = self._http.json(
            "POST", "/files", data={"purpose": "batch"}, files={"file": ("night.jsonl", content, "application/jsonl")}
        )
        made = self._http.json(
            "POST",
            "/batches",
            json={
                "input_file_id": file["id"],
                "endpoint": "/v1/chat/completions",
                "completion_window": "24h",
                "metadata": {MARK: mark},
            },
        )
        return str(made["id"])

    def find(self, mark: str) -> str | None:
        known = self._http.json("GET", "/batches", params={"limit": LISTED})["data"]
        return next((str(one["id"]) for one in known if (one.get("metadata") or {}).get(MARK) == mark), None)

    def fetch(self, batch: str) -> Outcomes | None:
        state = self._http.json("GET", f"/batches/{batch}")
        if state["status"] not in _ENDED:
            return None
        files = [state.get("output_file_id"), state.get("error_file_id")]
        lines = [line for file in files if file for line in self._http.lines(f"/files/{file}/content")]
        return {line["custom_id"]: self._outcome(line) for line in lines}

    def _body(self, call: Call) -> dict[str, Any]:
        limit = "max_tokens" if self._spec.base_url else "max_completion_tokens"
        body: dict[str, Any] = {
            "model": self._spec.model,
            "messages": [{"role": message.role, "content": message.text} for message in call.messages],
            limit: call.max_tokens,
        }
        if call.schema is not None and call.mode == "schema":
            shape = {"name": "answer", "schema": dict(call.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        if self._spec.effort:
            body["reasoning_effort"] = self._spec.effort
        return body

    def _outcome(self, line: Mapping[str, Any]) -> Completion | Failure:
        response = line.get("response") or {}
        body = response.get("body") or {}
        if response.get("status_code") != 200 or not body.get("choices"):
            return ModelFault("server_error", f"{self._spec.name}: a call of a batch failed")
        choice, used = body["choices"][0], body.get("usage") or {}
        thinking = (used.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0
        cached = (used.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
        usage = ModelUsage(used.get("prompt_tokens", 0), used.get("completion_tokens", 0), cached, thinking)
        return Completion(choice["message"].get("content") or "", usage, _finish(choice.get("finish_reason")))


class AnthropicBatches:
    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self._spec = spec
        self._http = _Http(spec, ANTHROPIC, {"x-api-key": key or "none", "anthropic-version": "2023-06-01"})

    def send(self, calls: Mapping[str, Call], mark: str) -> str:  # noqa: ARG002
        requests = [{"custom_id": name, "params": self._params(call)} for name, call in calls.items()]
        return str(self._http.json("POST", "/v1/messages/batches", json={"requests": requests})["id"])

    def find(self, mark: str) -> str | None:  # noqa: ARG002
        """Never: these batches carry no mark."""
        return None

    def fetch(self, batch: str) -> Outcomes | None:
        state = self._http.json("GET", f"/v1/messages/batches/{batch}")
        if state["processing_status"] != "ended":
            return None
        lines = self._http.lines(f"/v1/messages/batches/{batch}/results")
        return {line["custom_id"]: self._outcome(line["result"]) for line in lines}

    def _params(self, call: Call) -> dict[str, Any]:
        params: dict[str, Any] = {
            "model": self._spec.model,
            "max_tokens": call.max_tokens,
            "system": [{"type": "text", "text": _system(call), "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": m.role, "content": m.text} for m in call.messages if m.role != "system"],
        }
        if call.schema is not None and call.mode == "schema":
            params["output_config"] = {"format": {"type": "json_schema", "schema": dict(call.schema)}}
        return params

    def _outcome(self, result: Mapping[str, Any]) -> Completion | Failure:
        if result.get("type") != "succeeded":
            return ModelFault("server_error", f"{self._spec.name}: a call of a batch {result.get('type')}")
        message = result["message"]
        used = message.get("usage") or {}
        cached = used.get("cache_read_input_tokens") or 0
        read = used.get("input_tokens", 0) + cached + (used.get("cache_creation_input_tokens") or 0)
        text = "".join(part.get("text", "") for part in message["content"] if part["type"] == "text")
        return Completion(
            text, ModelUsage(read, used.get("output_tokens", 0), cached), _finish(message.get("stop_reason"))
        )


def _system(call: Call) -> str:
    return "\n\n".join(message.text for message in call.messages if message.role == "system")


def _finish(said: str | None) -> Finish:
    if said in ("length", "max_tokens"):
        return "length"
    return "refused" if said in ("content_filter", "refusal") else "stop"
