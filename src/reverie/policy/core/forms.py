"""How people say what stays so, and how they say what passes: the forms that decide what core may quote at once.

A word that hints at a class ("my sister") is not yet a statement of that class ("my sister Truus is a nurse"). The
forms are read in lower case, except those for names.
"""

import re
from collections.abc import Mapping

CLOSE = "partner|wife|husband|fianc[eé]e?|girlfriend|boyfriend|son|daughter|kids?|children|grandson|granddaughter"
KIN = (
    f"{CLOSE}|mum|mom|mother|dad|father|sister|brother|aunt|uncle|cousin|gran|grandma|grandpa|boss|manager|"
    "supervisor|co-?founder|colleague|teacher|doctor|friend|flatmate|neighbou?r|deputy|client|accountant|lawyer"
)
_ROLE = (
    f"{KIN}|gp|nurse|consultant|dentist|physio\\w*|therapist|rheumatologist|specialist|landlord|landlady|contact|lead|"
    "chair|dev|developer|supplier|vendor|investor|editor|owner|examiner|cat|dog|horse|tortoise|rabbit"
)
NAME = r"(?:(?:Dr|Mrs|Mr|Ms|Prof)\.? )?[A-ZÀ-Þ][\w'-]+"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b"
)
_WHEN = rf"(?:\d|{MONTH}\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day|easter|christmas|the end of|end of|next )"
_OCCASION = (
    "deadline|due|submission|exams?|interview|hearing|launch|release|go-live|review|appointment|scan|surgery|operation|"
    "completion|move|moving|wedding|flight|defen[cs]e|viva|meeting|ceremony|graduation|audit|auditors|trip|holiday|"
    "festival|race|marathon|conference|closes|starts?|leave|leaving|last day|off from|closing|visit|renewal|expires?"
)
# The class, and how a statement of it is put.
SAID_SO: Mapping[str, re.Pattern[str]] = {
    "identity": re.compile(
        r"\b(?:i'?m|i am) [\w'-]{1,40}(?: [\w'-]{1,40})?, (?:an? |the )?[\w'-]{1,40}"
        r"(?: [\w'-]{1,40})? (?:at|in|from|of|for)\b"
        r"|\b(?:i (?:own|run|lead|maintain|look after|teach|study|translate|live in|work (?:as|at|for|in|on)|"
        r"do \w+ for|(?:do|handle|cover) the)\b|"
        r"i'?m (?:in charge of|responsible for|on call for|the (?!one|only|same|first|last)\w+|an? (?!bit|little|mess|"
        r"fan|"
        r"lot|genius|idiot|wreck|moron)[\w-]{1,40}(?: [\w-]{1,40})?(?:[,.;]|$| (?:at|in|from|by|and|who|with|on)\b)))"
        r"|\bi (?:got|was) (?:promoted|hired|fired|engaged|married)\b|\bi(?:'ve| have)? (?:quit|retired|joined|"
        r"moved to|left (?:the|my) "
        r"(?:job|bank|company|school|firm|city))\b|\bi'm (?:now )?(?:head of|pregnant|engaged|expecting)\b"
        r"|\bwe're (?:expecting|engaged|getting married|having a (?:baby|boy|girl))\b|\b(?:my|a) new (?:job|flat|"
        r"house|role)\b"
        r"|\bis the name\b|\bname(?:'s| is) (?!not|on)\w+|\bi'?m on \d|^(?:\w+,? )?[\w'-]{1,40} here, |\bi'?m \d\d\b|"
        r"\bi have (?:a|two|"
        r"three|four|five) (?:\w+ )?"
        r"(?:kids|children|sons?|daughters?|cats?|dogs?)\b"
    ),
    "people": re.compile(
        rf"\b(?:{_ROLE})s?(?: [\w'-]{{1,40}}){{0,2}}? "
        rf"(?:is|are|has|have|works|lives|turns|does|=)\b(?! (?:been|to|got|not|"
        rf"so|come|gone|alright|\w+ed)\b)"
        rf"|\b(?:{_ROLE}|puppy|kitten|\w+hound)s? (?:called|named) \w|\b(?:she|he)'s an? [\w-]{{1,40}} "
        rf"(?:at|in|from|for)\b"
        rf"|\b[\w'-]{{1,40}}(?:'s| is|,) (?:my|our|the) (?:\w+ ){{0,2}}(?:{_ROLE})\b"
        r"|\b[\w'-]{1,40} is \d{1,2}(?: months?| weeks?| years?)?(?: old)?(?:,| and|\.(?!\d)|$)"
    ),
    "health": re.compile(
        r"\ballerg\w*|\bintoleran\w*|\b(?:don't|can't|doesn't|cannot|mustn't) (?:tolerate|eat|have|take|drink|digest)\b"
        r"|\bdiagnosed\b|\bdiagnosis (?:is|of)\b|\b(?:takes?|needs?|on) (?:an? )?(?:half )?(?:an? )?(?:tablets?|"
        r"pills?)\b|\b\d[\d.,]* ?(?:mg|mcg|µg|micrograms?|milligrams?|units (?:of|in the|at))\b|\b\d+ (?:once|twice|"
        r"three times) a (?:day|week)\b|\bgave me a rash\b|\b(?:vegan|vegetarian|coeliac|"
        r"celiac|halal|kosher|diabetic|asthma|epilep\w+|pregnant)\b|\b(?:i|she|he|we)(?:'ve got| have| has) (?:type|"
        r"an? bad|"
        r"(?!a |to |no |the |been |had |got )\w+(?:itis|osis|ia|pus|emia|oma|aines?|betes)\b)|\bunder dr\b|"
        r"\bmy (?:back|knee|hip|shoulder|heart|eyesight) is\b"
    ),
    "home": re.compile(
        r"\b(?:house|flat|apartment|address|home|place) is \w|\b(?:i|we) (?:live|rent|own)\b|\bwe're moving"
    ),
    "deadline": re.compile(rf"\b(?:{_OCCASION})\b.{{0,60}}?{_WHEN}|{_WHEN}.{{0,30}}\b(?:{_OCCASION})\b"),
    "decision": re.compile(
        r"\b(?:decided|going with|go with|we agreed|agreed on|settled on|chose|picked|dropp(?:ed|ing)|"
        r"stick(?:ing)? with|"
        r"staying (?:on|with|native)|switch(?:ed|ing) to|signed|accepted|cancelled|canceled|postponed|booked|"
        r"said yes to|"
        r"pausing|back to|back on|we're using|we use|we go [\w-]{1,40} now|we stay|we're staying|we keep"
        r"|we'll keep|is off|"
        r"scrapped|said no to)\b"
    ),
    "change": re.compile(
        r"\b(?:is|are|it's) now\b|\bmoved (?:to|from)\b|\bnow,? (?:since|at|on|for)\b|\bno longer\b|\bgot moved\b|"
        r"\binstead of\b|\bswapped for\b|\bextended\b|\bcorrection\b|\b(?:is|are) \S+(?: \S+)? now\b|\bfrom now on\b"
    ),
    "constraint": re.compile(
        r"\b(?:budget|limit|maximum|minimum|max|at most|at least|no more than|the only)\b.*\d|\b(?:can only|must not|"
        r"mustn't|"
        r"must|has to be (?:under|over|below|above|at|in|done|up|ready)|needs to be (?:under|over|done)|not allowed|"
        r"only on|only in|never works?|won't work)\b"
    ),
    "taste": re.compile(
        r"\bmy favou?rite\b|\bi (?:hate|love|prefer|can't stand|don't like|never eat|never drink|don't drink|like)\b"
    ),
}
DATED = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)\b|\b{MONTH} \d|\d (?:of )?{MONTH}\b|\b(?:in|until|till|by|from|since|"
    rf"end of) {MONTH}\b"
)
BEGINS = re.compile(r"\b(?:from|since|as of|starting|starts?|started|begins?|began|every|each|\w+days)\b")
OCCASION = re.compile(
    rf"\b(?:{_OCCASION}|party|dinner|rehearsals?|practice|concert|lessons?|standup|sync|delivery|evaluation|demo)\b"
)
MOVED = re.compile(
    r"\b(?:now|moved|move|instead|after all|pushed|postponed|slipped|extended|changed|not by|new date|actually)\b"
)
_TOWARDS = "is|now|back|down|up|to|at|goes|went|on|it's|from|by|stays"
# What somebody is allergic to, and what they are not, or no longer.
ALLERGEN = re.compile(
    r"\ballergic to (?:the |all |any )?([\w-]{3,30})"
    r"|\b([\w-]{3,30}) (?:allergy|i'?m allergic to|i am allergic to)\b"
)
OWN_ALLERGY = re.compile(r"\bi(?:'?m| am) (?:not |no longer )?allergic to\b")
NO_ALLERGEN = re.compile(
    r"\b(?:not|n't|never|no longer|isn't) (?:really |actually |even )?allergic to (?:the |all |any )?([\w-]{3,30})"
    r"|\bno ([\w-]{3,30}) allergy\b"
)
DOSE = re.compile(
    rf"\b(?!(?:{_TOWARDS}|dose|only|about|take|then|until|till|before|after)\b)([a-z]{{4,}}),?(?: (?:{_TOWARDS}))* "
    r"\d[\d.,]*(?: ?(?:mg|mcg|µg|g|units)\b|(?= (?:once|twice|three times|at night|in the (?:morning|evening)|each |"
    r"every |for a |from t|slow)))"
)
# "Idris is my husband", "my husband Idris": whoever is named so is introduced.
INTRODUCED = re.compile(rf"\b(?i:my|our|his|her|the|\w+'s)(?: \w+){{0,2}} (?:{_ROLE}),? (?:\(|is |will be )?{NAME}")
CLOSE_ONE = re.compile(rf"\b(?i:my|our) (?:\w+ )?(?i:{CLOSE}),? (?:\(|is )?{NAME}")
# What a thing is, said now with a name or a figure: "dev is Radomir, external", "our budget for ci is 1800 eur".
STATE = re.compile(
    r"(?:[\w']{1,40}: )?(?!(?i:it|that|this|he|she|they|there|which|what|who|i|you|yes|no|ok|and|but|so)\b)"
    r"(?:[\w'/.&()-]{1,40},? ){1,6}(?:is|are|=|costs?|takes?)(?: "
    r"(?:now|about|on|the|a|an|only|called|still|around|max))*"
    rf" (?:[£$€]?\d|[\"“]|{NAME}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b)"
    rf"|(?:we're|[Ww]e (?:are|have|ship|sell|use|keep|run|make|pay|charge)|our) (?:[\w'-]{{1,40}} ){{1,4}}?(?:\d|"
    rf"{NAME}).*(?:\S+ ){{3}}"
)

