"""Which block a memory belongs in, and which memories have nothing to say there at all."""

from collections.abc import Collection

from reverie.model.memories import Memory
from reverie.policy.core import provisional
from reverie.policy.core.lines import reasons_of
from reverie.policy.decision import Decision

MADE_AGAIN = ("note", "profile", "summary")  # kinds that nights write anew from what they rest on
_OF_A_PROJECT = frozenset({"decision", "decided", "deadline"})
_OF_A_TASK = frozenset({"plan", "plans", "goal"})


def says_something(memory: Memory, has_facts: bool) -> Decision:
    """May this memory stand in core as a line? Of a turn, the facts may: they quote what it says.

    >>> turn = Memory("m", "s", "episode", "Deploys are on Tuesdays, I think. Or not?", ("t",), created_at=1.0)
    >>> says_something(turn, False).why
    'a turn as such says too much'
    """
    if memory.kind in MADE_AGAIN:
        return Decision(False, f"a {memory.kind} is written anew from what it rests on")
    if memory.kind == "directive":
        return Decision(False, "a directive stands in a block of its own")
    if memory.kind != "episode":
        return Decision(True, f"a {memory.kind}")
    if has_facts:
        return Decision(False, "its facts stand for it")
    return Decision(True, "a person asked for it") if memory.asked else Decision(False, "a turn as such says too much")


def about_the_user(memory: Memory) -> bool:
    """Whether the person who says it speaks of themselves or theirs."""
    subject = memory.subject or ""
    return memory.kind != "insight" and (subject in ("", "user", memory.speaker) or subject.startswith("user's "))


def block_for(memory: Memory, labels: Collection[str]) -> str | None:
    """The label of the block that it belongs in, among those that a night may write; None if there is none.

    >>> home = Memory("m", "s", "fact", "The user lives in Kiel", ("t",), 1.0, subject="user", predicate="lives_in")
    >>> block_for(home, ["human", "learned_context"]), block_for(home, ["learned_context"]), block_for(home, [])
    ('human', 'learned_context', None)
    """
    return next((label for label in _wishes(memory) if label in labels), None)


def _wishes(memory: Memory) -> tuple[str, ...]:
    if provisional.is_provisional(memory):
        return (provisional.LABEL,)
    kinds = {*reasons_of(memory), memory.predicate}
    if "project" in memory.tags or not _OF_A_PROJECT.isdisjoint(kinds):
        return ("project", *_rest(memory))
    if not _OF_A_TASK.isdisjoint(kinds):
        return ("task", *_rest(memory))
    return _rest(memory)


def _rest(memory: Memory) -> tuple[str, ...]:
    return ("human", "learned_context") if about_the_user(memory) else ("learned_context", "human")
