"""Where one sentence ends and the next begins, in chat as people type it: no capitals, lists, abbreviations, links."""

import re
from itertools import pairwise

_TITLES = """
    mr mrs ms mx dr prof st ste vs eg ie e.g i.e cf fig figs ca approx dept gen rep sen gov capt sgt rev hon mt ft al
    dott dott.ssa dra sra sr.a sig sig.ra mme mlle mgr ing avv lic hr fr asst assoc viz aka a.k.a incl excl resp"""
_CLOSERS = "etc inc ltd co corp jr sr a.m p.m am pm ph.d b.a m.a b.sc m.sc min max mins hrs avg temp tel ext misc"
_COUNTERS = "no nr nos vol ch sec pp p art apt bldg rm jan feb mar apr jun jul aug sep sept oct nov dec"
_NEVER_ENDS = frozenset(_TITLES.split())
_ENDS_BEFORE_CAPITAL = frozenset(_CLOSERS.split())
_ENDS_UNLESS_NUMBER = frozenset(_COUNTERS.split())

_STOP = re.compile(  # from the beginning of a run on, so that a long one is read once
    r"(?<![.!?…])(?P<stop>[.!?…]+)(?P<close>[\"'”’»)\]*_]*)(?=\s)\s+|(?P<wide>[。！？]+[」』”]?)\s*"
)
_NEAR = 64  # characters around a stop decide it, so that a long passage costs no more per stop than a short one
_WORD_BEGINS = re.compile(r"[\s(\[\"“']")
_LIST_MARK = re.compile(r"(?:[-*+•–]|#{1,6}|\(?\d{1,3}[.)]|\(?[a-z]\))\s+")
_BULLET = re.compile(r"(?:[-*+•–]|#{1,6})\s+")
AFTER_A_STOP = " \t\r\n\"'”’»)]}*_"
_OPENS = "\"'“‘«([*_"


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, each as it stands there; list lines count as sentences, without their marks.

    >>> sentences("Dr. Lee paid 3.50 at example.com/a?b=1. i was glad! Were you?")
    ['Dr. Lee paid 3.50 at example.com/a?b=1.', 'i was glad!', 'Were you?']
    """
    return [sentence for passage in _passages(text) for sentence in _split(passage)]


def asks(text: str) -> bool:
    """Whether a text ends in a question.

    >>> asks('So I said: "Why?"'), asks("Why? Because."), asks("")
    (True, False, False)
    """
    return text.rstrip(AFTER_A_STOP).endswith("?")


def _passages(text: str) -> list[str]:
    """Lines, with prose that was wrapped at a margin put together again."""
    passages: list[str] = []
    wrapped = False
    for line in text.splitlines():
        bare = line.strip()
        mark = _LIST_MARK.match(bare)
        if wrapped and not mark and bare[:1].islower():
            passages[-1] += " " + bare
        elif bare:
            passages.append(bare[mark.end() :] if mark else bare)
        wrapped = bool(bare) and bare[-1] not in ".!?:;…"
    return passages


def split_spans(text: str, begin: int, end: int, *, numbered: bool = True) -> list[tuple[int, int]]:
    """Where the sentences of one passage stand in the text, without the blanks and list marks around them.

    A number in front is a list's mark only where the text is `numbered`: "3. Not worse." may be an answer.

    >>> split_spans("so: - one. Two.", 4, 15)
    [(6, 10), (11, 15)]
    """
    passage = text[begin:end]
    mark = (_LIST_MARK if numbered else _BULLET).match(passage)
    ends = [stop.end() for stop in _STOP.finditer(passage) if _is_end(passage, stop)]
    cuts = [mark.end() if mark else 0, *ends, len(passage)]
    spans = []
    for first, last in pairwise(cuts):
        part = passage[first:last]
        bare = part.strip()
        if bare:
            start = begin + first + len(part) - len(part.lstrip())
            spans.append((start, start + len(bare)))
    return spans


def _split(passage: str) -> list[str]:
    return [passage[start:end] for start, end in split_spans(passage, 0, len(passage))]


def _is_end(passage: str, stop: re.Match[str]) -> bool:
    if stop["wide"] or stop.end() == len(passage):
        return True
    rest = passage[stop.end() : stop.end() + _NEAR]
    following = rest.lstrip(_OPENS)[:1]
    if following.islower() and (stop["close"] or stop["stop"] in ("...", "…", "..")):
        return False  # "Really?" he asked; well... maybe
    return stop["stop"] != "." or not _abbreviated(passage[max(0, stop.start() - _NEAR) : stop.start()], following)


def _abbreviated(before: str, following: str) -> bool:
    word = _WORD_BEGINS.split(before)[-1]
    lower = word.lower()
    if lower in _ENDS_BEFORE_CAPITAL:
        return not following.isupper()
    if lower in _ENDS_UNLESS_NUMBER:
        return following.isdigit()
    initials = all(len(part) == 1 and part.isupper() for part in word.split("."))  # J. Smith, the U.S. embassy
    return lower in _NEVER_ENDS or (initials and word != "I")
