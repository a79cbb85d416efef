"""Our values to pydantic-ai's and back. Imported only where a model is really called."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic_ai import exceptions as failed
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from reverie.errors import ModelFault
from reverie.minds.llm.client import Call, ChatMessage, Completion, Delta, Finish, ModelUsage, ToolCall
from reverie.minds.llm.spec import ModelSpec

FINISH: Mapping[str, Finish] = {"length": "length", "content_filter": "refused", "tool_call": "tool_call"}

NO_TEMPERATURE = ("openai_supports_reasoning", "anthropic_disallows_sampling_settings")  # traits of a profile

# Servers of one's own (llama.cpp, vLLM) say it in words of theirs, which pydantic-ai takes for any bad request.
_TOO_LONG = re.compile(r"exceed_context_size|exceeds? the (?:available )?context|maximum context length", re.IGNORECASE)

# The order counts: a timeout is a connection error too, and every category may also be an HTTP error.
KINDS: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], str], ...] = (
    ((failed.ModelTimeoutError, failed.ModelRequestTimeout, TimeoutError), "timeout"),
    (failed.ModelRateLimitError, "rate_limited"),
    (failed.ModelQuotaExceededError, "no_credit"),
    (failed.ModelAuthenticationError, "bad_key"),
    (failed.ModelContextWindowExceededError, "prompt_too_long"),
    (failed.ModelRequestRejectedError, "rejected"),
    ((failed.ModelUnavailableError, failed.ModelServerError), "server_error"),
    (failed.ContentFilterError, "refused"),
    (failed.UnexpectedModelBehavior, "garbled"),
    (failed.UserError, "rejected"),
)


def messages(call: Call) -> list[ModelMessage]:
    return [_message(message) for message in call.messages]


def _message(message: ChatMessage) -> ModelMessage:
    if message.role == "assistant":
        parts: list[ModelResponsePart] = [TextPart(message.text)] if message.text else []
        parts += [ToolCallPart(c.name, dict(c.arguments), tool_call_id=c.id) for c in message.tool_calls]
        return ModelResponse(parts)
    part: ModelRequestPart
    if message.role == "system":
        part = SystemPromptPart(message.text)
    elif message.answers is not None:
        part = ToolReturnPart(message.answers.name, message.text, tool_call_id=message.answers.id)
    else:
        part = UserPromptPart(message.text)
    return ModelRequest([part])


def settings(call: Call, spec: ModelSpec, model: Model[Any]) -> ModelSettings:
    wanted = ModelSettings(
        max_tokens=call.max_tokens,
        timeout=spec.timeout,
        request_timeout=spec.timeout,
        max_retries=0,  # retries are ours: the meter must see every attempt
    )
    wanted.update(_economy(spec))  # type: ignore[typeddict-item]
    if not any(model.profile.get(trait) for trait in NO_TEMPERATURE):
        wanted["temperature"] = call.temperature
    return wanted


def _economy(spec: ModelSpec) -> dict[str, Any]:
    """What saves money where the provider has it: marks for its cache, its service tier, how much it reasons."""
    wanted: dict[str, Any] = {"service_tier": spec.tier} if spec.tier else {}
    if spec.provider == "anthropic":
        wanted |= {"anthropic_cache_instructions": True, "anthropic_cache_messages": True}
        return wanted | ({"anthropic_effort": spec.effort} if spec.effort else {})
    if spec.provider == "openai" and spec.base_url is None:
        wanted["openai_prompt_cache_key"] = f"reverie-{spec.role}"
    return wanted | ({"openai_reasoning_effort": spec.effort} if spec.effort else {})


def parameters(call: Call) -> ModelRequestParameters:
    tools = [
        ToolDefinition(name=t.name, parameters_json_schema=dict(t.schema), description=t.description)
        for t in call.tools
    ]
    if call.mode == "text" or call.schema is None:
        return ModelRequestParameters(function_tools=tools)
    shape = OutputObjectDefinition(dict(call.schema), name="answer")
    if call.mode == "schema":
        return ModelRequestParameters(output_mode="native", output_object=shape)
    # Our own prompt names the schema on this rung, so pydantic-ai's template stays out.
    return ModelRequestParameters(output_mode="prompted", output_object=shape, prompted_output_template=False)


def completion(response: ModelResponse, seconds: float) -> Completion:
    used = response.usage
    return Completion(
        text="".join(part.content for part in response.parts if isinstance(part, TextPart)),
        usage=ModelUsage(
            used.input_tokens,
            used.output_tokens,
            used.cache_read_tokens,
            used.details.get("reasoning_tokens", 0) or used.details.get("thinking_tokens", 0),
        ),
        finish=FINISH.get(response.finish_reason or "stop", "stop"),
        thinking="".join(part.content for part in response.parts if isinstance(part, ThinkingPart)),
        tool_calls=tuple(_tool_call(part) for part in response.parts if isinstance(part, ToolCallPart)),
        seconds=seconds,
    )


def _tool_call(part: ToolCallPart) -> ToolCall:
    try:
        arguments = part.args_as_dict()
    except (ValueError, AssertionError):
        arguments = {}
    return ToolCall(part.tool_call_id, part.tool_name, arguments)


def delta(event: object) -> Delta | None:
    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return Delta("text", text) if text else None
        case PartStartEvent(part=ThinkingPart(content=text)):
            return Delta("thinking", text) if text else None
        case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text)):
            return Delta("thinking", text) if text else None
    return None


def fault(error: Exception, model: str) -> ModelFault:
    """The error's kind, without its body: bodies may hold what was sent, and what was sent may be private."""
    if isinstance(error, ModelFault):
        return error
    status: int | None = getattr(error, "status_code", None)
    after: float | None = getattr(error, "retry_after", None)
    said = f"HTTP {status}" if status else type(error).__name__
    return ModelFault(_kind(error), f"{model}: {said}", retry_after=after, status=status)


def _kind(error: Exception) -> str:
    if _TOO_LONG.search(str(getattr(error, "body", ""))):
        return "prompt_too_long"
    for family, kind in KINDS:
        if isinstance(error, family):
            return kind
    if isinstance(error, failed.ModelConnectionError):
        return "cut_off" if error.phase == "read" else "unreachable"
    return "server_error"
