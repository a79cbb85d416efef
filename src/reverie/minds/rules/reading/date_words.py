"""The words by which people name a day, a month or a year: one pattern with named alternatives."""

import re
from functools import lru_cache

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


@lru_cache(maxsize=1)
def finder() -> re.Pattern[str]:
    """Named alternatives, the most telling first; a match's `lastgroup` names its own."""
    return re.compile(
        rf"(?P<iso>\b{YEAR}-\d{{2}}-\d{{2}}\b)"
        rf"|(?P<range>\b(?:from )?(?:the )?(?P<first>\d{{1,2}}){NTH}? ?(?:to|until|till|through|-|–) ?(?:the )?"
        rf"(?P<last>\d{{1,2}}){NTH}?(?: of)? (?P<inmonth>{MONTH})\b(?:,? {YEAR}\b)?"
        rf"|\b(?P<months>{MONTH})\.? (?P<from>\d{{1,2}}){NTH}? ?(?:to|-|–) ?(?P<to>\d{{1,2}}){NTH}?\b(?![:,.]\d))"
        rf"|(?P<full>\b(?:on |by |until |till |since |from )?(?:the )?(?:(?:{DAY}|{SHORT_DAY}),? )?(?:the )?"
        rf"{DAY_AND_MONTH}(?:,? (?P<fullyear>{YEAR}|next year|last year)\b)?)"
        rf"|(?P<monthyear>\b(?:in |since |by |until |from )?(?:early |late |mid-?)?(?P<ofyear>{MONTH}),? (?:of )?"
        rf"(?P<whichyear>{YEAR}|last year|next year)\b)"
        rf"|(?P<ago>\b(?P<agon>{COUNT})\s+(?P<agounit>day|week|month|year)s?\s+ago\b)"
        rf"|(?P<ahead>\bin (?P<aheadn>{COUNT})\s+(?P<aheadunit>day|week|month|year)s?(?:' time)?\b"
        r"(?! (?:of|straight|or)\b))"
        r"|(?P<near>\b(?:the )?day before yesterday|\b(?:the )?day after tomorrow|\b(?:yesterday|today|tonight|"
        r"tomorrow)(?: morning| afternoon| evening| night)?|\b(?:this|last) (?:morning|afternoon|evening|night)\b)"
        rf"|(?P<rel>\b(?:since |by |until |from |early |late )?(?P<which>last|next|this past|this coming|coming|this"
        rf"|earlier this|later this) (?P<unit>week(?:end)?|month|year|spring|summer|autumn|fall|{DAY}|{SHORT_DAY}"
        rf"|{MONTH}))\b(?! of\b)"
        rf"|(?P<wday>\b(?P<prep>on |by |until |till |since |from |due )?(?P<wname>{DAY}|tues|weds|thurs"
        rf"|{SHORT_DAY}(?=,? (?:the )?\d{{1,2}}{NTH}\b)|(?<=\bon ){SHORT_DAY})\b"
        rf"(?:,? (?P<nextweek>(?:of )?next week)\b)?(?:,? (?:the )?(?P<wdom>\d{{1,2}}){NTH}\b)?)"
        rf"|(?P<bare>\b(?:in|since|by|until|till) (?:early |late |mid-? ?|the end of )?(?P<mname>{MONTH})\b)"
        rf"|(?P<dom>\b(?:on|by|until|till|for|to|from|since|it's) the (?P<domn>\d{{1,2}}){NTH}\b"
        r"(?! (?!now|and|but|so|because|at|if|instead|then|for|not|to|in the|of this|of next)[a-z]))"
        rf"|(?P<year>\b(?:in|since|by|from|until|back in|of) (?P<yearn>{YEAR})\b)",
        re.I,
    )
