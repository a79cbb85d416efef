"""Questions that something worked out ahead answers by itself: its number, how it came about, the words it rests on.

Only what the user said counts here, as everywhere in prepared answers: what a document holds is served by `context`.
"""

import re

from reverie.model.base import Trust
from reverie.model.memories import Memory
from reverie.model.thinking import AnswerDraft
from reverie.policy.answers.prediction import Candidate
from reverie.store.reader import Reader
from reverie.store.reading import memories
from reverie.store.tables import studies

PONDERED = "pondered"  # the predictor's name
LIKELIHOOD = 0.15  # that a quantity worked out just now is asked for
MOST = 200  # insights that are looked at
_NAMED = re.compile(r"(Total|Average|Highest|Lowest|Longest|Shortest) ([^:]{2,80}): ")


def candidates(reader: Reader) -> list[Candidate]:
    """A question for each quantity of the user's own that has a name."""
    found = studies.pondered(reader, reader.space, limit=MOST)
    asked = ((question_of(memory), memory) for memory in found if memory.trust >= Trust.USER)
    why = "worked out ahead"
    return [Candidate(question, PONDERED, LIKELIHOOD, why, (memory.id,)) for question, memory in asked if question]


def answered(reader: Reader, candidate: Candidate) -> tuple[AnswerDraft | None, dict[str, Memory]]:
    """The answer with its expression and premises, and what it rests on; None if the insight is gone."""
    known = memories.by_ids(reader, candidate.sources)
    insight = known.get(candidate.sources[0])
    if insight is None or insight.stale or insight.trust < Trust.USER:
        return None, {}
    quotes = "; ".join(f'"{quote}"' for quote in insight.marks.get("quotes", ()))
    text = f"{insight.marks.get('value')} ({insight.text}; from what was said: {quotes})"
    rests_on = {**known, **memories.by_ids(reader, insight.sources)}
    return AnswerDraft(text, insight.confidence, tuple(rests_on)), rests_on


def question_of(memory: Memory) -> str:
    """The question that a quantity answers; empty where it has no plain name."""
    match = _NAMED.match(memory.text)
    if match is None:
        return ""
    if match[1] == "Total" and memory.marks.get("value", "")[:1].isdigit():
        return f"How many {match[2]} in total?"
    return f"What is the {match[1].lower()} {match[2]}?"
