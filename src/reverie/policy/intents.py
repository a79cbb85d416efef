"""Prospective memory: which sentences ask for a reminder or cancel one, and when its moment has come. No model."""

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

from reverie.language import quoting
from reverie.language.vocabulary import word_set
from reverie.language.words import stem, tokens
from reverie.model.base import Instant
from reverie.model.turns import COOLDOWN, LONGEST, MOST_TIMES, Intent, IntentWords

LEAST_SHARE = 0.66  # of a longer trigger's words that have to come up
SHORT = 2  # words of a trigger that all have to
_WHEN = r"(?:when(?:ever)?|if|once|as soon as|(?:the )?next time(?: that)?)"
_OF = r"(?:of|about|that|to)"
_CUE = re.compile(r"\bremind|\bnext time\b|\breminder", re.I)
_POLITE = r"(?:please,?\s|and\s|also,?\s|so\s|can you\s|could you\s|would you\s|you\s){0,3}"
_WHEN_FIRST = re.compile(
    rf"^{_POLITE}{_WHEN}\s(?P<when>[^\n]{{2,300}}?)[,;:]?\s(?:then\s)?{_POLITE}(?:remind me|tell me|ask me)\s"
    rf"(?:{_OF}\s)?(?P<what>[^\n]{{2,300}})$",
    re.I,
)
_REMIND_FIRST = re.compile(
    rf"^{_POLITE}remind me\s(?:{_OF}\s)?(?P<what>[^\n]{{2,300}}?),?\s{_WHEN}\s(?P<when>[^\n]{{2,300}})$", re.I
)
_CANCEL = re.compile(
    r"^(?:please,?\s|ok,?\s|okay,?\s|you can\s){0,2}"
    r"(?:(?:cancel|drop|delete|remove|forget)\s(?:the|that|this|my)\sreminder|(?:stop|quit)\sreminding\sme"
    r"|(?:don't|do not|never)\sremind\sme\sagain|no need to remind me(?: any ?more| again)?)"
    r"(?:\s(?:of|about|for|to|that)\s(?P<what>[^\n]{2,300}))?[.!]?$",
    re.I,
)
# Words that say that something comes up, not what.
_EMPTY = word_set("""
    i i'm we we're you he she it it's they the a an this that these those my our your some any of to in on at about for
    with from by and or but is are am was be comes come came up mention mentions mentioned talk talking talks speak
    speaking say says said bring brings brought ask asks asked start starts work working on topic subject next time
    again something anything anyone someone ever do does did have has had get gets go going there again me us please
""")
_CALENDAR = word_set("""
    monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight morning evening noon afternoon week
    month year january february march april may june july august september october november december o'clock am pm
    hour hours minute minutes day days
""")


def mentions(text: str) -> bool:
    """Whether it is worth reading a turn's sentences for reminders.

    >>> mentions("Remind me to call Ann when the ledger comes up."), mentions("I like tea.")
    (True, False)
    """
    return _CUE.search(text) is not None


def wanted(sentences: Iterable[str]) -> list[IntentWords]:
    """What the user's sentences ask for; what waits for a time of day, not for a topic, is not among it.

    >>> [(one.remind, one.trigger) for one in wanted(["When the ledger comes up, remind me of the audit."])]
    [('the audit', 'the ledger comes up')]
    >>> [(one.remind, one.trigger) for one in wanted(["Remind me to ask Ann next time I mention the boat."])]
    [('ask Ann', 'I mention the boat')]
    >>> wanted(["Remind me to call Ann when it is Friday."]), wanted(["Did you remind me when we spoke of Ann?"])
    ([], [])
    """
    return [one for sentence in sentences for one in _read(" ".join(sentence.split()))]


def _read(sentence: str) -> Iterator[IntentWords]:
    plain = sentence.strip(" \"'“”").rstrip(".!")
    cancel = _CANCEL.match(plain)
    if cancel:
        yield IntentWords((cancel["what"] or "").strip(), cancels=True)
        return
    found = _WHEN_FIRST.match(plain) or _REMIND_FIRST.match(plain)
    if found is None or (
        sentence.endswith("?") and not sentence.lower().startswith(("can you", "could you", "would you"))
    ):
        return
    what, when = found["what"].strip(" ,;:?")[:LONGEST], found["when"].strip(" ,;:?")[:LONGEST]
    if any(trigger_words(part) for part in _alternatives(when)):
        yield IntentWords(what, when)


def _alternatives(trigger: str) -> list[str]:
    return re.split(r"\sor\s|,\s", trigger)


@lru_cache(maxsize=4096)
def trigger_words(trigger: str) -> frozenset[str]:
    """The stems of the words that say what has to come up.

    >>> sorted(trigger_words("I mention the boat again"))
    ['boat']
    """
    return frozenset(stem(word) for word in tokens(trigger) if word not in _EMPTY and word not in _CALENDAR)


def comes_up(trigger: str, said: frozenset[str]) -> bool:
    """Whether what was said has the words of a trigger: all of a short one, most of a longer one.

    >>> comes_up("the ledger or the audit", frozenset({"audit"})), comes_up("the red boat", frozenset({"boat"}))
    (True, False)
    """
    for part in _alternatives(trigger):
        words = trigger_words(part)
        if words and len(words & said) >= (len(words) if len(words) <= SHORT else LEAST_SHARE * len(words)):
            return True
    return False


def stems_of(text: str) -> frozenset[str]:
    """The stems that a text is matched by."""
    return frozenset(stem(word) for word in tokens(text[:4_000]))


def is_due(intent: Intent, now: Instant) -> bool:
    """Whether it may remind at all just now: three times at most, a day between two, for ninety days."""
    rested = intent.fired_at is None or now - intent.fired_at >= COOLDOWN
    return intent.cancelled_at is None and intent.fired < MOST_TIMES and now < intent.expires_at and rested


def due(intents: Sequence[Intent], query: str, session: str | None, now: Instant) -> list[Intent]:
    """Those whose moment has come with this query; the sentence that asks for a reminder is not that moment."""
    said, plain = stems_of(query), " ".join(query.split()).casefold()
    return [
        intent
        for intent in intents
        if is_due(intent, now)
        and (not intent.scope or fnmatchcase(session or "", intent.scope))
        and comes_up(intent.trigger, said)
        and intent.remind.casefold() not in plain
    ]


def line_of(intent: Intent) -> str:
    """The one dated line of a context.

    >>> line_of(Intent("int-1", "s", "the audit", "the ledger comes up", 1_683_540_000.0, 9e9))
    '- reminder, asked for by the user on 8 May 2023 (when the ledger comes up): the audit'
    """
    trigger, remind = " ".join(intent.trigger.split()), " ".join(intent.remind.split())
    return f"- reminder, asked for by the user on {quoting.day(intent.made_at)} (when {trigger}): {remind}"


def cancelled_by(words: str, intents: Sequence[Intent], session: str | None) -> list[Intent]:
    """Those that a sentence cancels: by what it names; with nothing named, the last of this session."""
    named = trigger_words(words) if words else frozenset()
    if not named:
        here = [intent for intent in intents if intent.session == session]
        return here[-1:]
    return [one for one in intents if named <= stems_of(f"{one.remind} {one.trigger}")]
