"""The words by which people name a day, a month or a year: one pattern with named alternatives."""

import re
from functools import lru_cache

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "couple": 2, "few": 3, "several": 3,
}  # fmt: skip
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
DAY = r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)day"
SHORT_DAY = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"  # only after "last", "next", "this"
COUNT = r"(?:\d{1,3}|" + "|".join(NUMBERS) + r")(?:\s+of)?"


@lru_cache(maxsize=1)
def finder() -> re.Pattern[str]:
    """Named alternatives, the most telling first; "may" counts as a month only beside a preposition or a number."""
    month_word = MONTH.replace("|may|", "|")
    return re.compile(
        r"(?P<iso>\b\d{4}-\d{2}-\d{2}\b)"
        rf"|(?P<range>\b(?:from )?(?:the )?(?P<first>\d{{1,2}})(?:st|nd|rd|th)? ?(?:to|until|till|through|-"
        rf"|–) ?(?:the )?"
        rf"(?P<last>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<inmonth>{MONTH})\b(?:,? (?:19|20)\d{{2}}\b)?"
        rf"|\b(?P<months>{MONTH})\.? (?P<from>\d{{1,2}})(?:st|nd|rd|th)? ?(?:to|-|–) ?(?P<to>\d{{1,2}})(?:st|nd|rd"
        rf"|th)?\b"
        rf"(?![:,.]\d))"
        rf"|(?P<full>\b(?:on |by |until |since |from )?(?:the )?(?:(?:{DAY}|{SHORT_DAY}),? )?(?:the )?"
        rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}\b|{MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?![:,.]\d))"
        rf"(?:,? (?:19|20)\d{{2}}\b)?)"
        rf"|(?P<monthyear>\b(?:in |since |by |until |from )?(?:early |late |mid-?)?{MONTH},? (?:of )?(?:(?:19|20)"
        rf"\d{{2}}|(?:last|next) year)\b)"
        r"|(?P<ago>\b(?:about |around |over |almost |nearly )?(?:a )?"
        + COUNT
        + r"\s+(?P<agounit>day|week|month|year)s?\s+(?:ago|back)\b)"
        r"|(?P<ahead>\bin (?:about )?(?:a )?(?P<aheadn>"
        + COUNT
        + r")\s+(?P<aheadunit>day|week|month|year)s?(?:' time)?\b(?! (?:of|straight|or)\b))"
        r"|(?P<near>\b(?:the )?day before yesterday|\b(?:the )?day after tomorrow|\b(?:yesterday|today|tonight|"
        r"tomorrow)(?: morning| afternoon| evening| night)?|\b(?:this|last) (?:morning|afternoon|evening|night)\b)"
        rf"|(?P<rel>\b(?:since |by |until |from |early |late |earlier |later )?(?P<which>last|next|this past|this "
        rf"coming|past|coming|this|earlier this|later this|the following) (?P<unit>week(?:end)?|month|year|spring|"
        rf"summer|autumn|fall|winter|{DAY}|{SHORT_DAY}|{MONTH}))\b(?! of\b)"
        rf"|(?P<wday>\b(?<!every )(?<!each )(?<!first )(?<!second )(?<!third )(?<!other )(?<!a )(?<!the )"
        rf"(?<!black )(?<!good )(?:on |by "
        rf"|until |since )?"
        rf"(?:(?<!to ){DAY}s?\b(?! (?:to|week|of the month|mornings|evenings)\b)|\b(?:tues|weds|thurs)\b"
        rf"|\b{SHORT_DAY}(?=,? (?:the )?\d{{1,2}}(?:st|nd|rd|th)\b)"
        rf"|(?<=\bon ){SHORT_DAY}\b(?! (?!at|morning|evening|from|with|and|then|after|before|for)[a-z]))"
        rf"(?:,? (?P<nextweek>(?:of )?next week)\b)?(?:,? (?:the )?(?P<wdom>\d{{1,2}})(?:st|nd|rd|"
        rf"th)\b)?)"
        rf"|(?P<month>\b(?:in|since|by|until|this|early|late|mid) (?:early |late |mid-?)?{MONTH}\b|"
        rf"\b{month_word}(?<=[a-z]{{5}})\b)"
        r"|(?P<dom>\b(?:on|by|until|till|for|to|from|since|it's) the (?P<domn>\d{1,2})(?:st|nd|rd|th)\b"
        r"(?! (?!now|and|but|so|because|at|if|instead|then|for|not|to|in the|of this|of next)[a-z]))"
        r"|(?P<year>\b(?:in|since|by|from|until|back in|of) (?P<yearn>(?:19|20)\d{2})\b)",
        re.I,
    )
