"""A conversation at the terminal or through pipes, with the sleeper in a process of its own beside it."""

import re
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, configuration, open_store
from reverie.cli.output import Output
from reverie.config import Config

if TYPE_CHECKING:
    from reverie.agent.primary import AgentReply, PrimaryAgent
    from reverie.reverie import Reverie
    from reverie.space import Space


COMMAND = re.compile(r"/[a-z?]{1,20}$", re.IGNORECASE)
HELP_WORDS, END_WORDS = ("/help", "/h", "/?"), ("/quit", "/exit", "/q", "/bye")
HELP = """\
What you write is kept, and answered from memory: by a prepared answer, else by the model that is set, else by quotes.
Without a model nothing is made up: ask for what you have told it ("where do I live?").
  /help        this; it is not stored
  /quit        ends the conversation, as Ctrl-D does; Ctrl-C stops an answer
Elsewhere: `reverie recall WORDS`, `reverie memories`, `reverie forget`, `reverie diary`, `reverie sleep`.
A model: `reverie config set primary_model provider:name`."""


@app.command()
def chat(
    text: Annotated[
        str | None, typer.Argument(help="One message; without it, a conversation from standard input.")
    ] = None,
    session: Annotated[str, typer.Option(help="The conversation.")] = "chat",
    thinking: Annotated[bool, typer.Option("--thinking", help="Show the model's own reasoning.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Talk to the memory: a precomputed answer, else one model call, else memory alone.

    A conversation brings its own sleeper, unless one already watches the store or `sleep` is off. With --json each
    reply is one line. Ctrl-C stops an answer, and what had come of it is kept; Ctrl-D ends the conversation.
    """
    with open_store(as_json, **_quiet(configuration())) as (memory, output):
        here = memory.space(space)
        talk = Talk(output, here.agent(), session, thinking)
        if text is not None:
            talk.once(text)
        else:
            _bring_sleeper(memory, here)
            _converse(talk, here)


def _quiet(config: Config) -> dict[str, Any]:
    """The sleeper's story does not belong between the lines of a conversation, unless somebody asked for it."""
    return {"log_level": "warning"} if config.origins["log_level"] == "default" else {}


def _bring_sleeper(memory: "Reverie", here: "Space") -> None:
    if memory.config["sleep"] and not here.sleeper_alive():
        memory.start_sleeper()


def _converse(talk: "Talk", here: "Space") -> None:
    talk.greet()
    try:
        for message in talk.messages():
            talk.turn(message)
    finally:
        here.end_session(talk.session)


@dataclass(frozen=True, slots=True)
class Talk:
    output: Output
    agent: "PrimaryAgent"
    session: str
    thinking: bool

    @property
    def at_terminal(self) -> bool:
        return sys.stdin.isatty() and not self.output.as_json

    def greet(self) -> None:
        if self.at_terminal:
            with suppress(ImportError):
                import readline  # noqa: F401  # gives `input` its history and its editing
            who = self.agent.client.name if self.agent.client else "memory alone, no model is set"
            self.output.aside(f"You talk to {who}. /help says more; Ctrl-C stops an answer, Ctrl-D ends.")

    def messages(self) -> Iterator[str]:
        """Lines from standard input until it ends; at a terminal, with a prompt."""
        while True:
            try:
                line = input("> ") if self.at_terminal else input()
            except EOFError:
                return
            except KeyboardInterrupt:
                if self.at_terminal:
                    self.output.err.print()
                    return
                raise
            if line.strip().lower() in END_WORDS:
                return
            if line.strip():
                yield line

    def turn(self, message: str) -> None:
        if self._command(message):
            return
        if self.output.as_json:
            self.output.line(self.agent.say(message, self.session))
            return
        try:
            self._show(message)
        except KeyboardInterrupt:
            self.output.out.print()
            self.output.err.print("[stopped; what had come is kept]", style="dim")
            if not self.at_terminal:
                raise

    def once(self, message: str) -> None:
        if self._command(message):
            return
        if self.output.as_json:
            self.output.value(self.agent.say(message, self.session), "")
        else:
            self._show(message)

    def _command(self, message: str) -> bool:
        """Whether it is a word for this program, such as /help: that is answered here, and never stored."""
        if not COMMAND.match(message.strip()):
            return False
        word = message.strip().lower()
        unknown = "" if word in HELP_WORDS else f"There is no {word} here. "
        if self.output.as_json:
            self.output.line({"help": f"{unknown}{HELP}"})
        else:
            self.output.say(f"{unknown}{HELP}")
        return True

    def _show(self, message: str) -> None:
        with closing(self.agent.stream(message, self.session)) as events:
            for event in events:
                if event.kind == "text":
                    self.output.out.print(event.text, end="")
                elif event.kind == "tool" or (event.kind == "thinking" and self.thinking):
                    end = "\n" if event.kind == "tool" else ""
                    self.output.err.print(event.text, end=end, style="dim")
                elif event.reply is not None:
                    self.output.out.print()
                    self.output.err.print(footer(event.reply), style="dim")


def footer(reply: "AgentReply") -> str:
    """Who answered, why so, at how many calls, from what."""
    calls = (
        "no model call" if not reply.model_calls else f"{reply.model_calls} model call" + "s" * (reply.model_calls > 1)
    )
    memories = f"; memories: {', '.join(reply.memories[:5])}" if reply.memories else ""
    return f"[{reply.by}: {reply.why}; {calls}{memories}]"
