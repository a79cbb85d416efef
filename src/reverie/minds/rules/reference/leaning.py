"""What a text needs from elsewhere: whom "she" means, what "it" is, which question a few words answer.

Words are looked at from left to right. A pronoun is at home if something that it may stand for was named before it; a
sentence without a subject and a verb of its own leans on whatever it answers or continues.
"""

import re
from dataclasses import dataclass

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.language.vocabulary import APOSTROPHES, STOP_WORDS, word_set

FEW = 3  # words of a fragment that says nothing by itself

WOMEN = word_set("""
    mother mom mum mam mama mummy mommy grandmother grandma granny gran nan nana sister wife girlfriend daughter aunt
    auntie niece girl woman lady bride widow landlady fiancee fiancée stepmother stepsister stepdaughter godmother
    goddaughter granddaughter mrs ms miss queen midwife
""")
MEN = word_set("""
    father dad papa daddy da grandfather grandpa grandad granddad gramps brother husband boyfriend son uncle nephew boy
    man guy bloke lad chap dude groom widower landlord fiance fiancé stepfather stepbrother stepson godfather godson
    grandson mr gentleman king priest
""")
PERSONS = (
    WOMEN
    | MEN
    | word_set("""
    partner spouse parent kid child baby toddler twin friend mate buddy colleague coworker co-worker boss manager lead
    supervisor advisor adviser prof professor teacher tutor doctor doc dr gp nurse dentist vet surgeon cardiologist
    pediatrician paediatrician neurologist dermatologist oncologist radiologist therapist physio physiotherapist
    psychologist psychiatrist pharmacist coach trainer neighbour neighbor roommate flatmate housemate customer client
    patient tenant technician plumber electrician roofer builder carpenter gardener cleaner painter mechanic driver
    courier postman sitter babysitter nanny reviewer intern student pupil investor founder cofounder co-founder ceo cto
    cfo lawyer solicitor notary accountant auditor consultant contractor agent broker recruiter designer developer
    engineer secretary assistant receptionist headteacher head headmaster principal librarian cousin relative
    officer inspector judge mayor chef cook waiter barber hairdresser conductor bassist drummer
    singer guitarist examiner registrar specialist postman
    dog puppy pup cat kitten horse pony mare donkey rabbit parrot hamster tortoise hen goat cow mother-in-law
    father-in-law sister-in-law brother-in-law son-in-law daughter-in-law
""")
)
HE = word_set("he him his he's he'd he'll")
SHE = word_set("she her hers she's she'd she'll")
THEY = word_set("they them their theirs themselves they're they've they'd they'll theyre")
IT = word_set("it its it's it'll it'd")
THAT = word_set("that that's thats that'll this these those")
OTHERS = word_set("both neither same ones")
_TIMES = word_set("""
    week weekend month year morning afternoon evening night time day today term season spring summer autumn fall winter
    past coming moment minute far""") | {*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)}
_LANGUAGES = word_set("""
    english german french spanish dutch finnish italian polish portuguese swedish norwegian danish japanese chinese
    korean russian welsh irish turkish greek hungarian czech ukrainian arabic latin easter christmas monday""")
_NO_NAMES = _TIMES | _LANGUAGES | {"i", "god"}
_DETERMINERS = word_set("""
    the a an my our your his her their its some any every each no another two three four five six seven eight nine ten
    of in on at to for with from by about into over under near via without as""")
_AUXILIARIES = word_set("""
    am is are was were be been has have had do does did will would can could should shall must may might won't wouldn't
    can't cannot couldn't shouldn't mustn't don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't ain't
    dont doesnt didnt isnt arent wasnt werent hasnt havent cant couldnt wont wouldnt shouldnt""")
