"""English verb forms: which lemma a word may be a form of, and which form it is."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from reverie.minds.rules.lexicon import words

Form = Literal["base", "s", "past", "part", "ing"]


class VerbReading(NamedTuple):
    lemma: str
    form: Form


# base, third person, past, participle; the -ing form follows from the base.
_IRREGULAR = """
have has had had|do does did done|go goes went gone|get gets got gotten|make makes made made|take takes took taken
buy buys bought bought|sell sells sold sold|leave leaves left left|begin begins began begun|come comes came come
see sees saw seen|eat eats ate eaten|drink drinks drank drunk|drive drives drove driven|ride rides rode ridden
write writes wrote written|read reads read read|run runs ran run|swim swims swam swum|sing sings sang sung
speak speaks spoke spoken|teach teaches taught taught|think thinks thought thought|find finds found found
lose loses lost lost|win wins won won|meet meets met met|feel feels felt felt|keep keeps kept kept
give gives gave given|grow grows grew grown|know knows knew known|sleep sleeps slept slept|spend spends spent spent
break breaks broke broken|choose chooses chose chosen|fly flies flew flown|forget forgets forgot forgotten
hear hears heard heard|hold holds held held|put puts put put|quit quits quit quit|say says said said
sit sits sat sat|send sends sent sent|set sets set set|show shows showed shown|stand stands stood stood
tell tells told told|understand understands understood understood|wake wakes woke woken|wear wears wore worn
become becomes became become|build builds built built|bring brings brought brought|catch catches caught caught
cut cuts cut cut|draw draws drew drawn|fall falls fell fallen|fight fights fought fought|hurt hurts hurt hurt
lead leads led led|let lets let let|pay pays paid paid|throw throws threw thrown|lend lends lent lent
bake bakes baked baked|hit hits hit hit|shut shuts shut shut|hide hides hid hidden|shake shakes shook shaken
rise rises rose risen|sew sews sewed sewn|steal steals stole stolen|undergo undergoes underwent undergone
withdraw withdraws withdrew withdrawn|overcome overcomes overcame overcome|rebuild rebuilds rebuilt rebuilt
retake retakes retook retaken|tear tears tore torn|bear bears bore borne|deal deals dealt dealt|dig digs dug dug
split splits split split|strive strives strove striven|mean means meant meant|sweep sweeps swept swept
stick sticks stuck stuck|hang hangs hung hung|light lights lit lit|slide slides slid slid
spread spreads spread spread|bet bets bet bet|cost costs cost cost|bleed bleeds bled bled|feed feeds fed fed
"""


_NOT_VERBS = {
    "need", "bed", "red", "seed", "feed", "speed", "indeed", "hundred", "shed", "weed", "breed", "kindred", "wed",
    "united", "beloved", "naked", "sacred", "wicked", "aged", "breaded", "instead", "embed", "med", "led",
}  # fmt: skip
AUXILIARIES = {
    "am", "is", "are", "was", "were", "be", "been", "being", "have", "has", "had", "do", "does", "did",
    "will", "would", "shall", "should", "can", "could", "may", "might", "must",
}  # fmt: skip
VOWELS = "aeiou"
_DOUBLING = words("doubling_verb")


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ied"
    return (base + base[-1] if base in _DOUBLING else base) + "ed"


def gerund(base: str) -> str:
    """The -ing form.

    >>> gerund("live"), gerund("run"), gerund("see")
    ('living', 'running', 'seeing')
    """
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe")) and base != "be":
        return base[:-1] + "ing"
    return (base + base[-1] if base in _DOUBLING else base) + "ing"


def conjugated(lemma: str) -> str:
    """
    >>> conjugated("jog"), conjugated("go"), conjugated("have")
    ('jogs', 'goes', 'has')
    """
    if lemma == "have":
        return "has"
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
        return lemma + "es"
    return lemma[:-1] + "ies" if lemma.endswith("y") and lemma[-2] not in VOWELS else lemma + "s"


_BE: tuple[tuple[str, Form], ...] = (
    ("be", "base"), ("am", "s"), ("is", "s"), ("are", "base"), ("was", "past"), ("were", "past"), ("been", "part"),
    ("being", "ing"),
)  # fmt: skip
_ALSO = {
    "learnt": "learn",
    "dreamt": "dream",
    "got": "get",
    "travelled": "travel",
    "cancelled": "cancel",
}  # other pasts


def _forms() -> Iterator[tuple[str, str, Form]]:
    """Every known word, its lemma, its form."""
    irregular = [row.split() for row in _IRREGULAR.strip().replace("\n", "|").split("|")]
    known = {row[0] for row in irregular}
    regular = [[base, conjugated(base), _past(base), _past(base)] for base in sorted(words("regular_verb") - known)]
    for base, third, past, part in irregular + regular:
        yield from ((base, base, "base"), (third, base, "s"), (past, base, "past"), (part, base, "part"))
        yield gerund(base), base, "ing"
    yield from ((word, "be", form) for word, form in _BE)
    for word, lemma in _ALSO.items():
        yield from ((word, lemma, "past"), (word, lemma, "part"))


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[VerbReading, ...]]:
    table: dict[str, list[VerbReading]] = {}
    for word, lemma, form in _forms():
        table.setdefault(word, []).append(VerbReading(lemma, form))
    return {word: tuple(found) for word, found in table.items()}


@lru_cache(maxsize=20_000)
def readings(word: str) -> tuple[VerbReading, ...]:
    """What `word` may be. An unknown -ed word reads as the past of an unknown verb, an -ing word as a gerund.

    >>> [r.lemma for r in readings("moved")], readings("table")
    (['move', 'move'], ())
    """
    low = word.lower()
    known = _table().get(low)
    if known is not None:
        return known
    if len(low) > 4 and low.endswith("ed") and low not in _NOT_VERBS:
        return (VerbReading(low, "past"), VerbReading(low, "part"))
    if len(low) > 5 and low.endswith("ing") and low not in {"morning", "evening", "during", "something", "nothing"}:
        return (VerbReading(low, "ing"),)
    return ()


def reading(word: str, *forms: Form) -> VerbReading | None:
    """The first reading of `word` in one of `forms`."""
    return next((r for r in readings(word) if r.form in forms), None)
