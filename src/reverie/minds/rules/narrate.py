"""What happens, will happen or happens again and again, told in the third person: events, plans, habits."""

import re
from functools import lru_cache

from reverie.minds.rules.match import Found
from reverie.minds.rules.parse import Clause
from reverie.minds.rules.predicates import subject_words
from reverie.minds.rules.values import clean
from reverie.minds.rules.verbs import conjugated, gerund

_REPEATED = re.compile(
    r"\b(?:every|each) (?:\w+ ){0,2}(?:day|night|morning|evening|afternoon|week|weekend|month|year|summer|winter|spring|autumn|fall|hour|\w+day|other \w+|time|few \w+)s?\b"
    r"|\b(?:once|twice|three times|four times|five times|several times|\d+ times|a few times|a couple of times) (?:a|per|every|each) \w+|\b(?:daily|weekly|monthly|nightly|yearly|annually)\b"
    r"|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bon (?:weekends|weekdays|the weekends?|school nights)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
    r"|\bmost (?:mornings|evenings|days|nights|weekends|afternoons)\b|\bin the (?:mornings|evenings|afternoons)\b|\bat weekends\b"
    r"|\b(?:before|after) (?:bed|work|breakfast|dinner|lunch|school)\b|\bfirst thing in the morning\b|\bas a rule\b|\ball the time\b|\bmost of the time\b",
    re.I,
)
_ROUTINE = set(
    "jog swim hike climb bake cook paint knit crochet sing dance garden cycle practise practice collect volunteer meditate smoke "
    "vape fish ski surf sail sew commute exercise coach journal foster brew photograph row blog camp skate box fence draw write "
    "sculpt quilt".split()
)
_DO = re.compile(
    r"^(?:a lot of |some |my own )?(?:yoga|pilates|karate|judo|crossfit|ballet|tai chi|martial arts|pottery|archery|gymnastics|improv|stand-up|ceramics|woodworking|calligraphy|volunteer work|crosswords|parkour)\b",
    re.I,
)
_GO = re.compile(
    r"^(?:\w+ing\b|to (?:the )?(?:gym|church|yoga|pilates|therapy|choir|mosque|temple|synagogue|book club|sauna)\b|for (?:a|long) (?:run|walk|swim|ride)s?\b)"
)
_WEAK_PLAN = set(
    "be try see check ask say tell think let like love need know give keep look make do feel miss wait hope take want ".split()
)
_MOTION = set(
    "move fly travel visit go start meet get marry attend run host take leave drive adopt launch renovate fly join perform speak present stay see throw defend expect".split()
)
_WEAK_EVENT = set(
    "be want think feel say tell hope know need mean look hear like love enjoy forget ask seem find guess prefer hate wonder realise "
    "realize believe notice agree have get do let make give keep put use try talk chat show see come understand appreciate remember "
    "thank mention expect seemed stay sleep wait wish assume suppose call check help turn work live suggest discuss text reply answer".split()
)
_STRONG = set(
    "win lose break finish run graduate pass fail adopt marry propose retire visit travel attend celebrate buy sell move join quit "
    "sign book complete publish launch open close start adopt climb hike paint bake cook build create design record perform compete "
    "participate volunteer donate host organize organise receive earn renovate crash injure sprain repair fix install plant swim camp "
    "discover catch deliver defend submit ship write found meet bring interview apply resign hire fire promote born race knit sew take "
    "accept reject fly drive return arrive leave sing teach cancel postpone recover undergo lead raise rescue foster "
    "watch read order eat go see finish begin learn fall spend research explore practice practise train collect plan enter".split()
)
_HAD = re.compile(
    r"^(?:a|an|my|our|the|his|her|some|another|\w+ )?(?:[\w'-]+ ){0,4}(?:surgery|operation|accident|baby|interview|picnic|dinner|lunch|party|appointment|exam|test|meeting|wedding|barbecue|bbq|concert|gig|"
    r"recital|reunion|date|fight|argument|crash|root canal|checkup|check-up|miscarriage|stroke|heart attack|birthday|ceremony|funeral|class|lesson|session|workshop|match|game|race|tooth|teeth|haircut|"
    r"call-out|setback|breakthrough|anniversary|performance|show|vacation|trip|holiday|promotion|raise|flood|fire|burglary|fever|flu|cold|covid)\b",
    re.I,
)
_GOT = re.compile(
    r"^(?:my|a|an|the|our|some|his|her|into|accepted|married|engaged|divorced|promoted|fired|hired|laid off|robbed|lost|stuck|sick|vaccinated|back|admitted|invited|selected|elected|certified|rejected|injured|hurt|scammed|mugged|stung|bitten|rear-ended|caught|offered|approved)\b",
    re.I,
)
_APPOINTMENT = re.compile(
    r"^(?:a|an|my|our|the|another|two|three) (?P<v>(?:[\w'-]+ ){0,3}(?:appointment|interview|exam|meeting|flight|wedding|date|concert|test|surgery|operation|trip|vacation|holiday|class|lesson|presentation|conference|"
    r"deadline|recital|game|match|race|marathon|party|dinner|reservation|checkup|check-up|call|workshop|performance|reunion|session|audition|hearing|tournament|retreat|visit|final|finals|show|gig|baby shower|viva|defense|defence|mri|scan|review|booking|train|demo|standup|1:1|haircut)\b.*)",
    re.I,
)
_ME = (
    (r"\bI am\b", "{they} is"), (r"\bI was\b", "{they} was"), (r"\b(?:I|we)\b", "{they}"), (r"\b(?:my|our)\b", "their"),
    (r"\b(?:me|us)\b", "them"), (r"\b(?:myself|ourselves)\b", "themselves"), (r"\b(?:mine|ours)\b", "theirs"), (r"\bam\b", "is"),
)  # fmt: skip


