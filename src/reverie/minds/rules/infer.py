"""Insights from facts: deductions by rules that cannot fail when their premises hold, inductions from repetition."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from reverie.language.vocabulary import STOP_WORDS
from reverie.language.words import stem, tokens
from reverie.minds.rules.clash import same_value
from reverie.minds.rules.lexicon import themes, words
from reverie.minds.rules.profile import holds, joined
from reverie.minds.rules.wording import possessive, subject_words
from reverie.model.base import DAY
from reverie.model.memories import Memory
from reverie.model.thinking import InsightDraft

DEDUCED = 0.85
INDUCED, PER_POINT, INDUCED_MOST = 0.60, 0.03, 0.75
LEAST_POINTS = 3
MOST = 12  # insights of one call

# (A, first, B) and (B, second, C) make C this to A.
_KINSHIP = {
    ("sibling", "has_child"): "niece or nephew",
    ("parent", "parent"): "grandparent",
    ("has_child", "has_child"): "grandchild",
    ("parent", "sibling"): "aunt or uncle",
    ("spouse", "parent"): "parent-in-law",
    ("spouse", "sibling"): "sibling-in-law",
    ("sibling", "spouse"): "sibling-in-law",
    ("has_child", "spouse"): "child-in-law",
}
# Two persons with the same value of these share something.
_SHARED = {
    "works_at": "both work at {v}",
    "lives_in": "both live in {v}",
    "from": "both come from {v}",
    "studies": "both study {v}",
    "likes": "both like {v}",
    "plays": "both play {v}",
    "allergic_to": "are both allergic to {v}",
    "speaks": "both speak {v}",
}


def infer(facts: Sequence[Memory]) -> list[InsightDraft]:
    """At most a dozen, deductions first; only facts that hold are premises, and never an insight."""
    sound = [f for f in facts if f.kind == "fact" and f.subject and f.predicate and f.value and holds(f)]
    drafts = [*_kin(sound), *_shared(sound), *_hazards(sound), *_themes(sound), *_travels(sound), *_recurring(sound)]
    unique = {draft.text: draft for draft in drafts}
    return list(unique.values())[:MOST]


def _kin(facts: list[Memory]) -> Iterator[InsightDraft]:
    by_subject: dict[str, list[Memory]] = defaultdict(list)
    for fact in facts:
        by_subject[(fact.subject or "").casefold()].append(fact)
    for first in facts:
        for second in by_subject.get((first.value or "").casefold(), ()):
            tie = _KINSHIP.get((first.predicate or "", second.predicate or ""))
            if tie and (second.value or "")[:1].isupper() and second.value != first.subject:
                text = f"{second.value} is {possessive(first.subject or '')} {tie}".replace("is The", "is the")
                yield InsightDraft(text, "deduction", (first.id, second.id), DEDUCED)


def _shared(facts: list[Memory]) -> Iterator[InsightDraft]:
    groups: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for fact in facts:
        if fact.predicate in _SHARED:
            groups[(fact.predicate, (fact.value or "").casefold())].append(fact)
    for (predicate, _), members in groups.items():
        people = {(m.subject or "").casefold(): m for m in members}
        if len(people) >= 2:
            named = sorted(people.values(), key=lambda m: (m.subject != "user", m.subject or ""))[:4]
            who = joined([subject_words(m.subject or "") for m in named])
            told = _SHARED[predicate].format(v=members[0].value)
            told = told if len(named) == 2 else told.replace("both ", "all ")
            yield InsightDraft(f"{who} {told}", "deduction", tuple(m.id for m in named), DEDUCED)


def _hazards(facts: list[Memory]) -> Iterator[InsightDraft]:
    """An allergy to something that the person also has or likes."""
    for allergy in (f for f in facts if f.predicate == "allergic_to"):
        for other in facts:
            if other.subject != allergy.subject or other.predicate not in ("has_pet", "likes", "owns", "favorite"):
                continue
            value = (other.value or "").rpartition(": ")[2]
            if {stem(w) for w in tokens(allergy.value or "")} & {stem(w) for w in tokens(value)}:
                has = "has" if other.predicate in ("has_pet", "owns") else "likes"
                told = other.text.partition(f" {has} ")[2] or value
                text = f"{subject_words(allergy.subject or '')} is allergic to {allergy.value} and yet {has} {told}"
                yield InsightDraft(text, "deduction", (allergy.id, other.id), DEDUCED)


def _induction(text: str, points: Sequence[Memory]) -> InsightDraft:
    confidence = min(INDUCED_MOST, INDUCED + PER_POINT * (len(points) - LEAST_POINTS))
    return InsightDraft(text, "induction", tuple(p.id for p in points), confidence)


def _by_person(facts: list[Memory], predicates: set[str]) -> dict[str, list[Memory]]:
    groups: dict[str, list[Memory]] = defaultdict(list)
    for fact in facts:
        if fact.predicate in predicates:
            groups[fact.subject or ""].append(fact)
    return groups


def _themes(facts: list[Memory]) -> Iterator[InsightDraft]:
    for person, own in _by_person(
        facts, {"likes", "habit", "plays", "event", "studies", "goal", "owns", "favorite", "plans"}
    ).items():
        for theme in sorted(themes()):
            roots = {stem(word) for word in themes()[theme]}
            points = _distinct([f for f in own if roots & {stem(w) for w in tokens(f.value or "")}])
            if len(points) >= LEAST_POINTS:
                yield _induction(f"{subject_words(person)} is drawn to {theme}", points[:8])


def _distinct(points: list[Memory]) -> list[Memory]:
    kept: list[Memory] = []
    for point in points:
        if not any(same_value(point.value or "", other.value or "") for other in kept):
            kept.append(point)
    return kept


def _travels(facts: list[Memory]) -> Iterator[InsightDraft]:
    for person, own in _by_person(facts, {"visited"}).items():
        points = _distinct(own)
        if len(points) >= LEAST_POINTS:
            places = joined([p.value or "" for p in points[:5]])
            yield _induction(f"{subject_words(person)} travels often: {places}", points[:8])


def _recurring(facts: list[Memory]) -> Iterator[InsightDraft]:
    """A word that comes back in what somebody does, on three separate days or more."""
    for person, own in _by_person(facts, {"event", "plans", "habit", "goal", "decided", "visited"}).items():
        places: dict[str, dict[int, Memory]] = defaultdict(dict)
        written: Counter[tuple[str, str]] = Counter()
        for fact in own:
            for word in set(tokens(fact.value or "")) - STOP_WORDS - _PLAIN:
                if len(word) > 3 and stem(word) != stem(person.casefold()):
                    places[stem(word)].setdefault(int(fact.dated // DAY), fact)
                    written[(stem(word), word)] += 1
        for root, days in sorted(places.items(), key=lambda item: -len(item[1]))[:2]:
            if len(days) >= LEAST_POINTS:
                word = max((w for r, w in written if r == root), key=lambda w: (written[(root, w)], w))
                yield _induction(
                    f"{word.capitalize()} is a recurring theme for {_inside(person)}", list(days.values())[:8]
                )


def _inside(person: str) -> str:
    words = subject_words(person)
    return "the" + words[3:] if words.startswith("The user") else words


_PLAIN = words("plain_word")
