"""One row of the pattern tables."""

from dataclasses import dataclass
from typing import Any, Literal

Shape = Literal["items", "one", "place", "name", "raw"]


@dataclass(frozen=True, slots=True)
class Rule:
    """`verbs` + `rest` state `predicate` about the clause's subject.

    `rest` is matched at the start of what follows the verb; its group `v` is the value, `old` the value that it
    replaces. `noun` is matched against what the subject owns ("my favourite colour"): empty means the person.
    """

    verbs: str
    rest: str
    predicate: str
    value: str = "{v}"
    noun: str = ""
    shape: Shape = "items"
    past: Literal["ended", "holds", "skip"] = "ended"  # what the simple past says about now
    happening: bool = True  # a progressive form states it as well ("I am living in …"), not only a plan
    modals: str = ""  # the auxiliaries under which it still holds
    needs: str = ""  # the auxiliary that it takes: "would" love to
    negation: str = ""  # the predicate that a plain "not" states instead; empty: nothing
    over: bool = False  # the verb itself says that it ended: sold, left
    cue: str = ""  # the change that the verb itself tells: moved, joined
    keep_head: bool = False  # the value keeps its article and preposition


def change(verbs: str, rest: str, predicate: str, **more: Any) -> Rule:
    """A verb that tells a change: in the past tense its outcome holds now, in the progressive it is only a plan."""
    return Rule(verbs, rest, predicate, past="holds", happening=False, **more)


def ended(verbs: str, rest: str, predicate: str, **more: Any) -> Rule:
    """A verb that tells the end of something: sold, left, broke up."""
    return Rule(verbs, rest, predicate, past="holds", happening=False, over=True, **more)


def present(verbs: str, rest: str, predicate: str, **more: Any) -> Rule:
    """What holds only when told in the present: the past says nothing about now."""
    return Rule(verbs, rest, predicate, past="skip", **more)
