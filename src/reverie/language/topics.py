"""What a sentence names: persons, places, projects by their capitals, things by the article or preposition before.

No dictionary says what a noun is; how people write it does: "the ledger deadline", "our runbook", "from Petra". Words
that name a time, an amount, a deed or nothing in particular are no topic, whatever stands before them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.language.vocabulary import APOSTROPHES, STOP_WORDS, word_set
from reverie.language.words import stem, tokens

_LEADS = word_set("the a an my our his her their its your this that these those another each every no some any")
POINTED = word_set("the a an this that these those my our")  # in somebody else's sentence: "the"
_PREPOSITIONS = word_set("with from for about of at in on into by via without against")
_TIMES = """
    time times day days week weeks weekend month months year years hour hours minute minutes second seconds morning
    afternoon evening night nights today tonight tomorrow yesterday noon midnight date dates moment while season spring
    summer autumn fall winter century decade future past present christmas easter birthday lunch dinner breakfast
    am pm early late soon later ago mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept
    oct nov dec
"""
_VAGUE = """
    thing things stuff way ways lot lots bit kind sort type part parts piece rest side end start beginning middle top
    bottom front point points fact facts case idea ideas reason problem problems question questions answer answers
    word words name names number numbers list line lines place places area people person guy guys man woman men women
    girl boy kid someone somebody anyone anybody everyone everybody nobody none one ones other others same different
    couple bunch pair half quarter third most least more less few many much several all both whole total amount
    example sense matter issue issues change changes news info information detail details help work job task stuff
    life world home house family feeling feelings thought thoughts mind heart head hand hands eye eyes face body back
    chance luck fun joy love hope support care effort step steps level stage process result results difference
    experience memory memories moment story stories plan plans goal goals dream dreams journey challenge challenges
    fault mistake mess trouble deal thanks thank sorry please cheers hello hey hi bye good bad great nice ok okay yes
    yeah nope sure right wrong true false real new old big small little long short high low next last first second
    only own main best worst better worse early free full empty hard easy ready busy happy sad glad tired proud
    nervous excited amazing awesome beautiful important special lovely cool funny interesting possible impossible
    black white red blue green yellow extra usual normal certain specific single double own entire recent current
    previous final actual official general local private public personal professional sake instead else ever never
    always often sometimes usually maybe perhaps actually really very too also just even still already almost enough
    yet again together apart alone away around there here everywhere somewhere anywhere nowhere
    community courage strength acceptance emotion emotions creativity peace serenity nature freedom beauty equality
    inspiration passion happiness blast energy kindness respect growth motivation confidence difference connection
    connections gratitude opportunity opportunities adventure environment society culture vibe vibes atmosphere
    resilience cause causes track country awareness drive spirit balance vision courage charity role roles value values
    attention advice perspective purpose impact progress success failure pressure stress truth reality identity
    figure picture photo image pic note notes message messages mail email text call version file page shares
    btw fyi lol haha now then till until since super extra per etc ill ive im id youre thats whats its hes shes theyre
    zero two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million
    tough strong weak warm cold hot nice fine kinda sorta gang folks fam dear mate buddy dude bro
    look bit self something anything everything nothing user assistant agent tool system context situation reminder
"""
_DEEDS = """
    be do have go get make take give come say tell know think see look want need like love hate feel find keep let put
    set run show try use call ask work play move live hear help talk turn start stop begin finish end leave bring buy
    sell pay send meet write read learn speak spend grow win lose lead stand sit wait stay hold hope wish mean happen
    seem become build break cut draw drive eat drink fall fly forget hit hurt pick push pull remember ride rise sing
    sleep swim teach throw wake wear walk watch wonder worry check change add fix open close miss share support plan
    book order order cancel agree decide allow cover create enjoy explain follow handle join listen mention offer pass
    prefer prepare promise reach receive reply save sign sound suggest swap switch test thank trust visit vote warn
    said told went got gave took made came saw knew thought felt found kept left bought sold paid sent met wrote spoke
    spent grew won lost led stood sat held meant became built broke cut drew drove ate drank fell flew forgot hit rode
    sang slept swam taught threw woke wore had did was were been done gone seen known given taken
    gonna wanna gotta lets dont doing going coming getting making taking having being saying looking trying working
