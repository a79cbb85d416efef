"""Which block a promoted memory belongs in, and which memories have nothing to say there at all."""

from collections.abc import Collection

from reverie.language.speech import utterances
from reverie.language.words import tokens
from reverie.model.memories import Memory
from reverie.policy.decision import Decision

MAX_EPISODE = 300  # characters; what is longer tells more than one thing
MIN_WORDS = 4
EPISODE_RELEVANCE = 0.75  # raw words must usually have been among the first answers
MADE_AGAIN = ("note", "profile", "summary")  # kinds that nights write anew from what they rest on
_OWN_WORDS = frozenset({"i", "im", "ive", "my", "me", "mine", "we", "our", "us"})
_OF_A_PROJECT = frozenset({"decided", "deadline"})
_OF_A_TASK = frozenset({"plans", "goal", "deadline"})


def says_something(memory: Memory, has_facts: bool, relevance: float) -> Decision:
    """May this memory stand in core as a sentence? Raw words are held to more than facts are.

    >>> asked = Memory("m", "s", "episode", "Where do I live?", ("t",), created_at=1.0)
    >>> says_something(asked, False, 1.0).why
    'a question states nothing'
    """
    if memory.kind in MADE_AGAIN:
        return Decision(False, f"a {memory.kind} is written anew from what it rests on")
    if memory.kind == "directive":
        return Decision(False, "a directive stands in a block of its own")
    if memory.metadata.get("negated"):
        return Decision(False, "says only what has ended")
    if memory.kind != "episode":
        return Decision(True, f"a {memory.kind}")
    if has_facts:
        return Decision(False, "its facts stand for it")
    return Decision(True, "a person asked for it") if memory.asked else _raw(memory, relevance)


def _raw(memory: Memory, relevance: float) -> Decision:
    if memory.text.rstrip().endswith("?"):
        return Decision(False, "a question states nothing")
    if len(memory.text) > MAX_EPISODE:
        return Decision(False, f"{len(memory.text)} characters, raw words up to {MAX_EPISODE}")
    if len(tokens(memory.text)) < MIN_WORDS:
        return Decision(False, "too short to mean anything on its own")
    if not utterances(memory.text):
        return Decision(False, "nobody said it: code, a log or a pasted text")
    if relevance < EPISODE_RELEVANCE:
        return Decision(False, f"mean relevance {relevance:.2f}, raw words need {EPISODE_RELEVANCE:g}")
    return Decision(True, "said in so many words")


def about_the_user(memory: Memory) -> bool:
    if memory.subject is not None:
        return memory.subject == "user" or memory.subject.startswith("user's ")
    return memory.kind != "insight" and not _OWN_WORDS.isdisjoint(tokens(memory.text))


def block_for(memory: Memory, labels: Collection[str]) -> str | None:
    """The label of the block that it belongs in, among those that a night may write; None if there is none.

    >>> home = Memory("m", "s", "fact", "The user lives in Kiel", ("t",), 1.0, subject="user", predicate="lives_in")
    >>> block_for(home, ["human", "learned_context"]), block_for(home, ["learned_context"]), block_for(home, [])
    ('human', 'learned_context', None)
    """
    for label in _wishes(memory):
        if label in labels:
            return label
    return None


def _wishes(memory: Memory) -> tuple[str, ...]:
    if "project" in memory.tags or memory.predicate in _OF_A_PROJECT:
        return ("project", *_rest(memory))
    if memory.predicate in _OF_A_TASK:
        return ("task", *_rest(memory))
    return _rest(memory)


def _rest(memory: Memory) -> tuple[str, ...]:
    return ("human", "learned_context") if about_the_user(memory) else ("learned_context", "human")
