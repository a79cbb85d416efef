"""Whether a date in a sentence lies ahead or behind, as its own clause says. Where two tenses compete, nobody knows."""

import re
from typing import Literal

Direction = Literal["past", "future"]
NEAR = 120  # characters before and after a date in which its clause stands

_PARTED = re.compile(
    r"[.!?;:()\n\"“”–]|,(?!\d)| - |\b(?:and|but|so|because|although|though|then|when|while|which|who|before|after|as"
    r"|what|how|or|that(?= (?:i|we|he|she|they|it|you|the|my|his|her|our)\b))\b",
    re.I,
)
_AHEAD = re.compile(
    r"\b(?:will|won't|shall|\w+'ll|itll|theyll|youll|going to|gonna|due|must|can|can't|cannot|should|might|let's"
    r"|remind me|see you|fingers crossed|(?:wants?|needs?|hopes?|plans?|have|has|intends?) to"
    r"|ha(?:ve|s) (?:an?|my|our|the|another|no)"
    r"|(?:am|is|are|i'm|im|theyre|\w+'re|\w+'s)(?: not| also| still| only| just)? (?!(?:morning|evening|nothing"
    r"|something|anything|everything|thing|during)\b)\w{2,20}ing"
    r"|starts|begins|leaves|arrives|comes|ends|expires|flies|lands|launches|returns|goes|gets|meets|finishes|turns"
    r"|(?:i|we|they|you) (?:fly|leave|land|arrive|start|begin|meet|move|return|go|get|come|travel|drive|finish))\b",
    re.I,
)
_EVENT = (
    r"\b(?:appointment|appt|meeting|exam|interview|deadline|call|party|wedding|funeral|flight|surgery|operation|scan"
    r"|visit|release|launch|hearing|premiere|review|demo|test|move|trip|talk|dinner|ceremony|concert|show|match|race"
    r"|slot|spot|place|seats?|tickets?|invitations?|invites?|reservation|booking|date)"
)
_EVENT_IS = re.compile(_EVENT + r"(?: is|'s| are)(?: now| on| only| not)*\W*$", re.I)
_EVENT_NAMED = re.compile(
    _EVENT + r"\b", re.I
)  # "I got an appointment on Friday", "we sent invitations for the party on…"
_WENT_BY = re.compile(r"\b(?:was|were|had|did|went|came|passed|failed|missed|ran|won|lost|saw)\b", re.I)
_BEHIND = re.compile(
    r"\b(?:was|were|wasn't|weren't|did|didn't|had|went|got|came|saw|met|bought|made|took|gave|found|lost|won|ran|felt"
    r"|began|sent|(?<!the )left|paid|fell|broke|drove|ate|spent|slept|woke|flew|stole|sang|swam|sold|taught|caught"
    r"|brought|built|held|kept|stood|sat|led|grew|threw|wore|tore|rode|drank|forgot|fought|rose|shook|chose"
    r"|(?<!\bthe )(?<!\ba )(?<!\ban )(?<!\bmy )(?<!\bhis )(?<!\bour )(?<!\byour )(?<!\btheir )(?<!\bbe )"
    r"(?<!being )(?<!get )(?<!getting )"
    r"(?!hundred\b|shed\b|closed\b|tired\b|excited\b|worried\b|named\b|sacred\b|naked\b)[a-z]{1,20}[a-df-z]ed)\b",
    re.I,
)
_NOW = re.compile(
    r"\b(?:is|are|am|has|have|do|does|don't|doesn't|now|i'm|\w+'ve got|\w+'re"
    r"|(?:he|she|it|that|there|here|who|what)'s)\b",
    re.I,
)
_OPEN = re.compile(  # told, planned, imagined, usual, or "were" for "we're": the tense is not the date's
    r"^\s*were\b|\b(?:would|wouldn't|could|couldn't|\w+'d|supposed|planned|planning|booked|scheduled|arranged|reserved"
    r"|confirmed|cancelled|canceled|expected|needed|wanted|hoped|hoping|thinking|thought|decided|promised|agreed|settled"
    r"|asked|offered|suggested|invited|used to|called|said|told|says?|tells|wrote|texted|mailed|rang|heard|knew"
    r"|reckons?|imagine|suppose|wish|whether|about|like|every|each|always|usually|normally|often|typically|mostly"
    r"|weekly|per week|born|original|originally|plan was|deadline was|due was)\b",
    re.I,
)
_IF = re.compile(r"\b(?:if|unless)\b", re.I)
_INFINITIVE = re.compile(r"\bto (?!(?:the|a|an|my|his|her|our|your|their|me|him|us|them|it)\b)[a-z]")  # not "to Leeds"
_TOLD_ON = re.compile(r"\b(?:said|told \w+|rang|called|texted|wrote|mailed) on\W*$", re.I)
_MOVED_TO = re.compile(r"\b(?:moved|pushed|postponed|shifted|changed|rescheduled|extended|delayed|forward)\b", re.I)
_THANKS = re.compile(r"\b(?:thanks|thank|thx|sorry|apologies|paid|was|were|had|did)\b", re.I)
_LAST_WORD = re.compile(r"(\w+)(?: on| the| of| early| late| mid-?)*\W*$")


def direction_of(text: str, start: int, words: str) -> Direction | None:
    """Where the date that stands at `start` with these `words` lies, as its preposition or its clause's tense says.

    >>> direction_of("we met on 3 May", 7, "on 3 May"), direction_of("it's due by 3 May", 9, "by 3 May")
    ('past', 'future')
    >>> direction_of("he was ill and sits it on Monday", 23, "on Monday")
    """
    before, after = clause(text, start, start + len(words))
    leading = before + _preposition(words)
    last = _LAST_WORD.search(leading)
    word = last[1].lower() if last else ""
    told = bool(_BEHIND.search(leading))
    if word == "since":
        return "past"
    if word in ("by", "until", "till", "til", "due", "deadline", "starting", "next", "coming"):
        return None if told or _OPEN.search(before) else "future"
    if word == "to":
        return "future" if _MOVED_TO.search(before) else None
    if word == "for":
        return None if _THANKS.search(before) else "future"
    if word == "from":
        return None if before.strip() and "starting" not in before else "future"
    return "past" if _TOLD_ON.search(leading) else _tense(before, after)


def clause(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and behind a span in its own clause."""
    return _PARTED.split(text[max(0, start - NEAR) : start])[-1], _PARTED.split(text[end : end + NEAR], maxsplit=1)[0]


def _preposition(words: str) -> str:
    first = words.split()[0].lower()
    return f"{first} " if first in ("by", "until", "till", "til", "since", "from", "for", "to", "on", "in") else ""


def _tense(before: str, after: str) -> Direction | None:
    whole = f"{before} {_IF.split(after, maxsplit=1)[0]}"
    if _OPEN.search(whole) or _IF.search(before):
        return None
    ahead = bool(_AHEAD.search(whole) or _EVENT_IS.search(before))
    if not _BEHIND.search(whole):
        return "future" if ahead else None
    arranged = _EVENT_NAMED.search(before) and not _WENT_BY.search(whole)
    return None if ahead or arranged or _NOW.search(whole) or _INFINITIVE.search(before) else "past"
