"""The words by which people name a day, a month or a year: one pattern with named alternatives."""

import re
from datetime import date
from functools import lru_cache

from reverie.language.calendar import MONTHS, WEEKDAYS

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}  # "last winter" began in the year before, or did it
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
DAY = r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)day"
SHORT_DAY = r"(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)"
NTH = r"(?:st|nd|rd|th)"
YEAR = r"(?:19|20)\d{2}"
COUNT = r"(?:\d{1,3}|" + "|".join(NUMBERS) + r")"
DAY_AND_MONTH = (
    rf"(?:(?P<day>\d{{1,2}}){NTH}?(?: of)? (?P<month>{MONTH})\b"
    rf"|(?P<month2>{MONTH})\.? (?P<day2>\d{{1,2}}){NTH}?\b(?![:,.]\d))"
)
WEEKDAY = re.compile(rf"\b(?:{DAY}s?|mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b", re.I)
A_YEAR = re.compile(rf"\b{YEAR}\b")
DATED = re.compile(rf"\b{DAY_AND_MONTH}(?:,? (?P<year>{YEAR})\b)?", re.I)
MONTH_NAMED = re.compile(
    rf"\b{MONTH.replace('|may|', '|')}\b|\b(?:in|still|\d{{1,2}}(?:st|nd|rd|th)?(?: of)?) may\b|\bmay \d", re.I
)
NOT_IT = re.compile(r"\b(?:not(?: due| for| till?| until| on)?|no|(?:weeks?|days?|months?) from) ?$", re.I)
VAGUE = re.compile(
    r"(?:\b(?:or|about|around|over|almost|nearly|some|than|least|maybe|roughly)|[-–/]"
    r"|\d(?:st|nd|rd|th)? (?:and|&|to)) ?$",
    re.I,
)
WAS_BEFORE = re.compile(r"\b(?:was|were)$", re.I)
WAS_AFTER = re.compile(r" (?:was|went)\b", re.I)
WHICH_ONE = re.compile(
    r"\b(?:(?:it|today|that|tomorrow)(?:'s| is)|the|an?|my|your|his|her|our|their|every|each|first|second|third|last"
    r"|other|easter|good|black|shrove|ash|holiday)$",
    re.I,
)
WHOSE = re.compile(r"\b(?:my|your|his|her|its|our|their|the|a|very)\W*$", re.I)
STANDS_ALONE = re.compile(  # "her Sunday hat" is no date
    r"\s*(?:$|[^\w\s'’-]|\d{1,2}(?:[:.h]|am|pm)|(?:at|in|on|with|and|but|or|so|for|because|if|when|then|after|before|until|till|as|is|was|it"
    r"|i|we|he|she|they|you|my|the|this|that|morning|afternoon|evening|night|noon|though|too|again|instead|now|already"
    r"|just|only|off|btw|will|went|from|to|by)\b(?!s))",
    re.I,
)
CORRECTED = re.compile(
    r"[\s.,!…–-]{1,4}(?:(?:no|or|rather|now|not)\b|(?:\w{1,30} ){0,2}(?:i mean|wait|sorry|make that)\b)", re.I
)
HINT = re.compile(
    r"\d|day|night|\blast\b|\bnext\b|morning|week|month|year|ago|spring|summer|autumn|fall|tomorrow|\btmr|\b(?:jan|feb|mar|apr"
    r"|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:tues|weds|thurs)\b|\bon (?:mon|tue|wed|thu|fri|sat|sun)",
    re.I,
)
A_NUMBER = re.compile(rf"\b\d{{1,2}}{NTH}\b", re.I)


