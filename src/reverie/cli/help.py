"""How `--help` reads: the commands in the order of a first day, and examples under each.

`tests/contract/test_cli_help.py` runs every example that needs no id.
"""

from collections.abc import Iterator
from typing import Any

from typer.core import TyperGroup

PANELS: dict[str, tuple[str, ...]] = {
    "Talk": ("append", "recall", "context", "answer", "chat", "turns", "end-session", "embed"),
    "Sleep": (
        "sleep",
        "nights",
        "night",
        "diary",
        "undo",
        "redo",
        "cancel",
        "pause",
        "resume",
        "dream",
        "exclude",
        "admit",
        "admission",
    ),
    "Memory by hand": (
        "remember",
        "study",
        "memories",
        "directives",
        "intents",
        "memory",
        "correct",
        "pin",
        "unpin",
        "tag",
        "untag",
        "blocks",
    ),
    "Look into it": ("explain", "insights", "studies", "answers", "contradictions", "reviews", "ledger"),
    "Yours to keep": ("import", "forget", "export", "restore", "backup", "rebuild", "salvage", "mirror", "spaces"),
    "Run it": (
        "up",
        "console",
        "connect",
        "install",
        "uninstall",
        "statusline",
        "serve",
        "worker",
        "workers",
        "place",
        "mcp",
        "skill",
        "keys",
        "setup",
        "models",
        "config",
        "doctor",
        "demo",
        "bench",
    ),
}

