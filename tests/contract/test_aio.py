"""The awaitable verbs do what the others do."""

import asyncio

from reverie import aio


def test_a_conversation_on_an_event_loop(location: str) -> None:
    async def talk() -> tuple[list[str], str, str]:
        async with await aio.Reverie.open(location, embedder="none", durable=False) as memory:
            alice = await memory.space("alice")
            await asyncio.gather(*(alice.append("user", f"I like tea number {n}") for n in range(5)))
            hits = await alice.recall("tea", 3)
            await alice.block_append("human", "Likes tea.")
            context = await alice.context("tea", 500)
            night = await alice.nap()
            return [hit.kind for hit in hits], context.text, night.status

    kinds, text, status = asyncio.run(talk())
    assert (kinds, status) == (["turn"] * 3, "done")
    assert "Likes tea." in text
