"""Which sessions nights read. What is left out stays searchable, and gives no fact, note, answer or line of core.

A rule names sessions by their name, or by the source, channel or kind that the harness gave them. The most particular
one holds (a name before a source before a channel before a kind); of two alike, the later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal, get_args

from reverie.errors import BadInput
from reverie.model.base import Instant

By = Literal["kind", "channel", "source", "session"]
BY: tuple[By, ...] = get_args(By)  # the most particular last
KEY = "admission"  # in what is private of a space
MOST = 1_000  # rules of a space


@dataclass(frozen=True, slots=True)
class AdmissionRule:
    """One decision on sessions: which, whether nights read them, why, and when it was made."""

    by: By
    value: str
    admit: bool
    why: str
    at: Instant = 0.0

    def fits(self, session: Mapping[str, Any]) -> bool:
        """Whether a session, as a row, is one of those that the rule names."""
        found = session.get(self.by)
        return found is not None and fnmatchcase(str(found), self.value)


DEFAULTS: tuple[AdmissionRule, ...] = tuple(
    AdmissionRule("kind", kind, False, f"{kind} sessions are left out unless they are admitted")
    for kind in ("cron", "heartbeat", "subagent")
)


def rules_of(private: Mapping[str, Any]) -> tuple[AdmissionRule, ...]:
    """The rules that every space begins with, then its own."""
    return (*DEFAULTS, *(AdmissionRule(**rule) for rule in private.get(KEY, ())))


def excluded(session: Mapping[str, Any], rules: Sequence[AdmissionRule]) -> str | None:
    """Why nights leave a session out, or None.

    >>> excluded({"session": "daily", "kind": "cron"}, DEFAULTS)
    'cron sessions are left out unless they are admitted'
    >>> excluded({"session": "daily", "kind": "cron"}, (*DEFAULTS, AdmissionRule("session", "dai*", True, "mine")))
    """
    fitting = [rule for rule in rules if rule.fits(session)]
    strongest = max(fitting, key=lambda rule: BY.index(rule.by), default=None)
    if strongest is None:
        return None
    last = [rule for rule in fitting if rule.by == strongest.by][-1]
    return None if last.admit else last.why


def new_rule(named: Mapping[str, str | None], admit: bool, why: str, now: Instant) -> AdmissionRule:
    """A rule by the one thing that is named; raises BadInput where none or several are."""
    given = [(by, value) for by in BY if (value := named.get(by))]
    if len(given) != 1:
        raise BadInput("name sessions by exactly one of: session, kind, channel, source")
    by, value = given[0]
    if len(value) > 200 or len(why) > 500:
        raise BadInput("a name has at most 200 characters, a reason at most 500")
    said = why or (f"{by} {value!r} was {'admitted' if admit else 'left out'} by a person")
    return AdmissionRule(by, value, admit, said, now)


def saved(rules: Sequence[AdmissionRule], new: AdmissionRule) -> list[dict[str, Any]]:
    """A space's own rules with a new one, as they are kept; one that it replaces goes."""
    own = [rule for rule in rules if rule not in DEFAULTS and (rule.by, rule.value) != (new.by, new.value)]
    if len(own) >= MOST:
        raise BadInput(f"a space has at most {MOST:,} rules of admission", next_move="Name several by one pattern.")
    return [asdict(rule) for rule in (*own, new)]