_VERBS = word_set("""
    accepted aches agreed allows answers applies applied arrives arrived asks asked ate ates became becomes began begins
    believes belongs bought breaks brings broke brought builds built calls came cancelled canceled changed changes
    charges closes comes contains cost costs cried cries cut cuts depends died dies drinks drives drove eats ended ends
    expects expires failed fails feels fell felt finished finishes flew fits fixed flies forgot found gave gets gives
    goes got grew had happened happens has hates hates helped helps hit hits holds hopes hurts includes keeps kept knew
    knows laid landed lasts leads learned learns leaves left lets lies liked likes listens lives lived looked looks lost
    loved loves made makes married meant means meets met missed misses mentioned moved moves needed needs offered opens
    owes owned owns ordered paid passed pays picked picks plans played plays prefers promised puts quit ran reads
    refused refuses rejected remembers rented replied replies rings rose runs said sat saw says seems sells sends sent
    sets shows showed signed signs sings sits sleeps sleeps smells sold speaks spent stands started starts stayed stays
    stopped stops studied studies sounds swears takes talked talks taught teaches tells tested tests texted thinks
    thought threw told took travels tried tries turned turns understands used uses visited visits waits walked walks
    wanted wants warned watches wears went woke won works worked worries writes wrote retires retired resigned hired
    joined joins runs plays turned fell crashes crashed broke supports requires matters covers weighs reached
    """)
_OF_THINGS = word_set("""
    starts started ends ended costs cost takes opens closes closed runs ran works worked fails failed means contains
    includes allows applies depends belongs expires happens happened has had got gets goes went comes came moved moves
    fits breaks broke crashes crashed needs needed changed changes lasts supports requires matters covers weighs stands
    lies looks looked seems sounds smells turned turns fell""")
_SUBJECTS = word_set("""
    i we you he she they it there that this who everyone everybody nobody someone somebody everything nothing i'm i've
    i'd i'll we're we've we'd we'll you're you've he's he'd he'll she's she'd she'll they're they've they'd they'll it's
    it'll there's that's im ive ill u these those""")
_OPENERS = word_set("""
    and but so also well yeah yes yep yup no nope nah then oh plus though because cos since or ok okay ha haha hah lol
    ah aw hm hmm right now sure fine good great thanks thx btw anyway actually still just only maybe perhaps except""")
_SUBORDINATE = word_set("before after until till because if when since while once unless although")
_LEADING = word_set("""
    yesterday today tonight tomorrow last next this that now then honestly actually basically apparently sadly luckily
    unfortunately sometimes usually normally ideally here there there's during between within so""")
_FILLERS = word_set("""
    thank thanks thx ty cheers lol haha ha hah heh hehe morning afternoon evening night day hello hi hey bye good great
    nice lovely cool perfect excellent brilliant fine sure exactly true agreed right noted sorry please pls welcome ugh
    wow omg god well done let's see understood deal yay hm hmm oh ah aw sigh anyway back you so very much
    the and a to is all then now i me for that's that it too again""")
