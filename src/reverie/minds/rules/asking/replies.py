"""A question that somebody asked, and the reply that answers it: the question as the one who replied would put it.

"When is the fair?" "6 March." answers "When is the fair?". The reply must begin with what was asked for: a date, a
place, a number, a name. A question that leans on what was said before it ("When do you see her again?") is none.
"""

import re
from functools import lru_cache

from reverie.minds.rules.asking.askable import of_another, pattern

# how a question begins, how its reply must begin
_KINDS = (
    (r"(?:when|what (?:day|date|time)|by when|until when)\b", r"(?:at \d|<DATE>|\d{1,2}[:.]\d\d\b)"),
    (r"where\b", r"(?:in|at|on|near|from|to|under) (?:the |a )?\w|<NAME>"),
    (r"who(?:'s| is| are| was| will| does| has|m)?\b", r"(?:my \w+,? )?<NAME>"),
    (r"how (?:many|much|old|long|tall|big|high|far|often)\b", r"<NUMBER>|(?:<COUNT>|none|once|twice)\b"),
    (
        r"what(?:'s| is| are) (?:your|the) (?:[\w' -]{2,30}?'s )?(?:\w+ )?name\b|what(?:'s| is) .+ called\b",
        r"(?:(?:he|she|it)(?:'s| is)(?: called)? )?<NAME>",
    ),
)
# What one is, has or does, asked in so many words; whatever is said to that answers it.
_OF_ONESELF = re.compile(
    r"(?:what(?:'s| is| are) (?:\w+ ){0,5}?your\b|what (?:kind|type|sort)s? of [\w' -]{2,40} (?:do|are|have) you"
    r"|(?:what|which)(?: \w+){1,3} (?:do|does) you\b|what do you do(?: for (?:a living|work))?\?"
    r"|(?:what|how) do(?:es)? your\b"
    r"|how does [\w' -]{2,40} you\b)",
    re.I,
)
_EVADES = re.compile(
    r"(?:not sure|no idea|dunno|i don'?t know|nothing|none|hm+|good question|it depends|well\b|(?:but|and|also|then)\b"
    r"|(?:i|we) also\b)",
    re.I,
)
LEAST = 4  # words of such a reply
# "What's your limit?" asks for one of the moment, "What's the cat called?" for anybody's: neither stands for itself.
_OF_THE_MOMENT = re.compile(
    r"what(?:'s| is| are) your (?!(?:name|birthday|address|job|diet|email|surname|blood type)\b)[\w-]+\?"
    r"|what(?:'s| is) the [\w-]+ called\?",
    re.I,
)


@lru_cache(maxsize=1)
def _kinds() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    return [(pattern(question), pattern(reply)) for question, reply in _KINDS]


_LEAD = re.compile(
    r"^(?:(?:so|and|oh|well|yes|yeah|ok|okay|it's|that's|it is|that is|on|sorry|hm+|about)[\s,.]+)*", re.I
)
_LEANS = re.compile(
    r"\b(?:it|its|that|this|these|those|they|them|their|he|she|him|her|his|there|here|then|else|other|one|ones|again|"
    r"today|tonight|tomorrow|yesterday|now|currently|so far|weekend|this week|want|like|prefer|should|shall|could|"
    r"would|can|may|next|first|last|more|still|yet|us|me|we|since|left|longer|ago|so|extra|\d+)\b",
    re.I,
)
_NAMES_SOMETHING = re.compile(r"\b(?:your|the) [a-z]{3,}|(?<=\s)[A-ZÀ-Þ]\w+")
_YOU = (
    (r"\bare you\b", "am I"),
    (r"\bwere you\b", "was I"),
    (r"\byou are\b|\byou're\b", "I am"),
    (r"\byou\b", "I"),
    (r"\byour\b", "my"),
    (r"\byours\b", "mine"),
)
LONGEST = 14  # words of a question that stands for itself


def replied_to(asked: str, reply: str, speaker: str = "user") -> str:
    """The question that a reply answers, as its speaker would put it; empty if it is not sure to be one.

    >>> replied_to("When is the fair, and what do you have so far?", "6 March.")
    'When is the fair?'
    >>> replied_to("Where does your sister live?", "in Turku"), replied_to("Which make is it?", "Vaillant")
    ('Where does my sister live?', '')
    >>> replied_to("What's your limit?", "33, and not all at once"), replied_to("What's the cat called?", "Biscuit.")
    ('', '')
    """
    question = _single(asked)
    if len(question.split()) > LONGEST or _LEANS.search(question) or not _NAMES_SOMETHING.search(question):
        return ""
    if _OF_THE_MOMENT.fullmatch(question):
        return ""
    wanted = next((reply_form for form, reply_form in _kinds() if form.match(question)), None)
    told = _LEAD.sub("", reply, count=1)
    return _turned(question, speaker) if (wanted.match(told) if wanted else _tells(question, told)) else ""


def _tells(question: str, reply: str) -> bool:
    asked = _OF_ONESELF.match(question) is not None and not re.search(r"\b(?:going on|question|guess|take)\b", question)
    return asked and len(reply.split()) >= LEAST and not _EVADES.match(reply) and not reply.rstrip().endswith("?")


def _single(asked: str) -> str:
    """The first of several questions in one, without the words that lead to it."""
    question = re.sub(
        r"^(?:(?:so|and|ok|okay|oh|by the way|good|great|noted)[\s,.:!]+)+", "", asked.strip(), flags=re.I
    )
    question = re.split(
        r",? (?:and|or) (?=(?:what|when|where|who|how|do|does|did|is|are|which)\b)|, (?=if )", question
    )[0]
    question = re.sub(r",? (?:by the way|btw|hmm|then)\?*$", "", question.replace("’", "'").strip()).rstrip(" ?,") + "?"
    return question[0].upper() + question[1:] if question else ""


def _turned(question: str, speaker: str) -> str:
    for theirs, mine in _YOU:
        question = re.sub(theirs, mine, question, flags=re.I)
    if speaker == "user":
        return question
    told = re.sub(r"\b(?:my|our)\b", f"{speaker}'s", of_another(question, speaker))
    return re.sub(r"\bI\b", speaker, told)
