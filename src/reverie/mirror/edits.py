"""What a person has changed in a mirrored file, and how the next text is laid around it. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_MARK = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+")
_COMMENT = re.compile(r"^\s*<!--.*-->\s*$")


@dataclass(frozen=True, slots=True)
class Edits:
    """Lines that came and lines that went, since the mirror last wrote the file."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def split(text: str) -> tuple[list[str], list[str]]:
    """Frontmatter and body.

    >>> split("---\\nname: a\\n---\\nBody")
    (['---', 'name: a', '---'], ['Body'])
    """
    lines = text.splitlines()
    if lines and lines[0].strip() == "---":
        for place, line in enumerate(lines[1:], start=1):
            if line.strip() == "---":
                return lines[: place + 1], lines[place + 1 :]
    return [], lines


def edits(before: Sequence[str], now: Sequence[str]) -> Edits:
    """Compared line by line: a changed line went and came.

    >>> edits(["Tea.", "Rum."], ["Tea.", "Rum and milk."])
    Edits(added=('Rum and milk.',), removed=('Rum.',))
    """
    old, new = {line.strip() for line in before}, {line.strip() for line in now}
    added = dict.fromkeys(line for line in now if line.strip() and line.strip() not in old)
    removed = dict.fromkeys(line for line in before if line.strip() and line.strip() not in new)
    return Edits(tuple(added), tuple(removed))


def statement(line: str) -> str | None:
    """What a person said with a line: without list marks; None for a comment, a heading or a link to a file.

    >>> statement("- I like tea."), statement("# Memory"), statement("<!-- note -->")
    ('I like tea.', None, None)
    """
    if _COMMENT.match(line) or line.lstrip().startswith("#"):
        return None
    bare = _MARK.sub("", line).strip()
    return bare or None


def layout(now: Sequence[str], own: Sequence[str], written: Sequence[str]) -> list[str]:
    """The next body: a person's own lines where they stand, what a night wrote in its old order, news at the end.

    >>> layout(["Mine", "Old.", "Kept."], ["Mine"], ["Kept.", "New."])
    ['Mine', 'Kept.', 'New.']
    """
    mine = set(own)
    left = dict.fromkeys(line for line in written if line not in mine)
    result = []
    for line in now:
        if line in mine or not line.strip():
            result.append(line)
        elif line in left:
            del left[line]
            result.append(line)
    return [*result, *left]
