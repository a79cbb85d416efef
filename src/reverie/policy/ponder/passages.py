"""A document cut into passages: what is found by search as one piece, and goes stale as one piece."""

import re
from collections import Counter
from dataclasses import dataclass

from reverie.model.base import derived_memory_id

MOST_LINES = 40  # of one passage
LONGEST = 2_000  # characters
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")


@dataclass(frozen=True, slots=True)
class DocumentPassage:
    id: str
    line: int  # its first, counted from 1
    text: str


def passages(space: str, study: str, text: str) -> list[DocumentPassage]:
    """The passages of a document. A passage keeps its id while its text stays as it is, wherever it moves to.

    >>> [(one.line, one.text) for one in passages("s", "d", "# A\\n\\n1\\n2\\n\\n\\n3")]
    [(1, '# A\\n\\n1\\n2'), (7, '3')]
    """
    seen: Counter[str] = Counter()
    found = []
    for line, part in _parts(text.splitlines()):
        seen[part] += 1
        id = derived_memory_id(space, "study", study, part, str(seen[part]))
        found.append(DocumentPassage(id, line, part))
    return found


def _parts(lines: list[str]) -> list[tuple[int, str]]:
    """Paragraphs, a heading with what follows it, each within bounds."""
    found: list[tuple[int, list[str]]] = []
    size = 0
    for n, line in enumerate(lines, 1):
        begins = bool(line.strip()) and (not found or _ends(found[-1][1], size))
        if begins:
            found.append((n, []))
            size = 0
        if found:
            found[-1][1].append(line)
            size += len(line)
    return [(n, "\n".join(part).rstrip()) for n, part in found]


def _ends(part: list[str], size: int) -> bool:
    """Whether the next line with text begins a new passage."""
    if len(part) >= MOST_LINES or size >= LONGEST:
        return True
    said = [line for line in part if line.strip()]
    return not part[-1].strip() and not _is_head(said[-1])


def _is_head(line: str) -> bool:
    """A heading, or a line that announces what follows."""
    return bool(_HEADING.match(line)) or (line.rstrip().endswith(":") and len(line) <= 120)
