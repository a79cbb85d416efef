"""The word lists that several guards share: function words, light words, words of one meaning, opposites."""

from functools import lru_cache

from reverie.language.words import stem

_FUNCTION = """
    a an the this that these those there here it its i me my mine we us our you your he him his she her they them their
    myself yourself himself herself themselves ourselves one ones someone anyone somebody anybody people person
    who whom whose what which when where why how if whether
    am is are was were be been being do does did done doing have has had having can could will would shall should may
    might must ought gonna used to of in on at by for with about from into onto as and or but so than then too also
    up out off over under through during between among against within along around across toward towards near upon
    not no never any some every each all both either neither such own same other another else just even ever
    yes please thanks thank okay ok hey hi so very quite really again still already yet many much
"""
FUNCTION_WORDS = frozenset(_FUNCTION.split())

# They carry little of a question's meaning: "what is the best way to get a visa" is "how do I get a visa".
_LIGHT = """
    way ways get getting got go going make making take give let way thing things something anything kind type sort
    possible able know tell say mean name called call best good better great easiest easy simple proper correct right
    effective efficient actually really exactly
"""
LIGHT_WORDS = frozenset(stem(word) for word in _LIGHT.split())

_SAME = """
    buy purchase
    big large huge
    begin start commence
    finish complete
    movie film
    car automobile
    child kid children kids
    doctor physician
    phone telephone mobile cellphone smartphone
    vacation holiday holidays
    license licence
    organization organisation
    gray grey
    program programme
    tire tyre
    leave depart
    say tell
    deadline due
    appointment appointments
    photo picture photograph pic
    quick fast rapid quickly
    improve enhance
    choose pick select
    help assist
    difference distinction differ different
    fix repair
    favourite favorite
    colour color
    occupation profession job
    mother mom mum mommy
    father dad daddy
    grandmother grandma granny
    grandfather grandpa
    sibling siblings
    spouse spouses
    bicycle bike
    flat apartment
    medicine medication meds drug
    salary pay wage
    boss manager supervisor
    company firm employer
    email mail
    dislike hate
    like enjoy love
    speak talk
    sick ill
    begin start
    centre center
    university college uni
    pupil student
    wifi wireless
    tv television
    exam examination test
    delete remove erase
    repair mend
    expensive costly
    cheap inexpensive
    hobby pastime
    gift present
    earn make
    weird strange
    happen occur
    money cash
    reply respond answer
    prevent avoid
    stop quit
    indian india
    american usa america us
"""
CANONICAL = {stem(word): stem(line.split()[0]) for line in _SAME.strip().splitlines() for word in line.split()}

_PASTS = """
    saw:see seen:see ate:eat eaten:eat went:go gone:go bought:buy met:meet took:take taken:take told:tell said:say
    gave:give given:give made:make came:come drove:drive driven:drive wrote:write written:write spoke:speak
    spoken:speak paid:pay sold:sell left:leave lost:lose won:win found:find ran:run slept:sleep thought:think
    began:begin begun:begin chose:choose chosen:choose flew:fly grew:grow grown:grow knew:know known:know kept:keep
    sent:send spent:spend taught:teach wore:wear broke:break broken:break built:build caught:catch felt:feel
    heard:hear held:hold led:lead lent:lend rode:ride sang:sing sat:sit stood:stand swam:swim threw:throw
    understood:understand woke:wake became:become brought:bring drank:drink forgot:forget forgotten:forget hid:hide
    got:get done:do did:do hurt:hurt shot:shoot stole:steal stolen:steal swore:swear tore:tear bore:bear drew:draw
    fell:fall fallen:fall fought:fight froze:freeze laid:lay lay:lie rang:ring rose:rise sank:sink shook:shake
    wound:wind meant:mean dealt:deal dreamt:dream learnt:learn burnt:burn fed:feed hung:hang
"""
PASTS = frozenset(pair.split(":")[0] for pair in _PASTS.split())
_IRREGULAR = {past: stem(verb) for past, verb in (pair.split(":") for pair in _PASTS.split())}


@lru_cache(maxsize=16_384)
def root(word: str) -> str:
    """The stem, and for words of one meaning the same one.

    >>> root("purchased"), root("buying")
    ('buy', 'buy')
    """
    bare = _IRREGULAR.get(word) or stem(word)
    return CANONICAL.get(bare, bare)


_PEOPLE = """
    wife husband spouse partner fiance fiancee girlfriend boyfriend sister brother sibling mother father mom dad mum
    parent parents son daughter child kid baby uncle aunt cousin grandmother grandfather grandma grandpa nephew niece
    friend neighbour neighbor boss manager supervisor colleague coworker roommate flatmate dog cat pet landlord
    landlady doctor dentist teacher therapist lawyer vet coach trainer tutor mentor accountant hairdresser barber nanny
    babysitter client plumber electrician ex physiotherapist
"""
RELATIONS = frozenset(root(word) for word in _PEOPLE.split())  # who somebody is to me, pets too

_OPPOSITES = """
    same different; for against; on off; up down;
    more less; most least; best worst; better worse; high low; higher lower; highest lowest;
    big small; large small;
    larger smaller; largest smallest; bigger smaller; biggest smallest; long short; longer shorter; longest shortest;
    tall short; taller shorter; tallest shortest; old young; older younger; oldest youngest; old new; older newer;
    oldest newest; fast slow; faster slower; fastest slowest; early late; earlier later; earliest latest;
    cheap expensive; cheaper pricier; cheapest priciest; heavy light; heavier lighter; hot cold; hotter colder;
    before after; above below; over under; inside outside; with without; buy sell; gain lose; increase decrease;
    raise lower; start stop; begin end; open close; win lose; love hate; like dislike; like hate; male female;
    man woman;
    men women; boy girl; husband wife; son daughter; brother sister; mother father; uncle aunt; king queen;
    boyfriend girlfriend;
    left right; north south; east west; arrive leave; arrive depart; come go; import export; pros cons;
    advantage disadvantage;
    advantages disadvantages; benefits drawbacks; legal illegal; first last; next previous; maximum minimum; max min;
    cause effect; allow forbid; accept reject; add remove; install uninstall; enable disable; lend borrow;
    teach learn;
    push pull; remember forget; wake sleep; strong weak; rich poor; good bad; true false; right wrong; always never;
    positive negative; public private; indoor outdoor; online offline; morning evening; day night; import export;
    upload download; send receive; agree disagree; reward punish; success failure; easy hard; easy difficult;
    safe dangerous;
    hire fire; input output; inner outer; upper lower; internal external; major minor; often rarely; friend enemy;
    healthy unhealthy; happy sad; tighten loosen; ascend descend; asleep awake; alive dead; married single;
    married divorced;
    introvert extrovert; android iphone; grandmother grandfather; nephew niece; full empty; wet dry;
    thick thin; deep shallow;
    earn spend; save spend; lend owe; land take; breakfast dinner; lunch dinner; breakfast lunch; coffee tea; cat dog
"""


def _opposites() -> dict[str, frozenset[str]]:
    """For each word and its stem the opposites, as words and as stems."""
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITES.replace("\n", " ").split(";"):
        a, b = pair.split()
        for one, other in ((a, b), (b, a)):
            for form in (one, stem(one)):
                found.setdefault(form, set()).update((other, stem(other)))
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = _opposites()
PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis", "anti", "de")
