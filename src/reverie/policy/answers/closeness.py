"""How close two questions are, from 0 to 1: by meaning, by their words, and by what a personal question asks for."""

from dataclasses import dataclass

from reverie.language.vocabulary import word_set
from reverie.policy.answers.guards.comparison import regard
from reverie.policy.answers.guards.content import overlap
from reverie.policy.answers.guards.kind import alike
from reverie.policy.answers.guards.reading import ReadQuestion

SAME_WORDS = 0.01  # added when the content words are the same
EXTRA_WORD = 0.004  # taken off for each of up to three content words that only one of the two has
SAME_READING = 1.0  # both ask for "me.lives_in"
SAME_PERSONAL = 0.995  # about the same person, for the same kind of thing, in the same content words
MOST_TOPICS = 5  # a longer question says too much for its words to settle it
RELATED = 0.55  # below this cosine even the same few words are a chance


@dataclass(frozen=True, slots=True)
class Closeness:
    score: float
    why: str  # what settled it: "reading", "personal", "words", "meaning"


def closeness(asked: ReadQuestion, cached: ReadQuestion, cosine: float | None) -> Closeness:
    """`cosine` of the two embeddings, None where there is no embedder: then words alone have to do.

    >>> from reverie.policy.answers.guards.reading import read
    >>> closeness(read("Where do I live?"), read("What's my address again?"), 0.44).why
    'reading'
    """
    return Closeness(*_score(asked, cached, overlap(asked.content, cached.content) if cosine is None else cosine))


def _score(asked: ReadQuestion, cached: ReadQuestion, meaning: float) -> tuple[float, str]:
    if asked.personal and asked.personal == cached.personal:
        return SAME_READING, "reading"
    extra = len(asked.topics ^ cached.topics)
    if extra:
        return max(0.0, meaning - EXTRA_WORD * min(extra, 3)), "meaning"
    if meaning >= RELATED and _same_personal(asked, cached):
        return max(SAME_PERSONAL, min(1.0, meaning + SAME_WORDS)), "personal"
    return max(0.0, min(1.0, meaning + SAME_WORDS)), "words"


def _same_personal(asked: ReadQuestion, cached: ReadQuestion) -> bool:
    """Two short questions of fact about the one who asks, of one kind, in the same words and about the same persons."""
    return (
        0 < len(asked.topics) <= MOST_TOPICS
        and "i" in asked.persons
        and asked.persons == cached.persons
        and alike(asked.kind, cached.kind)
        and _same_time(asked.tense, cached.tense)
        and asked.words & _NAMING == cached.words & _NAMING
        and _same_roles(asked, cached)
        and regard(asked.directions, cached.directions)
        and _of_fact(asked)
        and _of_fact(cached)
    )


_NAMING = word_set("name names named call called kind type sort")  # light words that are the point of a short question
_TIMES = {"": "now", "present": "now", "past": "before", "perfect": "before", "future": "to come", "ahead": "to come"}


def _same_time(asked: str, cached: str) -> bool:
    """Stricter than the guard: which books I have read is not which book I am reading."""
    return _TIMES[asked] == _TIMES[cached]


def _same_roles(asked: ReadQuestion, cached: ReadQuestion) -> bool:
    """What is done to me is not what I do; and a yes or no hangs on who does what to whom."""
    if ("me" in asked.words) != ("me" in cached.words):
        return False
    return asked.kind != "yes" or asked.participants == cached.participants


def _of_fact(question: ReadQuestion) -> bool:
    """What was or is so has one answer; why it is so, how to do it and what may be done have many."""
    if question.modality or "would" in question.words:
        return False
    return question.kind not in ("manner", "reason") or question.tense == "past"
