"""Sleep: sleep, nights, night, diary, undo, redo, cancel, pause, resume."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import HowMany, JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import Output, noun, when
from reverie.errors import BadInput, NotFound

if TYPE_CHECKING:
    from reverie.model.night import Change, Night, NightKind, NightStep
    from reverie.space import Space


NightId = Annotated[str, typer.Argument(help="The night's id, or `last`; `reverie nights` lists them.")]
FAULT = "fault_"
SHOWN = 5  # lines that one step says
SAID = {"skipped": "skipped: ", "failed": "failed: ", "requested": "stopped: "}


@app.command()
def sleep(
    nap: Annotated[bool, typer.Option("--nap", help="Only what is new.")] = False,
    night: Annotated[bool, typer.Option("--night", help="Everything (the default).")] = False,
    if_due: Annotated[bool, typer.Option("--if-due", help="Ask the gates once; for cron and hooks.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show what every gate says, without sleeping.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the diff and write nothing.")] = False,
    reprocess: Annotated[list[str] | None, typer.Option(help="Redo a step over all memories.")] = None,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Sleep now, here: consolidate, resolve, link, promote, anticipate."""
    if nap and night:
        raise BadInput("--nap and --night exclude each other")
    from reverie.cli.progress import NightProgress

    kind: NightKind = "nap" if nap else "night"
    with open_space(as_json, space) as (here, output):
        if explain:
            _explain(here, output)
        elif dry_run:
            with output.waiting("dreaming on a copy"):
                dry = here.dry_run(kind)
            output.value(dry, lambda: _tell_diff(output, here, dry.diff, "would change"))
        else:
            with NightProgress(output.err, quiet=as_json) as progress, _stoppable(output):
                done = here.sleep_if_due(progress=progress) if if_due else None
                if not if_due:
                    done = here.sleep(kind, progress=progress, reprocess=tuple(reprocess or ()))
            _tell_end(output, done)
            if done is not None and done.status == "failed":
                raise typer.Exit(1)


@contextmanager
def _stoppable(output: Output) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        output.err.print("Stopped. What is done stays; the next `reverie sleep` goes on from there.", style="dim")
        raise


