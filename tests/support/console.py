"""Stores for the console's tests: four weeks of one person with something to decide, and texts that mean harm."""

from pathlib import Path

from reverie.demo import story
from reverie.model.blocks import Block, Review
from reverie.model.memories import Contradiction
from tests.support.nights import put_contradiction, put_review

HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">",
    "</bdi></a><form action=//evil.example><button>Save</button></form>",
    "\u202egnp.exe\u2066 \u200b\u200d {{7*7}} {% raw %} ${7*7} javascript:alert(1)",
    "[click](javascript:alert(1)) https://evil.example/?leak=1 data:text/html,<script>1</script>",
    "x" * 100_000,
    "line\n" * 2_000,
)


def console_home(where: Path) -> None:
    """Four weeks of one person, slept over; a proposal and a contradiction wait, and a reminder."""
    clock = story.StoryClock()
    with story.open_demo(str(where), clock) as memory:
        mara = memory.space("mara")
        for _ in story.tell(mara, clock):
            pass
        mara.sleep()
        persona = mara.blocks["persona"].read()
        put_review(memory.parts.db, _proposal(mara.id, persona, clock()))
        lisbon, porto = mara.remember("I live in Lisbon."), mara.remember("I live in Porto.")
        clash = Contradiction(
            "clash-1", mara.id, lisbon.id, porto.id, "conflict", "open", None, "two homes", None, clock()
        )
        put_contradiction(memory.parts.db, clash)
        mara.append("user", "The deadline moved to 18 December.", "late")
        mara.intend("call Ana", "the garden")
        mara.pause()  # it sleeps when it is asked to, and not by itself


def _proposal(space: str, block: Block, now: float) -> Review:
    text = "Speaks plainly."
    return Review(
        "review-1", space, "block", block.id, block.label, text, "", "said twice", (), "open", block.version, now
    )
