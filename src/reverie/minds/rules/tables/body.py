"""Health, allergies, diet."""

from reverie.minds.rules.tables.rule import Rule

_DIET = (
    r"(?P<v>(?:(?:strict|mostly|ovo-lacto|lacto|raw|lifelong|strictly|fully|completely) )*(?:vegetarian|vegan|pescatarian|pescetarian|"
    r"flexitarian|keto|paleo|kosher|halal|gluten[- ]free|dairy[- ]free|sugar[- ]free|lactose[- ]free|teetotal|teetotall?er|plant[- ]based|omnivore|"
    r"carnivore|fruitarian|low[- ]carb|veggie|sober|meat[- ]eater))s?\b"
)
_ILLNESS = (
    r"(?P<v>(?:(?:chronic|type|severe|mild|high|low|bad|seasonal|celiac|coeliac|crohn's|heart|irritable|sleep|a|an|terrible|regular|occasional|recurring|stage|really|the|slight|minor|frequent|some|awful|lower|early|hereditary|rheumatoid|\d|one|two) )*"
    r"(?:asthma|arthritis|diabetes|migraines?|ADHD|ADD|epilepsy|hypertension|blood pressure|cholesterol|anxiety|depression|insomnia|"
    r"eczema|psoriasis|endometriosis|IBS|apnea|apnoea|anemia|anaemia|disease|disorder|syndrome|condition|cancer|tinnitus|sciatica|scoliosis|OCD|PTSD|"
    r"celiac|coeliac|hypothyroidism|hyperthyroidism|thyroid|osteoporosis|fibromyalgia|lupus|gout|glaucoma|dyslexia|autism|bipolar|vertigo|"
    r"hay fever|back (?:pain|problems|injury)|knee (?:pain|problems|injury)|bad (?:back|knee|shoulder|hip)|slipped disc|herniated disc|pacemaker|concussion|bronchitis|pneumonia|"
    r"heart murmur|heart condition|arrhythmia|reflux|ulcers?|shingles|tendonitis|tendinitis|plantar fasciitis|carpal tunnel|PCOS|"
    r"narcolepsy|allergies|intolerance|broken \w+|sprained \w+|covid|the flu|flu|long covid|\w+itis|\w+emia|\w+algia)(?: (?:in|of) (?:my|the) [\w ]+| type \d| diabetes)?)"
)
_FOOD = r"(?:any |much |a lot of |much of )?(?P<v>(?!much\b|breakfast\b|lunch\b|dinner\b|well\b|out\b|enough\b|it\b|that\b|this\b|here\b|there\b|anything\b|a lot\b|at\b|before\b|after\b).+)"