ASKS, OF_THE_MOMENT = "a question or a request", "of the moment"
# How something passing is put: why it has no place in core before anybody needed it.
PASSING: Mapping[str, re.Pattern[str]] = {
    OF_THE_MOMENT: re.compile(
        r"(?:(?<!since )(?<!from )\b(?:today|tonight|this (?:morning|afternoon|evening|night)))\b|"
        r"\b(?:right now|just now|at the moment|for now|in a (?:sec|second|min|minute|bit|moment)|"
        r"in \d{1,2}(?=[,.!]|$| min)|status|next (?:ticket|one|question)|now:|"
        r"\d+ ?(?:min|mins|minutes|sec|secs|seconds) (?:ago|left|late))\b"
    ),
    "a joke": re.compile(
        r"\b(?:lol|lmao|rofl|ha(?:ha)+|hehe|jk|thank god|heaven forbid|for some reason|whatever|show off|for fun|"
        r"over my dead body|obviously|joking|kidding)\b"
    ),
    "what somebody thinks": re.compile(
        r"\b(?:thinks?|thought|keeps? asking|hated|hates|laughs?|complain\w*|afraid|scares?|scared|drives me|"
        r"killing me|"
        r"mad|insane|strange|wish|hope|hoping|dream\w*|looking forward|can't wait|miss(?:es)?|worried|proud|stupid|"
        r"poor)\b"
    ),
    "unsure": re.compile(
        r"\b(?:might|maybe|perhaps|probably|not sure|don't know|i guess|i suppose|if i|if we|would|i'd|we'd|"
        r"no wait|or rather|trying to|could)\b"
    ),
    "a wish": re.compile(r"\b(?:wants?|wanted)\b"),
    ASKS: re.compile(
        r"\?|^(?:and |also |ok |so )?(?:can|could|would|shall|please|mail|draft|let)\b|\bcall me (?:when|if|back|"
        r"later|any)\b"
    ),
    "a story": re.compile(
        r"\b(?:went|danced|told|said|says|asked|came|got|left|gave|had|was|were|did|didn't|ran|rang|called|bought|sold|"
        r"painted|sat|took|made|found|talked|tried|used to|walked|cried|slept|broke|stopped|tightened|did all|answered|"
        r"offered|needed|wrote|read|saw|met|felt|spent|lost|passed|failed|yesterday)\b"
    ),
}
OF_ITS_MOMENT = frozenset({OF_THE_MOMENT, "a joke", ASKS})
_VERB = re.compile(
    r"\b(?:am|is|are|was|were|has|have|had|do|does|did|will|can|can't|won't|must|need|needs|gets?|goes?|going|starts?|"
    r"takes?|lives?|works?|runs?|stays?|wants?|closes|moved|moves|booked|decided|dropped|staying|pausing|starting|=|"
    r"works|means|costs|ships?|turns|due|gave|swapped|extended|said|says|quits|lands|flying|leaves?|comes?|signing|"
    r"slips?|switch)\b|'(?:m|s|re|ll|ve|d)\b|\b(?:i|we|you|they) \w+|\w{3}ed\b"
)


def passing(text: str) -> str:
    """Why a statement is of its moment, or empty.

    >>> passing("i might go fishing in may"), passing("the house is 14 Ragleth Gardens")
    ('unsure', '')
    """
    return next((why for why, form in PASSING.items() if form.search(text)), "")


def is_clause(text: str) -> bool:
    """Whether it says something of something.

    >>> is_clause("fatigue 7, pain 5"), is_clause("the release is on the 24th")
    (False, True)
    """
    return bool(_VERB.search(text))
