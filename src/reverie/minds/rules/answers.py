"""Answers without a model: which fact, or which sentence of the evidence, answers a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reverie.language.sentences import sentences
from reverie.language.words import terms
from reverie.minds.rules.filters import is_question
from reverie.minds.rules.people import PET_WORDS, PREDICATE_OF, USER, Cast
from reverie.minds.rules.predicates import PREDICATES
from reverie.minds.rules.retell import second_person
from reverie.minds.rules.wording import subject_words
from reverie.model.thinking import AnswerDraft, Evidence

CERTAIN, LISTED, EXTRACTED = 0.9, 0.8, 0.6
MOST_FACTS = 4
LEAST_OVERLAP = 0.6  # of a question's terms, in a sentence that is quoted as its answer

# Which predicates answer a question that is put like this.
_ASKS = (
    (
        r"\bwhere (?:do|does|did|am|is|are) .*\b(?:liv(?:e|ing)|based|reside|staying)\b|\b(?:my|'s) (?:address|"
        r"home)\b|\bwhat city\b|\bwhich (?:city|town|country) .*\blive",
        ("lives_in",),
    ),
    (r"\bwhere .*\bfrom\b|\bhome ?town\b|\bwhere .*\b(?:born|grow up|grew up)\b", ("from",)),
    (
        r"\bwhere (?:do|does|did|am|is|are) .*\bwork|\bwho .*\b(?:work for|employs?)\b|\b(?:employer|company)\b|"
        r"\bwhich company\b",
        ("works_at",),
    ),
    (
        r"\b(?:job|profession|occupation|for a living|line of work|do for work)\b|\bwhat .*\bwork as\b",
        ("job", "works_at"),
    ),
    (r"\b(?:study|studies|studying|major|degree|learning)\b", ("studies",)),
    (r"\bfavou?rite (?P<n>[\w ]+)", ("favorite", "likes")),
    (r"\ballerg", ("allergic_to",)),
    (
        r"\bwhat (?:do|does|did) .*\b(?:like|love|enjoy)\b|\bhobb(?:y|ies)\b|\binterests\b",
        ("likes", "favorite", "habit", "plays"),
    ),
    (r"\b(?:diet|vegetarian|vegan|eat)\b", ("diet", "allergic_to")),
    (r"\b(?:dislike|hate|can not stand|can't stand|not like|don't like)\b", ("dislikes",)),
    (r"\bprefer", ("prefers",)),
    (r"\b(?:pets?|dogs?|cats?)\b", ("has_pet",)),
    (r"\b(?:kids?|children|sons?|daughters?|child)\b", ("has_child",)),
    (r"\b(?:wife|husband|spouse|married to)\b", ("spouse",)),
    (r"\b(?:girlfriend|boyfriend|partner|dating)\b", ("partner", "spouse")),
    (r"\b(?:sister|brother|sibling)s?\b", ("sibling",)),
    (r"\b(?:mother|father|mom|mum|dad|parents?)\b", ("parent",)),
    (r"\bfriends?\b", ("friend",)),
    (r"\b(?:colleagues?|coworkers?|boss|manager)\b", ("colleague",)),
    (r"\blanguages?\b.*\bspeak|\bspeak\b", ("speaks",)),
    (r"\b(?:drive|car)\b", ("drives", "owns")),
    (r"\b(?:play|instrument)\b", ("plays",)),
    (
        r"\b(?:visit|visited|travel(?:led|ed|ing)?|been to|been|trip|go to|went to|gone to)\b",
        ("visited", "event", "plans"),
    ),
    (r"\bwhat\b.*\b(?:own|have)\b", ("owns", "has_pet")),
    (r"\bhow old\b|\b(?:my|'s) age\b", ("age",)),
    (r"\bbirthday\b|\bwhen .*\bborn\b", ("birthday",)),
    (r"\b(?:my|'s) (?:full )?name\b|\bwho am i\b|\bwhat am i called\b", ("name",)),
    (r"\be-?mail\b", ("email",)),
    (r"\b(?:phone|number)\b", ("phone",)),
    (r"\b(?:deadline|due)\b", ("deadline",)),
    (r"\b(?:health|condition|illness|diagnos)", ("health", "allergic_to")),
    (r"\b(?:goals?|want to|hoping)\b", ("goal", "plans")),
    (r"\b(?:plans?|planning|going to|upcoming)\b", ("plans", "goal")),
    (r"\b(?:decide|decided|decision|choose|chose)\b", ("decided",)),
    (r"\b(?:habits?|routine|usually|every (?:day|morning|week))\b", ("habit",)),
    (r"\b(?:use|using|database|editor|language|framework|tool|stack)\b", ("uses", "prefers", "decided")),
)
_DATE = re.compile(
    r"\b(?:\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{4}|(?:19|20)\d{2}|(?:mon|tues|wednes|thurs|fri|satur|sun)"
    r"day|yesterday|tomorrow|today|last \w+|next \w+|\w+ ago|january|february|march|april|june|july|august|"
    r"september|october|november|december)\b",
    re.I,
)


_OVER = re.compile(r"\b(?:no longer|used to)\b")


@lru_cache(maxsize=1)
def _asks() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple((re.compile(pattern, re.I), predicates) for pattern, predicates in _ASKS)


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A question, read: about whom, which predicates answer it, what kind of thing it wants."""

    subject: str  # "user", a name, "user's sister"
    predicates: tuple[str, ...]
    wants: str  # when, where, who, how many, why, ""
    noun: str = ""  # of a favourite
    named: frozenset[str] = frozenset()  # the relation or animal it asks for: "brother", "dog"
    yes_no: bool = False


