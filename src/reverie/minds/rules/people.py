"""Who a phrase means: "I" is whoever spoke, "my sister Anna" is Anna, "she" is whoever was named just before."""

import re
from dataclasses import dataclass
from functools import lru_cache

from reverie.policy.words import MONTHS, STOP_WORDS, WEEKDAYS

USER = "user"
ROLES = {"user", "assistant", "tool", "system", "human", "ai", "bot"}

# relation words by predicate; the second table tells which pronoun fits.
KIN = {
    "spouse": "wife husband spouse hubby wifey",
    "partner": "girlfriend boyfriend partner fiancé fiancée fiance fiancee significant-other",
    "sibling": "sister brother sibling twin step-sister step-brother stepsister stepbrother half-sister half-brother",
    "parent": "mother mom mum mama mommy father dad papa daddy stepmother stepfather stepmom stepdad",
    "has_child": "son daughter child kid baby toddler newborn stepson stepdaughter oldest youngest eldest",
    "friend": "friend buddy bestie mate pal pen-pal",
    "colleague": "colleague coworker co-worker teammate boss manager supervisor co-founder cofounder intern assistant lead",
    "relation": "uncle aunt auntie cousin nephew niece grandmother grandma granny nana grandfather grandpa granddad "
    "grandson granddaughter grandchild mother-in-law father-in-law sister-in-law brother-in-law son-in-law "
    "daughter-in-law roommate flatmate housemate neighbour neighbor landlord landlady doctor dentist therapist vet coach "
    "trainer teacher tutor mentor professor supervisor advisor accountant lawyer hairdresser barber nanny babysitter "
    "godfather godmother godson goddaughter ex ex-wife ex-husband ex-girlfriend ex-boyfriend client physio "
    "physiotherapist instructor agent counsellor counselor",
}  # fmt: skip
_FEMALE = set(
    "wife girlfriend fiancée fiancee sister stepsister half-sister step-sister mother mom mum mama mommy stepmother stepmom daughter "
    "stepdaughter aunt auntie niece grandmother grandma granny nana granddaughter mother-in-law sister-in-law "
    "daughter-in-law landlady godmother goddaughter ex-wife ex-girlfriend".split()
)
_MALE = set(
    "husband hubby boyfriend fiancé fiance brother stepbrother half-brother step-brother father dad papa daddy stepfather stepdad son "
    "stepson uncle nephew grandfather grandpa granddad grandson father-in-law brother-in-law son-in-law landlord "
    "godfather godson ex-husband ex-boyfriend".split()
)
PETS = (
    "dog puppy cat kitten kitty parrot budgie canary hamster rabbit bunny horse pony tortoise turtle goldfish fish snake "
    "guinea-pig gecko lizard ferret chinchilla hedgehog cockatiel gerbil rat goat hen chicken duck donkey iguana llama "
    "labrador poodle beagle corgi dachshund terrier retriever husky greyhound spaniel collie tabby rottweiler pug "
    "chihuahua dalmatian schnauzer pitbull axolotl bulldog shepherd whippet siamese"
)
PLURAL_OF = {
    "kids": "has_child", "children": "has_child", "sons": "has_child", "daughters": "has_child", "twins": "has_child", "boys": "has_child",
    "girls": "has_child", "parents": "parent", "sisters": "sibling", "brothers": "sibling", "siblings": "sibling", "friends": "friend",
    "colleagues": "colleague", "coworkers": "colleague", "neighbours": "relation", "neighbors": "relation", "cousins": "relation",
    "grandparents": "relation", "in-laws": "relation", "roommates": "relation", "flatmates": "relation",
}  # fmt: skip
PREDICATE_OF = {word: predicate for predicate, words in KIN.items() for word in words.split()}
PET_WORDS = {word.replace("-", " ") for word in PETS.split()}
_NOT_NAMES = (
    set(MONTHS) | set(WEEKDAYS) | STOP_WORDS
    | set("today tomorrow yesterday work life dinner lunch breakfast coffee school everyone nobody people thanks thank sorry "
          "great nice good well sure yes no yeah wow cool awesome god christmas easter english french german spanish "
          "please remember note update correction actually honestly also then now mom mum dad love hope guess nothing "
          "folks kids guys friends always never sometimes usually currently recently lately finally turns traffic rent sleep weather time "
          "next last looks sounds seems makes got had went been going nope cheers congrats haha lol fyi btw ps tbh".split())
)  # fmt: skip
_TITLE = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?"
NAME = _TITLE + r"[A-Z][\w'\-]*[a-zé](?: (?:van |de |von |da |O')?[A-Z][\w\-]+)*"
ADJECTIVES = (
    r"(?:(?:older|younger|little|big|elder|eldest|youngest|oldest|twin|late|best|good|old|dear|close|new|former|only|"
    r"middle|first|second|baby|lovely|closest|oldest|childhood|current|next-door|upstairs|downstairs|step|beloved|\w+-year-old|"
    r"high school|college|school|uni|university|long-time|longtime|own|amazing|wonderful|pet|rescue|team|line|direct|dive|"
    r"maternal|paternal|great|black|white|grey|gray|brown|ginger|golden|german|tabby|primary|piano|gym|tennis|yoga|math|maths|work|"
    r"skip-level|project|tech|business|study|running|band|lab|office|personal|family) )*"
)


