"""Likes, dislikes, favourites, preferences, what somebody plays."""

from reverie.minds.rules.tables.rule import Rule, present

RULES = (
    present(
        "be",
        "(?:called |named )?(?P<v>.+)",
        "favorite", value="{n}: {v}", shape="one", keep_head=True,
        noun=r"(?:all[- ]time |absolute |new |current |personal |number one )*favourite (?P<n>(?:(?!'s\b)[^,])+?)(?:"
        r" (?:of all time|right now|these days|at the moment|ever|in the world|here|"
        r"nearby|around here|in town|in the area))?",
    ),
    present("be", "(?P<v>.+)", "likes", noun="(?:all[- ]time |absolute )?favourite", shape="one"),
    present("be", "(?P<v>.+)", "prefers", noun="(?:go-to|preferred|usual|default|preference)(?: .+)?", shape="one"),
    present(
        "be",
        r"(?:\w+ )?(?P<v>.+)",
        "likes",
        noun=r"(?:main |biggest |favourite |only |new |other |greatest )*(?:hobby|hobbies|passion|passions|guilty"
        r" pleasure|interest|interests|obsession|first love|comfort food)",
    ),
    present(
        "be",
        "(?:when )?(?P<v>.+)",
        "dislikes", shape="one",
        noun="(?:biggest |main |least favourite |worst )*(?:pet peeve|fear|nightmare|phobia)",
    ),
    present(
        "prefer favor favour",
        r"(?:to )?(?P<v>.+?)(?= (?:over|to|rather than|instead of|than|more than|for|when|if|in|on|because)\b|"
        r"[,;]|$)(?: (?:over|to|rather than|instead of|than) (?P<than>.+))?",
        "prefers", modals="would", keep_head=True,
    ),
    present("like love enjoy", "(?P<v>.+?) (?:better|more) than (?P<than>.+)", "prefers", shape="one"),
    present(
        "like take drink",
        r"(?:my|our) (?P<v>(?:coffee|tea|steak|eggs|toast|pizza|espresso|curry|food|burgers?|meetings|emails|code|"
        r"answers|reports|summaries)\b .+)",
        "prefers", shape="one",
    ),
    present("love like enjoy adore dig cherish", "<not_it>(?:to )?(?P<v>.+)", "likes", negation="dislikes"),
    present("hate dislike loathe despise detest", "<not_it>(?:to )?(?P<v>.+)", "dislikes"),
    present(
        "be",
        r"(?:\w+ )?(?:a |an )?(?:(?:big|huge|massive|great|lifelong|total|die-hard|avid|real|true|major|such a|"
        r"complete|giant|longtime|long-time|big-time|proud) )*(?:fan|lover|enthusiast|devotee|admirer) of"
        r" (?P<v>.+)",
        "likes", negation="dislikes",
    ),
    present(
        "be",
        r"(?:a |an )?(?:(?:big|huge|massive|great|lifelong|total|die-hard|avid|real|true|major|keen|passionate) )"
        r"*(?P<v>[\w-]+(?: [\w-]+)?) (?:fan|lover|enthusiast|buff|nerd|geek|fanatic|aficionado|addict|nut|junkie)"
        r"\b",
        "likes", negation="dislikes",
    ),
    present(
        "be",
        r"(?:an? )?(?P<v>(?:cat|dog|morning|night|coffee|tea|beach|mountain|city|people|outdoors|indoor|early|"
        r"dogs|cats)) person",
        "likes", negation="dislikes",
    ),
    Rule(
        "get",
        r"(?:really |so |super |quite |totally )*into (?P<v>(?!.*\b(?:school|college|university|uni|program|"
        r"accident|fight|trouble|argument|shape|it|bed|debt)\b).+)",
        "likes", past="holds",
    ),
    Rule(
        "be",
        r"(?:\w+ly |so |very |super |totally |absolutely |quite |pretty |big |really |also |still |just |that |"
        r"much )*(?:fond of|into|crazy about|nuts about|mad about|obsessed with|keen on|passionate about|hooked"
        r" on|addicted to|enthusiastic about|partial to|a sucker for|interested in|wild about|enamoured with|"
        r"enamored with|in love with the|in love with) (?P<v>(?!you\b|it\b|him\b|her\b|this\b|that\b|[A-Z]\w+$).+)",
        "likes", past="holds", negation="dislikes",
    ),
    present(
        "be",
        r"(?:\w+ly |so |very |super |totally |absolutely |quite |pretty |really |also |still |just |a bit )"
        r"*(?:sick of|tired of|fed up with|afraid of|scared of|terrified of|bored of|done with|over|not a fan of|"
        r"wary of|allergic to the idea of|put off by|petrified of|frightened of) (?P<v>(?!it\b|this\b|that\b|"
        r"all\b|here\b|the\b).+)",
        "dislikes",
    ),
    present("stand bear", "<not_it>(?P<v>.+)", "dislikes", modals="can could", negation="dislikes"),
    present("have", r"a (?:\w+ )?(?:soft spot|weakness|thing|passion|sweet spot|love) for (?P<v>.+)", "likes"),
    present("have", "a (?P<v>sweet tooth)", "likes"),
    present("have", "a (?:fear|phobia|dread|hatred) of (?P<v>.+)", "dislikes"),
    present("support", r"(?P<v>(?:the )?[A-Z][\w ]*)", "likes"),
    present("root cheer", r"for (?P<v>(?:the )?[A-Z][\w ]*)", "likes"),
    Rule("fall", r"in love with (?P<v>(?!him\b|her\b|you\b|[A-Z]\w+$).+)", "likes", past="holds"),
    present(
        "play",
        r"(?:a (?:lot|bit|little) of |some |a little )?(?P<v>(?!with\b|it\b|around\b|a (?:role|part)\b|outside\b|"
        r"along\b|by\b|that\b|this\b).+?)(?= (?:every|on|with|at|when|since|once|twice|most|after|before|whenever|"
        r"three|four|all|each|because|professionally|badly|together|daily|regularly|to|and (?:I|we))\b|;|$)",
        "plays", modals="can",
    ),
)  # fmt: skip
