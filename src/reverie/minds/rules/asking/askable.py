"""What a statement answers: closed forms of sentence, each with the one question that it answers for certain.

The forms stand in `askable.toml`. What is not there raises no question: a prepared answer that nobody misses costs
nothing, a wrong one does. The answer is never made from the parts of a form, it is the speaker's own sentence.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Form:
    """A form of sentence, and the question it answers as its subject would put it ("Where do I live?")."""

    predicate: str
    says: re.Pattern[str]
    asks: str


@dataclass(frozen=True, slots=True)
class Forms:
    words: dict[str, str]
    forms: tuple[Form, ...]

    def word(self, *names: str) -> re.Pattern[str]:
        return re.compile("|".join(self.words[name] for name in names), re.I)


@lru_cache(maxsize=1)
def _table() -> Forms:
    table = tomllib.loads(resources.files(__package__).joinpath("askable.toml").read_text("utf-8"))
    words: dict[str, str] = {}
    for name, text in table["words"].items():
        words[name] = _filled(text, words)
    forms = (
        Form(row["predicate"], re.compile(_filled(row["says"], words), re.I), row["asks"]) for row in table["form"]
    )
    return Forms(words, tuple(forms))


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub(r"<([A-Z_]+)>", lambda gap: words[gap[1]], text.replace("\n", ""))


def pattern(text: str) -> re.Pattern[str]:
    """A pattern in which <DATE>, <NAME> and the like stand for those of the table."""
    return re.compile(_filled(text, _table().words), re.I)


_LEAD = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|also|but|btw|well|oh|yes|yeah|yep|no(?=[,.!:;])|hi|hey|hello|now|news|fyi|remember|reminder|update|"
    r"note|actually|right|anyway|then|plus|by the way|for context|context|because|since|though|that|this is|as|n)"
    r"(?:[\s,:.!-]+|$))+",
    re.I,
)
# Where a statement may begin: after a stop, or after a joining word before a new subject.
_BORDER = re.compile(
    r"(?<![,.;!?:…\n])[,.;!?:…\n]+\s+|\s[-–—]+\s|\s(?:and|but|because|so|bc)\s(?=(?:i|i'm|we|my|our|the|he|she|they|don't|please)\b)",
    re.I,
)
_NOT_FOR_LONG = re.compile(
    r"\b(?:if|would|could|might|maybe|perhaps|probably|hopefully|imagine|wish|pretend|unless|supposedly|i guess|"
    r"(?:i|we) want|retiring|(?:is|'s) leaving|resign\w*)\b",
    re.I,
)
_UNSURE = re.compile(
    r"\b(?:thinks?|thought|used to|almost|either|should|wants?|hop(?:e|ing)|not|no longer|never|was going|were|"
    r"cancel\w*|instead of|says?|said|told|off)\b|n't\b|[?\"“”]",
    re.I,
)
_NO_NOUN = re.compile(
    r"\b(?:i|we|you|he|she|it|they|this|that|these|those|his|her|their|its|your|there|here|is|are|was|were|be|has|have|"
    r"had|do|does|did|and|or|but|when|what|which|who|where|how|why|then|than|not|no|to|a|an|one|every|another|other|"
    r"same|next|last|first thing|only|just|still|also|all|some|any|got|get|put|make|made|see|plus|so|like|after|before|"
    r"because|with|said|about|from|as|if|today|tomorrow|yesterday|new date)\b",
    re.I,
)
# One word without "my" says too little, except for what a life or a project has one of.
_ALONE = frozenset(
    "wedding repo rent salary birthday go-live golive launch move defence defense surgery thesis interview viva".split()
)


_NO_NAMES = frozenset(
    "i my we our the a an it he she they you this that these those his her their its nobody everybody everyone "
    "someone who what when where why how no yes so and but or if as at in on by for from to not then there here now "
    "just only one two three first last next today tomorrow yesterday monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october november december "
    "christmas easter dutch french swiss greek czech welsh thai german english spanish italian polish irish danish "
    "swedish turkish american mexican portuguese chinese japanese vietnamese lebanese brazilian indian russian "
    "ukrainian canadian australian austrian belgian norwegian hungarian romanian bulgarian croatian serbian iranian "
    "egyptian nigerian kenyan korean filipino scottish british finnish european african asian israeli pakistani "
    "colombian argentinian catholic muslim jewish hindu buddhist vegan vegetarian coeliac celiac diabetic ok okay "
    "sorry sure ready back busy done late out off free home mr mrs ms dr prof google apple amazon microsoft "
    "instagram facebook whatsapp youtube customer everything something nothing".split()
)


def asked_of(statement: str, speaker: str = "user") -> list[tuple[str, str]]:
    """The questions that a statement answers, each after its predicate: as the user asks them, or of a named speaker.

    >>> asked_of("ok we live in Porto now"), asked_of("my wife Ada is well", "Tom")
    ([('lives_in', 'Where do I live?')], [('name_of', "What is Tom's wife's name?")])
    """
    found: dict[str, str] = {}
    passing = bool(_NOT_FOR_LONG.search(statement))
    for part in _parts(statement):
        sure = not (passing or _UNSURE.search(part))
        for form in _table().forms:
            found_in = form.says.search if form.predicate in _NAMING else form.says.match
            match = found_in(part) if sure or form.predicate in _BY_NAMING else None
            if match and (question := _question(form, match, speaker)):
                found.setdefault(question, form.predicate)
    return [(predicate, question) for question, predicate in found.items()]


def _parts(statement: str) -> Iterator[str]:
    """The statement from each place on where a new one may begin, with and without the little words before it."""
    said = statement.replace("’", "'")
    cuts = [0, *(border.end() for border in _BORDER.finditer(said)), len(said)]
    for start, end in pairwise(cuts):
        part = said[start:end].strip()
        if part and not part.endswith("?"):
            lead = _LEAD.match(part)
            yield from (part, part[lead.end() :]) if lead else (part,)


# "My wife Ada would like that" names her all the same; and what one cannot take is said with a "not".
_NAMING = frozenset("name_of who titled".split())
_BY_NAMING = _NAMING | {"may_not", "tolerates", "remember"}


def _question(form: Form, match: re.Match[str], speaker: str) -> str:
    """The question of a form with its gaps filled; empty where what fills them is no name and no noun."""
    groups = {name: (text or "").strip(" ,") for name, text in match.groupdict().items()}
    np, who = groups.get("np", ""), groups.get("who", "").replace(",", "")
    nouns = (np, groups.get("thing", ""))
    names = [name for name in (groups.get("name", ""), who) if name and name.lower() not in ("i", "we")]
    if any(map(_NO_NOUN.search, nouns)) or (np and not _says_enough(np)) or not all(map(_is_name, names)):
        return ""
    if form.predicate == "remember" and speaker != "user":
        return ""  # what two people advise each other
    question = form.asks.format(**{**groups, "np": _definite(np)})
    if who and who.lower() not in ("i", "we"):
        question = of_another(question, who[0].lower() + who[1:] if who.lower().startswith("my ") else who)
    return question if speaker == "user" else of_another(question, speaker)


def _is_name(who: str) -> bool:
    words = who.lower().split()
    return words[0] == "my" or not (set(words) & _NO_NAMES or words[0].endswith("ing"))


def _says_enough(np: str) -> bool:
    """Whether a noun phrase can be told from others: more than its bare noun, unless one has but one of it."""
    words = np.lower().split()
    if any(word in ("my", "our") for word in words[1:] if words[words.index(word) - 1] not in _LINKS):
        return False
    if _is_activity(words[-1]) and not {words[0], words[0][-2:]} & {"my", "our", "the", "'s"}:
        return len(words) == 1  # "tilda cello" is a note on the fridge
    return (
        len(words) > 1 + (words[0] == "the")
        or words[-1] in _ALONE
        or bool(_table().word("ACTIVITIES", "ROLES").fullmatch(words[-1]))
    )


def _is_activity(np: str) -> bool:
    """What needs no article: "When is swimming?"."""
    return bool(_table().word("ACTIVITIES").fullmatch(np))


_LINKS = ("for", "of", "with", "at")


def _definite(np: str) -> str:
    """
    >>> _definite("flush size"), _definite("My rent"), _definite("Ada's exam")
    ('the flush size', 'my rent', "Ada's exam")
    """
    first = np.split(" ")[0] if np else ""
    if first.lower() in ("my", "our", "the"):
        return np[0].lower() + np[1:]
    if not np or first.endswith("'s") or _is_activity(np):
        return np
    head = re.split(f" (?:{'|'.join(_LINKS)}) ", np)[0].split(" ")[-1]
    if _table().word("EVENTS", "ATTRIBUTES", "ROLES").fullmatch(head) and not first.isupper():
        return f"the {np[0].lower()}{np[1:]}"
    return np if first[0].isupper() and not first.isupper() else f"the {np}"


_THIRD = (
    (r"\bdo (?:I|we)\b", "does {}"),
    (r"\bam I\b", "is {}"),
    (r"\bhave I\b", "has {}"),
    (r"\bI\b", "{}"),
    (r"\b(?:my|our)\b", "{}'s"),
)


def of_another(question: str, name: str) -> str:
    """A question about oneself, put about somebody else.

    >>> of_another("Where do I live?", "Ada"), of_another("What is my job?", "my sister")
    ('Where does Ada live?', "What is my sister's job?")
    """
    for words, form in _THIRD:
        if re.search(words, question):
            return re.sub(words, form.format(name.replace("\\", "")), question)
    return question
