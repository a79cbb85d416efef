"""What is mirrored, as text: topic files with frontmatter, an index within its budget, the diary."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Literal

from reverie.language.sentences import sentences
from reverie.model.base import Instant, Trust
from reverie.model.blocks import Block
from reverie.model.memories import Filter, Memory
from reverie.store.db import Database
from reverie.store.tables import blocks, memories

INDEX = "MEMORY.md"
DREAMS = "DREAMS.md"
MAX_LINES = 200
MAX_INDEX = 25_000  # bytes
LINE = 150  # characters of a topic's line in the index
NAMED = 1_000  # characters that may name what was left out

TopicType = Literal["user", "feedback", "project", "reference"]
TYPES: dict[str, TopicType] = {"human": "user", "persona": "feedback", "task": "project", "project": "project"}
MOST_PROFILES = 500
_SAFE = re.compile(r"[A-Za-z][\w ,.'/()-]{0,500}")
_WORDS = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")
MOST_CORRECTIONS = 100


@dataclass(frozen=True, slots=True)
class Topic:
    """One file: its frontmatter and the lines that a night wrote."""

    name: str
    description: str
    type: TopicType
    lines: tuple[str, ...]

    @property
    def file(self) -> str:
        return file_of(self.name)

    @property
    def head(self) -> list[str]:
        return [
            "---",
            f"name: {_scalar(self.name)}",
            f"description: {_scalar(self.description)}",
            f"type: {self.type}",
            "---",
        ]


def _scalar(text: str) -> str:
    """A value of frontmatter that YAML reads as this text, whatever it holds.

    >>> _scalar("learned_context"), _scalar("tea: hot # now"), _scalar("no")
    ('learned_context', '"tea: hot # now"', '"no"')
    """
    plain = _plain(text)
    return plain if _SAFE.fullmatch(plain) and plain.casefold() not in _WORDS else json.dumps(plain, ensure_ascii=False)


def file_of(name: str) -> str:
    """A file name that cannot lead anywhere.

    >>> file_of("learned_context"), file_of("../../etc/passwd")[:10]
    ('learned_context.md', 'etc-passwd')
    """
    bare = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-_").lower()[:60]
    if bare == name.lower() and f"{bare}.md" not in (INDEX.lower(), DREAMS.lower()):
        return f"{bare}.md"
    return f"{bare or 'topic'}-{blake2b(name.encode(), digest_size=3).hexdigest()}.md"  # two names, two files


@dataclass(frozen=True, slots=True)
class Index:
    lines: list[str]
    left_out: list[str]


def index_of(
    topics: Sequence[Topic], others: Collection[str] = (), own: Sequence[str] = (), *, headed: bool = True
) -> Index:
    """One line a topic, the first topics first; a person's own lines in the index count against its budget too.

    A file that one of those lines leads to has its line already; an index that somebody else began has its heading.
    """
    entries = [(topic.file, _entry(topic)) for topic in topics]
    entries += [(name, f"- [{name}]({name}): written by you") for name in others if name not in (INDEX, DREAMS)]
    linked = "\n".join(own)
    entries = [entry for entry in entries if f"]({entry[0]})" not in linked and f"](./{entry[0]})" not in linked]
    room_lines = MAX_LINES - len(own) - 3
    room = MAX_INDEX - sum(len(line.encode()) + 1 for line in own) - NAMED - 200
    lines = ["# Memory"] if headed else []
    left_out: list[str] = []
    for name, line in entries:
        room -= len(line.encode()) + 1
        if room < 0 or len(lines) > room_lines:
            left_out.append(name)
        else:
            lines.append(line)
    if left_out:
        lines.append(_warning(left_out))
    return Index(lines, left_out)


def _warning(left_out: Sequence[str]) -> str:
    named = ""
    for place, name in enumerate(left_out):
        if len(named) + len(name) > NAMED - 100:
            named += f"and {len(left_out) - place} more, "
            break
        named += f"{name}, "
    return f"<!-- Left out, because the index holds {MAX_LINES} lines and {MAX_INDEX} bytes: {named[:-2]} -->"


def _entry(topic: Topic) -> str:
    about = topic.description or (topic.lines[0] if topic.lines else "")
    line = f"- [{_plain(topic.name)}]({topic.file}): {_plain(about)}"
    return line if len(line) <= LINE else line[: LINE - 1].rstrip() + "…"


def dreams_of(entries: Sequence[tuple[str, Instant, str]]) -> list[str]:
    """The diary, oldest first, so that the newest stands at the end."""
    lines = ["# Dreams", "<!-- The story of each night. It is never read back. -->"]
    for night, at, text in sorted(entries, key=lambda entry: (entry[1], entry[0])):
        lines += [f"## {datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} {night}", _plain(text)]
    return lines


def _plain(text: str) -> str:
    return " ".join(text.split())


def topics_of(db: Database, space: str) -> list[Topic]:
    core = [_block(block) for block in blocks.attached(db, space) if block.value.strip()]
    corrections = [
        memory
        for memory in memories.listed(db, space, Filter(kinds=("fact",)), limit=5_000)
        if memory.correction and memory.valid_until is None
    ]
    people = [
        memory
        for memory in memories.listed(db, space, Filter(kinds=("profile",)), limit=MOST_PROFILES)
        if not memory.stale and memory.subject and memory.trust >= Trust.USER
    ]
    people.sort(key=lambda memory: (-memory.importance, memory.subject))
    return [*core, *_feedback(corrections[-MOST_CORRECTIONS:]), *map(_profile, people)]


def _block(block: Block) -> Topic:
    lines = tuple(line for line in block.value.splitlines() if line.strip())
    return Topic(block.label, block.description, TYPES.get(block.label, "reference"), lines)


def _feedback(corrections: list[Memory]) -> list[Topic]:
    if not corrections:
        return []
    lines = tuple(" ".join(memory.text.split()) for memory in corrections)
    return [Topic("feedback", "What the user has corrected; it outweighs everything else.", "feedback", lines)]


def _profile(memory: Memory) -> Topic:
    about = memory.subject or ""
    name = "user-profile" if about == "user" else f"about-{about}"
    return Topic(name, f"What is known about {about}.", "reference", tuple(map(_plain, sentences(memory.text))))
