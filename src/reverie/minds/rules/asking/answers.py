"""Answers without a model: the statements whose question is the one that is asked, word for word, newest first.

No statement, no answer. A sentence that merely shares words with a question is none; what a statement answers is known
from its form (`askable.py`) or from the question that it replied to (`replies.py`). The evidence is what is current;
where a later statement may say all the same that the matter changed, there is no answer.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reverie.language import quoting
from reverie.language.speech import utterances
from reverie.minds.rules.asking.questions import DATED, answering, to_the_point
from reverie.model.thinking import AnswerDraft, Evidence
from reverie.policy.answers.freshness import cues, said
from reverie.policy.answers.guards.reading import ReadQuestion, read

CERTAIN, LISTED, LIKELY = 0.9, 0.8, 0.7
MOST, MOST_TOGETHER = 3, 12  # statements of one answer: of what changes, of what holds together
# What is named so stays: a later statement about Ada does not change that she is my sister.
LASTING = frozenset("name name_of who birthday from called allergic_to ill tolerates may_not built remember".split())
VALUED = frozenset("when by_when deadline what costs dose away replied holds takes remember".split())  # each counts
_CHANGES = re.compile(
    r"\b(?:no longer|any ?more|instead|moved|changed|switched|postponed|pushed|rescheduled|replaced|cancel\w*|off|"
    r"now|from (?:next|this|today|tomorrow|now)|back (?:to|on)|as of|new|quit|left|leav\w+|stopp?(?:ed|ing)|dropp?ed|"
    r"sold|died|broke up|actually|correction|gave up|not|extended|later|earlier|until|till|goes (?:up|down)|"
    r"(?:in|de)creased?|halved|doubled|raised|lowered|reduced|cut|(?:up|down) to)\b|n't\b",
    re.I,
)


_PAST = re.compile(r"\b(?:in|since) (?:19|20)\d\d\b", re.I)  # what is told of another year is no change now


def answer(question: str, evidence: Sequence[Evidence]) -> AnswerDraft | None:
    """The statements that answer a question, with who said them and when; None when nothing here does.

    >>> fact = Evidence("m1", "", 1_793_836_800.0, "user", kind="fact", quote="ok, we live in Porto now")
    >>> answer("Where do I live?", [fact]).text
    'You said on 5 November 2026: "ok, we live in Porto now".'
    """
    asked = read(question)
    forms = {one.id: answering(asked, one) for one in evidence}
    found = _different(sorted((one for one in evidence if forms[one.id]), key=_newest), forms)
    if not found:
        return None
    if LASTING.isdisjoint(forms[found[0].id]):
        later = (one for one in evidence if one.kind == "fact" and not forms[one.id])
        if any(_newest(one) < _newest(found[0]) and _may_change(asked, found[0], one) for one in later):
            return None
    told = [_on_matter(asked, one) for one in found[: _most(forms[found[0].id])]]
    return AnswerDraft(_told(told, forms), CERTAIN if len(told) == 1 else LISTED, tuple(one.id for one in told))


def _on_matter(asked: ReadQuestion, one: Evidence) -> Evidence:
    """A statement, as far as it is on what is asked."""
    return replace(one, quote=to_the_point(asked, one))


def _most(forms: Sequence[str]) -> int:
    return MOST_TOGETHER if VALUED & LASTING & set(forms) else MOST


def confirmed(question: str, evidence: Sequence[Evidence], ids: Sequence[str]) -> AnswerDraft | None:
    """The statements that somebody says answer a question, where their own words bear it out; None where not.

    Each holds every word that the question is about, and something of the kind that is asked for. One that a later
    statement may have changed answers nothing.
    """
    asked = read(question)
    found = sorted((one for one in evidence if one.id in ids and _bears_out(asked, one)), key=_newest)[:MOST]
    if not found or len(found) < len(set(ids)):
        return None
    later = (one for one in evidence if one.kind == "fact" and one not in found and _newest(one) < _newest(found[0]))
    if any(_may_change(asked, found[0], one) for one in later):
        return None
    return AnswerDraft(_told(found, {one.id: () for one in found}), LIKELY, tuple(one.id for one in found))


def _bears_out(asked: ReadQuestion, one: Evidence) -> bool:
    about = frozenset().union(*(part.roots for part in said(one.about)))
    words = asked.topics - _PLAIN
    if one.kind != "fact" or not one.quote or not words or not words <= _roots(one) | about:
        return False
    wanted = _HOLDS.get(asked.kind)
    if wanted is _ANYTHING and len(words) < 2:
        return False  # one word in common is no answer
    return wanted is not None and wanted.search(f"{one.quote} {one.when}") is not None


_PLAIN = frozenset("name kind type thing current".split())
_ANYTHING = re.compile("")
_A_NAME = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-Þ]\w+|^[A-ZÀ-Þ]\w+ [A-ZÀ-Þ]")
_A_TIME = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:noon|midnight|tomorrow|tonight)\b", re.I
)
_A_FIGURE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|thousand)\b", re.I
)
_HOLDS = {
    "person": _A_NAME,
    "place": _A_NAME,
    **dict.fromkeys(("time", "hour", "day", "month", "year"), _A_TIME),
    **dict.fromkeys("count amount duration age distance frequency height weight size".split(), _A_FIGURE),
    "thing": _ANYTHING,
    "choice": _ANYTHING,
}


def _may_change(asked: ReadQuestion, older: Evidence, later: Evidence) -> bool:
    """Whether a later statement may say that this matter changed."""
    matter = (asked.topics & _roots(older)) | cues(asked)
    figures = set(_FIGURES.findall(older.quote)) if asked.kind in _COUNTED else None
    return any(
        bool(matter & frozenset().union(*(part.roots for part in said(sentence.text))))
        for sentence in utterances(later.quote or later.text)
        if (_CHANGES.search(sentence.text) or _figures_anew(sentence.text, figures)) and not _PAST.search(sentence.text)
    )


def _figures_anew(sentence: str, known: set[str] | None) -> bool:
    """Whether a sentence gives a figure that the older statement does not, where a figure was asked for."""
    return known is not None and not set(_FIGURES.findall(sentence)) <= known


_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_COUNTED = frozenset("count amount duration age distance frequency height weight size".split())


def _roots(one: Evidence) -> frozenset[str]:
    return frozenset().union(*(part.roots for part in said(one.quote or one.text)))


def _newest(one: Evidence) -> tuple[float, str]:
    return -(one.said_at or 0.0), one.id


def _different(found: Sequence[Evidence], forms: Mapping[str, Sequence[str]]) -> list[Evidence]:
    """Without what only says again what a later one says: the same words or, of what stays, the same name or number."""
    kept: list[Evidence] = []
    for one in found:
        again = any(_bare(one) == _bare(other) for other in kept)
        shared = any(_values(one) & _values(other) for other in kept)
        if not again and not (shared and not VALUED & set(forms[one.id])):
            kept.append(one)
    return kept


def _bare(one: Evidence) -> str:
    return (one.quote or one.text).casefold().strip(" .!")


def _values(one: Evidence) -> set[str]:
    return set(re.findall(r"(?<=\s)[A-ZÀ-Þ]\w+|\d+", one.quote or one.text))


def _told(statements: Sequence[Evidence], forms: Mapping[str, Sequence[str]]) -> str:
    """Newest first; a reply is told with what was asked, other statements stand alone."""
    lead = "Also" if LASTING & set(forms[statements[0].id]) else "Earlier"
    return " ".join(
        quoting.told(
            one.quote or one.text,
            one.speaker,
            one.said_at,
            one.about if one.about.endswith("?") and "replied" in forms[one.id] else "",
            one.when if DATED & set(forms[one.id]) else "",
            lead if place and one.speaker == statements[0].speaker else "",
        )
        for place, one in enumerate(statements)
    )
