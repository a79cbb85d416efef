"""The real OpenAI and Anthropic SDKs through the proxy, to a provider on loopback that keeps what it was sent."""

import json
import re
import time
import urllib.request
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import openai
import pytest

from reverie import Reverie, Space
from reverie.server.proxy import memory as proxy_memory
from reverie.server.proxy.memory import DEADLINE
from tests.support.proxied import KEY, PROVIDER_KEY, World, proxied
from tests.support.serving import TOKEN, bearer
from tests.support.waiting import until

FILLER = "behind the door with the blue paint that nobody has opened since the house was sold to the baker"
MARK = "<reverie-memory"
CHAT_TOOL: Any = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
CLAUDE_TOOL: Any = {"name": "look", "input_schema": {"type": "object", "properties": {}}}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with proxied(tmp_path_factory.mktemp("proxy")) as made:
        yield made


@pytest.fixture(autouse=True)
def _in_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine memory may be late; only where that is the point it is left out."""
    monkeypatch.setattr(proxy_memory, "DEADLINE", 10.0)
    world.provider.requests.clear()
    world.provider.said = lambda _request: "Noted."
    world.provider.break_off, world.provider.status = False, 200


def says(answer: str, _request: Any) -> str:
    return answer


def calls(id: str, _request: Any) -> Any:
    return {"name": "look", "input": {}, "id": id}


def text_of(message: Any) -> str:
    content = message["content"] if isinstance(message, dict) and "content" in message else message
    return content if isinstance(content, str) else " ".join(str(part.get("text", "")) for part in content or ())


def assert_prefix_stable(conversations: list[list[Any]]) -> None:
    for earlier, later in pairwise(conversations):
        assert later[: len(earlier)] == earlier


@pytest.mark.parametrize("stream", [False, True])
def test_a_chat_has_memory_and_is_kept(world: World, stream: bool) -> None:
    space, client = world.space(f"chat {stream}"), world.openai(f"chat {stream}")
    asked: list[Any] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Where is the spare key?"},
    ]
    if stream:
        with client.chat.completions.create(model="m", messages=asked, stream=True) as events:
            said = "".join(event.choices[0].delta.content or "" for event in events)
    else:
        raw = client.chat.completions.with_raw_response.create(model="m", messages=asked)
        said = raw.parse().choices[0].message.content or ""
        assert raw.headers["x-reverie-memory"] == "added"
        assert raw.headers["x-provider"] == "fake"
    (sent,) = world.provider.conversations()
    assert said == "Noted."
    assert sent[0] == asked[0]
    assert KEY in text_of(sent[1])
    assert "Mara" in text_of(sent[1])
    assert sent[1]["content"][0] == {"type": "text", "text": "Where is the spare key?"}
    assert world.kept(space, 2) == [("user", "Where is the spare key?"), ("assistant", "Noted.")]
    assert world.provider.requests[0].headers["authorization"] == f"Bearer {PROVIDER_KEY}"
    assert not [name for name in world.provider.requests[0].headers if name.startswith("x-reverie")]


@pytest.mark.parametrize("stream", [False, True])
def test_responses_go_on_where_the_last_one_ended(world: World, stream: bool) -> None:
    space, client = world.space(f"responses {stream}"), world.openai(f"responses {stream}")
    last = None
    for question in ("Where is the spare key?", "Thank you. Is it far?"):
        if stream:
            with client.responses.stream(
                model="m", input=question, **({"previous_response_id": last} if last else {})
            ) as events:
                done = events.until_done().get_final_response()
        else:
            done = client.responses.create(model="m", input=question, previous_response_id=last)
        assert done.output_text == "Noted."
        last = done.id
    first, second = world.provider.conversations("input")
    assert KEY in json.dumps(first)
    assert KEY not in json.dumps(second), "what was shown once is with the provider"
    assert world.provider.requests[1].json["previous_response_id"]
    assert [role for role, _ in world.kept(space, 4)] == ["user", "assistant"] * 2
    assert len({turn.session for turn in space.turns()}) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_messages_keep_their_thinking(world: World, stream: bool) -> None:
    space, client = world.space(f"messages {stream}"), world.anthropic(f"messages {stream}")
    given: dict[str, Any] = {"model": "m", "max_tokens": 2_000, "thinking": {"type": "enabled", "budget_tokens": 1_024}}
    asked: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    if stream:
        with client.messages.stream(messages=asked, **given) as events:
            said = events.get_final_message()
    else:
        said = client.messages.create(messages=asked, **given)
    assert [part.type for part in said.content] == ["thinking", "text"]
    answer = [part.model_dump(exclude_none=True) for part in said.content]
    client.messages.create(messages=[*asked, {"role": "assistant", "content": answer}, *asked], **given)
    first, second = world.provider.conversations()
    assert KEY in text_of(first[0])
    assert second[1]["content"][0] == {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    assert_prefix_stable([first, second])
    assert [role for role, _ in world.kept(space, 4)] == ["user", "assistant"] * 2


def test_counted_tokens_have_the_block_and_are_kept_nowhere(world: World) -> None:
    space, client = world.space("counting"), world.anthropic("counting")
    asked: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    counted = client.messages.count_tokens(model="m", messages=asked).input_tokens
    client.messages.create(model="m", max_tokens=9, messages=asked)
    assert counted > len(json.dumps(asked)) // 4
    counting, asking = world.provider.conversations()
    assert counting == asking
    assert len(world.kept(space, 2)) == 2


def test_what_goes_upstream_is_prefix_stable_over_a_loop_of_ten_tool_calls(world: World) -> None:
    space, client = world.space("tools"), world.anthropic("tools")
    messages: list[Any] = [{"role": "user", "content": [{"type": "text", "text": "Where is the spare key?"}]}]
    for n in range(10):
        world.provider.said = partial(calls, f"toolu_{n}")
        said = client.messages.create(model="m", max_tokens=9, messages=messages, tools=[CLAUDE_TOOL])
        messages.append({"role": "assistant", "content": [part.model_dump(exclude_none=True) for part in said.content]})
        result = {"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": f"drawer {n} is empty"}
        messages.append({"role": "user", "content": [result]})
        space.remember(f"Note {n}: the spare key has a red tag.")  # what is learned meanwhile changes nothing sent
    sent = world.provider.conversations()
    assert len(sent) == 10
    assert_prefix_stable(sent)
    assert all(KEY in text_of(one[0]) for one in sent), "memory is still there after a tool call"
    assert [message for message in sent[-1][1:] if MARK in json.dumps(message)] == []
    assert [role for role, _ in world.kept(space, 10)] == ["user", *["tool"] * 9]
    assert {turn.origin for turn in space.turns() if turn.role == "tool"} == {"tool"}


@pytest.mark.parametrize("stream", [False, True])
def test_a_tool_loop_of_chats_is_prefix_stable(world: World, stream: bool) -> None:
    space, client = world.space(f"chat tools {stream}"), world.openai(f"chat tools {stream}")
    messages: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    for n in range(10):
        world.provider.said = partial(calls, f"call_{n}")
        made = client.chat.completions.create(model="m", messages=messages, tools=[CHAT_TOOL], stream=stream)
        said = [one.choices[0].delta for one in made] if stream else [made.choices[0].message]
        (call,) = said[0].tool_calls
        assert (call.id, call.function.name) == (f"call_{n}", "look")
        called = {"id": call.id, "type": "function", "function": {"name": "look", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [called]})
        messages.append({"role": "tool", "tool_call_id": call.id, "content": f"drawer {n} is empty"})
        space.remember(f"Note {n}: the spare key has a red tag.")
    sent = world.provider.conversations()
    assert len(sent) == 10
    assert_prefix_stable(sent)
    assert all(KEY in text_of(one[0]) for one in sent), "memory is still there after a tool call"
    assert [role for role, _ in world.kept(space, 10)] == ["user", *["tool"] * 9]


def test_a_tool_loop_of_responses_is_prefix_stable(world: World) -> None:
    space, client = world.space("response tools"), world.openai("response tools")
    items: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    tool = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}
    for n in range(10):
        world.provider.said = partial(calls, f"call_{n}")
        made = client.responses.create(model="m", input=items, tools=[tool], store=False)
        items += [one.model_dump(exclude_none=True) for one in made.output]
        items.append({"type": "function_call_output", "call_id": f"call_{n}", "output": f"drawer {n} is empty"})
        space.remember(f"Note {n}: the spare key has a red tag.")
    sent = world.provider.conversations("input")
    assert len(sent) == 10
    assert_prefix_stable(sent)
    assert all(KEY in text_of(one[0]) for one in sent), "memory is still there after a tool call"
    assert [role for role, _ in world.kept(space, 10)] == ["user", *["tool"] * 9]


def test_what_goes_upstream_is_prefix_stable_over_twenty_turns_and_a_restart(world: World, tmp_path: Path) -> None:
    messages: list[Any] = []
    with Reverie.open(tmp_path, embedder="none", durable=False) as memory:
        for n in range(100):
            memory.space("turns").remember(f"The key number {n} hangs in room {n}, {FILLER}.")
    for half in (range(10), range(10, 20)):
        with proxied(tmp_path, world.provider) as again:
            client = again.openai("turns", **{"x-reverie-session": "s1"})
            for n in half:
                messages.append({"role": "user", "content": f"Where is the key number {n + 40}?"})
                said = client.chat.completions.create(model="m", messages=messages).choices[0].message.content
                messages.append({"role": "assistant", "content": said})
    with Reverie.open(tmp_path, embedder="none", durable=False) as memory:
        sent = world.provider.conversations()
        assert_prefix_stable(sent)
        blocks = [text_of(message) for message in sent[-1] if MARK in text_of(message)]
        assert len(blocks) >= 10
        shown = re.findall(r"\[([0-9a-z]{6})\]", " ".join(blocks[1:]))
        assert len(shown) == len(set(shown)), "nothing is told twice"
        assert len(memory.space("turns").turns(limit=100)) == 40


def test_what_was_added_never_comes_back_as_a_memory(world: World) -> None:
    """A model that repeats all it is told, word for word and in its own marks, for ten turns and a nap."""
    space, client = world.space("echo"), world.openai("echo", **{"x-reverie-session": "echo"})
    (note,) = space.all()
    messages: list[Any] = []
    world.provider.said = lambda request: f"You said: {text_of(request['messages'][-1])} {KEY} Good."
    for n in range(10):
        messages.append({"role": "user", "content": f"Where is the spare key{'?' * (n + 1)}"})
        said = client.chat.completions.create(model="m", messages=messages).choices[0].message.content
        messages.append({"role": "assistant", "content": said})
    world.kept(space, 20)
    space.nap()
    kept = [turn.text for turn in space.turns(limit=100)]
    assert [text for text in kept if MARK in text or KEY in text] == []
    told = [memory for memory in space.all(limit=500) if KEY in memory.text]
    assert {source for memory in told for source in memory.sources} == {note.id}


def test_with_mode_off_the_bytes_are_identical(world: World) -> None:
    space = world.space("off")
    question = b'{"role":"user","content":"Where is the spare key\\u003f"}'
    body = b'{ "model":"m",\n "messages" :[' + question + b'], "seed": 1e3, "seed": 2 }'
    headers = {"x-reverie-key": TOKEN, "x-reverie-space": "off", "content-type": "application/json"}
    for mode, path in (
        ("off", "/openai/v1/chat/completions"),
        ("off", "/anthropic/v1/messages"),
        ("read", "/openai/v1/files"),
    ):
        request = urllib.request.Request(world.address + path, body, {**headers, "x-reverie-mode": mode})
        with urllib.request.urlopen(request, timeout=20) as reply:
            reply.read()
    assert [one.body for one in world.provider.requests] == [body] * 3
    assert space.turns() == []


def test_only_the_block_is_added_to_the_bytes(world: World) -> None:
    world.space("bytes")
    asked = b'{"content" : "Where is the spare key\\u003f" ,"role":"user","x":1e3}'
    body = b'{ "messages" :[' + asked + b'],\n "model":"m", "unknown": {"b":1, "a":[]} }'
    headers = {"x-reverie-key": TOKEN, "x-reverie-space": "bytes", "x-reverie-mode": "read"}
    with urllib.request.urlopen(
        urllib.request.Request(f"{world.address}/openai/v1/chat/completions", body, headers)
    ) as reply:
        reply.read()
    sent = world.provider.requests[0].body
    before, after = body.split(b'"Where is the spare key\\u003f"')
    assert sent.startswith(before + b'[{"type":"text","text":"Where is the spare key\\u003f"},{"type":"text","text":"')
    assert sent.endswith(b'"}]' + after)


@pytest.mark.parametrize("how", ["slow", "down"])
def test_without_memory_a_request_passes_in_time(world: World, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    world.space(how)
    client = world.openai(how)

    def broken(*_args: Any, **_more: Any) -> Any:
        if how == "slow":
            time.sleep(1)
        raise OSError("no store")

    asked: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    monkeypatch.setattr(Space, "for_prompt", broken)
    monkeypatch.setattr(proxy_memory, "DEADLINE", DEADLINE)
    began = time.monotonic()
    raw = client.chat.completions.with_raw_response.create(model="m", messages=asked)
    assert time.monotonic() - began < 0.9  # the deadline is 0.15 s; memory would take a second
    assert raw.headers["x-reverie-memory"] == "skipped"
    monkeypatch.undo()
    messages: list[Any] = [
        *asked,
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": "And now the spare key?"},
    ]
    client.chat.completions.create(model="m", messages=messages)
    first, second = world.provider.conversations()
    assert first == asked
    assert_prefix_stable([first, second])


def test_the_same_request_twice_is_one_turn(world: World) -> None:
    space, client = world.space("twice"), world.openai("twice")
    asked: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    for answer in ("Noted.", "Said anew."):
        world.provider.said = partial(says, answer)
        client.chat.completions.create(model="m", messages=asked)
    client.chat.completions.create(model="m", messages=[*asked, {"role": "assistant", "content": "Noted."}, *asked])
    first, second, third = world.provider.conversations()
    assert first == second
    assert_prefix_stable([first, third])
    assert [text for role, text in world.kept(space, 4) if role == "user"] == ["Where is the spare key?"] * 2


def test_a_broken_stream_is_kept_as_far_as_it_came(world: World) -> None:
    space, client = world.space("broken"), world.openai("broken")
    world.provider.said, world.provider.break_off = lambda _request: "One two three four five six seven.", True
    with pytest.raises(openai.APIConnectionError):
        list(client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi."}], stream=True))
    until(lambda: len(space.turns()) == 2, 10)
    assert "One two three four five six seven.".startswith(space.turns()[1].text)
    assert space.turns()[1].metadata == {"partial": True}


def test_what_the_provider_refuses_is_told_and_not_kept(world: World) -> None:
    space, client = world.space("refused"), world.openai("refused").with_options(max_retries=0)
    world.provider.status = 429
    with pytest.raises(openai.RateLimitError, match="try later"):
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi."}])
    assert space.turns() == []


def test_who_may_not_write_is_not_kept_and_who_may_not_come_in_is_told(world: World) -> None:
    space = world.space("readers")
    asked: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    reader = bearer(world.memory, "read", space="readers")["authorization"].removeprefix("Bearer ")
    client = world.openai("readers", **{"x-reverie-key": reader})
    assert (
        client.chat.completions.with_raw_response.create(model="m", messages=asked).headers["x-reverie-memory"]
        == "added"
    )
    assert space.turns() == []
    other = world.openai("alone", **{"x-reverie-key": reader})
    world.space("alone")
    assert (
        other.chat.completions.with_raw_response.create(model="m", messages=asked).headers["x-reverie-memory"]
        == "skipped"
    )
    stranger = world.openai("readers", **{"x-reverie-key": "rv_nobody"})
    with pytest.raises(openai.AuthenticationError, match="not known"):
        stranger.chat.completions.create(model="m", messages=asked)
    with pytest.raises(openai.UnprocessableEntityError, match="x-reverie-mode is one of"):
        world.openai("readers", **{"x-reverie-mode": "of"}).chat.completions.create(model="m", messages=asked)


def test_an_agent_with_a_memory_tool_asks_for_itself(world: World) -> None:
    world.space("asks")
    tool: Any = {"type": "function", "function": {"name": "mcp__reverie__memory_search"}}
    asked: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    world.openai("asks").chat.completions.create(model="m", messages=asked, tools=[tool])
    assert world.provider.conversations() == [asked]


def test_the_rest_is_passed_through_and_the_providers_key_is_nowhere_in_the_home(world: World) -> None:
    assert [model.id for model in world.openai("alice").models.list()] == ["fake-1"]
    assert world.provider.requests[0].path == "/v1/models"
    asked: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    space, client = world.space("keyless"), world.openai("keyless")
    client.chat.completions.create(model="m", messages=asked)
    list(client.chat.completions.create(model="m", messages=[*asked, *asked], stream=True))
    world.anthropic("keyless").messages.create(model="m", max_tokens=9, messages=asked)
    world.provider.status = 401
    with pytest.raises(openai.AuthenticationError):
        client.chat.completions.create(model="m", messages=asked)
    assert world.kept(space, 4)
    assert all(PROVIDER_KEY in str(one.headers) for one in world.provider.requests)
    home = world.memory.home
    held = [path for path in home.rglob("*") if path.is_file() and PROVIDER_KEY.encode() in path.read_bytes()]
    assert held == []
    with urllib.request.urlopen(
        urllib.request.Request(f"{world.address}/metrics", headers={"x-reverie-key": TOKEN})
    ) as reply:
        text = reply.read().decode()
    assert 'route="/openai/v1/chat/completions"' in text
    assert 'reverie_proxied_requests_total{api="chat",memory="added"}' in text
    assert 'reverie_calls_total{name="messages",status="ok",surface="proxy"}' in text
    assert TOKEN not in text


def test_a_forgotten_memory_is_not_sent_again(world: World) -> None:
    space, client = world.space("forgets"), world.openai("forgets")
    asked: list[Any] = [{"role": "user", "content": "Where is the spare key?"}]
    client.chat.completions.create(model="m", messages=asked)
    until(lambda: space.added_blocks(space.turns()[0].session) if space.turns() else None, 10)
    space.forget(query="spare key with Ana")
    client.chat.completions.create(model="m", messages=[*asked, {"role": "assistant", "content": "Noted."}, *asked])
    assert KEY in json.dumps(world.provider.conversations()[0])
    assert KEY not in json.dumps(world.provider.conversations()[1])