@lru_cache(maxsize=1)
def _swaps() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), new) for pattern, new in _ME)


def third_person(text: str) -> str:
    """What the speaker said of themselves, as somebody else would tell it.

    >>> third_person("with my brother when I was ten")
    'with their brother when they was ten'
    """
    for pattern, new in _swaps():
        text = pattern.sub(new.format(they="they"), text)
    return text


def _content(text: str) -> int:
    """How many words carry something: not the little ones."""
    return sum(1 for word in re.findall(r"[A-Za-z']{3,}", text) if word.lower() not in _LITTLE)


_LITTLE = set(
    "the and for with that this these those them they their there here have has had was were are you your our his her its from into about just really very much more some any all one good great nice fun amazing time lot well too also out what how then when will would could can".split()
)


def is_repeated(clause: Clause) -> bool:
    return bool(_REPEATED.search(clause.rest) or _REPEATED.search(clause.front))


def habit(clause: Clause) -> Found | None:
    """ "I jog every morning", "I collect stamps", "we usually eat late"."""
    if (
        clause.who.noun
        or (clause.tense not in ("present", "perfect") and clause.cue != "used to")
        or clause.modal
        or clause.verb in ("be", "want", "think", "need", "have", "feel", "know", "hope", "mean", "say", "guess", "see")
    ):
        return None
    if clause.progressive and clause.cue not in ("started", "stopped") and not is_repeated(clause):
        return None
    repeated = is_repeated(clause) or clause.habitual
    routine = (
        clause.verb in _ROUTINE
        or (clause.verb == "do" and _DO.match(clause.rest))
        or (clause.verb == "go" and _GO.match(clause.rest))
    )
    ending = clause.cue in ("stopped", "used to", "no longer", "anymore")
    if clause.negated and not ending:
        return None
    if not (repeated or routine or (ending and clause.progressive)) or (
        clause.tense == "perfect" and not clause.progressive
    ):
        return None
    rest = clean(clause.rest, keep_head=True)
    front = clause.front if _REPEATED.search(clause.front) and not _REPEATED.search(rest) else ""
    adverb = next((a for a in ("always", "usually", "often", "never") if a in clause.adverbs), "")
    if not rest and not front and not routine and not ending:
        return None
    value = " ".join(f"{clause.verb} {rest} {front.lower()}".split())
    if ending:
        past = " ".join(f"{gerund(clause.verb)} {rest}".split())
        subject = subject_words(clause.who.name)
        verb = f"used to {value}" if clause.cue == "used to" else f"no longer {conjugated(clause.verb)} {rest}".rstrip()
        return Found(
            "habit", past if clause.progressive else value, True, clause.cue, text=f"{subject} {third_person(verb)}"
        )
    text = " ".join(
        f"{subject_words(clause.who.name)} {adverb} {conjugated(clause.verb)} {third_person(rest)} {front.lower()}".split()
    )
    return Found("habit", value, cue=clause.cue, text=text)


