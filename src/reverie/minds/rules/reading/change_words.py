"""The words by which a later statement shows that it brings an earlier one up to date, or cannot."""

import re
from collections.abc import Mapping

from reverie.minds.rules.reading.matters import plain

# The words of a change, by what they say. Read in lower case, in the statement, beside it and in the reply.
CHANGES: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"\b(?:{words})", re.I)
    for name, words in {
        "moves": r"(?:re)?scheduled|postponed|(?:brought|moved?|pushed|put|shifted) (?:forward|back|up|to|from|it|the|"
        r"my|our|us|me)|slipped|delayed|extended|till later|earlier than|a week (?:more|later|earlier)|(?:was|were|"
        r"been|got|gets|is|are|has) (?:\w+ )?(?:moved|pushed|shifted)|rebooked|re-?arranged",
        "ends": r"cancel\w*|called (?:it )?off|(?:is|are|'s|was|it's) (?:all )?off\b|scrap(?:ped)?\b|dropp(?:ed|ing)\b|"
        r"fell through|no longer|any ?more\b|gave up|given up|quit\b|stopped\b|not (?:going|doing|coming|happening)|"
        r"won't (?:be|go|do|come|happen)|refused|is (?:over|gone|dead|out)\b|(?:has|'s|is) left\b|died\b|stolen|sold\b|"
        r"forget (?:the|about|it)|never mind|broke up|split up|handed in (?:my|her|his) notice|last day|resign\w*|"
        r"pausing|paused|on hold|said no|turned (?:it )?down|withdr[ae]wn?",
        "swaps": r"instead|rather than|replac\w+|swap\w*|switch\w*|changed?\b|changing|migrat\w+|takes? over|took over|"
        r"takes? (?:him|her|it|them)\b|does (?:it|that|his|her|their)|has (?:his|her) (?:chair|job|desk)|successor|"
        r"renamed|re-?registered|not [\w-]+ but|bumped|ripped|converted|upgraded|other one|calling it|"
        r"(?:i'll|we'll|we|i) (?:go|went|take|took) (?:with|for)\b",
        "returns": r"back (?:to|on|at|up|down|with|in)\b|after all|again\b|as before|(?:the )?(?:old|original|first) "
        r"(?:one|time|date|price|plan|value)|like (?:it )?(?:said|was)|undo|revert\w*|on coffee",
        "sets": r"(?:cut|raised?|lower(?:ed)?|up(?:ped)?|reduced?|increased?|down|went up|goes? (?:up|down)|put up|"
        r"set)\b|make (?:it|that)\b|(?:doctor|doc|cfo|boss|coach|legal|she|he|they) (?:says?|said|cut|wants?)",
        "now": r"(?:it's|is|are|am|i'm|we're|'s) now|now\b|as of\b|from (?:today|tomorrow|now|next|this|last|\w+day|\d|"
        r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|since (?:yesterday|today|last|the|this|\w+day|\d)|"
        r"these days|until further notice|already\b",
        "new": r"new\b|got a\b|bought\b|signed\b|decided\b|official\w*|final(?:ly)?\b|booked\b|turns out|became|"
        r"confirmed",
        "corrects": r"correction|actually|i meant|not the \w+|wrong\b|mistake|instead of|sorry|wait\b|no,|plot twist|"
        r"changed (?:my|our|her|his) minds?|update\b|news\b",
    }.items()
}
REASONS = re.compile(
    r"\b(?:hates?|too (?:few|many|much|long|short|late|early|expensive|small|big|warm|cold|low|high)|(?:doesn't|didn't|"
    r"won't|can't) (?:fit|work|make)|nobody liked|tired of|complain\w*|clash\w*|ill\b|sick\b|flu\b|broke\w*|because)",
    re.I,
)
ASKS = re.compile(
    r"\b(?:alternatives?|instead|other|another|new|changed?|moved?|updated?|now|then|so|more time|where to)\b", re.I
)
WHO_ELSE = re.compile(
    r"\b(?i:my) (?P<kin>[a-zé]+)(?:'s)?\b(?! (?:says?|said|told|thinks?|called|wrote|asked|signed|and i\b))|"
    r"\b(?!(?:It|That|He|She|What|Who|There|Here|Let)\b)(?P<of>[A-ZÀ-Þ][\w-]{1,60})'s\b|\b(?P<pronoun>hers|theirs)\b|"
    r"(?i:^|[.!?,] |\ba )(?P<bare>colleague|friend|neighbou?r|boss|sister|brother|cousin|aunt|flatmate)(?:'s)?"
    r"(?! (?:says?|said|told|thinks?|called))\b",
)
LEANS = re.compile(
    r"^(?:(?:ok|okay|and|but|so|well|yes|yep|no|actually|hm+)[\s,.:]+)*(?:it|it's|its|that|that's|this|they|make it|"
    r"same|both|\d|the \d)|\b(?:it|that one|the other one|the old one|the other|ours|the same|same \w+)\b",
    re.I,
)
BEGINS = re.compile(
    r"(?:(?:ok|so|and|update|news)[\s:,]+)*(?:got )?(?:re)?(?:moved|pushed|postponed|scheduled|set)\b", re.I
)
VERB = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|will|goes|go|went|moved|moves|costs?|starts?|takes?|took|runs?|gets?|got|"
    r"does|did|comes?|leaves?|works?|lives?|passed|looks?|gives?|gave|says?|said|wants?|wrote|called|due|on|at|in|for)\b|"
    r"'(?:s|re|m)\b|[:=]",
    re.I,
)
FROM = re.compile(
    r"\b(?:from (?P<from>[\w.:]+(?: [\w.:]+)?) to\b|instead of (?:the )?(?P<of>[\w.:]+(?: [\w.:]+)?)|not (?:the "
    r")?(?P<not>[\w.:]+) but\b)",
    re.I,
)
_TAKEN_BACK = re.compile(
    r"(?:(?:and|but|so|well|actually|no|ok|oh)[\s,]+)*(?:(?:that|it|this)(?:'s| is| was) (?:all |now )?(?:off|over|"
    r"cancelled|history|not happening)\b|never ?mind\b|(?:forget|scrap|strike|ignore) (?:it|that|this)\b|"
    r"not any ?more\b)",
    re.I,
)


def takes_back(sentence: str) -> bool:
    """Whether a sentence ends what the one before it says.

    >>> takes_back("That's off now."), takes_back("it's off the main road")
    (True, False)
    """
    found = _TAKEN_BACK.match(plain(sentence))
    return found is not None and len(sentence[found.end() :].split()) <= 2
