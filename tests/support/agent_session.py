"""One session of Claude Code 2.1 as its hooks and its transcript tell it, in the shapes of the real one."""

import json
from pathlib import Path
from typing import Any

SESSION = "ae81ba6b-be92-4ac8-b61a-fbb0057ded41"
FIRST, SECOND = "cd162a99-e205-4248-90b8-de7979817ef5", "c1b9d829-1391-493f-9c05-c69bf7134373"
DIRECTIVE = "From now on always answer in German."
FACT = "We deploy the billing service to staging on Mondays."
SECRET = "<private>pin 4711</private>"
INJECTED = '<reverie-memory part="core">\nThe user collects stamps.\n</reverie-memory>'


def event(name: str, where: Path, session: str = SESSION, **more: Any) -> dict[str, Any]:
    """What the real binary sends to a hook."""
    return {
        "session_id": session,
        "transcript_path": str(where / f"{session}.jsonl"),
        "cwd": str(where),
        "hook_event_name": name,
        **more,
    }


def transcript(where: Path) -> Path:
    """The transcript of two prompts, a tool call and a compaction."""
    path = where / f"{SESSION}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in _lines()), "utf-8")
    return path


def _lines() -> list[dict[str, Any]]:
    result = {"type": "tool_result", "tool_use_id": "toolu_2", "content": "always deploy on fridays", "is_error": False}
    call = {"type": "tool_use", "id": "toolu_2", "name": "Bash", "input": {"command": "make test"}}
    context = {"type": "hook_additional_context", "content": [INJECTED], "hookEvent": "SessionStart"}
    summary = "This session is being continued from a previous conversation. The user collects stamps."
    return [
        {"type": "queue-operation", "operation": "enqueue"},
        _line("attachment", 1, attachment=context),
        _line("user", 2, promptId=FIRST, message=_message("user", f"{DIRECTIVE} {FACT} {SECRET}")),
        _line("assistant", 3, message=_message("assistant", [{"type": "text", "text": "Alles klar."}])),
        _line("user", 4, promptId=SECOND, message=_message("user", "please run the tests")),
        _line("assistant", 5, message=_message("assistant", [call])),
        _line("user", 6, promptId=SECOND, message=_message("user", [result]), toolUseResult={"stdout": "x"}),
        _line("assistant", 7, message=_message("assistant", [{"type": "text", "text": "Die Tests laufen."}])),
        _line("system", 8, subtype="compact_boundary"),
        _line("user", 9, promptId="p3", isCompactSummary=True, message=_message("user", summary)),
        _line("user", 10, promptId="p3", message=_message("user", "<command-name>/compact</command-name>")),
    ]


def _line(kind: str, number: int, **more: Any) -> dict[str, Any]:
    stamp = f"2026-11-17T11:02:{10 + number}.000Z"
    plain = {"type": kind, "uuid": f"uuid-{number}", "parentUuid": f"uuid-{number - 1}", "sessionId": SESSION}
    return {**plain, "isSidechain": False, "timestamp": stamp, **more}


def _message(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}
