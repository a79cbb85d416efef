"""How somebody's words are shown: who said them, when, what they answer, and then the words themselves."""

from datetime import UTC, datetime

from reverie.language.calendar import MONTHS
from reverie.model.base import Instant

MOST_BARE = 5  # words of a thing that is named; a longer one is somebody's sentence, and quoted
ROLES = {"user": "The user", "assistant": "The assistant", "tool": "A tool", "system": "The system"}


def who(speaker: str) -> str:
    """
    >>> who("user"), who("Mara")
    ('The user', 'Mara')
    """
    return ROLES.get(speaker.casefold(), speaker)


def day(at: Instant) -> str:
    """
    >>> day(1_793_836_800.0)
    '5 November 2026'
    """
    date = datetime.fromtimestamp(at, UTC)
    return f"{date.day} {MONTHS[date.month - 1].title()} {date.year}"


def shown(quote: str, speaker: str, said_at: Instant, about: str = "", when: str = "") -> str:
    """A quote as every list, block and prompt shows it. `about` is a question or a thing, `when` a date made plain.

    >>> shown("it's now December 18", "Mara", 1_793_836_800.0, "the ledger deadline")
    'Mara, 5 November 2026, on the ledger deadline: "it\\'s now December 18"'
    >>> shown("on Friday", "user", 1_793_836_800.0, "When is it due?", "6 November 2026")
    'The user, 5 November 2026, asked "When is it due?": "on Friday" (6 November 2026)'
    """
    if about.endswith("?"):
        matter = f", asked {quoted(about)}"
    elif about.endswith((".", "!", "…")) or len(about.split()) > MOST_BARE:
        matter = f", after {quoted(about)}"
    else:
        matter = f", on {about}" if about else ""
    date = f" ({when})" if when else ""
    return f"{who(speaker)}, {day(said_at)}{matter}: {quoted(quote)}{date}"


def quoted(words: str) -> str:
    """
    >>> quoted("tea"), quoted('she said "no"')
    ('"tea"', '“she said "no"”')
    """
    line = " ".join(words.split())
    return f"“{line}”" if '"' in line else f'"{line}"'
