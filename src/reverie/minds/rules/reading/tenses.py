"""Whether a date in a sentence lies ahead or behind, as the words around it say."""

import re
from typing import Literal

Direction = Literal["past", "future"]
NEAR = 200  # characters before and after a date in which its verb stands

_BEFORE_AHEAD = re.compile(
    r"\b(?:for|by|until|till|due|to|from|starting|deadline|than|next|now|target)(?: on| the)?\W*$", re.I
)
_BEFORE_BEHIND = re.compile(
    r"(?:\b(?:since|last|ago|dated)|(?<!\bgo )(?<!rang )(?<!ring )(?<!call )(?<!called )"
    r"(?<!going )(?<!come )(?<!coming )(?<!\bbe )(?<!get )(?<!moving )(?<!'m )"
    r"(?<!'re )(?<!is )\bback)(?: on| the)?\W*$",
    re.I,
)
_SURELY_AHEAD = re.compile(
    r"\b(?:will|won't|\w+'ll|going to|gonna|due|deadline|scheduled|upcoming|must|has to|have to|need to|needs to"
    r"|(?:we|they|you)'re \w+ing|i'?m (?:not )?\w+ing|(?:he|she|they|you)(?:s|re) \w+ing"
    r"|(?:he|she|it|who)'s (?!been)\w+ing|(?:is|are|am) (?!being)\w+ing)\b",
    re.I,
)
_AHEAD = re.compile(
    r"\b(?:plan(?:s|ned|ning)?|booked|appointment|appt|starts?|gets?|goes|supposed to|begins?|opens?|leaves?"
    r"|arrives?|comes?"
    r"|ends?|closes|expires?|moved it|postponed|extended|pushed|(?<!i )(?<!we )(?<!he )(?<!they )moved to"
    r"|can't wait|see you"
    r"|remind|until|till|is on|are on|is the|meet|launch|go-live|happens|we're|i'm|going on|signed up|slips?|renewal"
    r"|expected|turns|flies|fly home|hope|want|wants)\b",
    re.I,
)
_BEHIND = re.compile(
    r"\b(?:was|were|did|didn't|had|went|got|came|saw|met|bought|made|took|gave|told|said|found|lost|won|ran|felt|began|"
    r"wrote|sent|left|paid|fell|broke|drove|ate|spent|died|born|have been|has been|(?:'s|'ve) been|"
    r"ago|slept|rang|woke|flew|rained|"
    r"(?<!gets )(?<!get )(?<!getting )(?<!is )(?<!are )(?<!be )(?<!'s )(?!expected|needed|supposed|booked|planned"
    r"|need\b|indeed)"
    r"\w{3,}ed)\b",
    re.I,
)
_REPORTS = re.compile(
    r"\b(?:said|told|says|asked|wrote|texted|mailed|rang|called|promised|reckons|confirmed)\b.*"
    r"\b(?!(?:morning|evening|nothing|something|anything|during)\b)(?:\w{3,}ing|to|that|take|come|go|meet|is|it's|he'll"
    r"|she'll|speak|see|bring|send|call)\b",
    re.I,
)
_PRESENT = re.compile(r"\b(?:is|are|has|have|am)\b|'(?:s|re|m|ve)\b", re.I)
_NOW = re.compile(r"\b(?:says|say|pays?|plans?|hopes?|now)\b", re.I)
_PARTED = re.compile(r"[.!?;\n]|,(?!\d)|\b(?:because|but|although|then)\b", re.I)


def direction_of(text: str, start: int) -> Direction | None:
    """Where the date that stands at `start` lies, as its preposition or else the tense says; None if neither does.

    >>> direction_of("I bought tickets for 3 May", 20), direction_of("we met on 3 May", 7)
    ('future', 'past')
    >>> direction_of("I'll go back in May", 13), direction_of("we are getting married in May", 23)
    ('future', 'future')
    """
    date_words = text[start : start + 8].lower()
    before = text[max(0, start - NEAR) : start]
    if date_words.startswith("since "):
        return "past"
    if date_words.startswith(("by ", "until ", "till ", "for ", "to ", "from ")) or _BEFORE_AHEAD.search(before):
        return "future"
    if _BEFORE_BEHIND.search(before):
        return "past"
    clause = _PARTED.split(before)[-1]
    if _REPORTS.search(clause):
        return None  # "told him finishing Friday": when somebody said so is not when it is
    return _tense(clause + _PARTED.split(text[start : start + NEAR], maxsplit=1)[0])


def is_told(text: str, start: int) -> bool:
    """Whether the clause around a place is in the past: "it lasted from the 23rd to the 26th"."""
    clause = _PARTED.split(text[max(0, start - NEAR) : start])[-1]
    return _tense(clause + _PARTED.split(text[start : start + NEAR], maxsplit=1)[0]) == "past"


def _tense(clause: str) -> Direction | None:
    if _SURELY_AHEAD.search(clause):
        return "future"
    ahead, behind = bool(_AHEAD.search(clause)), bool(_BEHIND.search(clause))
    if behind and not ahead and _NOW.search(clause):
        return None
    if ahead == behind:
        return "future" if not behind and _PRESENT.search(clause) else None
    return "future" if ahead else "past"
