"""A profile: what is known about somebody, in prose grouped by theme."""

from collections.abc import Sequence

from reverie.minds.rules.predicates import PREDICATES
from reverie.minds.rules.retell import third_person
from reverie.minds.rules.wording import possessive, subject_words
from reverie.model.memories import Memory
from reverie.model.thinking import ProfileDraft

THEMES = ("identity", "home", "work", "family", "people", "health", "tastes", "things", "plans", "events", "other")
PER_THEME = 8  # facts; the most important first
# Facts of these predicates are told as one list: "likes tea, coffee and rain".
_LISTED = {
    "likes": "{s} likes {v}",
    "dislikes": "{s} dislikes {v}",
    "allergic_to": "{s} is allergic to {v}",
    "speaks": "{s} speaks {v}",
    "uses": "{s} uses {v}",
    "prefers": "{s} prefers {v}",
    "plays": "{s} plays {v}",
    "owns": "{s} has {v}",
    "visited": "{s} has visited {v}",
    "studies": "{s} studies {v}",
    "friend": "{p} friends include {v}",
    "colleague": "{s} works with {v}",
    "has_child": "{p} children: {v}",
    "sibling": "{p} siblings: {v}",
    "has_pet": "{p} pets: {v}",
    "health": "{p} health: {v}",
    "diet": "{p} diet: {v}",
}


def joined(values: Sequence[str]) -> str:
    """
    >>> joined(["tea"]), joined(["tea", "rum", "milk"])
    ('tea', 'tea, rum and milk')
    """
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"


def holds(memory: Memory) -> bool:
    """Whether a fact may be told as true: not over, not stale, not set aside."""
    return not (memory.metadata.get("negated") or memory.stale or memory.quarantined or memory.valid_until is not None)


def _theme(memory: Memory) -> str:
    row = PREDICATES.get(memory.predicate or "")
    return row.theme if row else "other"


def _sentences(subject: str, facts: Sequence[Memory]) -> list[str]:
    lines: list[str] = []
    for predicate in dict.fromkeys(f.predicate for f in facts):
        same = [f for f in facts if f.predicate == predicate]
        values = list(dict.fromkeys(f.value or "" for f in same))
        if predicate in _LISTED and len(values) > 1:
            lines.append(
                _LISTED[predicate].format(
                    s=subject_words(subject), p=possessive(subject), v=third_person(joined(values))
                )
            )
        else:
            lines += dict.fromkeys(f.text.rstrip(".") for f in same)  # said twice with a change between is two facts
    return lines


def _merged(subject: str, lines: list[str]) -> str:
    """Sentences with the same subject drawn together in pairs: "Alice lives in Kiel and works at Acme"."""
    head, told = subject_words(subject) + " ", []
    while lines:
        line = lines.pop(0)
        if (
            line.startswith(head)
            and lines
            and lines[0].startswith(head)
            and " and " not in line + lines[0]
            and len(line + lines[0]) < 110
        ):
            line = _drawn_together(line, lines.pop(0)[len(head) :])
        told.append(line + ".")
    return " ".join(told)


def _drawn_together(line: str, more: str) -> str:
    """
    >>> _drawn_together("Alice works at Acme", "works as a cook")
    'Alice works at Acme as a cook'
    """
    if " works at " in line and more.startswith("works as "):
        return f"{line} {more.removeprefix('works ')}"
    return f"{line} and {more}"


def profile(entity: str, facts: Sequence[Memory]) -> ProfileDraft | None:
    """Prose about `entity` from the facts that hold; None when fewer than two do."""
    own = [f for f in facts if holds(f) and f.subject and f.subject.casefold() == entity.casefold() and f.value]
    if len(own) < 2:
        return None
    subject = own[0].subject or entity
    paragraphs, cited = [], []
    for theme in THEMES:
        ranked = sorted((f for f in own if _theme(f) == theme), key=lambda f: (-f.importance, -f.confidence, f.id))[
            :PER_THEME
        ]
        if ranked:
            paragraphs.append(_merged(subject, _sentences(subject, ranked)))
            cited += [f.id for f in ranked]
    return ProfileDraft(" ".join(paragraphs), tuple(dict.fromkeys(cited)))
