"""The log: append, turns, end-session."""

from typing import Annotated

import typer

from reverie.cli import talk
from reverie.cli.app import HowMany, JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import when


@app.command()
def append(
    text: Annotated[str, typer.Argument(help="What was said; `-` reads standard input.")],
    role: Annotated[str, typer.Option(help="user, assistant, tool or system.")] = "user",
    session: Annotated[str, typer.Option(help="The conversation.")] = "default",
    key: Annotated[str | None, typer.Option(help="Idempotency key: the same key twice stores once.")] = None,
    origin: Annotated[str | None, typer.Option(help="user, assistant, tool, web, file or unknown.")] = None,
    speaker: Annotated[str | None, typer.Option(help="The speaker's name.")] = None,
    kind: Annotated[str | None, typer.Option(help="The session's: interactive, cron, heartbeat or subagent.")] = None,
    channel: Annotated[str | None, typer.Option(help="How the session reaches the agent: a chat, a mailbox.")] = None,
    source: Annotated[str | None, typer.Option(help="Which program appends it.")] = None,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Store one turn, durably."""
    told = {"role": role, "session": session, "key": key, "origin": origin, "speaker": speaker}
    talk.append(text, **told, kind=kind, channel=channel, source=source, space=space, as_json=as_json)


@app.command()
def turns(
    session: Annotated[str | None, typer.Option(help="Only this conversation.")] = None,
    limit: HowMany = 20,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the last turns."""
    from reverie.policy.safety.trust import unwrap_recalled

    with open_space(as_json, space) as (here, output):
        found = here.turns(session, newest_first=True, limit=limit)[::-1]
        columns = {
            "when": lambda t: when(t.at),
            "session": lambda t: t.session,
            "who": lambda t: t.speaker or t.role,
            "text": lambda t: unwrap_recalled(t.text),
            "id": lambda t: t.id,
        }
        output.rows(found, columns, empty='No turns yet. Try: reverie append "I moved to Hamburg"')


@app.command("end-session")
def end_session(
    session: Annotated[str, typer.Argument(help="The conversation that is over.")] = "default",
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Mark a conversation as over, so that the space may sleep."""
    with open_space(as_json, space) as (here, output):
        ended = here.end_session(session)
        output.value({"ended": ended}, "ended" if ended else "it had already ended, or never began")
