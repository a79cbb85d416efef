"""Work and studies: employer, job, subject, school."""

from reverie.minds.rules.tables.rule import Rule

_ORG = r"(?P<v>(?:an? |the |our |my )?(?:[\w&'-]+ ){0,4}?(?:[A-Z0-9][\w&.'-]*)(?: (?:of |and |& |the |for |de )*[A-Z][\w&.'-]*)*)"
_SOME_ORG = r"(?P<v>(?:an? |the )(?:[\w&'-]+ ){0,3}(?:hospital|school|company|startup|bank|clinic|firm|agency|bakery|restaurant|university|library|store|shop|studio|lab|museum|garage|hotel|farm|charity|nursery|kindergarten|café|cafe|bookshop|bookstore|pharmacy|factory|brewery|council|nonprofit|ngo|airline|zoo|gym|salon|law firm|city|post office|government|ministry|institute|start-up|consultancy))"
_EMPLOYER = rf"(?:{_ORG}|{_SOME_ORG.replace('?P<v>', '?P<w>')})"
# The head of a job title. "-er", "-or", "-ist" and "-ian" make most of them; what they make wrongly is left out below.
JOB = (
    r"(?P<v>(?:(?!fan\b|bit\b|lot\b|huge\b|big\b|member\b|morning\b|night\b|good\b|bad\b|great\b|slow\b|fast\b|early\b|light\b|heavy\b|proud\b|total\b|picky\b|terrible\b|beginner\b|firm\b|avid\b|keen\b|complete\b|horrible\b|dog\b|cat\b|coffee\b|tea\b|long\b|strong\b|better\b|amateur\b|hobby\b|on\b|in\b|my\b|to\b|of\b|with\b|for\b|and\b|the\b|at\b|wannabe\b|aspiring\b|future\b|mere\b)[\w'&/-]+ ){0,4}"
    r"(?:nurse|plumber|chef|cook|pilot|vet|architect|clerk|mechanic|barista|judge|coach|cashier|surgeon|nanny|CEO|CTO|CFO|COO|VP|founder|cofounder|"
    r"co-founder|intern|midwife|\w+man|\w+woman|waitress|actress|engineer|developer|programmer|coder|designer|teacher|lecturer|professor|"
    r"doctor|physician|paramedic|carpenter|electrician|welder|baker|butcher|farmer|gardener|florist|writer|author|editor|journalist|reporter|"
    r"translator|interpreter|photographer|illustrator|animator|musician|composer|conductor|actor|director|producer|dancer|manager|analyst|"
    r"accountant|auditor|banker|broker|trader|lawyer|attorney|solicitor|barrister|paralegal|consultant|contractor|freelancer|recruiter|"
    r"scientist|researcher|biologist|chemist|physicist|geologist|economist|mathematician|statistician|historian|archaeologist|librarian|"
    r"psychologist|psychiatrist|therapist|physiotherapist|counsellor|counselor|pharmacist|dentist|optician|hygienist|radiographer|radiologist|"
    r"driver|courier|firefighter|soldier|officer|detective|guard|receptionist|secretary|assistant|administrator|technician|operator|tester|"
    r"tutor|trainer|instructor|mentor|hairdresser|barber|stylist|tailor|jeweller|potter|sculptor|curator|painter and decorator|builder|roofer|mason|"
    r"surveyor|planner|strategist|marketer|copywriter|salesperson|seller|realtor|agent|entrepreneur|owner of .+|social worker|caregiver|carer|"
    r"housewife|homemaker|stay-at-home (?:mom|dad|mum|parent)|sommelier|bartender|waiter|butler|priest|pastor|rabbi|imam|monk|nun|politician|"
    r"diplomat|astronomer|astronaut|zoologist|veterinarian|beekeeper|blacksmith|locksmith|luthier|undertaker|postie|postal worker|"
    r"product owner|scrum master|data engineer|devops|sysadmin|admin|postdoc|student|apprentice|trainee|resident|specialist|officer|"
    r"lead|head of \w+|principal|dean|partner at .+|executive|coordinator|supervisor|foreman|captain|sailor|cabin crew|flight attendant|"
    r"air traffic controller|dispatcher|jeweler|watchmaker|blogger|youtuber|streamer|\w+ologist|\w+smith|\w+maker|\w+keeper|worker|cleaner|janitor|"
    r"ranger|lifeguard|model|comedian|poet|novelist|playwright|dietitian|nutritionist|ecologist|botanist|chiropractor|podiatrist|audiologist|"
    r"steward|stewardess|porter|miner|fisherman|forester|brewer|distiller|winemaker|roaster|notary|bookkeeper|controller|actuary|underwriter|"
    r"fundraiser|arborist|landscaper|upholsterer|glazier|plasterer|joiner|tiler|machinist|toolmaker|cartographer|meteorologist|linguist|lexicographer|"
    r"sound engineer|cinematographer|videographer|choreographer|puppeteer|magician|referee|umpire|jockey|athlete|footballer|"
    r"(?!vegetarian|pescatarian|flexitarian|humanitarian|optimist|pessimist|feminist|perfectionist|minimalist|realist|idealist|atheist|tourist|cyclist)\w+(?:ician|iatrician|arian|ographer|ist|eer)|"
    r"(?!lover|believer|beginner|dreamer|thinker|smoker|drinker|eater|reader|runner|hiker|walker|sleeper|riser|learner|newcomer|member|stranger|loser|winner|user|speaker|player|gamer|swimmer|sucker|owner|follower|helper|camper|climber|surfer|skier|listener|talker|giver|worrier|mother|father|brother|sister|daughter|survivor|number|character|order|monster|teenager|over|her|other|never|ever|after|under|super|sober|older|younger|better|longer|tender|clever|bigger|happier|outsider|insider|foreigner|homeowner|partner|prisoner|commuter|introver|procrastinator|regular|together|daydreamer|stickler)[a-z]{3,}(?:er|or)\b(?! (?:than|of|person|for|to|with|by)\b))s?\b)"
)
_AT = rf"(?: (?:at|for|with|in|by) {_EMPLOYER})?"