@lru_cache(maxsize=1)
def finder() -> re.Pattern[str]:
    """Named alternatives, the most telling first; a match's `lastgroup` names its own."""
    return re.compile(
        rf"(?P<iso>\b{YEAR}-\d{{2}}-\d{{2}}\b)"
        rf"|(?P<range>\b(?:from )?(?:(?:{DAY}|{SHORT_DAY}),? )?(?:the )?(?P<first>\d{{1,2}}){NTH}? ?"
        rf"(?:to|until|till|through|-|–) ?(?:(?:{DAY}|{SHORT_DAY}),? )?(?:the )?"
        rf"(?P<last>\d{{1,2}}){NTH}?(?: of)? (?P<inmonth>{MONTH})\b(?:,? (?P<rangeyear>{YEAR})\b)?"
        rf"|\b(?P<months>{MONTH})\.? (?P<from>\d{{1,2}}){NTH}? ?(?:to|-|–) ?(?P<to>\d{{1,2}}){NTH}?\b(?![:,.]\d))"
        rf"|(?P<full>\b(?:on |by |until |till? |since |from )?(?:the )?(?:(?:{DAY}|{SHORT_DAY}),? )?(?:the )?"
        rf"{DAY_AND_MONTH}(?:,? (?P<fullyear>{YEAR}|next year|last year)\b)?)"
        rf"|(?P<monthyear>\b(?:in |since |by |until |from )?(?:early |late |mid-?)?(?P<ofyear>{MONTH}),? (?:of )?"
        rf"(?P<whichyear>{YEAR}|last year|next year)\b)"
        rf"|(?P<ago>\b(?P<agon>{COUNT})\s+(?P<agounit>day|week|month|year)s?\s+ago\b)"
        rf"|(?P<ahead>\bin (?P<aheadn>{COUNT})\s+(?P<aheadunit>day|week|month|year)s?(?:' time)?\b"
        r"(?! (?:of|straight|or)\b))"
        r"|(?P<near>\b(?:the )?day before yesterday|\b(?:the )?day after tomorrow|\b(?:yesterday|yday|today|tonight"
        r"|tomorrow|tmrw?)(?: morning| afternoon| evening| night)?"
        r"|\b(?:this|last) (?:morning|afternoon|evening|night)\b)"
        rf"|(?P<rel>\b(?:since |by |until |from |early |late )?(?P<which>last|next|this past|this coming|coming|this"
        rf"|earlier this|later this) (?P<unit>week(?:end)?|month|year|spring|summer|autumn|fall|{DAY}|{SHORT_DAY}"
        rf"|{MONTH}))\b(?! (?:of|at my (?:old )?(?:job|work|school))\b)"
        rf"|(?P<wday>\b(?P<prep>on |by |until |till? |since |from |due )?(?P<wname>{DAY}|tues|weds|thurs"
        rf"|{SHORT_DAY}(?=,? (?:the )?\d{{1,2}}{NTH}\b)|(?<=\bon ){SHORT_DAY})\b"
        rf"(?:,? (?P<nextweek>(?:of )?next week)\b)?(?:,? (?:the )?(?P<wdom>\d{{1,2}}){NTH}\b)?)"
        rf"|(?P<bare>\b(?:in|since|by|until|till?) (?:early |late |mid-? ?|the end of )?(?P<mname>{MONTH})\b)"
        rf"|(?P<dom>\b(?:on|by|until|till?|for|to|from|since|it's) the (?P<domn>\d{{1,2}}){NTH}\b"
        r"(?! (?!now|and|but|so|because|at|if|instead|then|for|not|to|in the|of this|of next)[a-z]))"
        rf"|(?P<year>\b(?:in|since|by|from|until|back in|of) (?P<yearn>{YEAR})\b)",
        re.I,
    )


def month_number(name: str) -> int:
    return next(i for i, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))


def weekday_number(name: str) -> int:
    return next(i for i, day in enumerate(WEEKDAYS) if day.startswith(name[:3].lower()))


def year_of(named: str, base: date) -> int:
    return int(named) if named.isdigit() else base.year + (1 if named.lower().startswith("next") else -1)


@lru_cache(maxsize=16)
def years_in(text: str) -> dict[tuple[int, int], int]:
    """By day and month the year that stands beside them: "22 May" beside "Saturday 22 May 2027"."""
    found = (match for match in DATED.finditer(text) if match["year"])
    return {(int(m["day"] or m["day2"]), month_number(m["month"] or m["month2"])): int(m["year"]) for m in found}


@lru_cache(maxsize=16)
def months_in(text: str) -> frozenset[int]:
    """The months of which a talk is."""
    found = (match.group().lower() for match in MONTH_NAMED.finditer(text))
    return frozenset(5 if "may" in words else month_number(words) for words in found)