"""
_NOUNS_IN_LY = word_set("family reply supply assembly jelly belly fly butterfly anomaly monopoly italy ally lily molly")


@lru_cache(maxsize=1)
def _barred() -> frozenset[str]:
    listed = word_set(f"{_TIMES} {_VAGUE} {_DEEDS}") | STOP_WORDS | set(WEEKDAYS) | set(MONTHS)
    return listed | {stem(word) for word in listed if len(word) > 3}


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a sentence names. `key` is the same for all its forms."""

    key: str
    shown: str  # as it was written, with the word that belongs to it: "ledger deadline"
    name: bool = False  # written with a capital within the sentence
    lead: str = ""  # the word before it that shows it to be a thing: "the", "my", "from"


_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*|[,.;:!?()\"“”…\n–—/&+]")


def things(sentence: str) -> list[Thing]:
    """What a sentence names, in order, each once.

    >>> [thing.shown for thing in things("We moved the ledger deadline, Petra said on Friday.")]
    ['ledger deadline', 'deadline', 'Petra']
    """
    words = _WORD.findall(sentence.translate(APOSTROPHES))
    found: dict[str, Thing] = {}
    i = 0
    while i < len(words):
        run = _name_at(words, i)
        if run:
            shown = " ".join(_bare(word) for word in run)
            found.setdefault(key_of(shown), Thing(key_of(shown), shown, name=True))
            i += len(run)
            continue
        lead = words[i].lower()
        if lead in _LEADS or lead in _PREPOSITIONS:
            phrase = _phrase(words[i + 1 : i + 5])
            for thing in _heads(phrase, lead):
                found.setdefault(thing.key, thing)
        i += 1
    return [thing for thing in found.values() if thing.key]


def key_of(shown: str) -> str:
    """
    >>> key_of("Ledger deadlines")
    'ledger deadlin'
    """
    return " ".join(stem(word) for word in tokens(shown))


def is_topic_word(word: str) -> bool:
    """Whether a word can be what something is about: no time, amount, deed or filler.

    >>> is_topic_word("runbook"), is_topic_word("Friday"), is_topic_word("12"), is_topic_word("going")
    (True, False, False, False)
    """
    bare = _bare(word).lower()
    return (
        len(bare) > 2
        and bare[0].isalpha()
        and not any(sign.isdigit() for sign in bare)
        and bare not in _barred()
        and stem(bare) not in _barred()
        and (not bare.endswith("ly") or bare in _NOUNS_IN_LY)
        and not bare.endswith(("n't", "'ve", "'re", "'ll", "'d", "'m"))
    )


def _bare(word: str) -> str:
    return word[:-2] if word.endswith("'s") else word


def _name_at(words: list[str], i: int) -> list[str]:
    """The capitalised words from here on, when they are no beginning of a sentence."""
    if not _capital(words[i]) or not is_topic_word(words[i]) or i == 0 or words[i - 1] in '.!?:;"“”…\n()–—':
        return []
    run = [words[i]]
    while i + len(run) < len(words) and _capital(words[i + len(run)]) and len(run) < 3 and "'s" not in run[-1]:
        if not is_topic_word(words[i + len(run)]):
            break
        run.append(words[i + len(run)])
    return run


def _capital(word: str) -> bool:
    return word[0].isupper() and not (len(word) > 1 and word.isupper() and len(word) > 5)


def _phrase(words: Iterable[str]) -> list[str]:
    """Up to three words that may belong to one thing: until a small word, a sign or a verb."""
    run: list[str] = []
    for word in words:
        small = word.lower()
        if not small[0].isalpha() or small in STOP_WORDS or small in _LEADS or small in _PREPOSITIONS:
            break
        if run and small.endswith(("ed", "ing", "ly")):
            break
        run.append(word)
        if len(run) == 3 or word.endswith("'s"):
            break
    return run


def _heads(phrase: list[str], lead: str) -> list[Thing]:
    """The last word that can be a topic, and with it the one before; a verb after it is left out."""
    while phrase and _is_deed(phrase[-1]):
        phrase = phrase[:-1]
    if not phrase or not is_topic_word(phrase[-1]):
        return []
    head = _bare(phrase[-1])
    found = [Thing(key_of(head), head, _capital(head), lead)]
    before = phrase[-2] if len(phrase) > 1 else ""
    if before and is_topic_word(before):
        shown = f"{before} {head}"
        found.insert(0, Thing(key_of(shown), shown, _capital(before) and _capital(head), lead))
    return found


def _is_deed(word: str) -> bool:
    small = word.lower()
    return small in _deeds() or stem(small) in _deeds()


@lru_cache(maxsize=1)
def _deeds() -> frozenset[str]:
    return word_set(_DEEDS)