RULES = (
    Rule("work", r"as (?:an? |the )?(?P<v>[\w' /&-]+?)(?= (?:at|for|with|in|by|and|on|from|since)\b|,|;|$)(?: (?:at|for|with) (?P<at>.+))?", "job", shape="one"),
    Rule("work", rf"(?:\w+ly |full[- ]time |part[- ]time |nights |now |remotely |shifts )?(?:at|for|with) {_EMPLOYER}(?: as (?:an? |the )?(?P<as>.+))?", "works_at", shape="one"),
    Rule("work", r"in (?P<v>(?:the )?(?:[a-z][\w-]* ){0,3}(?:marketing|sales|finance|tech|IT|HR|healthcare|education|banking|insurance|construction|logistics|retail|hospitality|publishing|advertising|consulting|accounting|research|design|engineering|software|law|media|film|music|fashion|politics|real estate|procurement|operations|biotech|pharma|customer support|customer service|quality assurance|QA|human resources|security|cybersecurity|agriculture|tourism|journalism|manufacturing|energy|automotive|aviation|compliance|government|academia|catering|palliative care|intensive care|radiology|industry|sector|department|kitchen|kindergarten|nursery|bakery|library|hospital|laboratory|lab|bookshop|bookstore|school)\b)", "job", shape="one"),
    Rule("join", rf"{_ORG}(?: as (?:an? |the )?(?P<as>.+))?(?=$|,|;| (?:last|this|in|on|as|yesterday|two|three|a|recently|and)\b)", "works_at", shape="one", past="holds", happening=False, cue="joined"),
    Rule("start begin", rf"(?:working |(?:a|my) (?:new )?(?:job|role|position|gig|internship) )?(?:at|with|for) {_EMPLOYER}(?: as (?:an? |the )?(?P<as>.+))?", "works_at", shape="one", past="holds", happening=False, cue="started"),
    Rule("start begin", r"(?:a|my) (?:new )?(?:job|role|position|career|internship) as (?:an? |the )?(?P<v>[\w' /&-]+?)(?= (?:at|for|with|in)\b|,|;|$)(?: (?:at|for|with) (?P<at>.+))?", "job", shape="one", past="holds", happening=False, cue="started"),
    Rule("get land accept take", rf"(?:a|an|the|my) (?:new )?(?:\w+ )?(?:job|offer|position|role|internship|gig) (?:at|with|from) {_EMPLOYER}(?: as (?:an? |the )?(?P<as>.+))?", "works_at", shape="one", past="holds", happening=False, cue="new job"),
    Rule("get land accept take", r"(?:a|an|the|my) (?:new )?(?:job|position|role|internship|gig) as (?:an? |the )?(?P<v>.+)", "job", shape="one", past="holds", happening=False, cue="new job"),
    Rule("get be", rf"(?:just |recently )?(?:hired|employed|taken on) (?:by|at) {_EMPLOYER}", "works_at", shape="one", past="holds", cue="hired"),
    Rule("get be", r"(?:just |recently )?(?:promoted|appointed|moved up) to (?P<v>.+)", "job", shape="one", past="holds", happening=False, cue="promoted"),
    Rule("get be", rf"(?:laid off|fired|let go|made redundant) (?:from|by|at) (?:my (?:job|position|role) (?:at|with) )?{_EMPLOYER}", "works_at", shape="one", past="holds", over=True, cue="laid off"),
    Rule("leave quit", r"(?:my|the) (?:old |current )?(?:job|position|role|post|gig) (?:at|with) (?P<v>.+?)(?= to\b| for\b|,|$)", "works_at", shape="one", past="holds", over=True, happening=False, cue="left"),
    Rule("leave quit", r"(?:my|the) (?:old |current )?(?:job|position|role|post|career|work) as (?:an? |the )?(?P<v>.+?)(?= to\b|,|$)", "job", shape="one", past="holds", over=True, happening=False, cue="left"),
    Rule("leave quit", rf"{_ORG}(?=$|,|;| (?:last|this|in|after|because|and|for|to|two|three|a|yesterday|recently|on)\b)", "works_at", shape="one", past="holds", over=True, happening=False, cue="left"),
    Rule("lose", r"(?:my|the) (?:old |current )?(?:job|position|role) (?:at|with) (?P<v>.+?)(?=,|$)", "works_at", shape="one", past="holds", over=True, happening=False, cue="lost"),
    Rule("be come", r"(?:over|done|up|ended|finished|to an end)\b", "works_at", value="{n}", noun=r"(?:time|job|contract|career|stint|days) (?:at|with) (?P<n>.+)", shape="raw", past="holds", over=True, cue="over"),
    Rule("switch change move", r"(?:jobs|companies|employers|firms)[:,]? from (?P<old>.+?) to (?P<v>.+)", "works_at", shape="one", past="holds", happening=False, cue="switched"),
    Rule("switch change", r"(?:majors?|subjects?|degrees?|courses?|studies)[:,]? from (?P<old>.+?) to (?P<v>.+)", "studies", shape="one", past="holds", happening=False, cue="switched"),
    Rule("drop", r"out of (?P<v>.+)", "studies", shape="one", past="holds", over=True, happening=False, cue="dropped out"),
    Rule("earn make", r"(?:my|a|her|his) living as (?:an? |the )?(?P<v>.+)", "job", shape="one", past="skip"),
    Rule("spend", r"(?:my|most) days as (?:an? |the )?(?P<v>.+)", "job", shape="one", past="skip"),
    Rule("have", rf"(?:an?|my) (?:new |part-time |full-time |summer |side |weekend |\w+ )?(?:job|position|role|gig|internship) (?:at|with) {_EMPLOYER}", "works_at", shape="one", past="ended"),
    Rule("have", r"(?:an?|my) (?:new |part-time |full-time |summer |side |weekend )?(?:job|position|role|gig|internship) as (?:an? |the )?(?P<v>.+)", "job", shape="one", past="ended"),
    Rule("resign retire", rf"(?:as .+? )?from (?:my (?:job|position|role) (?:at|with|as) )?{_EMPLOYER}", "works_at", shape="one", past="holds", over=True, happening=False, cue="left"),
    Rule("retire", r"as (?:an? |the )?(?P<v>.+)", "job", shape="one", past="holds", over=True, happening=False, cue="retired"),
    Rule("retire", r"(?P<v>)(?=$|last|in|this|two|three|a|early|from)", "job", value="retired", shape="raw", past="holds", happening=False, cue="retired"),
    Rule("be", r"(?:(?:now|semi-|recently|already|happily|newly) ?)?(?P<v>retired(?: \w+)?|unemployed|self-employed|between jobs|out of work|on parental leave|on maternity leave|freelance(?: \w+)?|freelancing)(?=$|,|;| (?:now|and|since|from|for|after|as|but)\b)", "job", shape="one", past="skip"),
    Rule("be", r"(?:an? |the )?(?:(?P<year>\w+)[- ]year |full-time |part-time |exchange |grad(?:uate)? |undergrad(?:uate)? |PhD |doctoral |master's |masters |college |university |high school |med(?:ical)? |law )*(?P<v>[\w ]+?) (?:student|major|undergrad)\b(?!s? (?:at|loan))", "studies", shape="one"),
    Rule("be", r"(?:an? )?(?:\w+[- ]?(?:year )?)?(?:PhD |doctoral |grad(?:uate)? |master's |exchange )?student (?:of|in|at) (?P<v>.+)", "studies", shape="one"),
    Rule("be", r"(?P<v>(?:CEO|CTO|CFO|COO|VP|head of \w+|founder|co-founder|director of \w+|vice president)\b)(?: (?:at|of|for) (?P<at>(?:an? |the )?[A-Z].+))?", "job", shape="one"),
    Rule("be", rf"(?:an?|the|now an?|now the|also an?|currently an?|just an?) (?:professional |trained |qualified |licensed |certified |registered |practising )?{JOB}(?: (?:at|for|with) (?P<at>(?:an? |the )?[A-Z].+))?", "job", shape="one"),
    Rule("become", rf"(?:an? |the )?{JOB}(?: (?:at|for|with) (?P<at>.+))?", "job", shape="one", past="holds", happening=False, cue="became"),
    Rule("be", r"(?:an? |the |as an? |being an? )?(?P<v>.+)", "job", noun=r"(?:current |new |day |official )?(?:job|profession|occupation|job title|title|role|position)", shape="one"),
    Rule("be", r"(?P<v>[A-Z].+|an? .+)", "works_at", noun=r"(?:current |new )?(?:employer|company|workplace)", shape="one"),
    Rule("teach", r"(?P<v>[a-zA-Z][\w ]+?)(?= (?:at|in|to|for|part)\b|,|;|$)", "job", value="{v} teacher", shape="one"),
    Rule("run own manage", r"(?:a|an|my own|our own|my|the|our) (?P<v>(?:[\w'-]+ ){0,3}(?:bakery|shop|store|cafe|café|restaurant|business|company|startup|studio|agency|farm|salon|bookshop|bookstore|clinic|bar|pub|brewery|consultancy|hotel|practice|team|department|nonprofit|charity|garage|kitchen|nursery|food truck|b&b)\b(?: (?:in|at|of|called|named) [\w ]+)?)", "job", value="runs {v}", shape="one"),
    Rule("lead head supervise", r"(?:a|an|the|our) (?P<v>(?:[\w'-]+ ){0,3}(?:team|department|group|unit|division|lab)\b.*)", "job", value="leads {v}", shape="one"),
    Rule("found cofound co-found establish launch", r"(?P<v>(?:a|an|my own|our own) (?:[\w'-]+ ){0,3}(?:company|startup|business|agency|nonprofit|charity|studio)\b.*|[A-Z][\w-]+)", "job", value="founder of {v}", shape="one", past="holds", happening=False),
    Rule("freelance intern", r"(?:as (?:an? )?|at |for |with )(?P<v>.+)", "job", shape="one"),
    Rule("study major enroll enrol", r"(?:in |for )?(?P<v>(?!at\b|abroad\b|hard\b|for\b|every\b|all\b|together\b|late\b|with\b|in\b|a lot\b).+?)(?: (?:at|in) (?P<school>(?:the )?(?:[A-Z]|university|college|uni).+))?$", "studies", shape="items", past="holds"),
    Rule("study", r"(?:\w+ )?(?:at|in) (?P<v>(?:the )?[A-Z].+)", "studies", shape="one", past="holds"),
    Rule("do take pursue complete finish start", r"(?:a|an|my|the|her|his) (?:[\w-]+ ){0,2}?(?:PhD|phd|doctorate|master's|masters|master|MBA|bachelor's|bachelor|degree|MSc|BSc|BA|MA|major|minor|course|courses|class|classes|diploma|apprenticeship|bootcamp|certificate|certification|lessons) (?:degree )?(?:in|on|of|as an?) (?P<v>(?!\w+days?\b).+?)(?= (?:at|from|with)\b|,|$)", "studies", shape="one", past="holds"),
    Rule("take", r"(?:an? |some |my )?(?P<v>(?:[\w-]+ ){0,2}[\w-]+) (?:lessons|classes|courses|course|class)\b", "studies", shape="one", past="holds"),
    Rule("have hold get earn receive finish complete", r"(?:a|an|my|two) (?:[\w-]+ ){0,2}?(?:PhD|phd|doctorate|master's|masters|master|MBA|bachelor's|bachelor|degree|MSc|BSc|BA|MA|diploma) (?:degree )?(?:in|of) (?P<v>.+?)(?= (?:at|from|with)\b|,|$)", "studies", shape="one", past="holds"),
    Rule("graduate", r"(?:from (?P<school>.+?) )?(?:in|with (?:a|an) (?:[\w']+ )*?(?:degree|major|master's|bachelor's|BA|MA|BSc|MSc|PhD)? ?in) (?P<v>[a-z].+?)(?= (?:from|at|in|last)\b|,|$)", "studies", shape="one", past="holds", happening=False),
    Rule("graduate", r"from (?P<v>(?:the )?(?:[A-Z]|college|university|law|medical|art|high).+)", "studies", shape="one", past="holds", happening=False),
    Rule("attend", r"(?P<v>(?:the )?(?:[A-Z][\w']+ )+(?:University|College|School|Institute|Academy)\b.*|(?:law|medical|med|art|night|business|culinary|drama|nursing) school|[A-Z]{3,})", "studies", shape="one", past="holds"),
    Rule("be", r"(?:at|in|enrolled (?:in|at)) (?P<v>(?:law|medical|med|art|night|business|culinary|drama|nursing|grad|graduate|vet) school|(?:the )?(?:[A-Z][\w']+ )+(?:University|College)|university|college|a [\w ]+ (?:program|course))(?:$|,| studying| doing)", "studies", shape="one"),
    Rule("be", r"(?:in )?(?P<v>.+)", "studies", noun=r"(?:college |university )?(?:major|minor|degree|field of study|thesis|dissertation)", shape="one"),
    Rule("learn", r"(?:how )?(?:to )?(?P<v>(?!a lot|so much|that|about|more|it|from|something|new|to\b|the hard|much|things).+?)(?: (?:on|with|at|from|in) .+)?$", "studies", shape="items", past="skip"),
    Rule("learn", r"(?:how )?to (?P<v>.+)", "studies", shape="one", past="skip"),
)  # fmt: skip
