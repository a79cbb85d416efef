"""The front door: demo."""

import tempfile
import time
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import app
from reverie.cli.output import Output

if TYPE_CHECKING:
    from reverie.demo.story import StoryClock
    from reverie.space import Space

SHOWN = 6  # facts, and answers


@app.command()
def demo(
    keep: Annotated[str | None, typer.Option(help="Keep the store in this new directory.")] = None,
) -> None:
    """Four weeks of one person, a night with its progress, and what it changed. No key, no network."""
    from reverie.demo import story

    output = Output(as_json=False)
    clock = story.StoryClock()
    with tempfile.TemporaryDirectory(prefix="reverie-demo-") as scratch:
        with story.open_demo(keep or scratch, clock) as memory:
            mara = memory.space("mara")
            _awake(output, mara, clock)
            _asleep(output, mara)
            _awake_again(output, mara)
        if keep:
            output.say(f"\nThe store is in {keep}: reverie --home {keep} recall -s mara 'where do I live?'")


def _awake(output: Output, mara: "Space", clock: "StoryClock") -> None:
    from reverie.demo import story

    _head(output, "Awake: four weeks of conversation")
    times = []
    began = time.perf_counter()
    for _ in story.tell(mara, clock):
        now = time.perf_counter()
        times.append((now - began) * 1000)
        began = now
    redacted = sum(turn.redacted for turn in mara.turns(limit=200))
    middle = sorted(times)[len(times) // 2]
    output.say(f"{len(times)} turns appended, durably, {middle:.2f} ms each (median); {redacted} secret taken out")
    _head(output, "Recall before any night")
    _questions(output, mara)


def _asleep(output: Output, mara: "Space") -> None:
    from reverie.cli.progress import NightProgress

    _head(output, "Asleep: one night, by the rules, without a model")
    with NightProgress(output.err) as progress:
        night = mara.sleep(progress=progress)
    took = (night.ended_at or 0) - (night.began_at or 0)
    output.say(f"{night.status} in {took:.1f} s, {night.tokens} tokens")
    _kept(output, mara)
    _not_taken(output, mara)
    _core(output, mara)
    _what_moved(output, mara)


def _awake_again(output: Output, mara: "Space") -> None:
    from reverie.demo import story

    _head(output, "Recall after the night")
    _questions(output, mara)
    _head(output, "Answers before the question")
    for answer in mara.answers(limit=100)[:SHOWN]:
        output.say(f"  {answer.question}")
        output.fold(answer.answer, "    ", "dim")
    output.say("  Asked:")
    for question in (story.LATER, story.UNPREPARED):
        _ask(output, mara, question)
    if mara.answer(story.LATER):
        _correction(output, mara)
    _head(output, "The diary")
    for entry in mara.diary(limit=1):
        output.fold(entry.text)


def _questions(output: Output, mara: "Space") -> None:
    from reverie.demo import story

    for question, found, took in story.ask(mara):
        output.say(f"  {question}  [{took:.1f} ms]")
        output.fold(_short(found, 2 * output.out.width - 20), "    ", "dim")


def _kept(output: Output, mara: "Space") -> None:
    from reverie.model.memories import Filter

    _head(output, "What the night kept: Mara's own words, with the day")
    counts = mara.count()
    output.say("  " + ", ".join(f"{n} {kind}{'s' * (n != 1)}" for kind, n in sorted(counts.items())))
    facts = sorted(mara.all(Filter(kinds=("fact",)), limit=100), key=lambda fact: fact.said_at or 0)
    for fact in facts[:: max(1, len(facts) // SHOWN)][:SHOWN]:
        output.fold(f"fact: {fact.text}", "  ")
    for note in mara.all(Filter(kinds=("note",)), limit=1):
        first, *quotes = note.text.splitlines()
        output.fold(f"note: {first}", "  ")
        for quote in quotes:
            output.fold(quote, "    ")


def _not_taken(output: Output, mara: "Space") -> None:
    from reverie.demo import story

    _head(output, "What it did not take for Mara's word")
    for line, facts, found in story.traps(mara):
        drawn = f"{len(facts)} facts" if facts else "no fact"
        output.fold(f"{line.trap}: {line.tempting}", "  ")
        output.say(f"      {drawn} drawn from it; {'found' if found else 'not found'} by search", "dim")


def _core(output: Output, mara: "Space") -> None:
    _head(output, "Core memory: what every prompt begins with")
    for block in mara.blocks:
        if block.value:
            output.say(f"  {block.label}")
            for line in block.value.splitlines():
                output.fold(line, "    ")


def _what_moved(output: Output, mara: "Space") -> None:
    from reverie.demo import story

    _head(output, "What is current comes first")
    for question, hits in story.moved(mara):
        output.say(f"  {question}")
        for hit in hits:
            output.fold(f"{'earlier: ' if 'earlier' in hit.flags else ''}{hit.text}", "    ")


def _correction(output: Output, mara: "Space") -> None:
    from reverie.demo import story

    _head(output, "A correction wins at once")
    output.say(f"  Mara: “{story.CORRECTION}”")
    story.correct_diet(mara)
    _ask(output, mara, story.LATER)
    for hit in mara.recall(story.LATER, 1):
        output.fold(f"recall, first hit: {hit.text}", "    ")


def _ask(output: Output, mara: "Space", question: str) -> None:
    began = time.perf_counter()
    found = mara.answer(question)
    took = (time.perf_counter() - began) * 1000
    said = f"{found.text} (prepared)" if found else f"no prepared answer ({found.why})"
    output.say(f"  {question}  [{took:.1f} ms]")
    output.fold(said, "    ", "dim")


def _short(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def _head(output: Output, title: str) -> None:
    output.say(f"\n{title}", "bold")
