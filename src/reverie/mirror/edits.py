"""What a person has changed in a mirrored file, and how the next text is laid around it. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_MARK = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+")
_REFERENCE = re.compile(r"^\s{0,3}\[[^\]\n]{1,200}\]:\s")  # a link's address, or a note that no reader sees
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
_FENCE = re.compile(r"^\s{0,3}(```|~~~)")
_MATERIAL = re.compile(r"^\s{0,8}(?:>|\||<[A-Za-z/!?])")  # a quotation, a table, a piece of a page


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


@dataclass(frozen=True, slots=True)
class SeenLine:
    """A line as a reader of the page sees it."""

    text: str = ""  # empty where it is all comment
    material: bool = False  # in a fence, a quotation, a table or a piece of a page: not what the writer says


def seen(lines: Sequence[str]) -> dict[str, SeenLine]:
    """Each line without what a reader does not see: comments, also over several lines, and unseen signs.

    >>> [line.text for line in seen(["Tea. <!-- trigger: cup -->", "<!--", "Rum.", "-->"]).values()]
    ['Tea.', '', '', '']
    """
    found: dict[str, SeenLine] = {}
    within = fenced = False
    for line in lines:
        fence = not within and _FENCE.match(line) is not None
        text, within = (line, within) if fenced else _uncommented(line, within)
        text = _UNSEEN.sub("", text).rstrip()
        if fence or _REFERENCE.match(text):
            text = ""
        fenced ^= fence
        if text.strip() or line not in found:
            found[line] = SeenLine(text, fenced or _MATERIAL.match(text) is not None)
    return found


def _uncommented(line: str, within: bool) -> tuple[str, bool]:
    """The line without comments, and whether one goes on after it; `within`: one began before."""
    shown = ""
    while True:
        if within:
            _, closed, line = line.partition("-->")
            if not closed:
                return shown, True
        before, opened, line = line.partition("<!--")
        shown += before
        if not opened:
            return shown, False
        within = True


def statement(line: str) -> str | None:
    """What a person said with a line: without list marks; None for a heading, or where nothing is to be seen.

    >>> statement("- I like tea."), statement("# Memory")
    ('I like tea.', None)
    """
    if line.lstrip().startswith("#"):
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