def understood(question: str) -> AskedFor:
    match = re.match(
        r"\W*(?:and |so |but |hey,? )*(when|where|who|whose|why|how (?:many|much|old|long|often))\b", question, re.I
    )
    predicates, noun = next(((p, m) for pattern, p in _asks() if (m := pattern.search(question))), ((), None))
    groups = noun.groupdict() if noun else {}
    about = _about(question)
    words = set(re.findall(r"[a-z-]+", question.casefold().replace("'s", ""))) - set(re.findall(r"[a-z-]+", about))
    return AskedFor(
        about,
        predicates,
        wants=match.group(1).lower() if match else "",
        noun=(groups.get("n") or "").strip(),
        named=frozenset(words & ((set(PREDICATE_OF) | PET_WORDS) - _CLASSES)),
        yes_no=bool(_YES_NO.match(question)),
    )


_CLASSES = {
    "sibling",
    "child",
    "kid",
    "friend",
    "colleague",
    "partner",
    "spouse",
    "lead",
    "assistant",
    "fish",
}  # several words fit these
_YES_NO = re.compile(r"\W*(?:and |so )?(?:do|does|did|am|is|are|was|were|have|has|can|could|will|would|should)\b", re.I)
_WHO_IS = re.compile(r"\W*who(?: is|'s| was) (?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)?)\W*$", re.I)
_TIES = {"spouse", "partner", "sibling", "parent", "has_child", "friend", "colleague", "relation", "has_pet"}


def _identity(question: str, evidence: Sequence[Evidence]) -> AnswerDraft | None:
    """ "Who is Anna?": the fact that ties her to somebody."""
    match = _WHO_IS.match(question)
    if not match:
        return None
    name = match["name"].casefold()
    tie = next((e for e in evidence if e.predicate in _TIES and name in (e.value or "").casefold().split()), None)
    return AnswerDraft(second_person(tie.text), CERTAIN, (tie.id,)) if tie else None


def _about_value(facts: list[Evidence], question: str) -> list[Evidence]:
    """A yes-or-no question names the value it asks about; "any" asks about all."""
    if re.search(r"\bany\b", question):
        return facts
    wanted = set(terms(question))
    return [f for f in facts if wanted & set(terms((f.value or "").rpartition(": ")[2]))]


_ABOUT_KIN = re.compile(r"\bmy (?P<kin>[a-z-]+)(?:'s)?\b(?! (?:name|called))")


def _about(question: str) -> str:
    """Whom a question is about: a name in it, somebody of mine, else me."""
    names: list[str] = re.findall(r"(?<!^)(?<![.!?] )\b([A-Z][a-z]+(?: [A-Z][a-z]+)?)(?:'s)?\b", question)
    if kin := _ABOUT_KIN.search(question):
        who = Cast(USER).resolve(f"my {kin['kin']}")
        if who and who.relation and re.search(rf"my {kin['kin']}(?:'s)? (?!name\b|called\b|\?|$)\w", question):
            return who.name
    if names and not re.search(r"\b(?:I|my|me|we|our)\b", question):
        return names[0]
    return USER