EXAMPLES: dict[str, tuple[str, ...]] = {
    "append": (
        'reverie append "I moved to Hamburg last week"',
        'reverie append "Noted." --role assistant --session monday',
        "git log -3 | reverie append - --role tool",
    ),
    "recall": (
        'reverie recall "where do I live?"',
        "reverie recall Hamburg --kind fact --explain",
        "reverie --space alice recall Hamburg -k 3",
        "reverie recall Hamburg --after 2026-05-01",
    ),
    "context": ('reverie context "plan my commute" --budget 1500',),
    "answer": ('reverie answer "where do I live?"',),
    "chat": ('reverie chat "what am I allergic to?"', "reverie chat"),
    "turns": ("reverie turns --limit 5", "reverie turns --session monday --json"),
    "end-session": ("reverie end-session monday",),
    "embed": ("reverie embed",),
    "exclude": ('reverie exclude "scratch-*" --why "only tests"', "reverie exclude --channel newsletter"),
    "admit": ("reverie admit --kind cron",),
    "admission": ("reverie admission", "reverie admission --json"),
    "sleep": ("reverie sleep", "reverie sleep --dry-run", "reverie sleep --if-due", "reverie sleep --explain"),
    "nights": ("reverie nights --limit 3",),
    "night": ("reverie night last --diff",),
    "diary": ("reverie diary --limit 1",),
    "undo": ("reverie undo last",),
    "redo": ("reverie redo last",),
    "cancel": ("reverie cancel last",),
    "pause": ("reverie pause",),
    "resume": ("reverie resume",),
    "dream": ("reverie dream ~/notes --transcripts ~/.claude/projects/my-project",),
    "remember": ('reverie remember "The office door code changes every Monday" --tag office',),
    "study": ("cat prices.md | reverie study - --name prices.md",),
    "insights": ("reverie insights", "reverie insights --limit 5 --json"),
    "studies": ("reverie studies",),
    "memories": ("reverie memories --kind fact", "reverie memories --tag office --json"),
    "directives": ("reverie directives", "reverie directives --json"),
    "intents list": ("reverie intents list", "reverie intents list --all"),
    "intents add": ('reverie intents add "the audit in May" --when "the ledger comes up"',),
    "intents cancel": ("reverie intents cancel int-ID",),
    "memory": ("reverie memory mem-ID",),
    "correct": ('reverie correct mem-ID "The user lives in Bremen"',),
    "pin": ("reverie pin mem-ID",),
    "unpin": ("reverie unpin mem-ID",),
    "tag": ("reverie tag mem-ID travel family",),
    "untag": ("reverie untag mem-ID travel",),
    "blocks list": ("reverie blocks list",),
    "blocks show": ("reverie blocks show human",),
    "blocks set": ('reverie blocks set persona "Brief and friendly."',),
    "blocks append": ('reverie blocks append human "Speaks German."',),
    "blocks replace": ('reverie blocks replace persona "Brief" "Short"',),
    "blocks create": ('reverie blocks create task "Plan the move" --limit 2000',),
    "blocks history": ("reverie blocks history persona",),
    "blocks diff": ("reverie blocks diff persona 1 2",),
    "blocks restore": ("reverie blocks restore persona 1",),
    "explain": ("reverie explain mem-ID",),
    "answers list": ("reverie answers list",),
    "answers show": ("reverie answers show answer-ID",),
    "answers explain": ('reverie answers explain "where do I live?"',),
    "answers drop": ('reverie answers drop answer-ID --why "too blunt"',),
    "answers report": ("reverie answers report",),
    "contradictions list": ("reverie contradictions list --status open",),
    "contradictions show": ("reverie contradictions show contradiction-ID",),
    "contradictions resolve": ("reverie contradictions resolve contradiction-ID newer",),
    "contradictions reopen": ("reverie contradictions reopen contradiction-ID",),
    "reviews list": ("reverie reviews list",),
    "reviews show": ("reverie reviews show review-ID",),
    "reviews approve": ("reverie reviews approve review-ID",),
    "reviews reject": ("reverie reviews reject review-ID",),
    "ledger": ("reverie ledger --by model --days 7",),
    "import": ("reverie import chatgpt conversations.json --dry-run", "reverie import mem0 mem0.json --space alice"),
    "forget": ("reverie forget --query peanuts --dry-run", "reverie forget --session monday --yes"),
    "export": ("reverie export alice.jsonl",),
    "restore": ("reverie restore alice.jsonl alice-again",),
    "backup": (
        "reverie backup backups/monday",
        "reverie backup --verify backups/monday",
        "reverie backup backups --keep 7",
    ),
    "rebuild": ("reverie rebuild", "reverie rebuild --keep-memory"),
    "salvage": ("reverie salvage rescued",),
    "mirror": ("reverie mirror notes", "reverie mirror notes --watch"),
    "spaces list": ("reverie spaces list",),
    "spaces configure": ("reverie spaces configure alice budget_space_cost=2 idle_seconds=600",),
    "spaces delete": ("reverie spaces delete alice-again --yes",),
    "up": ("reverie up", "reverie up --port 9000", "reverie up --open"),
    "install": ("reverie install claude-code --dry-run", "reverie install codex --project --dry-run"),
    "uninstall": ("reverie uninstall claude-code --dry-run",),
    "statusline": ("reverie statusline",),
    "connect": ("reverie connect", "reverie connect --token"),
    "console": ("reverie console", "reverie console --no-browser"),
    "serve": ("reverie serve --port 9000",),
    "workers": ("reverie workers", "reverie workers --json"),
    "place": ("reverie place acme postgresql://db2.example/memory", "reverie place acme -"),
    "worker": ("reverie worker", "reverie --store postgresql://db.example/memory worker"),
    "mcp": ("reverie --home ~/.reverie mcp", "claude mcp add reverie -- reverie --home ~/.reverie mcp"),
    "skill": ("reverie skill --stdout", "reverie skill .claude/skills/memory"),
    "keys create": (
        "reverie keys create laptop --verbs read,write --days 90",
        "reverie keys create ada --space alice --verbs read,review",
    ),
    "keys list": ("reverie keys list",),
    "keys revoke": ("reverie keys revoke key-ID",),
    "setup": ("reverie setup", "reverie setup --url http://127.0.0.1:9000/v1", "reverie setup --model rules"),
    "models check": ("reverie models check", "reverie models check --quick"),
    "config show": ("reverie config show --origin",),
    "config list": ("reverie config list",),
    "config get": ("reverie config get idle_seconds",),
    "config set": ("reverie config set idle_seconds 600", "reverie config set space alice --user"),
    "config unset": ("reverie config unset idle_seconds",),
    "doctor": ("reverie doctor", "reverie doctor --repair"),
    "demo": ("reverie demo", "reverie demo --keep demo-store"),
    "bench": ("reverie bench", "reverie bench retrieval", "reverie bench all --quick", "reverie bench report"),
}


def with_help(app: Any) -> Any:
    """The app with its commands in order, in panels, with their examples."""
    place = {word: panel for panel, words in PANELS.items() for word in words}
    order = list(place)
    for info in (*app.registered_commands, *app.registered_groups):
        info.rich_help_panel = place[_word(info)]
    app.registered_commands.sort(key=lambda info: order.index(_word(info)))
    for name, info in _commands(app):
        info.epilog = "\n".join(("\b", "Examples:", *(f"  {example}" for example in EXAMPLES[name])))  # \b: not wrapped
    return app


def _commands(app: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for info in app.registered_commands:
        yield f"{path}{_word(info)}", info
    for group in app.registered_groups:
        yield from _commands(group.typer_instance, f"{path}{group.name} ")


def _word(info: Any) -> str:
    """The word that calls it: its given name, or its function's."""
    return str(info.name or info.callback.__name__.replace("_", "-"))


LONGEST = 200  # characters of a line about a command: it folds rather than break off


class Panelled(TyperGroup):
    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        width = max(map(len, self.commands))  # one column for all panels
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            title = getattr(command, "rich_help_panel", None) or "Commands"
            panels.setdefault(str(title), []).append((name.ljust(width), command.get_short_help_str(LONGEST)))
        for title, rows in panels.items():
            with formatter.section(title):
                formatter.write_dl(rows)