@lru_cache(maxsize=1)
def kin_pattern() -> str:
    words = sorted((*PREDICATE_OF, *PLURAL_OF), key=len, reverse=True)
    return "|".join(re.escape(word) for word in words)


@lru_cache(maxsize=1)
def pet_pattern() -> str:
    return "|".join(re.escape(word) for word in sorted(PET_WORDS, key=len, reverse=True))


@lru_cache(maxsize=1)
def mention() -> re.Pattern[str]:
    """ "my sister Anna", "Anna, my sister", "my friend from work, Tom"."""
    kin = rf"(?P<kin>{kin_pattern()}|{pet_pattern()})"
    return re.compile(
        rf"\b(?P<owner>[Mm]y|[Oo]ur|[Hh]is|[Hh]er) {ADJECTIVES}{kin}(?: (?:from|at) \w+)?"
        rf"(?:,? (?:is |was )?(?:named|called|by the name of)|,)? (?P<name>{NAME})"
        rf"(?= *(?:[,.;!?)']|$| (?!and I\b)))"
        rf"|\b(?P<name2>{NAME}),? (?:who is |is )?(?P<owner2>my|our) {ADJECTIVES}(?P<kin2>{kin_pattern()}|{pet_pattern()})\b"
        r"(?!'s| (?:of|in)\b)"
    )


@dataclass(frozen=True, slots=True)
class Person:
    name: str  # "user", "Anna", "user's sister"
    relation: str = ""  # the word that told who it is: "sister"

    def fits(self, pronoun: str) -> bool:
        if pronoun in ("she", "her"):
            return self.relation not in _MALE
        if pronoun in ("he", "his", "him"):
            return self.relation not in _FEMALE
        return False  # "they" is too often somebody else