RULES = (
    Rule("be", r"(?:\w+ly |very |super |also |extremely |pretty |quite |actually )*allergic to (?P<v>.+)", "allergic_to"),
    Rule("have", r"(?:an? |this |some )?(?:\w+ )?(?:allergy|allergic reactions?|sensitivity) to (?P<v>.+)", "allergic_to"),
    Rule("have", r"(?:an? )?(?:(?:severe|bad|serious|mild|terrible|deadly|life-threatening|strong|nasty) )*(?P<v>[\w]+(?: \w+)?) allerg(?:y|ies)\b", "allergic_to"),
    Rule("be develop", r"(?:to )?(?P<v>.+)", "allergic_to", noun=r"(?:worst |biggest |main |only )?allerg(?:y|ies)(?: is)?"),
    Rule("develop", r"(?:an? )?(?:\w+ )?allergy to (?P<v>.+)", "allergic_to", past="holds"),
    Rule("get break", r"(?:hives|a rash|an allergic reaction|out in hives) (?:from|to) (?P<v>.+)", "allergic_to", past="skip"),
    Rule("react", r"(?:badly|allergically) to (?P<v>.+)", "allergic_to", past="skip"),
    Rule("be", r"(?:\w+ )?(?P<v>(?:lactose|gluten|fructose|histamine|dairy)[- ]intolerant)", "health", shape="one"),
    Rule("be", r"intolerant (?:to|of) (?P<v>.+)", "allergic_to"),
    Rule("be", rf"(?:an? |now |also |mostly |on an? |basically |pretty much |strictly )*{_DIET}(?: diet)?", "diet", shape="one"),
    Rule("go turn become", rf"(?:an? |fully )?{_DIET}", "diet", shape="one", past="holds", happening=False, cue="became"),
    Rule("follow keep eat do try start", rf"(?:an? |strictly |mostly |only |with an? )?{_DIET}(?: diet)?", "diet", shape="one"),
    Rule("be", rf"(?:an? )?{_DIET}", "diet", noun="diet", shape="one"),
    Rule("be", r"on an? (?P<v>[\w-]+(?: [\w-]+)?) diet", "diet", shape="one"),
    Rule("follow keep", r"an? (?P<v>[\w-]+(?: [\w-]+)?) diet", "diet", shape="one"),
    Rule("give", r"up (?:on )?(?:eating |drinking )?(?P<v>(?:all |red )?(?:sugar|alcohol|coffee|meat|dairy|gluten|caffeine|soda|chocolate|bread|carbs|wheat|fish|cheese|beer|wine|sweets|milk|pork|beef|drinking)\b)", "diet", value="no {v}", past="holds", cue="gave up"),
    Rule("give", r"up (?:on )?(?P<v>(?!my job|hope|that|it|the idea|my seat).+)", "habit", past="holds", over=True, cue="gave up"),
    Rule("avoid skip", r"(?P<v>(?:(?:all|any|eating|red|added|processed|most|refined) )*(?:gluten|dairy|meat|sugar|alcohol|caffeine|pork|beef|seafood|shellfish|lactose|milk|carbs|wheat|nuts|spicy food|fried food|fish|eggs|bread|salt)\b.*)", "diet", value="no {v}"),
    Rule("be", r"(?:just |recently |officially )?diagnosed (?:with|as having) (?P<v>.+)", "health", past="holds", cue="diagnosed"),
    Rule("get", r"(?:just |recently )?diagnosed (?:with|as having) (?P<v>.+)", "health", past="holds", cue="diagnosed"),
    Rule("suffer", r"(?:badly |a lot )?(?:from|with) (?P<v>.+)", "health"),
    Rule("live struggle deal", rf"with {_ILLNESS}", "health"),
    Rule("have get develop", rf"{_ILLNESS}", "health", past="skip"),
    Rule("be", r"(?:a |an |type[- ]\d |also |partially |slightly |legally |red-green |a type \d |\w+ (?:weeks|months) )*(?P<v>(?:type \d |red-green |partially |legally )?(?:diabetic|asthmatic|epileptic|colou?r[- ]?blind|dyslexic|autistic|deaf|blind|pregnant|anaemic|anemic|celiac|coeliac|neurodivergent|bipolar|near-?sighted|short-?sighted|insomniac|hard of hearing|left[- ]handed|immunocompromised))\b", "health", shape="one", past="skip"),
    Rule("take", r"(?P<v>(?:\w+ ){0,2}(?:medication|meds|antidepressants|statins|insulin|beta blockers|blood thinners|pills)\b.*)", "health", shape="one", past="skip"),
    Rule("break sprain tear fracture injure twist dislocate", r"(?:my|her|his) (?P<v>.+)", "event", value="broke {v}", shape="one", past="skip"),
)  # fmt: skip
# "I do not eat X": the plain negation is the statement.
NEVER = (
    Rule("eat", _FOOD, "diet", value="no {v}", modals="can could will", past="skip"),
    Rule("drink touch consume", _FOOD, "diet", value="no {v}", modals="can could will", past="skip"),
    Rule(
        "have",
        r"(?:any )?(?P<v>(?:[a-z]+ )?(?:dairy|gluten|nuts|sugar|alcohol|caffeine|lactose|milk|wheat|meat|pork|eggs?|shellfish|seafood|soy|spicy food|cheese|fish|bread|peanuts)\b.*)",
        "diet",
        value="no {v}",
        modals="can could",
        past="skip",
    ),
    Rule("tolerate digest", _FOOD, "allergic_to", modals="can could", past="skip"),
)
