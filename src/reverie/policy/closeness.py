"""How close two questions are, from 0 to 1: by meaning, by their words, and by what a personal question asks for."""

from dataclasses import dataclass

from reverie.policy.guards import Question
from reverie.policy.guards.content import overlap

SAME_WORDS = 0.02  # added when the content words are the same: closeness by meaning alone mistakes a part for the whole
SAME_READING = 1.0  # both ask for "me.lives_in"
SAME_PERSONAL = 0.99  # about the same person, for the same kind of thing, in the same content words
MOST_TOPICS = 5  # a longer question says too much for its words to settle it
RELATED = 0.55  # below this cosine even the same few words are a chance


@dataclass(frozen=True, slots=True)
class Closeness:
    score: float
    cosine: float
    overlap: float
    why: str  # what settled it: "reading", "personal", "words", "meaning"


def closeness(asked: Question, cached: Question, cosine: float | None) -> Closeness:
    """`cosine` of the two embeddings, None where there is no embedder: then words alone have to do.

    >>> from reverie.policy.guards import read
    >>> closeness(read("Where do I live?"), read("What's my address again?"), 0.44).why
    'reading'
    """
    shared = overlap(asked.content, cached.content)
    meaning = cosine if cosine is not None else shared
    score, why = _score(asked, cached, meaning)
    return Closeness(score=score, cosine=meaning, overlap=shared, why=why)


def _score(asked: Question, cached: Question, meaning: float) -> tuple[float, str]:
    if asked.personal and asked.personal == cached.personal:
        return SAME_READING, "reading"
    if asked.topics != cached.topics:
        return max(0.0, min(1.0, meaning)), "meaning"
    if meaning >= RELATED and _same_personal(asked, cached):
        return max(SAME_PERSONAL, min(1.0, meaning + SAME_WORDS)), "personal"
    return max(0.0, min(1.0, meaning + SAME_WORDS)), "words"


def _same_personal(asked: Question, cached: Question) -> bool:
    """Two short questions about the one who asks, of one kind, in the same content words and about the same persons."""
    return (
        0 < len(asked.topics) <= MOST_TOPICS
        and asked.persons == cached.persons
        and "i" in asked.persons
        and asked.kind == cached.kind
    )