@dataclass(frozen=True, slots=True)
class Who:
    """The subject of a clause: a person, or something of theirs (`noun`: "favourite colour")."""

    name: str
    noun: str = ""
    relation: str = ""
    named: bool = False  # given by name in this clause


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation that a mention tells in passing: my sister Anna."""

    owner: str
    relation: str
    name: str


def is_name(word: str) -> bool:
    return (bool(word) and word[0].isupper() and word.lower() not in _NOT_NAMES and not word.isupper()) or word in (
        "JD",
        "AJ",
        "TJ",
    )


def is_pet(word: str) -> bool:
    return word.lower() in PET_WORDS


def speaker_name(speaker: str) -> str:
    """
    >>> speaker_name("user"), speaker_name("Maya")
    ('user', 'Maya')
    """
    return USER if speaker.strip().lower() in ROLES or not speaker.strip() else speaker.strip()


def _further(text: str) -> list[str]:
    """The names after the first: "my kids Tom, Ida and Ben"."""
    match = re.match(rf"(?:, {NAME})*,? and {NAME}", text)
    return re.findall(NAME, match.group()) if match else []


class Cast:
    """The persons of one turn, in the order they came up."""

    def __init__(self, speaker: str) -> None:
        self.speaker = speaker_name(speaker)
        self.people: list[Person] = []
        self.ties: list[Tie] = []
        self._names: dict[str, str] = {}  # "sister" -> "Anna", so that "my sister" later means her

    def see(self, sentence: str) -> list[Tie]:
        """Take in the persons that a sentence names; returns the relations it tells."""
        ties = []
        for match in mention().finditer(sentence):
            name, kin = match["name"] or match["name2"], (match["kin"] or match["kin2"]).lower()
            if not all(is_name(part) for part in name.split()[:1]):
                continue
            owner = match["owner"] or match["owner2"]
            who = self.resolve(owner) if owner.lower() in ("his", "her") else Who(self.speaker)
            if who is None:
                continue
            further = _further(sentence[match.end() :]) if kin in PLURAL_OF and match["name"] else []
            ties += [Tie(who.name, kin, each) for each in (name, *further)]
            if not is_pet(kin):
                self.people += [Person(each, kin) for each in (name, *further)]
            if who.name == self.speaker and kin not in PLURAL_OF:
                self._names[kin] = name
        self.ties += ties
        return ties

    def aside(self, name: str) -> str:
        """How a named person belongs to somebody, where that was said: tells two of one name apart."""
        tie = next((t for t in reversed(self.ties) if t.name == name and not is_pet(t.relation)), None)
        return "" if tie is None else f"{'the ' if tie.owner.startswith(USER) else ''}{tie.owner}'s {tie.relation}"

    def met(self, who: Who) -> None:
        if who.name != self.speaker and not who.noun:
            self.people.append(Person(who.name, who.relation))

    def _pronoun(self, word: str) -> Who | None:
        fitting = {p.name: p for p in self.people if p.fits(word)}
        if len(fitting) != 1:  # nobody, or two who could be meant
            return None
        person = next(iter(fitting.values()))
        return Who(person.name, relation=person.relation)

    def resolve(self, phrase: str) -> Who | None:
        """Who or what a subject phrase means; None when nobody can tell.

        >>> Cast("user").resolve("my sister"), Cast("Maya").resolve("I").name
        (Who(name="user's sister", noun='', relation='sister', named=False), 'Maya')
        """
        words = phrase.strip(" ,").split()
        if not words:
            return None
        first = words[0].lower()
        if first in ("i", "we") or phrase.lower().endswith((" and i", " and me")) or (first == "me" and "and" in words):
            return Who(self.speaker)
        if first in ("he", "she") and len(words) == 1:
            return self._pronoun(first)
        if first in ("my", "our"):
            return self._owned(self.speaker, words[1:])
        if first in ("his", "her"):
            owner = self._pronoun(first)
            return self._owned(owner.name, words[1:]) if owner else None
        if words[0].endswith("'s") and is_name(words[0][:-2]) and len(words) > 1:
            return self._owned(words[0][:-2], words[1:])
        if first in ("the", "this") and len(words) > 1:
            return Who("", noun=" ".join(words[1:]))
        return self._named(phrase.strip(" ,"))

    def _named(self, phrase: str) -> Who | None:
        if re.fullmatch(NAME, phrase) and is_name(phrase.split()[0].removesuffix("'s")):
            return Who(phrase, named=True)
        return None

    def _owned(self, owner: str, words: list[str]) -> Who | None:
        """ "sister Anna", "sister's husband", "favourite colour" of an owner."""
        text = re.sub(rf"^{ADJECTIVES}(?=(?:{kin_pattern()}|{pet_pattern()})\b)", "", " ".join(words), flags=re.I)
        match = re.match(rf"(?P<kin>(?i:{kin_pattern()}))(?P<own>'s)?(?:,? (?P<name>{NAME}),?)?(?P<tail> .*)?$", text)
        if not match or (match["tail"] and not match["own"]):
            return Who(owner, noun=text) if text else None
        kin = match["kin"].lower()
        name = match["name"] or ""
        if match["own"] and (match["tail"] or name):  # "sister's dog", "sister's Anna" is no name
            person = self._names.get(kin) if owner == self.speaker else None
            tail = f"{name or ''}{match['tail'] or ''}".strip().split()
            if tail == ["name"]:
                return Who(owner, noun=f"{kin}'s name")
            return self._owned(person or f"{owner}'s {kin}", tail)
        if name:
            return Who(name, relation=kin, named=True)
        return Who((self._names.get(kin) if owner == self.speaker else None) or f"{owner}'s {kin}", relation=kin)