def plan(clause: Clause, dated: bool) -> Found | None:
    """ "I am flying to Oslo on Friday", "we are going to renovate the kitchen", "I have an exam tomorrow"."""
    if clause.negated or clause.modal not in ("", "will", "going to") or clause.tense == "past":
        return None
    subject = subject_words(clause.who.name)
    if (
        clause.verb == "have"
        and dated
        and (match := _APPOINTMENT.match(clause.rest))
        and clause.tense in ("present", "future")
    ):
        value = clean(match["v"])
        return Found("plans", value, text=f"{subject} has {_article(value)} {value}")
    if clause.who.noun:
        return None
    rest = clean(clause.rest, keep_head=True)
    if clause.tense == "future":
        if (
            clause.verb in _WEAK_PLAN
            and not (clause.modal == "going to" and dated and rest)
            and not (dated and _content(rest) > 1)
        ):
            return None
        if (clause.modal == "will" and not dated and clause.verb not in ("marry", "move", "become")) or not _content(
            clause.verb + " " + rest
        ):
            return None
        if clause.progressive:
            value = f"{_ing(clause.verb)} {rest}".strip()
            return Found("plans", value, text=f"{subject} will be {third_person(value)}")
        return Found(
            "plans",
            f"{clause.verb} {rest}".strip(),
            text=f"{subject} is going to {clause.verb} {third_person(rest)}".strip(),
        )
    if (
        clause.progressive
        and clause.tense == "present"
        and not clause.cue
        and (dated or clause.verb in ("move", "fly", "travel", "marry"))
        and clause.verb
        not in ("feel", "look", "think", "try", "wait", "wonder", "have", "be", "do", "enjoy", "hope", "work")
    ):
        if (clause.verb not in _MOTION and not dated) or (not rest and clause.verb != "move"):
            return None
        value = f"{_ing(clause.verb)} {rest}".strip()
        return Found("plans", value, text=f"{subject} is {third_person(value)}")
    return None


def _ing(verb: str) -> str:
    """The -ing form; an unknown verb is kept by that form already."""
    return verb if verb.endswith("ing") and len(verb) > 5 else gerund(verb)


def _article(noun: str) -> str:
    return "an" if noun[:1].lower() in "aeiou" else "a"


def event(clause: Clause, dated: bool, generous: bool) -> Found | None:
    """ "I broke a window today". `generous`: between named persons, who tell each other their lives."""
    if clause.negated or clause.modal or clause.who.noun or clause.tense not in ("past", "perfect") or clause.cue:
        return None
    if clause.progressive and not (dated or generous):
        return None
    rest = clean(clause.rest, keep_head=True)
    if not _telling(clause, rest, dated, generous):
        return None
    verb = clause.said[: len(clause.said) - len(clause.rest)].strip()
    helper = "has " if clause.tense == "perfect" else ""
    value = f"{verb} {rest}".strip()
    if clause.progressive:
        helper = "has been " if clause.tense == "perfect" else "was "
    return Found("event", value, text=f"{subject_words(clause.who.name)} {helper}{third_person(value)}")


def _telling(clause: Clause, rest: str, dated: bool, generous: bool) -> bool:
    """Whether a past clause tells something worth keeping, rather than small talk."""
    verb, content = clause.verb, _content(rest)
    if re.match(r"(?:it|that|this|you|so|them|him|her|your|what|how)\b", rest) and content < 3:
        return False
    if verb == "have":
        return bool(_HAD.match(rest)) and (
            dated or generous or bool(re.search(r"surgery|operation|accident|baby|stroke|attack", rest))
        )
    if verb == "get":
        return (
            bool(_GOT.match(rest))
            and content > 0
            and (
                dated
                or generous
                or bool(
                    re.match(r"(?:married|engaged|divorced|fired|laid off|promoted|accepted|into|robbed|hired)\b", rest)
                )
            )
        )
    if verb == "be":
        return bool(
            re.match(
                r"(?:accepted|promoted|fired|laid off|elected|invited|selected|robbed|injured|involved in|hospitali[sz]ed)\b",
                rest,
            )
        )
    if verb in _WEAK_EVENT and not (dated and content > 1 and verb not in _STATES):
        return generous and content > 2 and verb not in _STATES
    if verb in _STRONG:
        return content > 0 or dated or generous or verb in ("graduate", "retire", "propose", "relapse")
    return content > 0 and (dated or (generous and content > 1))


_STATES = set(
    "be want think feel hope know need mean like love enjoy seem guess prefer hate wonder believe understand wish appreciate thank realise realize say expect assume suppose agree forget remember".split()
)


def doing(clause: Clause) -> Found | None:
    """ "I am building a treehouse": between named persons, what somebody is busy with."""
    if clause.negated or clause.modal or clause.who.noun or not clause.progressive or clause.tense == "past":
        return None
    rest = clean(clause.rest, keep_head=True)
    if (
        clause.verb in _STATES | {"look", "try", "do", "go", "get", "have", "talk", "say", "kid", "joke"}
        or _content(rest) < 2
    ):
        return None
    value = f"{_ing(clause.verb)} {rest}"
    return Found("event", value, text=f"{subject_words(clause.who.name)} is {third_person(value)}")
