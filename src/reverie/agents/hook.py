"""`reverie-hook`: what a coding agent calls in a session. It tells the server, and prints what comes back.

It must never be in the way: it exits with 0, prints one JSON object or nothing, has a deadline, and where no server
runs it serves the core that was last written beside the store, keeps the turn for later, and starts a server. Only the
standard library is imported here, and little of it.
"""

import json
import os
import sys
import time
from typing import Any

from reverie import handover
from reverie.agents import local_server
from reverie.agents.project import project_of
from reverie.importers.private import without_private

SERVER_SHARE = 0.2  # seconds for the server, of the 0.3 that all of it may take besides the interpreter's own start
LONGEST = 2.0  # seconds, should a disk stand still while a turn is kept
LOG = "hooks.log"
LONGEST_LOG = 64_000
MOST_SEEN = 2_000
# Each agent's own word for a moment of a session, and ours.
MOMENTS = {
    "SessionStart": "start", "sessionStart": "start",
    "UserPromptSubmit": "prompt", "BeforeAgent": "prompt", "beforeSubmitPrompt": "prompt",
    "Stop": "answer", "AfterAgent": "answer", "afterAgentResponse": "answer",
    "PreCompact": "compact", "PreCompress": "compact", "preCompact": "compact",
    "SessionEnd": "end", "sessionEnd": "end",
}  # fmt: skip
PROMPTS = ("prompt", "user_prompt")
ANSWERS = ("last_assistant_message", "prompt_response", "text")
KINDS = ("interactive", "cron", "heartbeat", "subagent")
EMPTIED = ("compact", "clear")  # sources of a start after which nothing of what was shown stands in the context
NAMES = ("session_id", "conversation_id", "thread_id")

Event = dict[str, Any]


def main(arguments: list[str] | None = None) -> int:
    """Always 0. What goes wrong is written into a small log of the home."""
    home = "."
    _end_after(LONGEST)
    try:
        home, agent = _options(sys.argv[1:] if arguments is None else arguments)
        began = time.monotonic()
        event = json.loads(sys.stdin.buffer.read(16_000_000) or b"{}")
        if isinstance(event, dict):
            said = status_line(home, event) if agent == "statusline" else answered(home, agent, event, began)
            if said:
                sys.stdout.write(said + "\n")
                sys.stdout.flush()
    except BaseException as error:  # an agent must not stumble over its memory
        note(home, error)
    return 0


def _end_after(seconds: float) -> None:
    """Whatever hangs, the agent waits no longer than that."""
    import signal

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return
    import threading  # Windows has no such timer, and a hook that hangs there has hung its agent

    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()


def _options(given: list[str]) -> tuple[str, str]:
    """The home and the agent's name: `reverie-hook claude-code --home DIR`."""
    home = os.environ.get("REVERIE_HOME") or os.path.join("~", ".reverie")
    agent = "claude-code"
    words = iter(given)
    for word in words:
        if word == "--home":
            home = next(words, home)
        elif not word.startswith("-"):
            agent = word
    return os.path.abspath(os.path.expanduser(home)), agent


def answered(home: str, agent: str, event: Event, began: float) -> str:
    """What to print for an event: a JSON object with context, or nothing."""
    name = str(event.get("hook_event_name") or "")
    call = call_of(agent, event)
    if call is None:
        return ""
    state = Session(home, call["session"])
    call["seen"] = state.seen
    if call["moment"] == "start" and state.briefed and event.get("source") not in EMPTIED:
        return ""  # resumed: what it was shown still stands there
    seconds = max(0.01, SERVER_SHARE - (time.monotonic() - began))
    reply = local_server.ask(home, "POST", "/v1/spaces/{space}/hooks", call, seconds)
    if reply is not None and reply[0] == 200:
        text, seen = reply[1]["text"], reply[1]["seen"]
    else:
        if reply is not None:
            note(home, f"the server answered {reply[0]} to {call['moment']}")
        text, seen = _without_server(home, call, alive=reply is not None)
    if text:
        state.keep(seen, text.count("\n- "), briefed=call["moment"] == "start")
    return printed(agent, name, text)


