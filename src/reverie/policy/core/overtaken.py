"""Which line of core a later statement may have overtaken: one that begins with its matter and speaks of a change.

Core stands before an agent's eyes in every talk, so doubt is enough to leave a line out; what it quotes stays in the
archive, beside the later statement. What is sure to be an update is marked in `contradict`. Who somebody is, their
people and their health are not given up for one word in common.
"""

import re

from reverie.language.topics import is_topic_word
from reverie.language.vocabulary import APOSTROPHES
from reverie.language.words import stems, tokens
from reverie.model.memories import Memory
from reverie.policy.core.lines import is_lasting

HEAD = 3  # words of a clause that say what it is about
_CLAUSE = re.compile(r"[.!?;\n]{1,3}\s|, |!")
_OPENING = re.compile(r"\A(?:(?:and|so|oh|ok|but|also|btw|my|our|the|yes|no|right|then)\b[\s,]{0,3}){1,4}", re.I)
_ENDED = re.compile(
    r"\b(?:cancel\w*|called off|put back|postponed|(?:is|are) (?:off|out|over|gone|done|finished)|sold|quit|stopped"
    r"|no longer|any ?more|mov(?:ed|es)|pushed|brought forward|not yet)\b",
    re.I,
)
_CHANGED = re.compile(
    r"\b(?:chang(?:ed|es)|back (?:to|at|on)|new|instead|(?:went|goes) (?:up|down)|(?:up|down) to|halved|doubled|raised"
    r"|lowered|cut to|too (?:high|low|much|many|few|long|short|brave)|swapped|switched|replaced|now)\b",
    re.I,
)
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-Þ][\w'-]+")


def may_be_overtaken(line: Memory, later: Memory) -> bool:
    """Whether a later statement of the same speaker may say that what this line quotes is no longer so.

    >>> said = lambda text, at: Memory(text, "s", "fact", text, ("t",), created_at=at, marks={"quote": text})
    >>> line = said("staples come out on the 13th", 1.0)
    >>> [may_be_overtaken(line, said(text, 2.0)) for text in ("staples come out on the 20th", "I bought staples")]
    [True, False]
    >>> may_be_overtaken(said("the assembly is on the 24th", 1.0), said("oh, the assembly is cancelled", 2.0))
    True
    """
    if later.dated <= line.dated or later.speaker != line.speaker or not later.quote:
        return False
    about = f"{line.quote} {line.about} {line.marks.get('on', '')}"
    return any(_overtakes(clause, line, _topics(about)) for clause in _CLAUSE.split(later.quote))


def _overtakes(clause: str, line: Memory, matter: set[str]) -> bool:
    begins = _head(clause) & matter
    if not begins:
        return False
    shared, lasting = _topics(clause) & matter, is_lasting(line)
    if _ENDED.search(clause):
        return not lasting or len(shared) > 1
    if _CHANGED.search(clause):
        names = _topics(" ".join(_NAME.findall(f"{line.quote} , {clause}")))
        return len(shared) > 1 or (not lasting and begins.isdisjoint(names))
    before, after = set(_FIGURE.findall(f"{line.quote} {line.marks.get('when', '')}")), set(_FIGURE.findall(clause))
    alike = len(shared) > 1 or bool(begins & _head(line.quote))
    return bool(before and after) and before.isdisjoint(after) and alike and not lasting


def _head(clause: str) -> set[str]:
    """What a clause begins with, without the words that lead to it."""
    return _topics(" ".join(_OPENING.sub("", clause.translate(APOSTROPHES)).split()[:HEAD]))


def _topics(text: str) -> set[str]:
    return set(stems(word for word in tokens(text) if is_topic_word(word)))
