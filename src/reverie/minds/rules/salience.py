"""What is worth keeping: each sentence is weighed by cues that read aloud, and the reasons are kept with the sum.

Gates come first: what was asked, imagined, meant ironically or said out of politeness is never kept, whatever else it
holds. Facts about things (a service, a test, a contract) count as much as facts about persons.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reverie.language.sentences import asks
from reverie.language.vocabulary import APOSTROPHES

KEPT = 2.0  # the sum from which a sentence is kept


@dataclass(frozen=True, slots=True)
class Salience:
    """How much a sentence matters, why, and what forbids it."""

    score: float
    reasons: tuple[str, ...] = ()
    barred: str = ""

    @property
    def kept(self) -> bool:
        return not self.barred and self.score >= KEPT


_RELATIVES = (
    "wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|spouse|mother|mum|mom|mama|father|dad|papa|parents?|sister|brother|siblings?|"
    "sons?|daughters?|kids?|child(?:ren)?|baby|toddler|twins?|cousins?|aunt|uncle|niece|nephew|grand(?:ma|pa|mother|father|parents?|"
    "son|daughter|kids?)|gran|nan|in-laws?|ex|boss|manager|supervisor|advisor|colleagues?|co-?workers?|teammates?|co-?founder|"
    "investor|landlord|landlady|roommates?|flatmates?|housemates?|neighbou?rs?|friends?|best friend|bestie|mentor|teacher|coach|"
    "doctor|gp|nurse|therapist|dentist|dog|puppy|cat|kitten|pets?|horse|rabbit|parrot|guinea pigs?"
)
_HEALTH = (
    r"allerg\w+|intoleran\w+|diagnos\w+|medication|meds|prescri\w+|dose|dosage|\d ?mg\b|\d ?mcg\b|tablets?|pills?|insulin|inhaler|asthma|diabet\w+|"
    r"migraines?|pregnan\w+|surgery|operation|symptoms?|pain|aches?|arthritis|epilep\w+|anxiety|depress\w+|adhd|autis\w+|therapy|physio\w*|"
    r"vegetarian|vegan|pescatarian|celiac|coeliac|gluten|lactose|kosher|halal|blood pressure|cholesterol|rash|fever|flare|injur\w+|"
    r"broke my|sprained|knee|ankle|cancer|chemo|scan|mri|biops\w+|blood test|side effects?|wheelchair|deaf|blind|sober|quit smoking"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|march|april|may (?=\d)|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_TIME = (
    rf"\b(?:yesterday|today|tonight|tomorrow|last (?:\w+ )?(?:night|week|weekend|month|year|summer|winter|spring|fall|autumn|{_WEEKDAY})|"
    rf"next (?:\w+ )?(?:week|weekend|month|year|summer|winter|spring|fall|autumn|{_WEEKDAY})|this (?:week|weekend|month|year|morning|summer|"
    rf"winter|spring|fall|autumn|coming|past|{_WEEKDAY})|\w+ (?:days?|weeks?|months?|years?) ago|{_WEEKDAY}|{_MONTH}|the \d+(?:st|nd|rd|th)|"
    rf"(?:19|20)\d\d|\d{{1,2}}(?::\d\d)? ?(?:am|pm)|\d{{1,2}}\.\d{{1,2}}\.|since|recently|lately|for (?:\w+ )?(?:years|months|weeks))\b"
)

# reason, weight, the words that show it
CUES: tuple[tuple[str, float, str], ...] = (
    (
        "asked to remember",
        3.0,
        r"\b(?:remember|don'?t forget|keep in mind|bear in mind|make a note|note (?:that|to self)|for the record|fyi|heads up|important)\b",
    ),
    (
        "identity",
        1.6,
        r"\b(?:my (?:full |real |first |last )?name|call me|i(?:'m| am|m) (?:an? |the |\d\d\b|from |based |originally |married|single|divorced|engaged|"
        r"a \w+)|i was born|my birthday|years? old|my pronouns|i grew up|i come from|i speak|my (?:job|degree|major|background|role|age))",
    ),
    ("people", 1.1, rf"\b(?:my|our|his|her|their|'s) (?:\w+ ){{0,2}}(?:{_RELATIVES})\b"),
    ("health", 1.6, rf"\b(?:{_HEALTH})\b"),
    (
        "home",
        1.2,
        r"\b(?:i|we|she|he|they)(?:'ve|'m|'re|ve|m)? (?:\w+ )?(?:live|lives|lived|living|moved|moving|move|rent|renting|bought a|settled)\b|\b(?:address|apartment|flat|mortgage|lease|landlord|my (?:place|house|home|street|neighbou?rhood))\b",
    ),
    (
        "work",
        1.2,
        r"\b(?:i|we|she|he|they)(?:'ve|'m|'re|'ll|ve|m)? (?:\w+ )?(?:work|works|worked|working|study|studies|studying|own|owns|run|runs|manage|teach|quit|joined|founded|lead|maintain)\b"
        r"|\b(?:new job|my (?:job|boss|team|company|startup|thesis|business|shift|client)|promotion|promoted|hired|laid off|fired|resigned|internship|interview|salary|customers?|clients?|deploy\w*|release|repo|service|prod(?:uction)?|staging)\b",
    ),
    (
        "taste",
        1.1,
        r"\b(?:i|we|she|he|they)(?:'m|m| am|'re)? (?:\w+ )?(?:love|loves|loved|like|likes|liked|hate|hates|hated|prefer|prefers|enjoy|enjoys|adore|can'?t stand|allergic|obsessed|fond|into|miss)\b|\bfavou?rite\b|\bmy go-to\b|\bnot a fan\b",
    ),
    (
        "decision",
        1.8,
        r"\b(?:(?:we|i)(?:'ve|ve)? (?:have )?(?:finally )?(?:decided|agreed|chose|settled)|decision|go(?:ing)? with|went with|stick(?:ing)? with|sticking to|staying on|let'?s (?:go|use|do|keep|switch|move)|"
        r"switch(?:ed|ing)? (?:to|from|back)|scrap(?:ped)?|dropp?(?:ed|ing)|is off|called off|cancel\w*|postpon\w+|approved|rejected|signed|booked|we'?re not going|stays?\b|we'll (?:use|go|keep|do|take))\b",
    ),
    (
        "constraint",
        1.2,
        r"\b(?:must(?:n'?t)?|(?:has|have|need|needs) to|can(?:'?t|not)|not allowed|never|at most|at least|no more than|max(?:imum)?|min(?:imum)?|limit|under \d|required|unless|forbidden|only (?:on|in|by|for|if|when|one|\d)|budget)\b",
    ),
    (
        "plan",
        1.2,
        r"\b(?:deadline|due|by (?:the )?(?:end|\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|next|tomorrow)|until|till|going to|gonna|plan(?:ning|s)?|will|'ll|appointment|meeting|exam|flight|trip|"
        r"wedding|launch|go-?live|starts?|starting|scheduled|reminder|hoping to|want to|wants to|would like to|looking forward|signed up|applied)\b",
    ),
    (
        "change",
        1.6,
        r"\b(?:actually|(?:it'?s|is|are|was|were) now|now (?:it'?s|at|in|on|is)|no longer|not any ?more|any ?more|instead|moved to|changed|changes|switched|turns out|i meant|correction|not (?:the )?\w+ but|used to|got a new|new (?:date|address|"
        r"number|job|phone|plan|version|name)|back to|replaced|is off|left in|stopped|started)\b",
    ),
    (
        "feeling",
        0.9,
        r"\b(?:i|i'm|im|we|she|he)(?: am|'m| was| feel| felt|'s| is)? (?:\w+ )?(?:feel|felt|scared|afraid|worried|proud|nervous|stressed|exhausted|overwhelmed|mad|angry|sad|lonely|homesick|grateful|trust|jealous|thrilled|devastated|heartbroken|guilty|excited)\b",
    ),
    (
        "event",
        0.9,
        r"\b(?:went|got|bought|made|began|joined|took|visited|met|finished|won|lost|found|saw|watched|read|wrote|played|painted|built|planted|adopted|passed|failed|sold|opened|launched|learned|tried|gave|received|named|hiked|camped|ran|cooked|"
        r"baked|created|attended|organi[sz]ed|spent|travel+ed|broke|crashed|merged|shipped|deployed|released|died|born|married|graduated|celebrated|volunteered|donated|competed|performed|recorded|published|submitted|ordered|paid|hired|called)\b",
    ),
    (
        "figure",
        0.8,
        r"(?<![\w.])[~€$£]?\d[\d.,:]*\s?(?:%|k\b|ms\b|s\b|sec|min|h\b|hours?|days?|weeks?|months?|years?|kg|km|cm|mm\b|m\b|lbs?|mg|ml|gb|mb|tb|eur|usd|euros?|dollars?|pounds?|people|ppl|users?|rows?|pages?|cups?|times|points?|"
        r"degrees|percent|conns?|trucks?|devices?|miles|per)?",
    ),
    (
        "attribute",
        0.9,
        r"\b(?:my|our|the|his|her|their|its) (?:[\w-]+ ){0,3}(?:is|are|was|were|has|have|costs?|takes?|runs?|uses?|lives?|means|holds)\b",
    ),
    ("when", 0.7, _TIME),
    ("first person", 0.7, r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|mine|we|we're|we've|our|us|me)\b"),
)

# why it is never kept, the words that show it
GATES: tuple[tuple[str, str], ...] = (
    (
        "imagined",
        r"\b(?:imagine|hypothetical\w*|what if|if (?:i|we|you|he|she|they|it)(?:'d| ever| were| was| had| could| would| did)\b|if only|(?:i|we) wish|pretend|suppose|let'?s say|would be (?:nice|cool|great|fun)|in theory|as if|one day i)\b",
    ),
    (
        "ironic",
        r"(?:\byeah,? right\b|\bsure,? because\b|\boh (?:great|joy|good|wonderful|sure|yes)\b|\bjust what i needed\b|\bas is tradition\b|(?:^|\s)/s\b|\bjust kidding\b|\bjk\b|\b(?:i'?m|im) (?:just )?(?:kidding|joking)\b|\bi could (?:marry|kill|murder|cry|sleep)\b|\bof course it (?:is|does|did|was)\b|🙄)",
    ),
    (
        "a reaction",
        r"^(?:(?:oh|ah|aw+|ha(?:ha)*|lol|hm+|ok(?:ay)?|yeah|yes|yep|yup|no|nope|sure|right|well|so|wow|and|but|hey|hi|hello|thanks?|thank you|thx|ty|great|cool|nice|good|perfect|awesome|amazing|exactly|absolutely|definitely|totally|true|agreed?|please|sorry|bye|cheers)[\s,.!…]*)+$",
    ),
    (
        "politeness",
        r"^(?:(?:oh|hey|wow|aw+|yeah|well|and|so)[\s,!]+)*(?:thanks?\b|thank you|thx|no problem|no worries|you'?re welcome|congrat\w*|good (?:luck|job|morning|night|evening)|well done|nice (?:one|work|job|to)|great (?:to|job|work|idea)|glad (?:to|you|that|it)|"
        r"(?:i'?m|im) (?:so |really |very )?(?:glad|happy|sorry) (?:to hear|you|for you|that you|it)|sounds (?:great|good|like|fun|amazing|awesome)|that'?s (?:so |really |such |very |just |pretty )?(?:a )?(?:great|awesome|amazing|cool|nice|good|wonderful|fantastic|lovely|sweet|"
        r"beautiful|brilliant|inspiring|true|right|fine|funny|interesting|impressive|tough|hard|wild|crazy|fair)|what a\b|how (?:nice|lovely|cool|sweet|exciting)|take care|see you|talk (?:to you )?(?:soon|later)|have (?:a|fun)|enjoy|keep (?:it )?up|hope (?:you|it|that|your)|"
        r"i hope (?:you|it|your)|wishing you|can'?t wait to (?:hear|see)|let me know|looks (?:great|good|amazing|awesome|nice)|love (?:it|that|this)!?$|(?:i )?bet (?:you|it)|you(?:'re| are)\b|you got this|way to go|cheers)",
    ),
    (
        "a request",
        r"^(?:(?:ok(?:ay)?|yes|yep|and|also|now|then|so|please|pls|just|hey|right|cool|good|thanks|thx)[\s,.:]+)*(?:can|could|would|will) (?:you|u|we)\b|^(?:(?:ok(?:ay)?|yes|yep|and|also|now|then|so|please|pls|just|hey|first)[\s,.:]+)*"
        r"(?:explain|write|rewrite|draft|fix|show|give|tell|make|add|remove|delete|rename|check|look|read|run|rerun|list|compare|help|find|search|summari[sz]e|translate|generate|suggest|recommend|describe|propose|try|put|set up|update|change|send|print|do it|"
        r"do that|do both|go on|go ahead|continue|open|create|implement|refactor|review|convert|calculate|walk me|teach me|quiz me|let'?s see|let me see|what about|how about)\b",
    ),
)
_QUESTION = re.compile(
    r"^(?:(?:so|and|but|well|hey|ok(?:ay)?|hi|hmm|oh|also|then|btw|wait|sorry)[, ]+)*(?:"
    r"(?:do|does|did|are|am|is|was|were|can|could|will|would|should|shall) (?:i|you|u|we|he|she|they|there|my|your|our|the|this|that|any\w*)\b|"
    r"(?:have|has) (?:i|you|u|we|he|she|they|it|anyone|the|my)\b|(?:is|was|does|did|will|would|can|could|should) it\b|"
    r"(?:what|who|where|when|why|how)(?:'s|s)? (?:is|are|was|were|do|does|did|can|could|will|would|should|about|to|come|many|much|long|often|else|old|big|far|does|if)\b|"
    r"(?:what|which|whose|why|how) (?:\w+ )?(?:i|you|we|they|the|my|your|is|are|do|does|would|should)\b(?! (?:love|like|hate|need|want|mean)))",
    re.I,
)
_NAME = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-Þ][\w'’-]+")
_SECOND = re.compile(r"\b(?:you|your|you're|you've|yours|yourself|u|ur)\b")
_WORD = re.compile(r"[\w'’-]+")
_OPAQUE = re.compile(r"`[^`\n]{1,200}`|\"[^\"\n]{2,300}\"|“[^”\n]{2,300}”|https?://\S+")
_STARTS_WITH_REACTION = re.compile(
    r"^(?:wow|haha|lol|oh|aw+|yeah|yep|ok|okay|nice|great|cool|awesome|amazing|absolutely|definitely|totally|exactly|sure|it'?s (?:so|really|such|great|amazing|always|important)|that)\b",
    re.I,
)


@lru_cache(maxsize=1)
def _compiled() -> tuple[list[tuple[str, re.Pattern[str]]], list[tuple[str, float, re.Pattern[str]]]]:
    gates = [(why, re.compile(words)) for why, words in GATES]
    return gates, [(why, weight, re.compile(words)) for why, weight, words in CUES]


def plain(sentence: str) -> str:
    """As the cues read it: lower case, one apostrophe, code and quotations closed to view."""
    return _OPAQUE.sub("…", sentence).translate(APOSTROPHES).lower()


def weigh(sentence: str, answers: bool = False) -> Salience:
    """The salience of one sentence; `answers` says that it follows a question of the other side.

    >>> weigh("I'm allergic to walnuts, told them as well").reasons
    ('identity', 'health', 'taste', 'first person')
    >>> weigh("Thanks, that's great!").barred
    'politeness'
    """
    said = plain(sentence)
    barred = (is_question(sentence) and "a question") or _barred(said)
    if barred:
        return Salience(0.0, (), barred)
    words = _WORD.findall(said)
    found = [(why, weight) for why, weight, pattern in _compiled()[1] if pattern.search(said)]
    names = len(_NAME.findall(sentence))
    score = sum(weight for _, weight in found) + 0.5 * min(names, 2) + _shape(sentence, said, words, answers)
    return Salience(round(score, 2), tuple(why for why, _ in found) + (("name",) if names else ()))


def is_question(sentence: str) -> bool:
    return asks(sentence) or bool(_QUESTION.match(sentence))


def _barred(said: str) -> str:
    return next((why for why, pattern in _compiled()[0] if pattern.search(said)), "")


def _shape(sentence: str, said: str, words: Sequence[str], answers: bool) -> float:
    weight = 0.6 if answers else 0.0
    weight -= 0.7 * min(len(_SECOND.findall(said)), 2)
    weight -= 0.8 if _STARTS_WITH_REACTION.match(sentence) else 0.0
    weight -= 1.0 if len(words) < 4 and not answers else 0.0
    weight += 0.3 if len(words) >= 9 else 0.0
    return weight