def call_of(agent: str, event: Event) -> Event | None:
    """An event in our words; None for one that is nothing to us."""
    moment = MOMENTS.get(str(event.get("hook_event_name")))
    session = next((str(event[name]) for name in NAMES if event.get(name)), "")
    if moment is None or not session:
        return None
    roots = event.get("workspace_roots") or ()
    directory = str(event.get("cwd") or (roots[0] if roots else "") or os.getcwd())
    said = {"prompt": PROMPTS, "answer": ANSWERS}.get(moment, ())
    text = next((event[name] for name in said if isinstance(event.get(name), str)), "")
    return {
        "agent": agent,
        "moment": moment,
        "session": session[:200],
        "prompt": str(event.get("prompt_id") or event.get("turn_id") or event.get("generation_id") or "")[:100],
        "text": without_private(text),
        "transcript": str(event.get("transcript_path") or ""),
        "project": project_of(directory)[:200],
        "kind": _kind(event),
        "at": time.time(),
    }


def _kind(event: Event) -> str | None:
    """What the session is, where the harness says so; a scheduler says it by a variable."""
    named = "subagent" if event.get("agent_id") else os.environ.get("REVERIE_SESSION_KIND")
    return named if named in KINDS else None


def printed(agent: str, name: str, text: str) -> str:
    """The context in the shape that the agent reads; "" where there is none or the agent takes none there."""
    if not text:
        return ""
    if agent == "cursor":
        return json.dumps({"additional_context": text}) if name == "sessionStart" else ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})


def status_line(home: str, event: Event) -> str:
    """One line: what this session was shown, how much of it is kept, the last night, what models have cost."""
    session = next((str(event[name]) for name in NAMES if event.get(name)), "")
    shown = Session(home, session).shown
    reply = local_server.ask(home, "GET", f"/v1/spaces/{{space}}/hooks/status?session={_in_url(session)}", None, 0.15)
    if reply is None or reply[0] != 200:
        return f"reverie: {shown} loaded · wakes with the next prompt"
    found, at = reply[1], reply[1]["last_night_at"]
    night = "no night yet" if at is None else f"last night {_ago(time.time() - at)} ago"
    return (
        f"reverie: {found['memories']} memories · {shown} loaded · {found['captured']} captured · {night}"
        f" · ${found['spent']:.2f}"
    )


def _in_url(text: str) -> str:
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
    return "".join(chr(b) if b in plain else f"%{b:02X}" for b in text.encode("utf-8", "replace"))


def _ago(seconds: float) -> str:
    """
    >>> _ago(30), _ago(7_300), _ago(300_000)
    ('0 min', '2 h', '3 d')
    """
    for size, unit in ((86_400, "d"), (3_600, "h")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(max(0.0, seconds) // 60)} min"


class Session:
    """What a session has been shown, in a small file of its own."""

    def __init__(self, home: str, session: str) -> None:
        self._path = os.path.join(home, handover.SESSIONS, handover.file_name(session))
        found = handover.read(self._path) or {}
        self.briefed = bool(found.get("briefed"))
        self.seen: list[str] = [str(id) for id in found.get("seen") or ()]
        self.shown = int(found.get("shown") or 0)  # statements

    def keep(self, seen: list[str], shown: int, *, briefed: bool) -> None:
        """Notes what was shown now."""
        kept = [*self.seen, *seen][-MOST_SEEN:]
        state = {"briefed": self.briefed or briefed, "seen": kept, "shown": self.shown + shown}
        handover.write(self._path, state, synced=False)


def _without_server(home: str, call: Event, *, alive: bool) -> tuple[str, list[str]]:
    """The turn is kept for later, a server is started, a session that begins gets the core that was written last."""
    if call["moment"] != "start":
        kept = {name: value for name, value in call.items() if name != "seen"}
        handover.spool(home, kept, f"{time.time_ns()}-{os.getpid()}")
    if not alive:
        local_server.start(home)
    found = handover.briefing(home, call["project"]) if call["moment"] == "start" else None
    return (found["text"], found["seen"]) if found else ("", [])


def note(home: str, wrong: object) -> None:
    """One line in the log of hooks; never what anybody said."""
    said = f"{type(wrong).__name__}: {wrong}" if isinstance(wrong, BaseException) else str(wrong)
    path = os.path.join(home, LOG)
    try:
        mode = "w" if os.path.exists(path) and os.path.getsize(path) > LONGEST_LOG else "a"
        with open(path, mode, encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {said[:500]}\n")
        os.chmod(path, 0o600)
    except OSError:
        pass


if __name__ == "__main__":
    sys.exit(main())