def answer(question: str, evidence: Sequence[Evidence]) -> AnswerDraft | None:
    """A short, direct, cited sentence; None when nothing here answers the question.

    >>> fact = Evidence("m1", "The user lives in Kiel", 0.0, subject="user", predicate="lives_in", value="Kiel")
    >>> answer("Where do I live?", [fact]).text
    'You live in Kiel.'
    """
    asked = understood(question)
    if named := _identity(question, evidence):
        return named
    facts = [e for e in evidence if e.predicate in asked.predicates and _is_about(e, asked.subject) and e.value]
    facts = [e for e in facts if asked.named <= set(re.findall(r"[\w-]+", e.text.casefold()))]
    if asked.noun:
        facts = _of_noun(facts, asked.noun)
    if asked.yes_no:
        facts = _about_value(facts, question)
    if facts and asked.wants not in ("why", "how many", "how much", "how long", "how often"):
        return _from_facts(question, asked, facts)
    return _quoted(question, asked, evidence)


def _is_about(evidence: Evidence, subject: str) -> bool:
    own = (evidence.subject or "").casefold()
    if f"({subject_words(subject).casefold()})" in evidence.text.casefold():  # "Anna (the user's sister) …"
        return True
    return own == subject.casefold() or (
        bool(own) and subject != USER and own.split()[0] == subject.casefold().split()[0]
    )


def _of_noun(facts: list[Evidence], noun: str) -> list[Evidence]:
    wanted = set(terms(noun))
    return [f for f in facts if f.predicate == "favorite" and wanted & set(terms((f.value or "").partition(": ")[0]))]


def _from_facts(question: str, asked: AskedFor, facts: list[Evidence]) -> AnswerDraft | None:
    best_predicate = min((f.predicate or "" for f in facts), key=asked.predicates.index)
    same = [f for f in facts if f.predicate == best_predicate]
    if asked.wants == "when" and best_predicate not in ("birthday", "deadline"):
        same = [f for f in same if _DATE.search(f.text)]
        wanted = set(terms(question))
        same = sorted(same, key=lambda f: -len(wanted & set(terms(f.text))))[:1]
        if same and len(wanted & set(terms(same[0].text))) * 2 < len(wanted):
            return None
    row = PREDICATES.get(best_predicate)
    exclusive = bool(row and row.exclusive)
    same = _still_true(same)
    same = sorted(same, key=lambda f: -(f.said_at or 0.0))[:1] if exclusive else same[:MOST_FACTS]
    if not same:
        return None
    over = bool(_OVER.search(same[0].text))
    text = " ".join(second_person(f.text) for f in same)
    return AnswerDraft(text, EXTRACTED if over else CERTAIN if exclusive else LISTED, tuple(f.id for f in same))


def _still_true(facts: list[Evidence]) -> list[Evidence]:
    """What is over answers only when nothing else does."""
    return [f for f in facts if not _OVER.search(f.text)] or facts[:1]


def _quoted(question: str, asked: AskedFor, evidence: Sequence[Evidence]) -> AnswerDraft | None:
    """The sentence of the evidence that holds most of the question's words, if it is of the kind that is asked for."""
    wanted = set(terms(question))
    if len(wanted) < 2:
        return None
    best: tuple[float, str, Evidence] | None = None
    for item in evidence:
        for line in sentences(item.text):
            if is_question(line) or not _fits(asked.wants, line, item):
                continue
            known = set(terms(line)) | ({item.speaker.casefold()} if item.speaker else set())
            overlap = len(wanted & known) / len(wanted)
            if overlap >= LEAST_OVERLAP and (best is None or overlap > best[0]):
                best = (overlap, line, item)
    if best is None:
        return None
    overlap, line, item = best
    told = second_person(line) if "the user" in line.casefold() else line
    return AnswerDraft(told, round(EXTRACTED * overlap, 3), (item.id,))


def _fits(wants: str, line: str, item: Evidence) -> bool:
    if wants == "when":
        return bool(_DATE.search(line)) or (item.kind == "episode" and item.said_at is not None and "ago" in line)
    if wants == "where":
        return bool(
            re.search(r"\b(?:in|at|to|from|near|on|under|behind|inside|above|below|beside|by) (?:the |a )?\w+", line)
        )
    if wants in ("who", "whose"):
        return bool(re.search(r"(?<!^)\b[A-Z][a-z]+", line))
    if wants in ("how many", "how much", "how long", "how old"):
        return bool(
            re.search(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|once|twice)\b", line)
        )
    if wants == "why":
        return bool(re.search(r"\b(?:because|since|so that|to|as|due to)\b", line))
    return True
