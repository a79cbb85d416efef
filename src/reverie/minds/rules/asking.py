"""Questions and answers over facts: what a fact makes askable, and which fact answers a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reverie.minds.rules.filters import is_question
from reverie.minds.rules.people import USER, Cast
from reverie.minds.rules.predicates import PREDICATES
from reverie.minds.rules.wording import possessive, subject_words
from reverie.model.thinking import AnswerDraft, Evidence, QuestionContext, QuestionDraft
from reverie.policy.words import sentences, terms

CERTAIN, EXTRACTED = 0.9, 0.6
LEAST_OVERLAP = 0.6  # of a question's terms, in a sentence that is quoted as its answer

# Which predicates answer a question that is put like this.
_ASKS = (
    (r"\bwhere (?:do|does|did|am|is|are) .*\b(?:liv(?:e|ing)|based|reside|staying)\b|\b(?:my|'s) (?:address|home)\b|\bwhat city\b|\bwhich (?:city|town|country) .*\blive", ("lives_in",)),
    (r"\bwhere .*\bfrom\b|\bhome ?town\b|\bwhere .*\b(?:born|grow up|grew up)\b", ("from",)),
    (r"\bwhere (?:do|does|did|am|is|are) .*\bwork|\bwho .*\b(?:work for|employs?)\b|\b(?:employer|company)\b|\bwhich company\b", ("works_at",)),
    (r"\b(?:job|profession|occupation|for a living|line of work|do for work)\b|\bwhat .*\bwork as\b", ("job", "works_at")),
    (r"\b(?:study|studies|studying|major|degree|learning)\b", ("studies",)),
    (r"\bfavou?rite (?P<n>[\w ]+)", ("favorite", "likes")),
    (r"\ballerg", ("allergic_to",)),
    (r"\b(?:diet|vegetarian|vegan|eat)\b", ("diet", "allergic_to")),
    (r"\b(?:dislike|hate|can not stand|can't stand|not like|don't like)\b", ("dislikes",)),
    (r"\bwhat (?:do|does|did) .*\b(?:like|love|enjoy)\b|\bhobb(?:y|ies)\b|\binterests\b", ("likes", "favorite", "habit", "plays")),
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
    (r"\b(?:own|have)\b", ("owns", "has_pet")),
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
    (r"\b(?:visit|visited|travel(?:led|ed)?|been to|trip)\b", ("visited", "event", "plans")),
    (r"\b(?:habits?|routine|usually|every (?:day|morning|week))\b", ("habit",)),
    (r"\b(?:use|using|database|editor|language|framework|tool|stack)\b", ("uses", "prefers", "decided")),
)  # fmt: skip
_DATE = re.compile(
    r"\b(?:\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{4}|(?:19|20)\d{2}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|tomorrow|today|last \w+|next \w+|\w+ ago|january|february|march|april|june|july|august|september|october|november|december)\b",
    re.I,
)


@lru_cache(maxsize=1)
def _asks() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple((re.compile(pattern, re.I), predicates) for pattern, predicates in _ASKS)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read: about whom, which predicates answer it, what kind of thing it wants."""

    subject: str  # "user", a name, "user's sister"
    predicates: tuple[str, ...]
    wants: str  # when, where, who, how many, why, ""
    noun: str = ""  # of a favourite


