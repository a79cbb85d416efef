"""Work and studies: employer, job, subject, school."""

from reverie.minds.rules.tables.rule import Rule, change, ended, present

RULES = (
    Rule(
        "work",
        r"as (?:an? |the )?(?P<v>[\w' /&-]+?)(?= (?:at|for|with|in|by|and|on|from|since)\b|,|;|$)(?: (?:at|for|"
        r"with) (?P<at>.+))?",
        "job", shape="one",
    ),
    Rule(
        "work",
        r"<work_mode>?(?:at|for|with) <employer>(?: as (?:an? |the )?(?P<as>.+))?",
        "works_at", shape="one",
    ),
    Rule("work", "<work_mode>?(?:at|for) <some_org>", "works_at", shape="one"),
    Rule("be", "employed (?:at|by) <some_org>", "works_at", shape="one"),
    present("be", r"in (?P<v><field>)(?=$|,|;| (?:now|and|at|for|but)\b)", "job", shape="one"),
    ended("hand give", r"(?:in )?(?:my )?notice (?:at|to) (?P<v>.+)", "works_at", shape="one", cue="left"),
    Rule("work", r"in (?P<v>(?:the )?(?:[a-z][\w-]* ){0,3}<field>\b)", "job", shape="one"),
    change(
        "join",
        r"<org>(?: as (?:an? |the )?(?P<as>.+))?(?=$|,|;| (?:last|this|in|on|as|yesterday|two|three|a|recently|and)\b)",
        "works_at", shape="one", cue="joined",
    ),
    change(
        "start begin",
        r"(?:working |(?:a|my) (?:new )?(?:job|role|position|gig|internship) )?(?:at|with|for) <employer>(?: as"
        r" (?:an? |the )?(?P<as>.+))?",
        "works_at", shape="one", cue="started",
    ),
    change(
        "start begin",
        r"(?:a|my) (?:new )?(?:job|role|position|career|internship) as (?:an? |the )?(?P<v>[\w' /&-]+?)(?= (?:at|"
        r"for|with|in)\b|,|;|$)(?: (?:at|for|with) (?P<at>.+))?",
        "job", shape="one", cue="started",
    ),
    change(
        "get land accept take",
        r"(?:a|an|the|my) (?:new )?(?:\w+ )?(?:job|offer|position|role|internship|gig) (?:at|with|from) "
        r"<employer>(?: as (?:an? |the )?(?P<as>.+))?",
        "works_at", shape="one", cue="new job",
    ),
    change(
        "get land accept take",
        "(?:a|an|the|my) (?:new )?(?:job|position|role|internship|gig) as (?:an? |the )?(?P<v>.+)",
        "job", shape="one", cue="new job",
    ),
    change(
        "get be",
        "(?:just |recently )?(?:promoted|appointed|moved up) to (?P<v>.+)",
        "job", shape="one", cue="promoted",
    ),
    ended(
        "get be",
        "(?:laid off|fired|let go|made redundant) (?:from|by|at) (?:my (?:job|position|role) (?:at|with) )?<employer>",
        "works_at", shape="one", cue="laid off",
    ),
    ended(
        "leave quit",
        r"(?:my|the) (?:old |current )?(?:job|position|role|post|gig) (?:at|with) (?P<v>.+?)(?= to\b| for\b|,|$)",
        "works_at", shape="one", cue="left",
    ),
    ended(
        "leave quit",
        r"(?:my|the) (?:old |current )?(?:job|position|role|post|career|work) as (?:an? |the )?(?P<v>.+?)(?= to\b|,|$)",
        "job", shape="one", cue="left",
    ),
    ended(
        "leave quit",
        r"<org_name>(?=$|,|;| (?:last|this|in|after|because|and|for|to|two|three|a|yesterday|recently|on)\b)",
        "works_at", shape="one", cue="left",
    ),
    ended(
        "lose",
        "(?:my|the) (?:old |current )?(?:job|position|role) (?:at|with) (?P<v>.+?)(?=,|$)",
        "works_at", shape="one", cue="lost",
    ),
    ended(
        "be come",
        r"(?:over|done|up|ended|finished|to an end)\b",
        "works_at", value="{n}", shape="raw", cue="over",
        noun="(?:time|job|contract|career|stint|days) (?:at|with) (?P<n>.+)",
    ),
    change(
        "switch change move",
        "(?:jobs|companies|employers|firms)[:,]? from (?P<old>.+?) to (?P<v>.+)",
        "works_at", shape="one", cue="switched",
    ),
    change(
        "switch change",
        "(?:majors?|subjects?|degrees?|courses?|studies)[:,]? from (?P<old>.+?) to (?P<v>.+)",
        "studies", shape="one", cue="switched",
    ),
    ended("drop", "out of (?P<v>.+)", "studies", shape="one", cue="dropped out"),
    present("earn make", "(?:my|a|her|his) living as (?:an? |the )?(?P<v>.+)", "job", shape="one"),
    present("spend", "(?:my|most) days as (?:an? |the )?(?P<v>.+)", "job", shape="one"),
    Rule(
        "have",
        r"(?:an?|my) (?:new |part-time |full-time |summer |side |weekend |\w+ )?(?:job|position|role|gig|"
        r"internship) (?:at|with) <employer>",
        "works_at", shape="one",
    ),
    Rule(
        "have",
        r"(?:an?|my) (?:new |part-time |full-time |summer |side |weekend )?(?:job|position|role|gig|internship) "
        r"as (?:an? |the )?(?P<v>.+)",
        "job", shape="one",
    ),
    ended(
        "resign retire",
        "(?:as .+? )?from (?:my (?:job|position|role) (?:at|with|as) )?<employer>",
        "works_at", shape="one", cue="left",
    ),
    ended("retire", "as (?:an? |the )?(?P<v>.+)", "job", shape="one", cue="retired"),
    change(
        "retire",
        "(?P<v>)(?=$|last|in|this|two|three|a|early|from)",
        "job", value="retired", shape="raw", cue="retired",
    ),
    present(
        "be",
        r"(?:(?:now|semi-|recently|already|happily|newly) ?)?(?P<v>retired(?: \w+)?|unemployed|self-employed|"
        r"between jobs|out of work|on parental leave|on maternity leave|freelance(?: \w+)?|freelancing)(?=$|,|;|"
        r" (?:now|and|since|from|for|after|as|but|until|right)\b)",
        "job", shape="one",
    ),
    Rule(
        "be",
        r"(?:an? |the )?(?:(?P<year>\w+)[- ]year |full-time |part-time |exchange |grad(?:uate)? |undergrad(?:uate)"
        r"? |PhD |doctoral |master's |masters |college |university |high school |med(?:ical)? |law )*"
        r"(?P<v>(?!an?\b|the\b)[\w ]+?) (?:student|major|undergrad)\b(?!s? (?:at|loan))",
        "studies", shape="one",
    ),
    Rule(
        "be",
        r"(?:an? )?(?:\w+[- ]?(?:year )?)?(?:PhD |doctoral |grad(?:uate)? |master's |exchange )?student (?:of|in|"
        r"at) (?P<v>.+)",
        "studies", shape="one",
    ),
    Rule(
        "be",
        r"(?P<v>(?:CEO|CTO|CFO|COO|VP|head of \w+|founder|co-founder|director of \w+|vice president)\b)(?: (?:at|"
        r"of|for) (?P<at>(?:an? |the )?[A-Z].+))?",
        "job", shape="one",
    ),
    Rule(
        "be",
        r"(?:an?|the|now an?|now the|also an?|currently an?|just an?) (?:professional |trained |qualified |"
        r"licensed |certified |registered |practising )?<job>(?: (?:at|for|with) (?P<at>(?:an? |the )?[A-Z].+))?",
        "job", shape="one",
    ),
    change("become", "(?:an? |the )?<job>(?: (?:at|for|with) (?P<at>.+))?", "job", shape="one", cue="became"),
    present(
        "be",
        "(?:(?:basically|mostly|mainly|to be|as|being|that of) )*(?:an?|the) (?P<v>.+)",
        "job", shape="one",
        noun="(?:current |new |day |official )?(?:job|profession|occupation|job title|title|role|position)",
    ),
    present(
        "be",
        r"(?:(?:basically|mostly|mainly) )*(?P<v>(?!<job_adjective>\b).+)",
        "job", shape="one",
        noun="(?:current |new |day |official )?(?:job|profession|occupation|job title|title|role|position)",
    ),
    Rule(
        "be",
        "(?:called |named )?(?P<v>[A-Z].+|an? .+)",
        "works_at", shape="one",
        noun="(?:current |new )?(?:employer|company|workplace)",
    ),
    Rule("teach", r"(?P<v><not_somebody>[\w ]+?)(?= (?:at|in|to|for|part)\b|,|;|$)", "job", value="{v} teacher"),
    present(
        "run own manage",
        r"(?:a|an|my own|our own|my|the|our) (?P<v>(?:[\w'-]+ ){0,3}<business>(?: (?:in|at|of|called|named) [\w ]+)?)"
        r"(?=$|,|;| (?:with|and|near|for|from|together|since)\b)",
        "job", value="runs {v}", shape="one",
    ),
    Rule(
        "lead head supervise",
        r"(?:a|an|the|our) (?P<v>(?:[\w'-]+ ){0,3}(?:team|department|group|unit|division|lab)\b.*)",
        "job", value="leads {v}", shape="one",
    ),
    change(
        "found cofound co-found establish launch",
        r"(?P<v>(?:a|an|my own|our own) (?:[\w'-]+ ){0,3}(?:company|startup|business|agency|nonprofit|charity|"
        r"studio)\b.*|[A-Z][\w-]+)",
        "job", value="founder of {v}", shape="one",
    ),
    Rule("freelance intern", "(?:as (?:an? )?|at |for |with )(?P<v>.+)", "job", shape="one"),
    Rule(
        "study major enroll enrol",
        r"(?:in |for )?(?P<v>(?!at\b|abroad\b|hard\b|for\b|every\b|all\b|together\b|late\b|with\b|in\b|a lot\b)"
        r".+?)(?: (?:at|in) (?P<school>(?:the )?(?:[A-Z]|university|college|uni).+))?$",
        "studies", past="holds",
    ),
    present(
        "be",
        r"in (?:my|the) (?:\w+ )?(?:year|semester|term) of (?:my )?(?:<degree> in )?(?P<v>[a-z][\w ]+?)"
        r"(?: at (?P<school>[A-Z].+))?$",
        "studies", shape="one",
    ),
    Rule("study", r"(?:\w+ )?(?:at|in) (?P<v>(?:the )?[A-Z].+)", "studies", shape="one", past="holds"),
    Rule(
        "do take pursue complete finish start",
        r"(?:a|an|my|the|her|his) (?:[\w-]+ ){0,2}?(?:<degree>|<course>) (?:degree )?(?:in|on|of|as an?) "
        r"(?P<v>(?!\w+days?\b).+?)(?= (?:at|from|with)\b|,|$)",
        "studies", shape="one", past="holds",
    ),
    Rule(
        "take",
        r"(?:an? |some |my )?(?P<v>(?:[\w-]+ ){0,2}[\w-]+) (?:lessons|classes|courses|course|class)\b",
        "studies", shape="one", past="holds",
    ),
    Rule(
        "have hold get earn receive finish complete",
        r"(?:a|an|my|two) (?:[\w-]+ ){0,2}?<degree> (?:degree )?(?:in|of) (?P<v>.+?)(?= (?:at|from|with)\b|,|$)",
        "studies", shape="one", past="holds",
    ),
    change(
        "graduate",
        r"(?:from (?P<school>.+?) )?(?:in|with (?:a|an) (?:[\w']+ )*?(?:degree|major|master's|bachelor's|BA|MA|"
        r"BSc|MSc|PhD)? ?in) (?P<v>[a-z].+?)(?= (?:from|at|in|last)\b|,|$)",
        "studies", shape="one",
    ),
    change(
        "graduate",
        "from (?P<v>(?:the )?(?:[A-Z]|college|university|law|medical|art|high).+)",
        "studies", shape="one",
    ),
    Rule(
        "attend",
        r"(?P<v>(?:the )?(?:[A-Z][\w']+ )+(?:University|College|School|Institute|Academy)\b.*|<school>|[A-Z]{3,})",
        "studies", shape="one", past="holds",
    ),
    Rule(
        "be",
        r"(?:at|in|enrolled (?:in|at)) (?P<v><school>|(?:the )?(?:[A-Z][\w']+ )+(?:University|College)|university|"
        r"college|a [\w ]+ (?:program|course))(?:$|,| studying| doing)",
        "studies", shape="one",
    ),
    Rule(
        "be",
        "(?:in )?(?P<v>.+)",
        "studies", shape="one",
        noun="(?:college |university )?(?:major|minor|degree|field of study|thesis|dissertation)",
    ),
    present(
        "learn",
        r"(?:how )?(?:to )?(?P<v>(?!a lot|so\b|that|about|more|it|from|something|new|to\b|the hard|much|things|"
        r"with\b|as\b|a ton|tons|every|by\b|each|what|why|valuable)"
        r".+?)(?: (?:on|with|at|from|in) .+)?$",
        "studies",
    ),
    present("learn", "(?:how )?to (?P<v>.+)", "studies", shape="one"),
)  # fmt: skip
