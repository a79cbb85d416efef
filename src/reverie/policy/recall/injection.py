"""What may be put into a coding agent's prompt unasked: only what surely belongs to it, little of it, nothing twice.

A hit's relevance is relative: the best of a nonsense question has 0.98. Here the bar is absolute: how near the words
are in meaning, and how many of the question's own words they hold.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reverie.language import quoting
from reverie.language.excerpts import one_line
from reverie.language.words import content_hash, terms
from reverie.model.base import Instant, Trust
from reverie.model.hits import Hit
from reverie.policy.recall.lines import who
from reverie.policy.safety.trust import without_marks, wrap_recalled


@dataclass(frozen=True, slots=True)
class InjectionLimits:
    """Measured by bench/hooks.py: a bar that lets in most answers and next to nothing else."""

    hits: int = 3
    candidates: int = 6  # each is embedded, where that was not done lately
    near: float = 0.45  # cosine from which a hit passes without a word of the question
    near_with_words: float = 0.36  # cosine from which one passes that also has enough of the question's words
    cover: float = 0.5  # of the question's words
    least_words: int = 2  # that carry a meaning: "and now?" asks for nothing
    project: float = 0.05  # by how much nearer a hit of the same project counts
    hit_bytes: int = 320
    briefing_bytes: int = 1_500
    line_bytes: int = 260


LIMITS = InjectionLimits()
MARKED = "core"
SHOWN_FLAGS = ("conflict",)  # what is superseded, earlier or stale is not shown unasked


class Weighed(NamedTuple):
    """A hit with how well it fits the question by itself."""

    hit: Hit
    cosine: float
    cover: float
    own_project: bool = False

    def passes(self, limits: InjectionLimits = LIMITS) -> bool:
        """Whether it surely belongs to the question."""
        bonus = limits.project if self.own_project else 0.0
        near = self.cosine + bonus
        return near >= limits.near or (near >= limits.near_with_words and self.cover >= limits.cover)

    @property
    def place(self) -> float:
        return -(self.cosine + 0.2 * self.cover + (LIMITS.project if self.own_project else 0.0))


def question_words(prompt: str) -> frozenset[str]:
    """The words of a prompt by which something is looked for."""
    return frozenset(terms(prompt))


def cover(words: Collection[str], text: str) -> float:
    """How many of the question's words a text holds.

    >>> cover({"deploy", "staging"}, "We deploy on Mondays")
    0.5
    """
    return len(set(words) & set(terms(text))) / len(words) if words else 0.0


def marks_of(hit: Hit) -> tuple[str, ...]:
    """By what a hit is known again: its id, the turns that it stands for, and its words."""
    return (hit.id, *hit.turns, said_mark(hit.quote or hit.text))


def said_mark(text: str) -> str:
    """The same for the same words, whatever holds them."""
    return f"said-{content_hash(text)[:16]}"


def may_be_shown(hit: Hit, session: str | None, seen: Collection[str]) -> bool:
    """Not what this session has said or was shown, nor what only a tool or a page says, nor what no longer holds."""
    return (
        hit.session != session
        and hit.trust >= Trust.ASSISTANT
        and all(flag in SHOWN_FLAGS for flag in hit.flags)
        and not any(mark in seen for mark in marks_of(hit))
    )


def chosen(weighed: Iterable[Weighed], limits: InjectionLimits = LIMITS) -> list[Hit]:
    """Those above the bar, the nearest first, each statement once."""
    passing = sorted((one for one in weighed if one.passes(limits)), key=lambda one: (one.place, one.hit.id))
    taken: list[Hit] = []
    known: set[str] = set()
    for one in passing:
        if not known.intersection(marks_of(one.hit)) and len(taken) < limits.hits:
            taken.append(one.hit)
            known.update(marks_of(one.hit))
    return taken


def hits_text(hits: Sequence[Hit], limits: InjectionLimits = LIMITS) -> str:
    """What a prompt is given: a line a hit, with who said it and when."""
    lines = [cut(_hit_line(hit), limits.hit_bytes) for hit in hits]
    return wrap_recalled("\n".join(lines), "memories") if lines else ""


def reminders_text(lines: Sequence[str], limits: InjectionLimits = LIMITS) -> str:
    """What the user wanted to be reminded of now that it has come up, a dated line each."""
    kept = [cut(without_marks(line), limits.hit_bytes) for line in lines]
    return wrap_recalled("\n".join(kept), "reminders") if kept else ""


def _hit_line(hit: Hit) -> str:
    when = f", {quoting.day(hit.said_at)}" if hit.said_at is not None else ""
    return f"- {who(hit)}{when}: {one_line(hit.quote or hit.text)}"


class BriefingPart(NamedTuple):
    """Lines under a heading, the most important first, and how many bytes they have before others had theirs."""

    heading: str
    lines: Sequence[str]
    share: float


def briefing_text(parts: Sequence[BriefingPart], limits: InjectionLimits = LIMITS) -> tuple[str, list[str]]:
    """The text that a session begins with, at most so many bytes, and the lines that are in it."""
    frame = size(wrap_recalled("", MARKED)) + sum(size(part.heading) + 1 for part in parts if part.lines)
    room = limits.briefing_bytes - frame
    kept: list[list[str]] = [[] for _ in parts]
    for limit in (lambda part: part.share * room, lambda _part: float(room)):  # first its share, then what is left
        for part, taken in zip(parts, kept, strict=True):
            for line in part.lines[len(taken) :]:
                own, all_ = _bytes(taken) + size(line) + 1, sum(map(_bytes, kept)) + size(line) + 1
                if own > limit(part) or all_ > room:
                    break
                taken.append(line)
    shown = [[part.heading, *taken] for part, taken in zip(parts, kept, strict=True) if taken]
    lines = [line for taken in kept for line in taken]
    return (wrap_recalled("\n".join("\n".join(each) for each in shown), MARKED) if lines else ""), lines


def without_repeats(parts: Sequence[BriefingPart]) -> list[BriefingPart]:
    """The parts, each statement where it comes first.

    >>> [part.lines for part in without_repeats([BriefingPart("a", ["- x (1 May)"], 1), BriefingPart("b", ["- x"], 1)])]
    [['- x (1 May)'], []]
    """
    known: set[str] = set()
    found = []
    for part in parts:
        new = [line for line in dict.fromkeys(part.lines) if words_of(line) not in known]
        known.update(words_of(line) for line in new)
        found.append(part._replace(lines=new))
    return found


def words_of(line: str) -> str:
    """A line's own words, without the mark before and the day behind them.

    >>> words_of("- No emojis. (5 November 2026)")
    'No emojis.'
    """
    said = line.removeprefix("- ")
    return said.rpartition(" (")[0] if said.endswith(")") else said


def briefing_line(text: str, at: Instant | None, limits: InjectionLimits = LIMITS) -> str:
    """
    >>> briefing_line("Deploys are on Mondays.", 1_793_836_800.0)
    '- Deploys are on Mondays. (5 November 2026)'
    """
    when = f" ({quoting.day(at)})" if at is not None else ""
    return cut(without_marks(f"- {one_line(text)}"), limits.line_bytes - size(when)) + when


def cut(text: str, most: int) -> str:
    """At most so many bytes, whole characters.

    >>> cut("über alles", 6), cut("kurz", 6)
    ('üb…', 'kurz')
    """
    raw = text.encode("utf-8", "replace")
    return text if len(raw) <= most else raw[: most - 3].decode("utf-8", "ignore").rstrip() + "…"


def size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _bytes(lines: Iterable[str]) -> int:
    return sum(size(line) + 1 for line in lines)
