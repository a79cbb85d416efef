"""The client for real models, on pydantic-ai, in one event loop of one daemon thread: the core is synchronous."""

import asyncio
import atexit
import concurrent.futures
import os
import queue
import threading
import time
import weakref
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from reverie.errors import ModelFault, ModelUnavailable, extra_needed
from reverie.minds.llm.batches import batches_of
from reverie.minds.llm.client import Call, Completion, Delta, Failure
from reverie.minds.llm.spec import ModelSpec

if TYPE_CHECKING:
    from pydantic_ai.models import Model


T = TypeVar("T")
ELSEWHERE = (
    'For a server of your own set `model_base_url` and name the model "openai:NAME"; for another provider install its'
    " package. Until then the rules do the thinking."
)
CLOSING = 2.0  # seconds
GRACE = 10.0  # seconds past a call's own timeout before the caller stops waiting for the loop


class _Loop:
    """Begun by the first call; anew in a forked child, which has the loop but not its thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or not self._alive:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="reverie-models", daemon=True)
                self._thread.start()
            return self._loop

    def stop(self) -> None:
        if self._loop is None or self._thread is None or not self._alive:
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=2)
        if not self._alive:
            self._loop.close()

    @property
    def _alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()


_LOOP = _Loop()
atexit.register(_LOOP.stop)


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Starts `work`; connections live as long as the loop, so calls from any thread may share them."""
    return asyncio.run_coroutine_threadsafe(work, _LOOP.running())


class ProviderClient:
    """One model behind one connection pool. Close it, or let it be collected: either closes its connections."""

    def __init__(self, spec: ModelSpec, environ: Mapping[str, str] = os.environ) -> None:
        self.name = spec.name
        self._spec = spec
        self._model, http = _open_model(spec, environ)
        self._close = weakref.finalize(self, _close_http, http)
        self.batches = batches_of(spec, spec.api_key(environ))
        self.closed = threading.Event()
        self._close.atexit = False  # the loop is gone by then, and the sockets go with the process

    def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
        under_way = [submit(self._request(call)) for call in calls]
        try:
            return [self._await(one) for one in under_way]
        finally:
            for one in under_way:
                one.cancel()  # after Ctrl-C; what has ended is not touched

    def stream(self, call: Call) -> Iterator[Delta]:
        pieces: queue.Queue[Delta | Failure] = queue.Queue()
        pump = submit(self._pump(call, pieces))
        try:
            yield from _drain(pieces, self._spec.timeout + GRACE)
        finally:
            pump.cancel()  # a reader that stops early ends the request, and with it the cost

    def batched(self) -> bool:
        return False  # calls made here go out one by one; the meter, which keeps batches' ids, knows better

    def close(self) -> None:
        """Waits for its connections to close: a loop that ends before them complains on stderr."""
        self.closed.set()
        if closing := self._close():
            concurrent.futures.wait([closing], CLOSING)

    def _await(self, pending: Future[Completion | Failure]) -> Completion | Failure:
        try:
            return pending.result(self._spec.timeout + GRACE)
        except TimeoutError:
            pending.cancel()
            return ModelFault("timeout", f"{self.name} did not answer within {self._spec.timeout:g} s")

    async def _request(self, call: Call) -> Completion | Failure:
        from pydantic_ai.direct import model_request

        from reverie.minds.llm import pydantic_ai

        began = time.monotonic()
        try:
            response = await model_request(
                self._model,
                pydantic_ai.messages(call),
                model_settings=pydantic_ai.settings(call, self._spec, self._model),
                model_request_parameters=pydantic_ai.parameters(call),
            )
            return pydantic_ai.completion(response, time.monotonic() - began)
        except Exception as error:  # the edge: whatever a provider's package raises becomes a counted fault
            return pydantic_ai.fault(error, self.name)

    async def _pump(self, call: Call, pieces: "queue.Queue[Delta | Failure]") -> None:
        from reverie.minds.llm import pydantic_ai

        try:
            async with asyncio.timeout(self._spec.timeout):
                async for delta in self._deltas(call):
                    pieces.put(delta)
        except Exception as error:
            pieces.put(pydantic_ai.fault(error, self.name))

    async def _deltas(self, call: Call) -> AsyncIterator[Delta]:
        from pydantic_ai.direct import model_request_stream

        from reverie.minds.llm import pydantic_ai

        began = time.monotonic()
        async with model_request_stream(
            self._model,
            pydantic_ai.messages(call),
            model_settings=pydantic_ai.settings(call, self._spec, self._model),
            model_request_parameters=pydantic_ai.parameters(call),
        ) as stream:
            async for event in stream:
                delta = pydantic_ai.delta(event)
                if delta is not None:
                    yield delta
            response = stream.get()
        if response.finish_reason is None:
            raise ModelFault("cut_off", f"{self.name}: the stream ended before the answer did")
        yield Delta("end", completion=pydantic_ai.completion(response, time.monotonic() - began))


def _drain(pieces: "queue.Queue[Delta | Failure]", patience: float) -> Iterator[Delta]:
    while True:
        try:
            piece = pieces.get(timeout=patience)
        except queue.Empty:
            raise ModelFault("timeout", f"nothing came for {patience:g} s") from None
        if not isinstance(piece, Delta):
            raise piece
        yield piece
        if piece.kind == "end":
            return


def _open_model(spec: ModelSpec, environ: Mapping[str, str]) -> "tuple[Model[Any], Any]":
    try:
        import httpx2
        from pydantic_ai.models import infer_model
    except ImportError as missing:
        raise ModelUnavailable(
            f"{spec.name} needs a package that is not installed: {missing.name}",
            next_move=f"{extra_needed('llm')} Without it the rules do the thinking.",
        ) from missing
    key = spec.api_key(environ)
    if spec.base_url is None and key is None and spec.provider in ("openai", "anthropic"):
        variable = spec.api_key_env or f"{spec.provider.upper()}_API_KEY"
        raise ModelUnavailable(f"{spec.name} needs a key", next_move=f"Set {variable}, or go on with the rules.")
    http = httpx2.AsyncClient(timeout=spec.timeout)
    try:
        if spec.provider == "anthropic":
            return _anthropic(spec, key, http), http
        if spec.provider == "openai" or spec.base_url is not None:
            return _openai(spec, key, http), http
        return infer_model(spec.name), http
    except Exception as error:  # an unknown provider, or one whose package is missing: both have the same next move
        raise ModelUnavailable(f"{spec.name} cannot be used: {error}", next_move=ELSEWHERE) from error


def _anthropic(spec: ModelSpec, key: str | None, http: Any) -> "Model[Any]":
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    provider = AnthropicProvider(api_key=key or "none", base_url=spec.base_url, http_client=http)
    return AnthropicModel(spec.model, provider=provider)


def _openai(spec: ModelSpec, key: str | None, http: Any) -> "Model[Any]":
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(api_key=key or "none", base_url=spec.base_url, http_client=http)
    if spec.base_url is None:
        return OpenAIChatModel(spec.model, provider=provider)
    compatible = OpenAIModelProfile(
        supports_json_schema_output=True,
        supports_json_object_output=True,
        openai_chat_supports_max_completion_tokens=False,  # compatible servers know the older name
    )
    return OpenAIChatModel(spec.model, provider=provider, profile=compatible)


def _close_http(http: Any) -> Future[None]:
    return submit(http.aclose())
