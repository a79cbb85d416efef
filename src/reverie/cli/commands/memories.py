"""Memories by hand: remember, memories, memory, correct, pin, tag; and why one stands where it does: explain."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import HowMany, JsonFlag, SpaceOption, app, kinds_of, open_space, text_of
from reverie.cli.output import Output, when

if TYPE_CHECKING:
    from reverie.model.memories import Memory
    from reverie.policy.core.hints import Explanation


Id = Annotated[str, typer.Argument(help="The memory's id.")]


@app.command()
def remember(
    text: Annotated[str, typer.Argument(help="What to keep; `-` reads standard input.")],
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be given several times.")] = None,
    origin: Annotated[str, typer.Option(help="user, assistant, tool, web, file or unknown.")] = "user",
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Keep a text: found at once, in core memory after the next night."""
    with open_space(as_json, space, begin=True) as (here, output):
        kept = here.remember(text_of(text), tags=tuple(tag or ()), origin=origin, surface="cli")
        output.value(kept, kept.id)


@app.command()
def memories(
    kind: Annotated[
        list[str] | None, typer.Option(help="episode, fact, directive, note, insight, profile or summary.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Has this tag.")] = None,
    limit: HowMany = 50,
    after: Annotated[str | None, typer.Option(help="Go on after this id.")] = None,
    oldest: Annotated[bool, typer.Option("--oldest", help="The oldest first.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List memories, the newest first; what no longer holds is marked."""
    from reverie.model.memories import Filter

    with open_space(as_json, space) as (here, output):
        wanted = Filter(kinds=kinds_of(kind), tags=tuple(tag or ()))
        found = here.all(wanted, limit=limit, after=after, newest_first=not oldest)
        earlier = here.earlier(memory.id for memory in found)
        columns = {
            "id": lambda m: m.id,
            "kind": lambda m: m.kind,
            "tier": lambda m: m.tier,
            "when": lambda m: when(m.said_at),
            "marks": lambda m: ", ".join(marks_of(m, earlier)),
            "text": lambda m: m.text,
        }
        empty = "No memories yet. Try: reverie sleep" if not (kind or tag) else "None of that kind or tag."
        output.rows(found, columns, empty=empty)


def marks_of(memory: "Memory", earlier: frozenset[str] = frozenset()) -> list[str]:
    """What is to be known of a memory besides its words: that it has ended, waits, is pinned."""
    states = {
        "ended": memory.stale or memory.valid_until is not None,
        "earlier": memory.id in earlier,
        "pinned": memory.pinned,
        "correction": memory.correction,
        "quarantined": memory.quarantined,
        "left out": memory.excluded is not None,
    }
    return [word for word, holds in states.items() if holds]


@app.command()
def directives(space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """List how the user wants to be served, in their words, the newest first."""
    with open_space(as_json, space) as (here, output):
        columns = {
            "id": lambda m: m.id,
            "when": lambda m: when(m.said_at),
            "scope": lambda m: m.marks.get("scope", ""),
            "text": lambda m: m.text,
        }
        output.rows(here.directives(), columns, empty="No directives yet. A nap finds them in what the user says.")


@app.command()
def memory(id: Id, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Show one memory: text, provenance, validity, tags."""
    with open_space(as_json, space) as (here, output):
        found = here.memory(id)
        output.value(found, lambda: show(output, found))


@app.command()
def correct(
    id: Annotated[str, typer.Argument(help="The id of the memory or turn that is wrong.")],
    text: Annotated[str, typer.Argument(help="What is true instead.")],
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Say what is true instead. A correction always wins; the old memory stays, superseded."""
    with open_space(as_json, space) as (here, output):
        right = here.correct(id, text, surface="cli")
        output.value(right, f"{right.id} corrects {id}")


@app.command()
def pin(id: Id, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Keep a memory hot and exempt from decay."""
    with open_space(as_json, space) as (here, output):
        output.value(here.pin(id), f"{id} is pinned")


@app.command()
def unpin(id: Id, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Take a pin back."""
    with open_space(as_json, space) as (here, output):
        output.value(here.unpin(id), f"{id} is no longer pinned")


@app.command()
def tag(
    id: Id,
    tags: Annotated[list[str], typer.Argument(help="Tags to add.")],
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Add tags of your own; nights never touch them."""
    with open_space(as_json, space) as (here, output):
        kept = here.tag(id, *tags)
        output.value(kept, f"{id}: {', '.join(kept.manual_tags)}")


@app.command()
def untag(
    id: Id,
    tags: Annotated[list[str], typer.Argument(help="Tags to take away.")],
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Take tags of your own away."""
    with open_space(as_json, space) as (here, output):
        kept = here.untag(id, *tags)
        output.value(kept, f"{id}: {', '.join(kept.manual_tags) or 'no tags'}")


def show(output: Output, memory: "Memory") -> None:
    output.say(memory.text)
    lines = {
        "kind": memory.kind,
        "said": when(memory.said_at),
        "holds": f"{when(memory.valid_from)} – {when(memory.valid_until) or 'now'}" if memory.valid_from else None,
        "about": " ".join(filter(None, (memory.subject, memory.predicate, memory.value))) or None,
        "tier": memory.tier,
        "tags": ", ".join(memory.tags) or None,
        "confidence": f"{memory.confidence:.2f}",
        "importance": f"{memory.importance:.2f}",
        "origin": f"{memory.origin} (trust: {memory.trust.name.lower()})",
        "sources": ", ".join(memory.sources),
        "marks": ", ".join(n for n in ("pinned", "stale", "correction", "quarantined") if getattr(memory, n)) or None,
    }
    for name, value in lines.items():
        if value:
            output.say(f"  {name:<11} {value}")


@app.command()
def explain(
    id: Annotated[str, typer.Argument(help="A memory's id.")], space: SpaceOption = None, as_json: JsonFlag = False
) -> None:
    """A memory's evidence against every gate, its tier, and what would change either."""
    with open_space(as_json, space) as (here, output):
        found = here.explain(id)
        output.value(found, lambda: tell_explanation(output, found))


def tell_explanation(output: Output, found: "Explanation") -> None:
    memory, verdict = found.memory, found.verdict
    output.say(f"{memory.kind} {memory.id}: {memory.text}", "bold")
    if found.core:
        output.say(f"in core: {', '.join(found.core)} (promoted by {found.promoted})")
    output.say(f"{'passes' if verdict.promoted else 'does not pass'}: {verdict.why}")
    for gate in verdict.gates:
        output.say(f"  {'ok  ' if gate.ok else 'LOW '} {gate.gate:<17}{gate.value:8.2f}  needs {gate.needed:g}")
    for name, value in asdict(verdict.signals).items():
        output.say(f"       {name:<17}{value:8.2f}", "dim")
    output.say(f"       {'candidate truth':<17}{verdict.truth:8.2f}", "dim")
    for missing in found.would_change:
        output.say(f"  would help: {missing}")
    where = found.placement
    output.say(f"tier {memory.tier}: belongs in {where.tier}, {where.reason} ({where.why})")
