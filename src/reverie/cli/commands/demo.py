"""The front door: demo."""

import tempfile
import time
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import app
from reverie.cli.output import Output, when

if TYPE_CHECKING:
    from reverie.demo.story import StoryClock
    from reverie.model.memories import Memory
    from reverie.model.night import Night
    from reverie.space import Space

SHOWN = 6  # answers


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
    _head(output, "What changed, and why")
    _knowledge(output, mara)
    _updates(output, mara)
    _core(output, mara)
    _notes_of(output, night)


def _awake_again(output: Output, mara: "Space") -> None:
    from reverie.demo import story

    _head(output, "Recall after the night")
    _questions(output, mara)
    _head(output, "Answers before the question")
    ready = mara.answers(limit=100)
    for answer in ready[:SHOWN]:
        output.say(f"  {answer.question:<26}{_short(answer.answer, output.out.width - 29)}")
    output.say(f"  … and {len(ready) - SHOWN} more" if len(ready) > SHOWN else "")
    _ask(output, mara, story.LATER)
    if mara.answer(story.LATER):
        output.say(f"  Mara corrects it: “{story.CORRECTION}”")
        story.correct_home(mara)
        _ask(output, mara, story.LATER)
    _head(output, "The diary")
    for entry in mara.diary(limit=1):
        output.fold(entry.text)


def _questions(output: Output, mara: "Space") -> None:
    from reverie.demo import story

    for question, found, took in story.ask(mara):
        output.say(
            f"  {question:<24}{took:5.1f} ms  {_short(found[0] if found else '(nothing)', output.out.width - 37)}"
        )
        for fact in found[1:]:
            output.say(f"{'':<36}fact: {_short(fact, output.out.width - 43)}")


def _ask(output: Output, mara: "Space", question: str) -> None:
    began = time.perf_counter()
    found = mara.answer(question)
    took = (time.perf_counter() - began) * 1000
    said = f"{found.text} (prepared)" if found else "no prepared answer"
    output.say(f"  {question}  →  {said}  [{took:.1f} ms]")
    output.fold(found.why, "      ", "dim")


def _knowledge(output: Output, mara: "Space") -> None:
    from reverie.model.memories import Filter

    counts = mara.count()
    output.say("  " + ", ".join(f"{n} {kind}{'s' * (n != 1)}" for kind, n in sorted(counts.items())))
    for note in mara.all(Filter(kinds=("note",)), limit=2):
        output.fold(f"note: {_short(note.text)}", "  ")
    for profile in mara.all(Filter(kinds=("profile",)), limit=1):
        output.fold(f"profile: {_short(profile.text)}", "  ")


def _updates(output: Output, mara: "Space") -> None:
    shown = set()
    for record in mara.contradictions(limit=10):
        older, newer = mara.memory(record.older), mara.memory(record.newer)
        if (older.text, newer.text) in shown:  # said a second time
            continue
        shown.add((older.text, newer.text))
        output.fold(f"{record.kind}: {_fact(older)} → {newer.text}", "  ")
        output.say(f"      because {record.evidence.removeprefix('update: ')}", "dim")


def _core(output: Output, mara: "Space") -> None:
    for block in mara.blocks:
        if block.value:
            output.say(f"  core memory, {block.label}:")
            for line in block.value.splitlines():
                output.say(f"    + {line}")


def _notes_of(output: Output, night: "Night") -> None:
    for step, lines in night.told.items():
        if step in ("promote", "rethink"):
            for line in lines[:3]:
                output.fold(f"{step}: {line}", "  ", "dim")


def _fact(memory: "Memory") -> str:
    return f"{memory.text} (held until {when(memory.valid_until)[:10]})" if memory.valid_until else memory.text


def _short(text: str, room: int = 150) -> str:
    return text if len(text) <= max(room, 20) else text[: max(room, 20) - 1] + "…"


def _head(output: Output, title: str) -> None:
    output.say(f"\n{title}", "bold")