def understood(question: str) -> Asked:
    match = re.match(
        r"\W*(?:and |so |but |hey,? )*(when|where|who|whose|why|how (?:many|much|old|long|often))\b", question, re.I
    )
    predicates, noun = next(((p, m) for pattern, p in _asks() if (m := pattern.search(question))), ((), None))
    groups = noun.groupdict() if noun else {}
    return Asked(
        _about(question), predicates, (match.group(1).lower() if match else ""), (groups.get("n") or "").strip()
    )


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

    >>> fact = Evidence("m1", "The user lives in Kiel", 0.0, kind="fact", subject="user", predicate="lives_in", value="Kiel")
    >>> answer("Where do I live?", [fact]).text
    'You live in Kiel.'
    """
    asked = understood(question)
    facts = [e for e in evidence if e.predicate in asked.predicates and _is_about(e, asked.subject) and e.value]
    if asked.noun:
        facts = _of_noun(facts, asked.noun)
    if facts and asked.wants not in ("why", "how many", "how much", "how long", "how often"):
        return _from_facts(question, asked, facts)
    return _quoted(question, asked, evidence)


def _is_about(evidence: Evidence, subject: str) -> bool:
    own = (evidence.subject or "").casefold()
    return own == subject.casefold() or (
        bool(own) and subject != USER and own.split()[0] == subject.casefold().split()[0]
    )


def _of_noun(facts: list[Evidence], noun: str) -> list[Evidence]:
    wanted = set(terms(noun))
    return [f for f in facts if f.predicate == "favorite" and wanted & set(terms((f.value or "").partition(": ")[0]))]


def _from_facts(question: str, asked: Asked, facts: list[Evidence]) -> AnswerDraft | None:
    best_predicate = min((f.predicate or "" for f in facts), key=asked.predicates.index)
    same = [f for f in facts if f.predicate == best_predicate]
    if asked.wants == "when" and best_predicate not in ("birthday", "deadline"):
        same = [f for f in same if _DATE.search(f.text)]
        wanted = set(terms(question))
        same = sorted(same, key=lambda f: -len(wanted & set(terms(f.text))))[:1]
        if same and len(wanted & set(terms(same[0].text))) * 2 < len(wanted):
            return None
    row = PREDICATES.get(best_predicate)
    same = same[:1] if row and row.exclusive else same[:4]
    if not same:
        return None
    text = " ".join(second_person(f.text) for f in same)
    return AnswerDraft(text, CERTAIN if row and row.exclusive else 0.8, tuple(f.id for f in same))


_YOU = (
    (r"^The user's\b", "Your"), (r"\bthe user's\b", "your"), (r"^The user is\b", "You are"), (r"^The user was\b", "You were"), (r"^The user has\b", "You have"),
    (r"^The user (no longer|always|usually|often) (\w+?)(?:es|s)\b", r"You \1 \2"), (r"\bthe user\b", "you"), (r"\btheir\b", "your"), (r"\bthemselves\b", "yourself"),
)  # fmt: skip
_KEEP_E = {
    "likes": "like",
    "lives": "live",
    "uses": "use",
    "dislikes": "dislike",
    "drives": "drive",
    "comes": "come",
    "goes": "go",
    "does": "do",
    "studies": "study",
    "makes": "make",
    "practises": "practise",
    "practices": "practice",
    "bakes": "bake",
    "takes": "take",
    "writes": "write",
    "cycles": "cycle",
    "dances": "dance",
    "hikes": "hike",
    "smokes": "smoke",
}


def second_person(text: str) -> str:
    """A fact about the user, said to the user.

    >>> second_person("The user lives in Kiel"), second_person("Anna lives in Bonn")
    ('You live in Kiel.', 'Anna lives in Bonn.')
    """
    verb = re.match(r"The user ((?:no longer |always |usually |often )?)(\w+s)\b", text)
    if verb and verb.group(2) not in ("is", "was", "has"):
        word = verb.group(2)
        base = _KEEP_E.get(word) or (
            re.sub("ies$", "y", word) if word.endswith("ies") else re.sub(r"(?<=ch|sh|ss)es$|(?<!s)s$", "", word)
        )
        text = f"You {verb.group(1)}{base}" + text[verb.end() :]
    for pattern, new in _YOU:
        text = re.sub(pattern, new, text)
    text = re.sub(r"^The user\b", "You", text)
    return text.rstrip(".") + "."


def _quoted(question: str, asked: Asked, evidence: Sequence[Evidence]) -> AnswerDraft | None:
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
    told = second_person(line) if line.startswith("The user") else line
    return AnswerDraft(told, round(EXTRACTED * overlap, 3), (item.id,))


def _fits(wants: str, line: str, item: Evidence) -> bool:
    if wants == "when":
        return bool(_DATE.search(line)) or (item.kind == "episode" and item.said_at is not None and "ago" in line)
    if wants == "where":
        return bool(re.search(r"\b(?:in|at|to|from|near|on) (?:the |a )?\w+", line))
    if wants in ("who", "whose"):
        return bool(re.search(r"(?<!^)\b[A-Z][a-z]+", line))
    if wants in ("how many", "how much", "how long", "how old"):
        return bool(
            re.search(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|once|twice)\b", line)
        )
    if wants == "why":
        return bool(re.search(r"\b(?:because|since|so that|to|as|due to)\b", line))
    return True


def questions(context: QuestionContext, k: int) -> list[QuestionDraft]:
    """What the new facts make askable, newest first, then what recent turns left open."""
    known = {_plain(q) for q in context.asked}
    drafts: dict[str, QuestionDraft] = {}
    for fact in context.facts:
        draft = _from_fact(fact)
        if draft and _plain(draft.text) not in known:
            drafts.setdefault(_plain(draft.text), draft)
    for turn in reversed(context.turns):
        for line in sentences(turn.text):
            if turn.role == "user" and line.rstrip().endswith("?") and 3 <= len(line.split()) <= 25:
                drafts.setdefault(_plain(line), QuestionDraft(line, "asked a moment ago", (turn.id,)))
    return list(drafts.values())[: max(0, k)]


def _plain(question: str) -> str:
    return " ".join(re.findall(r"\w+", question.casefold()))


def _from_fact(fact: Evidence) -> QuestionDraft | None:
    row = PREDICATES.get(fact.predicate or "")
    if row is None or not fact.subject or not row.question:
        return None
    noun = (fact.value or "").partition(": ")[0] if fact.predicate == "favorite" else ""
    if fact.subject == USER:
        text = row.question.format(n=noun)
    else:
        whose, who = possessive(fact.subject), subject_words(fact.subject)
        text = row.about.format(s=_mine(who), p=_mine(whose), n=noun)
    return QuestionDraft(text, f"new: {fact.text}", (fact.id,)) if text else None


def _mine(words: str) -> str:
    """ "The user's sister", as the user says it."""
    return "my" + words.removeprefix("The user's") if words.startswith("The user's") else words
