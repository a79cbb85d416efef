"""Directives: how the user wants the agent to behave from now on, told apart from requests for this once.

A sentence is a directive when it gives an order or a wish to the agent and shows that it is meant to last: a standing
word, or the agent's own behaviour as its object, and nothing that ties it to the matter at hand.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from reverie.minds.rules.salience import is_question

plain = str.lower
LASTS = 2.0  # the sum from which a sentence is a directive


@dataclass(frozen=True, slots=True)
class Standing:
    score: float
    reasons: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.score >= LASTS


_LEAD = (
    r"(?:(?:ok(?:ay)?|yes|yep|no|and|also|but|so|oh|hey|hi|btw|well|right|good|great|thanks|thx|please|pls|plz|just|one (?:more )?(?:thing|rule|request)|quick (?:note|one|thing)|"
    r"new rule|rule|note|important|fyi|for the record|by the way|in general|generally|house rules?|general rule|remember|actually|again|reminder|small thing|last thing|another thing|"
    r"from now on|from here on(?: out)?|going forward|in (?:the )?future|by default|as a (?:general )?rule|at all times|always|never|only)[\s,.:;!–-]+)*"
)
_VERBS = (
    "keep|be|use|avoid|stop|call|answer|reply|respond|write|speak|talk|give|address|refer|treat|assume|ask|tell|show|put|include|add|sign|format|spell|prefer|make|skip|leave|run|"
    "touch|push|commit|delete|edit|change|repeat|mention|suggest|explain|start|begin|end|open|close|send|check|remind|say|quote|cite|translate|round|convert|name|cc|merge|deploy|"
    "install|rename|remove|refactor|pretend|guess|apologi[sz]e|assume|list|number|wrap|test|log|store|share|book|schedule|order|recommend|correct|confirm|warn|flag|limit|stick|"
    "go|get|let|propose|do|drop|mark|highlight|double-check|proofread|phrase|stay|follow|respect|remember|save|print|read|think|act|spare|cut"
)
_BEHAVIOUR = (
    r"answers?|repl(?:y|ies)|responses?|explanations?|messages?|summar(?:y|ies)|drafts?|commit messages?|commits?|comments?|docstrings?|type hints?|emojis?|bullet(?: point)?s?|"
    r"tone|jargon|units?|metric|celsius|kilomet\w+|grams|format|sentences?|paragraphs?|markdown|headings?|headers|apolog\w+|disclaimers?|preambles?|intros?|small talk|code|tests?|"
    r"suggestions?|recipes?|lists?|tables?|examples?|reminders?|wording|language|english|german|french|spanish|dutch|finnish|italian|polish|portuguese|swedish|norwegian|danish|"
    r"japanese|chinese|korean|russian|welsh|formal(?:ly)?|informal(?:ly)?|casual(?:ly)?|polite|brief(?:ly)?|concise(?:ly)?|short(?:er)?|long(?:er)?|plain|simple|emails?|mails?|"
    r"names?|nickname|exclamation marks?|em dashes|capitals?|all caps|questions?|sources?|links?|citations?|steps?|options?|dates?|times?|24h|am/pm|currency|euros?|dollars|pounds"
)

# reason, weight, the words that show it
CUES: tuple[tuple[str, float, str], ...] = (
    (
        "standing",
        1.7,
        r"\b(?:from now on|from here on|from today on|going forward|in (?:the )?future|always|never|every (?:time|single|answer|reply|message|commit|day|week|morning|monday|friday)|each time|whenever|any ?time|by default|as a (?:general )?rule|in general|"
        r"generally|at all times|no exceptions|all (?:your|future|my|the) (?:\w+ )?(?:answers|replies|responses|messages|drafts|code|emails|commits)|ever again|until i say|until further notice|(?:unless|except when|without) (?:i|asking|you ask|my|me|checking)|"
        r"for (?:all|every|any)|in this (?:repo|project|space|chat|folder|codebase|thread)|house rules?|new rule|rule:|permanently|as usual|the usual way)\b|,? ever[.!]?$|,? always[.!]?$|,? please[.!]? always",
    ),
    (
        "an order",
        0.9,
        rf"(?:^{_LEAD}|[,:;.(–-] ?(?:and |but |so |then |just |first )*|\b(?:and|but|so|then|please|pls|just) )(?:please |pls )?(?:do not |don'?t |dont |never |always |only |not )?(?:ever |just |always |only )?(?:{_VERBS})\b|,? (?:please|pls|plz)[.!]*$",
    ),
    (
        "a condition",
        1.2,
        rf"^{_LEAD}(?:when(?:ever)?|if|every time|each time|any ?time|unless|for|in|on|before|after|once|while|with) (?:\S+ ){{1,14}}?(?:please |pls |u |you )?(?:do not |don'?t |dont |never |always |only |just |first |no |can |should |must )*(?:{_VERBS}|\w+ \w+ only)\b",
    ),
    (
        "a ban",
        0.9,
        rf"(?:^{_LEAD}|[,:;] ?|\bso |\band |\bfrom now on |\byet )(?:no|zero|fewer|less|don'?t|dont|do not|never|stop|avoid|quit|nothing|nobody says)\b (?!one\b|idea|problem|worries|way\b|clue|wait|thanks|it\b|she\b|he\b|i\b|we\b|they\b|that\b|the\b|is\b)\b(?:please )?(?:don'?t|do not|never) (?:ever )?(?:{_VERBS})\b",
    ),
    (
        "a wish to the agent",
        1.3,
        r"\b(?:i(?:'d| would)? (?:prefer|like|want|need|expect|appreciate)(?: it)?(?: if| when| that)? (?:you|your|u|answers|replies|responses|all|everything|code|short|things)|(?:you|u) (?:should|must|may|can|don'?t (?:need|have) to|have to|need to|are (?:not )?(?:allowed|supposed)|just|only)|"
        r"i don'?t (?:want|like|need) (?:you|your|any|emojis|it when you|to (?:see|read|hear))|your (?:answers|replies|messages|emails|drafts|summaries) (?:are|should|must|can)|treat me|talk to me|speak to me|call me|address me|remind me (?:every|each|always|whenever))\b",
    ),
    ("the agent's behaviour", 0.8, rf"\b(?:{_BEHAVIOUR})\b"),
    (
        "a measure",
        0.6,
        r"\b(?:max(?:imum)?|at most|no more than|not more than|under|at least|min(?:imum)?|up to|only) (?:of )?(?:\d+|one|two|three|four|five|six|ten|a)\b|\b(?:short|brief|concise|terse|plain|simple|formal|informal)\b",
    ),
    (
        "a scope",
        0.7,
        r"(?:^|[\s`'\"(])(?:[\w.-]+/)+[\w.*-]*|\b(?:main|master|prod(?:uction)?|legacy|staging|migrations?)\b(?: branch| db| database| folder| directory)?",
    ),
)
# why it is for this once, how much that takes away, the words that show it
ONCE: tuple[tuple[str, float, str], ...] = (
    (
        "this one",
        1.6,
        r"\b(?:this|that) (?:one|time|once|answer|reply|email|mail|message|paragraph|sentence|text|function|file|draft|letter|poem|essay|test|section|list|line|part|chapter|bug|error|log|question|word|version|recipe|table|code|ticket|page|document|report|case)\b|"
        r"\bjust (?:this|once|for now|now|today)\b|\bfor (?:this|now|today|tonight|the moment)\b|\b(?:one|1) more\b|\bonly this\b|\bthis, (?:please|pls)\b",
    ),
    (
        "what lies here",
        1.2,
        r"\b(?:the (?:above|following|attached|last one|first one|previous|second|third|bug|error|failing|flaky|first|intro|conclusion|diff|mail|letter|cover letter|table|readme|changelog)|below|above|here'?s|again\b|instead$|it (?:shorter|longer|simpler|again|to|into|in|up|out|as|a bit|more|less|sound|for)|"
        r"(?:make|keep|translate|rewrite|summari[sz]e|shorten|fix|change|send|format|explain|put|convert|turn|move|rename|delete|remove|check|add|read) (?:it|that|this|them|these|those)\b)",
    ),
    (
        "a task",
        1.0,
        r"^(?:(?:ok(?:ay)?|and|also|now|then|please|pls|so|hey|yes)[\s,]+)*(?:can|could|would|will) (?:you|u)\b|\b(?:now|first|next|then|today|tonight|tomorrow|quickly|asap|right now|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|at \d|in \d+ min)\b",
    ),
    (
        "made to order",
        1.4,
        r"\b(?:write|draft|make|give|create|generate|suggest|find|list|tell|show|get|recommend|plan|come up with) (?:me |us )?(?:an?|some|two|three|four|five|\d+|another)\b",
    ),
    (
        "a story",
        2.2,
        r"^(?:(?:and|but|so|because|well|oh|btw)[\s,]+)*(?:i|we|he|she|they|it|my|our|his|her|their|the \w+) (?:\w+ )?(?:always|never|usually|often)\b|\b(?:i|we|he|she|they|people|nobody|someone)(?:'ve|'d|'s|'m)? (?:always|never|have always|have never|had|was|were|used to)\b",
    ),
    (
        "not meant",
        1.5,
        r"\bdon'?t (?:worry|bother|mind|know|think|laugh|ask|judge|tell anyone|hate me|you think|get me wrong|panic|cry)\b|\bnever ?mind\b|\bno (?:idea|worries|problem|way|clue|one|thanks|wait|no|i|it|she|he|they|we|that|the)\b|\blet me\b|\blet'?s\b|\bgo (?:on|ahead|for it)\b|\bdo (?:it|that|both|1|2)\b",
    ),
)


@lru_cache(maxsize=1)
def _compiled() -> tuple[list[tuple[str, float, re.Pattern[str]]], list[tuple[str, float, re.Pattern[str]]]]:
    return tuple([(why, weight, re.compile(words)) for why, weight, words in table] for table in (CUES, ONCE))  # type: ignore[return-value]


def standing(sentence: str) -> Standing:
    """How much a sentence reads as a lasting wish about the agent's behaviour, and why.

    >>> standing("Please keep answers short, no emojis.").holds, standing("Make this one shorter.").holds
    (True, False)
    """
    said = plain(sentence)
    if is_question(sentence) and "you" not in said[:14]:
        return Standing(0.0, ("a question",))
    cues, once = _compiled()
    found = [(why, weight) for why, weight, pattern in cues if pattern.search(said)]
    against = [(why, -weight) for why, weight, pattern in once if pattern.search(said)]
    kinds = {why for why, _ in found}
    addressed = kinds & {"an order", "a ban", "a wish to the agent", "a condition"} or (
        "standing" in kinds and len(said.split()) <= 14 and "a story" not in {why for why, _ in against}
    )
    if not addressed:
        return Standing(0.0, tuple(why for why, _ in found))
    both = [*found, *against]
    return Standing(round(sum(weight for _, weight in both), 2), tuple(why for why, _ in both))
