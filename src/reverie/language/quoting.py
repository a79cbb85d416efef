"""How somebody's words are shown: who said them, when, what they answer, and then the words themselves."""

import re
from datetime import UTC, datetime

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.model.base import Instant

MOST_BARE = 4  # words of a thing that is named; a longer one is somebody's sentence, and quoted
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


# A capital inside a sentence; the first word of one says nothing.
_NAME = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-Þ][^\W\d_][\w-]*(?: [A-ZÀ-Þ][^\W\d_][\w-]*)*")


def named(quote: str) -> tuple[str, ...]:
    """The people, places and things that a quote calls by name.

    >>> named("On Friday I'm off to Kiel with my sister Anna Berg. She loves Anna's boat.")
    ('Kiel', 'Anna Berg', 'Anna')
    """
    names = (name for name in _NAME.findall(quote) if name.casefold() not in (*MONTHS, *WEEKDAYS))
    return tuple(dict.fromkeys(names))


def shown(
    quote: str,
    speaker: str,
    said_at: Instant,
    about: str = "",
    when: str = "",
    on: str = "",
    introduced: str = "",
    talk: str = "",
) -> str:
    """A quote as every list, block and prompt shows it. `about` is a question or a thing, `when` a date made plain,
    `on` what they had said before, `introduced` how they first named what they speak of, `talk` what was said just
    before, which may be on something else.

    >>> shown("it's now December 18", "Mara", 1_793_836_800.0, "the ledger deadline")
    'Mara, 5 November 2026, on the ledger deadline: "it\\'s now December 18"'
    >>> shown("on Friday", "user", 1_793_836_800.0, "When is it due?", "6 November 2026")
    'The user, 5 November 2026, asked "When is it due?": "on Friday" (6 November 2026)'
    >>> shown("for two weeks", "Mara", 1_793_836_800.0, "How long does she stay?", on="Ada is coming!")
    'Mara, 5 November 2026, after their "Ada is coming!", asked "How long does she stay?": "for two weeks"'
    """
    matter = _matter(about)
    if on:
        matter = f", after their {quoted(on)}" + matter.replace(", after ", " and the reply ", 1)
    date = f" ({when})" if when else ""
    return behind(f"{who(speaker)}, {day(said_at)}{matter}: {quoted(quote)}{date}{earlier(introduced)}", talk)


_BEFORE_IT = " [before it, "


def behind(line: str, talk: str) -> str:
    """A line with the talk before it, if there is any."""
    return f"{line}{_BEFORE_IT}{talk}]" if talk else line


def by_itself(text: str, quote: str) -> str:
    """A quote as `shown` gives it, without the talk before it: for lists in which every word counts.

    >>> text = shown("on Friday", "user", 1_793_836_800.0, talk=heard("assistant", "When is it due?"))
    >>> text
    'The user, 5 November 2026: "on Friday" [before it, the assistant: "When is it due?"]'
    >>> by_itself(text, "on Friday")
    'The user, 5 November 2026: "on Friday"'
    """
    if not quote or not text.endswith("]"):
        return text
    said = " ".join(quote.split())
    place = text.find(_BEFORE_IT, max(0, text.find(said)) + len(said))
    return text if place < 0 else text[:place]


def alone(text: str, quote: str, introduced: str) -> str:
    """The same without how its speaker first named what it speaks of, too."""
    return by_itself(text, quote).removesuffix(earlier(introduced))


def words_before(text: str, quote: str) -> list[str]:
    """The words of others' and own turns that `shown` has put behind a quote.

    >>> talk = f"{heard('user', 'I asked Jo.')}; {heard('assistant', 'And?')}"
    >>> words_before(shown("she said yes", "user", 0.0, talk=talk), "she said yes")
    ['I asked Jo.', 'And?']
    """
    return words_of_talk(text[len(by_itself(text, quote)) + len(_BEFORE_IT) : -1])


def words_of_talk(talk: str) -> list[str]:
    return [words for pair in _HEARD.findall(talk) for words in pair if words]


_HEARD = re.compile(r': (?:"([^"]+)"|“([^”]+)”)(?=;|$)')


def heard(speaker: str, words: str) -> str:
    """Somebody's words in the talk before a quote.

    >>> heard("user", "I'm off."), heard("Mara", "Bye!")
    ('the user: "I\'m off."', 'Mara: "Bye!"')
    """
    name = who(speaker)
    return f"{name[0].lower() + name[1:] if name in ROLES.values() else name}: {quoted(words)}"


def earlier(introduced: str) -> str:
    """How the speaker first named what a quote takes for known, as it stands behind the quote."""
    return f" (earlier, {introduced})" if introduced else ""


_SPEAKS = re.compile(r"(?:i|we|you|he|she|it|they|that|this)\b", re.I)


def _matter(words: str) -> str:
    """What stands before the quote: the question that it answers, the statement that it follows, what it is on."""
    if words.endswith("?"):
        return f", asked {quoted(words)}"
    if words.endswith((".", "!", "…")) or len(words.split()) > MOST_BARE or _SPEAKS.match(words):
        return f", after {quoted(words)}"
    return f", on {words}" if words else ""


def told(quote: str, speaker: str, said_at: Instant | None, about: str = "", when: str = "", lead: str = "") -> str:
    """A quote as an answer to the user gives it; `lead` says how it follows another one of the same speaker.

    >>> told("on Friday", "user", 1_793_836_800.0, "When is it due?", "6 November 2026")
    'Asked "When is it due?", you said on 5 November 2026: "on Friday" (6 November 2026).'
    >>> told("it's the 4th.", "user", 1_793_836_800.0, lead="Earlier")
    'Earlier, on 5 November 2026: "it\\'s the 4th".'
    """
    name = "you" if speaker.casefold() in ("", "user", "human") else who(speaker)
    asked = f'asked "{about}", ' if about.endswith("?") else ""
    dated = f"on {day(said_at)}" if said_at is not None else "once"
    opening = f"{lead}, {asked}{dated}" if lead else f"{asked}{name} said {dated}"
    date = f" ({when})" if when else ""
    return f"{opening[0].upper()}{opening[1:]}: {quoted(quote.strip().rstrip('.'))}{date}."


def quoted(words: str) -> str:
    """
    >>> quoted("tea"), quoted('she said "no"')
    ('"tea"', '“she said "no"”')
    """
    line = " ".join(words.split())
    return f"“{line}”" if '"' in line else f'"{line}"'


def unquoted(text: str) -> str:
    """The words that `quoted` has put between marks.

    >>> unquoted(quoted('she said "no"')), unquoted(quoted("tea"))
    ('she said "no"', 'tea')
    """
    return text[1:-1] if text[:1] in ('"', "“") and len(text) > 1 else text
