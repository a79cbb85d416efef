"""Sentences that are plainly meant to last, by their form: "never push to main", "when I paste a log, say why"."""

import re
from functools import lru_cache

_LEAD = (
    r"^(?:(?:ok(?:ay)?|and|also|but|so|oh|hey|btw|please|pls|plz|just|rules?|note|reminder|important|fyi|again|yes|no"
    r"|thanks|thx|great|good|actually|one (?:more )?thing|(?:new|general|house) rule|in general|by default|generally)"
    r"[\s,.:;!–-]+)*"
)
_WORDS = {
    "verb": """
        add address answer apologise apologize ask assume avoid be begin book call change check cite close commit
        confirm convert copy cut delete deploy edit email end explain flag format give guess include install keep leave
        list log mention merge name offer open order paste post prefer promise push put quote recommend refer remind
        remove rename repeat reply respond round run say send share show sign skip speak spell start state stick suggest
        summarise summarize talk tell test touch translate treat truncate use wait warn wrap write""",
    "writing": """
        answer answers reply replies response responses explanation explanations message messages summary summaries
        commits email emails mail mails draft drafts comment comments code test tests suggestion suggestions recipes
        lists examples sentences paragraphs note notes report reports post posts text texts letters tickets invoices""",
    "language": """
        english german french spanish dutch finnish italian polish portuguese swedish norwegian danish japanese chinese
        korean russian welsh turkish greek hungarian czech""",
}
# What ties a sentence to the thing at hand or to the moment.
_AT_HAND = re.compile(
    r"\b(?:this|that|it|these|those|yet|now|today|tonight|tomorrow|here|him|her|them|above|below|again|until|till|last"
    r"|first|second|next|done|finished|through|ready|a minute|used to say|is written)\b|\"$|”$",
    re.I,
)
# Why it lasts, and its form; <verb>, <writing> and <language> stand for the words above.
FORMS = (
    ("never", r"never (?:ever )?<verb>\b(?! never| die\b)"),
    ("always", r"always <verb>\b"),
    ("to the end", r"<verb>\b.*\b(?:always|every time|each time|at all times|by default|going forward)[.!]*$"),
    (
        "a ban on a place",
        r"(?:don'?t|do not) (?:ever )?(?:touch|edit|change|modify|push|commit|delete)\b[^.?]*(?:/|\bmain\b|\bprod)",
    ),
    (
        "a ban on things",
        r"(?:don'?t|do not|stop|avoid|quit) (?:ever )?(?:<verb>|\w+ing) (?:\w+ )?(?!the\b|points\b)\w{3,}s\b"
        r"(?!.*\bthe\b)",
    ),
    (
        "a ban in a place",
        r"no (?:\w+ )?\w{3,}s (?:in|on|at|for) (?:your |my |our |all |any )?(?:<writing>|\w{4,}s)\b[^?]{0,40}$",
    ),
    (
        "at its time",
        r"(?:every|each) (?:\w+day|morning|evening|week|day|month|time)(?: (?!we\b|i\b|s?he\b|they\b)\w+)?,? "
        r"(?:please )?<verb>\b",
    ),
    ("how it is written", r"keep (?:your |all |my |the )?<writing> "),
    (
        "a language",
        r"(?:always |only )?(?:answer|reply|respond|write|speak|talk)(?: (?:to )?me)?(?: only| always)? "
        r"in <language>\b",
    ),
    ("a name", r"call me (?!back|later|when|at|if|on|tomorrow|a |an )\w+(?: \w+)?(?:,| please|[.!]*$)"),
    (
        "a condition",
        r"(?:when(?:ever)?|if|every time|each time|any ?time) "
        r"(?:i|you|u|we|someone|anyone|a|an|somebody|customers?|people)\b[^,]*, "
        r"(?:please |just |always |never |first |only |then |don'?t |do not )*<verb>\b",
    ),
)
ANYWHERE = (
    (
        "from now on",
        r"\b(?:from now on|from here on|going forward|henceforth),? "
        r"(?:please |you |always |never |don'?t |only |just )*<verb>\b",
    ),
    (
        "a wish",
        r"\bi(?:'d| would)? (?:prefer|like|want|rather)(?: it)?(?: if| when| that)? (?:you|your|answers|replies)\b",
    ),
    ("what is yours", r"\byour <writing> (?:should|must|need to|have to|are to)\b"),
)


# Forms that nothing in the sentence takes back.
SURE = (
    ("a rule more", r"\b(?:add to|one more for|new one for|put in) (?:the|my|our) rules:? \w"),
    (
        "each time",
        r"\bi (?:want|need|'d like) you(?: always| never)? to (?:not )?<verb>\b[^.?]{0,60}"
        r"\b(?:every|each|any|all|always|before)\b",
    ),
    ("whom a name means", r"\b(?:when|if|whenever) i (?:just |only )?(?:say|write|type) [^.?]{1,40}\bi mean\b"),
    ("so from now on", r"\b(?:do|make it|use|give me|go with) [^.?]{1,40} from (?:now|here) on\b"),
    (
        "no more of a matter",
        r"^(?:(?:and|also|btw|pls|please|ok(?:ay)?|so|oh)[\s,]+)*(?:(?:stop|quit) (?:asking|telling|reminding"
        r"|suggesting|proposing)(?: me)?(?: about| of| to)? \w{3,}"
        r"|(?:don'?t|do not) (?:ever )?(?:propose|suggest|recommend|bring up|ask me about|remind me of) "
        r"(?!the\b|any of\b|a \b|this\b|that\b)\w{3,}(?: \w{3,}){0,3}[.!]*$)",
    ),
)


def sure_form(sentence: str) -> str:
    """The name of a form that is decisive by itself, or nothing.

    >>> sure_form("Add to the rules: always end with a date."), sure_form("stop asking me about maternity")
    ('a rule more', 'no more of a matter')
    """
    plain = sentence.replace("’", "'").strip()
    return "" if plain.endswith("?") else next((name for name, form in _sure() if form.search(plain)), "")


@lru_cache(maxsize=1)
def _sure() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(_filled(form), re.I)) for name, form in SURE]


def lasting_form(sentence: str) -> str:
    """The name of the form that makes a sentence one that is meant to last, or nothing.

    >>> lasting_form("Never push to main."), lasting_form("Don't push to main yet.")
    ('never', '')
    """
    if sure := sure_form(sentence):
        return sure
    plain = sentence.replace("’", "'").strip()
    if plain.endswith("?") or (_AT_HAND.search(plain) and "from now on" not in plain.lower()):
        return ""
    return next((name for name, form in _compiled() if form.search(plain)), "")


@lru_cache(maxsize=1)
def _compiled() -> list[tuple[str, re.Pattern[str]]]:
    forms = [*((name, _LEAD + form) for name, form in FORMS), *ANYWHERE]
    return [(name, re.compile(_filled(form), re.I)) for name, form in forms]


def _filled(form: str) -> str:
    for name, words in _WORDS.items():
        form = form.replace(f"<{name}>", f"(?:{'|'.join(words.split())})")
    return form
