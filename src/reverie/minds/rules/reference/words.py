"""The words by which one sees that a sentence leans on another: who may be meant, what points back, what is a verb."""

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.language.vocabulary import word_set

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
TIMES = word_set("""
    week weekend month year morning afternoon evening night time day today term season spring summer autumn fall winter
    past coming moment minute far""") | {*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)}
LANGUAGES = word_set("""
    english german french spanish dutch finnish italian polish portuguese swedish norwegian danish japanese chinese
    korean russian welsh irish turkish greek hungarian czech ukrainian arabic latin easter christmas monday""")
NO_NAMES = TIMES | LANGUAGES | {"i", "god"}
DETERMINERS = word_set("""
    the a an my our your his her their its some any every each no another two three four five six seven eight nine ten
    of in on at to for with from by about into over under near via without as""")
AUXILIARIES = word_set("""
    am is are was were be been has have had do does did will would can could should shall must may might won't wouldn't
    can't cannot couldn't shouldn't mustn't don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't ain't
    dont doesnt didnt isnt arent wasnt werent hasnt havent cant couldnt wont wouldnt shouldnt""")
VERBS = word_set("""
    rang sang drank slept wore drew fed hid
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
OF_THINGS = word_set("""
    starts started ends ended costs cost takes opens closes closed runs ran works worked fails failed means contains
    includes allows applies depends belongs expires happens happened has had got gets goes went comes came moved moves
    fits breaks broke crashes crashed needs needed changed changes lasts supports requires matters covers weighs stands
    lies looks looked seems sounds smells turned turns fell""")
SUBJECTS = word_set("""
    i we you he she they it there that this who everyone everybody nobody someone somebody everything nothing i'm i've
    i'd i'll we're we've we'd we'll you're you've he's he'd he'll she's she'd she'll they're they've they'd they'll it's
    it'll there's that's im ive ill u these those""")
OPENERS = word_set("""
    and but so also well yeah yes yep yup no nope nah then oh plus though because cos since or ok okay ha haha hah lol
    ah aw hm hmm right now sure fine good great thanks thx btw anyway actually still just only maybe perhaps except""")
SUBORDINATE = word_set("before after until till because if when since while once unless although")
LEADING = word_set("""
    yesterday today tonight tomorrow last next this that now then honestly actually basically apparently sadly luckily
    unfortunately sometimes usually normally ideally here there there's during between within so""")
FILLERS = word_set("""
    thank thanks thx ty cheers lol haha ha hah heh hehe morning afternoon evening night day hello hi hey bye good great
    nice lovely cool perfect excellent brilliant fine sure exactly true agreed right noted sorry please pls welcome ugh
    wow omg god well done let's see understood deal yay hm hmm oh ah aw sigh anyway back you so very much
    the and a to is all then now i me for that's that it too again""")
CONTINUES = word_set("and but also so or then plus except because cos which though not")
REPLIES = word_set("yes yeah yep yup no nope nah neither exactly correct indeed nearly almost both depends")
AFTER_THAT = word_set(", too one way again in on at to for with as into up down out off")
AFTER_THOSE = word_set("last next . , ! today yesterday now")
AFTER_NAME = word_set("on with from at in")
ADVERBS = word_set("already never always also just still only really even")
NO_OWNER = word_set("""
    it that there what who where when how why here let he she one everything nothing today tomorrow yesterday this
    year week month world which""")
NOUN_BEFORE_THAT = word_set("thing one something anything everything nothing person people")
TAKES = word_set("""
    do did done to for of about with like from on at than after before by in said know see want hate love like take took
    add keep remember note use used fix fixed moved says put leave left got get""")
NOUNISH = word_set("new old next last first second small big long short red blue green whole other more and")
PLACES = word_set("in at near into around through across via towards")
