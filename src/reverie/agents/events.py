"""What a hook tells a server, done in a space: turns are stored once, sessions are ended, and context comes back."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reverie import handover
from reverie.errors import BadInput, KeyReused, ReverieError
from reverie.importers import claude_code
from reverie.importers.envelopes import parts_of
from reverie.importers.record import ImportedMessage
from reverie.importers.turn_keys import turn_key
from reverie.model.hits import NOTHING_INJECTED, Injection
from reverie.model.turns import SESSION_KINDS
from reverie.space import Space

MAX_TEXT = 20_000  # characters of one message, as importers have it
MAX_TRANSCRIPT = 200_000_000  # bytes
REMEMBERED = 256  # transcripts of which is known how far they were read
TRANSCRIPTS = {"claude-code": claude_code.messages}


@dataclass(frozen=True, slots=True)
class HookCall:
    """One moment of an agent's session, in our words (`agents/hook.py` has each agent's own)."""

    agent: str
    moment: str  # start, prompt, answer, compact or end
    session: str
    prompt: str = ""  # the agent's id of the prompt that is being answered
    text: str = ""
    transcript: str = ""
    project: str = ""
    kind: str | None = None
    at: float | None = None
    seen: tuple[str, ...] = ()


@dataclass
class ReadTranscript:
    """How large a transcript was when it was last read, and the turns of it that are stored."""

    size: int = -1
    keys: set[str] = field(default_factory=set)


@dataclass
class HookDesk:
    """Serves hooks. `later` runs what no agent waits for: reading a transcript, asking for a nap."""

    later: Callable[[Callable[[], object]], None]
    _read: dict[str, ReadTranscript] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def serve(self, space: Space, call: HookCall) -> Injection:
        """What is to be put into the agent's context now. The turn is stored when this returns."""
        self.take_in_spooled(space)
        if call.moment == "start":
            return space.briefing(call.project)
        if call.moment != "prompt":
            self.store(space, call)
            return NOTHING_INJECTED
        found = space.for_prompt(call.text, session=call.session, project=call.project, seen=call.seen)
        store_words(space, call, "user")
        return found

    def store(self, space: Space, call: HookCall) -> None:
        """A moment without an answer: the words at once, the transcript and what follows when there is time."""
        if call.moment == "prompt":
            store_words(space, call, "user")
        elif call.moment == "answer":
            self._in_order(space, call)
        else:
            self.later(lambda: self._close(space, call))

    def begin(self, space: Space, now: float) -> None:
        """As a server comes up: what waited is stored, what is old is thrown away."""
        self.take_in_spooled(space)
        handover.drop_old_sessions(space.home, now)

    def take_in_spooled(self, space: Space) -> int:
        """Stores what hooks kept while no server ran, oldest first; answers how much."""
        taken = 0
        for path, found in handover.spooled(space.home):
            call = call_from(found)
            with suppress(OSError):  # another thread was first
                if call is None or self._stored_or_refused(space, call):
                    os.unlink(path)
                taken += call is not None
        return taken

    def _stored_or_refused(self, space: Space, call: HookCall) -> bool:
        """False: the store could not take it now, and it is tried again; what it never takes is given up."""
        try:
            self.store(space, call)
        except BadInput:
            return True
        except ReverieError:
            return False
        return True

    def _in_order(self, space: Space, call: HookCall) -> None:
        """An answer after what tools told on the way to it, so that it is no more trusted than they are."""
        self.read_transcript(space, call)
        store_words(space, call, "assistant")

    def _close(self, space: Space, call: HookCall) -> None:
        self.read_transcript(space, call)
        if call.moment == "end":
            space.end_session(call.session)
            space.request_sleep("nap")
        space.briefing(call.project)

    def read_transcript(self, space: Space, call: HookCall) -> int:
        """Stores what a transcript holds and nobody has told; answers how many turns. A turn is stored once."""
        path = Path(call.transcript)
        read = TRANSCRIPTS.get(call.agent)
        if read is None or not call.transcript or not path.is_file():
            return 0
        with self._guard:
            known = self._read.setdefault(call.transcript, ReadTranscript())
            while len(self._read) > REMEMBERED:
                self._read.pop(next(iter(self._read)))
        size = path.stat().st_size
        if size in (known.size, 0) or size > MAX_TRANSCRIPT:
            return 0
        known.size = size
        new = [message for message in read(path) if message.key not in known.keys]
        taken = sum(_stored(space, call, message) for message in new)
        known.keys.update(message.key for message in new)
        return taken


def call_from(found: Any) -> HookCall | None:
    """A call as a hook has written it; None if it is none."""
    try:
        return HookCall(**{**found, "seen": tuple(found.get("seen") or ())})
    except (TypeError, AttributeError):
        return None


def store_words(space: Space, call: HookCall, role: str) -> None:
    """What was said, under the key that the agent's transcript gives it too; what is private or a command is not."""
    said = parts_of(call.text) if role == "user" else [(role, call.text.strip())]
    prompt = call.prompt or f"{call.session}:{call.at}"
    for speaker, text in said:
        if text and not is_command(text):
            key = turn_key(call.agent, prompt, speaker, text)
            _stored(space, call, ImportedMessage(call.session, speaker, text[:MAX_TEXT], speaker, call.at, key))


def is_command(text: str) -> bool:
    """Whether a prompt is a command of the agent's own, not something said to it.

    >>> is_command("/compact"), is_command("/reverie:recall deploys"), is_command("/etc/hosts is wrong")
    (True, True, False)
    """
    word = text.split(None, 1)[0] if text.strip() else ""
    return word.startswith("/") and "/" not in word[1:] and word[1:2].isalpha()


def _stored(space: Space, call: HookCall, message: ImportedMessage) -> bool:
    """Whether a turn was new. Its session is the project's, and of the kind that the harness says."""
    kind = message.kind or (call.kind if call.kind in SESSION_KINDS else None)
    try:
        appended = space.append(
            message.role,
            message.text,
            message.session,
            message.key,
            origin=message.origin,
            at=message.at,
            kind=kind,
            channel=call.project or None,
            source=call.agent,
        )
    except KeyReused:
        return False
    return not appended.repeated