@app.command()
def nights(limit: HowMany = 20, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """The history of nights, newest first, skipped ones too."""
    from reverie.policy.sleep.verdict import verdict

    with open_space(as_json, space) as (here, output):
        columns = {
            "id": lambda n: n.id,
            "kind": lambda n: n.kind,
            "when": lambda n: when(n.began_at or n.requested_at),
            "status": lambda n: n.status,
            "went": lambda n: verdict(n).colour,
            "trigger": lambda n: n.trigger,
            "cost": lambda n: f"{n.tokens} tokens" if n.tokens else "",
            "why": lambda n: "; ".join(verdict(n).reasons),
        }
        output.rows(here.nights(limit=limit), columns, empty="No nights yet. Try: reverie sleep")


@app.command()
def night(
    id: NightId,
    diff: Annotated[bool, typer.Option("--diff", help="Show what it changed, row by row.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """One night: its steps, counts, times, and what it changed."""
    from reverie.policy.sleep.verdict import verdict

    with open_space(as_json, space) as (here, output):
        report = here.night(_night_id(here, id))
        how = verdict(report.night)
        changes = here.night_diff(report.night.id) if diff else []

        def say() -> None:
            _tell_end(output, report.night)
            output.say(f"  {how.colour}{': ' if how.reasons else ''}{'; '.join(how.reasons)}", "dim")
            _tell_steps(output, report.steps)
            _tell_notes(output, report.night)
            if diff:
                _tell_diff(output, here, changes, "changed")

        shown = {"night": report.night, "steps": report.steps, "verdict": how, **({"diff": changes} if diff else {})}
        output.value(shown, say)


@app.command()
def undo(id: NightId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Take a night back. Its sources stay suppressed until `reverie redo`."""
    with open_space(as_json, space) as (here, output):
        id = _night_id(here, id)
        with output.waiting("taking it back"):
            rows = here.undo(id)
        counts = ", ".join(f"{n} {noun(name, n)}" for name, n in rows.items()) or "nothing had changed"
        output.value({"undone": id, "rows": rows}, f"undone: {counts}")


@app.command()
def redo(id: NightId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Let the next night think again about what an undo held back."""
    with open_space(as_json, space) as (here, output):
        n = here.redo(_night_id(here, id))
        output.value({"redo": id, "released": n}, f"{n} sources are free for the next night")


@app.command()
def cancel(id: NightId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Stop a running night at its next batch."""
    with open_space(as_json, space) as (here, output):
        stopped = here.cancel(_night_id(here, id))
        output.value({"cancelled": stopped}, "cancelled" if stopped else "it had already ended")


@app.command()
def pause(space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Stop sleeping by itself until `reverie resume`; `reverie sleep` still works."""
    with open_space(as_json, space) as (here, output):
        here.pause()
        output.value({"paused": True}, "paused")


@app.command()
def resume(space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Let the space sleep by itself again."""
    with open_space(as_json, space) as (here, output):
        here.pause(False)
        output.value({"paused": False}, "resumed")


def _night_id(here: "Space", id: str) -> str:
    """`last` is the latest run that was not skipped."""
    if id != "last":
        return id
    ran = [night.id for night in here.nights(limit=50) if night.status != "skipped"]
    if not ran:
        raise NotFound("night", id, next_move="Try: reverie sleep")
    return str(ran[0])


def _explain(here: "Space", output: Output) -> None:
    report = here.explain_sleep()

    def say() -> None:
        output.say(f"due: {report.due.kind}, {report.due.why}" if report.due else "nothing is due")
        for answer in report.answers:
            output.say(f"  {'open  ' if answer.open else 'closed'} {answer.gate:<9} {answer.why}")
        if report.due is None and report.next is not None:
            output.say(f"next: {report.next.kind} at {when(report.next.due_at)} UTC, {report.next.why}")

    output.value(report, say)


def _tell_end(output: Output, night: "Night | None") -> None:
    if night is None:
        output.value({"due": False}, "nothing is due; `reverie sleep --explain` says why")
        return
    seconds = (night.ended_at or 0) - (night.began_at or 0) if night.began_at and night.ended_at else 0.0
    why = night.error or (night.why if night.status == "skipped" else f"{seconds:.1f} s, {night.tokens} tokens")
    instead = _rules_instead(night)
    output.value(night, f"{night.kind} {night.id} {SAID.get(night.status, night.status + ': ')}{why}{instead}")


def _rules_instead(night: "Night") -> str:
    """What a model was set for and did not do, and why; nobody should have to add up the steps."""
    counts = {name: n for name, n in night.counts.items() if name.startswith(FAULT) and isinstance(n, int) and n}
    done = counts.pop(f"{FAULT}fallback", 0)
    if not done:
        return ""
    why = ", ".join(f"{n} {name.removeprefix(FAULT).replace('_', ' ')}" for name, n in sorted(counts.items()))
    return f"; the rules stood in for the model {done} {noun('times', done)}: {why}"


def _tell_steps(output: Output, steps: "tuple[NightStep, ...]") -> None:
    for step in steps:
        counts = ", ".join(f"{n} {noun(name, n)}" for name, n in step.counts.items() if n and name != "sequence")
        output.say(f"  {step.status:<8}{step.step:<12}{step.duration_ms:7.0f} ms  {step.error or counts}")


def _tell_notes(output: Output, night: "Night") -> None:
    for step, lines in night.told.items():
        for line in lines[:SHOWN]:
            output.fold(f"{step}: {line}", "  ", "dim")
        if len(lines) > SHOWN:
            output.say(f"  {step}: … and {len(lines) - SHOWN} more; --json has all", "dim")


def _tell_diff(output: Output, here: "Space", changes: "list[Change]", what: str) -> None:
    output.say(f"{what} {len(changes)} {noun('rows', len(changes))}")
    for change in changes:
        mark = "+" if change.before is None else "-" if change.after is None else "~"
        output.say(f"  {mark} {change.step:<12}{change.relation:<16}{' '.join(_row_text(here, change).split())[:90]}")


def _row_text(here: "Space", change: "Change") -> str:
    """What a row says, if it says something; else which of its columns moved. The journal keeps no copy of new rows."""
    row = change.after or change.before or {}
    if "kind" in row and "text" in row:
        return f"{row['kind']}: {row['text']}"
    if change.relation == "memories":
        with suppress(NotFound):
            memory = here.memory(change.key)
            moved = f" ({', '.join(sorted(row))})" if change.before is not None else ""
            return f"{memory.kind}: {memory.text}{moved}"
    if change.relation == "answers" and change.before is None:
        with suppress(NotFound):
            return here.prepared(change.key).question
    return str(row.get("text") or row.get("value") or ", ".join(sorted(row)) or change.key)


@app.command()
def diary(
    limit: HowMany = 7,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """What each night did, in its own words, newest first."""
    with open_space(as_json, space) as (here, output):
        entries = here.diary(limit=limit)

        def say() -> None:
            for entry in entries:
                output.say(f"{when(entry.at)}  {entry.night}", "bold")
                output.say(entry.text + "\n")
            if not entries:
                output.say("No entries yet. Try: reverie sleep")

        output.value(entries, say)
