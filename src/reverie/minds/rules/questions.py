"""What a fact makes askable, and what recent turns left open."""

import re

from reverie.language.sentences import sentences
from reverie.minds.rules.people import USER
from reverie.minds.rules.predicates import PREDICATES
from reverie.minds.rules.wording import possessive, subject_words
from reverie.model.thinking import Evidence, QuestionContext, QuestionDraft


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