_CONTINUES = word_set("and but also so or then plus except because cos which though not")
_REPLIES = word_set("yes yeah yep yup no nope nah neither exactly correct indeed nearly almost both depends")
_WORD = re.compile(r"[^\W_]+(?:['.&/-][^\W_]+)*|[.!?;,:()\"“”…—–]")
_ANSWERS = re.compile(
    r"^[^.!?]{0,30}\b(?:said|says) (?:yes|no)\b|^(?:i|we|he|she|they) (?:do|did|will|would|can|agreed|accepted|refused)"
    r"(?:n't| not| so)?[,.!;]",
    re.I,
)
_ENDS = frozenset(".!?;…")
_DUMMY = re.compile(
    r"\bit(?:'s|'ll be| is| was| will be)? (?:(?:not|so|too|just|been|about|only|now|already|still|a|an|the|really"
    r"|very|"
    r"such|almost|nearly|always|getting) )*(?:rain\w*|snow\w*|cold|hot|dark|late|early|freezing|windy|sunny|monday|"
    r"tuesday|wednesday|thursday|friday|saturday|sunday|\d[\d:]*(?: ?(?:am|pm|o'clock|degrees))?\b|half past|quarter)"
    r"|\bit (?:turns? out|turned out|seems|seemed|feels like|looks like|means that)\b"
    r"|\bit(?:'s| is| was) (?:[\w-]+ ){1,4}(?:to|that|when|how|who|since|because|if)\b|\bit (?:takes|took) (?:me|us)\b"
    r"|\bit is what it is\b|\bthat's (?:it|all|life)\b|\b(?:made|make|makes|take|takes) it (?:easy|clear|hard|worse)\b"
    r"|\b(?:find|found|think|make) it (?:\w+ )?(?:hard|easy|difficult|odd|strange)\b|\bof it all\b|\bthat said\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a text takes for granted; each is the word that shows it, or nothing."""

    person: str = ""  # "she"
    thing: str = ""  # "it", "they", "both"
    whole: str = ""  # the first words of a fragment, an answer or a continuation

    def __bool__(self) -> bool:
        return bool(self.person or self.thing or self.whole)


NOTHING = Needs()


def needs_of(text: str, names: frozenset[str] = frozenset(), known: str = "") -> Needs:
    """What a text leaves open. `names` are words known as somebody's name, `known` is what the reader has read before.

    >>> needs_of("she moved to Faro").person, needs_of("My sister Ada said she moved").person
    ('she', '')
    >>> needs_of("I'll begin it on Thursday.").thing, needs_of("back up to 2.5").whole, bool(needs_of("I live in Oslo"))
    ('it', 'back', False)
    """
    open_text = text.translate(APOSTROPHES)
    whole = "" if known else _fragment(open_text, names)
    read = _Reading(names)
    if known:
        read.take(known.translate(APOSTROPHES))
        read.person = read.thing = ""
    read.take(_DUMMY.sub(" there's ", open_text))
    return Needs(read.person, read.thing, whole)


class _Reading:
    """Words taken in from left to right, and the pronouns that met nothing to stand for."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.persons = 0
        self.men = 0
        self.women = 0
        self.things = 0
        self.person = ""
        self.thing = ""

    def take(self, text: str) -> None:
        words = _WORD.findall(text)
        for i, word in enumerate(words):
            low = word.lower()
            before = words[i - 1].lower() if i else "."
            after = words[i + 1].lower() if i + 1 < len(words) else "."
            if low in HE or low in SHE:
                other = self.men if low in SHE else self.women
                self.person = self.person or ("" if self.persons > other else low)
                self.persons += 1
            elif _points(low, before, after):
                self.thing = self.thing or ("" if self.things or (low in THEY and self.persons) else low)
                self.things += 1
            elif _is_person(word, before, after, self.names):
                self.persons += 1
                self.things += 1
                self.men += low.removesuffix("'s") in MEN
                self.women += low.removesuffix("'s") in WOMEN
            elif _is_noun(low, before, after, i):
                self.things += 1


def _points(low: str, before: str, after: str) -> bool:
    """Whether a word stands for some thing, and not before a noun, a clause or a time."""
    if low in IT or low in THEY:
        return True
    if low in OTHERS:
        return not (low == "both" and after in ("the", "my", "our", "of", "kids", "children", "sides"))
    if low in THAT:
        if low in ("that's", "thats", "that'll"):
            return before not in _NOUN_BEFORE_THAT and (before in _ENDS or before in _CONTINUES or before in ",:(")
        if after in _TIMES:
            return False
        plain = after in _ENDS or after in _AUXILIARIES or after in _VERBS or after in _AFTER_THAT
        if low in ("those", "these") and before == "of" and (after in STOP_WORDS or after in _AFTER_THOSE):
            return True
        heads = before in _ENDS or before in _CONTINUES or before in _TAKES or before in ",:("
        return plain and heads
    if low == "there":
        return after in (".", "!", ",", "for", "until", "till", "with", "since") and before not in ("out", "over", "hi")
    return low == "one" and before in (
        "new",
        "old",
        "other",
        "this",
        "that",
        "another",
        "which",
        "small",
        "big",
        "right",
    )


_AFTER_THAT = word_set(", too one way again in on at to for with as into up down out off")
_AFTER_THOSE = word_set("last next . , ! today yesterday now")
_AFTER_NAME = word_set("on with from at in")
_ADVERBS = word_set("already never always also just still only really even")
_NO_OWNER = word_set("""
    it that there what who where when how why here let he she one everything nothing today tomorrow yesterday this
    year week month world which""")
_NOUN_BEFORE_THAT = word_set("thing one something anything everything nothing person people")
_TAKES = word_set("""
    do did done to for of about with like from on at than after before by in said know see want hate love like take took
    add keep remember note use used fix fixed moved says put leave left got get""")


def _is_person(word: str, before: str, after: str, names: frozenset[str]) -> bool:
    low = word.lower().removesuffix("'s")
    if low in PERSONS:
        return True
    plain = (
        low.isalpha() and low not in STOP_WORDS and low not in _OPENERS and low not in _SUBJECTS and not is_verb(low)
    )
    if plain and ((after in _VERBS and before != "the") or (before in _ENDS and is_verb(after))):
        return True  # who gives or says something is somebody, however their name is typed
    if (plain and after in _ADVERBS and before in _ENDS) or (word.lower().endswith("'s") and low not in _NO_OWNER):
        return True
    if is_capital(word) and before in _ENDS and plain and after in _AFTER_NAME and low not in _FILLERS:
        return True
    return low in names or (is_capital(word) and (before not in _ENDS or is_verb(after)) and low not in STOP_WORDS)


def is_capital(word: str) -> bool:
    """Whether a word is written as a name is; days, months, languages and shouting are not names."""
    low = word.lower().removesuffix("'s")
    shouted = len(word) > 1 and word.isupper()
    return word[:1].isupper() and not shouted and len(low) > 1 and not low.startswith("i'") and low not in _NO_NAMES


def is_verb(word: str) -> bool:
    return word in _AUXILIARIES or word in _VERBS


def is_act(word: str) -> bool:
    return word in _VERBS


def is_deed(word: str) -> bool:
    """Whether a word says what somebody does, and not only that something is or has."""
    return word in _VERBS and word not in _OF_THINGS


def _is_noun(low: str, before: str, after: str, i: int) -> bool:
    if not low[0].isalpha() or low in STOP_WORDS or low in _OPENERS or low in _TIMES or low in _VERBS or len(low) < 3:
        return False
    led = before in _DETERMINERS or before.endswith("'s") or before.isdigit() or before in _NOUNISH
    return (
        led or (i == 0 and is_verb(after)) or (before in _ENDS and (is_verb(after) or after in ",:;.")) or after == ":"
    )


_NOUNISH = word_set("new old next last first second small big long short red blue green whole other more and")


def _fragment(text: str, names: frozenset[str]) -> str:
    """The first word of a text whose first sentence has no subject and verb of its own, or replies to something."""
    words: list[str] = _WORD.findall(text)
    first = words[0].lower() if words else ""
    if first in _REPLIES or _ANSWERS.search(text):
        return first
    while words and (words[0].lower() in _OPENERS or words[0] in ",:"):
        words = words[1:]
    sentence = []
    for word in words:
        if word in _ENDS:
            break
        sentence.append(word)
    head = sentence[0].lower() if sentence else ""
    headless = head in _VERBS or (head in _SUBORDINATE and "," not in sentence)  # "wants a discount", "before I fly"
    if not headless and (_begins_clause(sentence, names) or _titled(sentence)):
        return ""
    return head or first


def _begins_clause(words: list[str], names: frozenset[str]) -> bool:
    """Whether its first part has a subject and a verb: not "Five, and he's missing a tooth"."""
    head = words[0].lower() if words else ""
    place = words.index(",") if "," in words else len(words)
    if head in _DETERMINERS or head in _SUBORDINATE or head in _LEADING:
        place = len(words)
    return has_clause(words[:place], names)


def _titled(words: list[str]) -> bool:
    """Whether it begins with what it is about: "bedtime for school: 8"."""
    place = words.index(":") if ":" in words else 0
    return 0 < place < len(words) - 1 and words[place - 1].isalpha()


def has_clause(words: list[str], names: frozenset[str] = frozenset()) -> bool:
    """Whether a subject and a verb stand among these words.

    >>> has_clause("booked it myself".split()), has_clause("the rent is 310".split())
    (False, True)
    """
    low = [word.lower() for word in words]
    for i, word in enumerate(low):
        if word in _SUBJECTS and (i + 1 < len(low) or "'" in word) and not (i and low[i - 1] in _DETERMINERS - {"as"}):
            after = low[i + 1 : i + 4]
            if "'" in word or word in ("im", "ive", "i", "we", "they", "he", "she", "who"):
                return True
            if any(is_verb(one) or one.endswith("ed") for one in after):
                return True
        if i and (is_verb(word) or word.endswith("'s")) and (low[i - 1] not in STOP_WORDS and low[i - 1][0].isalnum()):
            if word.endswith("'s") and not (word.removesuffix("'s") in names or i == 0):
                continue
            return True
        if i and word.endswith("ed") and len(word) > 4 and (low[i - 1] in names or is_capital(words[i - 1])):
            return True
    head = low[0] if low else ""
    return head.endswith("'s") and len(low) > 1 and low[1].endswith(("ing", "ed"))


def continues(sentence: str) -> bool:
    """Whether a sentence begins as the second half of another one.

    >>> continues("and he wants to do an ablation"), continues("Andrea wants one")
    (True, False)
    """
    words = _WORD.findall(sentence.translate(APOSTROPHES))
    return bool(words) and words[0].lower() in _CONTINUES


def is_reply(sentence: str) -> bool:
    """Whether a sentence begins as an answer does."""
    words = _WORD.findall(sentence)
    return bool(words) and words[0].lower() in _REPLIES


def names_its_subject(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence begins with somebody or something that it names, and says something of it.

    >>> names_its_subject("My sister Ada is a nurse in Faro."), names_its_subject("I said no to all of it.")
    (True, False)
    """
    words = _WORD.findall(sentence.translate(APOSTROPHES))
    low = [word.lower() for word in words]
    if len(words) < 2 * FEW or low[0] in _OPENERS or needs_of(sentence, names):
        return False
    named = low[0] in ("my", "our") or low[0].removesuffix("'s") in names
    told = low[0] == "the" and any(map(is_verb, low[2:5])) and any(is_capital(w) or w[0].isdigit() for w in words[3:])
    return named or told or (is_capital(words[0]) and is_verb(low[1]))


def is_own(sentence: str) -> bool:
    """Whether a sentence begins with its speaker: "I do", "we have not decided"."""
    words = [word.lower() for word in _WORD.findall(sentence.translate(APOSTROPHES)) if word.lower() not in _OPENERS]
    return bool(words) and words[0].partition("'")[0] in ("i", "we", "im", "ive")


def is_filler(text: str) -> bool:
    """Whether a sentence is a few words that say nothing: "lol.", "good morning", "thank you!"

    >>> is_filler("ok thanks!"), is_filler("9F."), is_filler("party planning.")
    (True, False, False)
    """
    words = [word.lower() for word in _WORD.findall(text) if word[0].isalnum()]
    return len(words) <= 2 * FEW and all(word in _FILLERS or word in _OPENERS for word in words)


def heads(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence only says what the next ones are about: "party planning.", "efua."

    >>> heads("party planning."), heads("I sang."), heads("thanks!")
    (True, False, False)
    """
    words = [word for word in _WORD.findall(sentence.translate(APOSTROPHES)) if word not in _ENDS]
    return 0 < len(words) <= FEW + 1 and not has_clause(words, names) and not is_filler(sentence)


def says_something(text: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether any sentence of a text has a subject and a verb, or it is a list of some length."""
    sentences = re.split(r"[.!?;…]+\s", text.translate(APOSTROPHES))
    return len(text.split()) > 2 * FEW + 1 or any(has_clause(_WORD.findall(one), names) for one in sentences)


def few(text: str) -> bool:
    return len([word for word in _WORD.findall(text) if word[0].isalnum()]) <= FEW
