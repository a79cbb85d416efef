"""Likes, dislikes, favourites, preferences, what somebody plays."""

from reverie.minds.rules.tables.rule import Rule

# What "I love …" may open with when it is small talk rather than a taste.
_NOT = (
    r"(?!(?:that|this|it|you|him|her|them|how|what|your|these|those|the (?:way|idea|fact|look|photo|picture|pic|sound|color|colour)|when|where|seeing|hearing|"
    r"everything|each other|talking to you|chatting|my (?:wife|husband|kids?|son|daughter|family|mom|mum|dad|parents|boyfriend|girlfriend|partner|life|job|new))\b)"
)
_V = rf"{_NOT}(?:to )?(?P<v>.+)"

RULES = (
    Rule("be", r"(?P<v>.+)", "favorite", value="{n}: {v}", noun=r"(?:all[- ]time |absolute |new |current |personal |number one )*favourite (?P<n>(?:(?!'s\b)[^,])+?)(?: (?:of all time|right now|these days|at the moment|ever|in the world))?", shape="one", past="skip", keep_head=True),
    Rule("be", r"(?P<v>.+)", "likes", noun=r"(?:all[- ]time |absolute )?favourite", shape="one", past="skip"),
    Rule("be", r"(?P<v>.+)", "prefers", noun=r"(?:go-to|preferred|usual|default|preference)(?: .+)?", shape="one", past="skip"),
    Rule("be", r"(?:\w+ )?(?P<v>.+)", "likes", noun=r"(?:main |biggest |favourite |only |new |other |greatest )*(?:hobby|hobbies|passion|passions|guilty pleasure|interest|interests|obsession|first love|comfort food)", past="skip"),
    Rule("be", r"(?:when )?(?P<v>.+)", "dislikes", noun=r"(?:biggest |main |least favourite |worst )*(?:pet peeve|fear|nightmare|phobia)", shape="one", past="skip"),
    Rule("prefer favor favour", r"(?:to )?(?P<v>.+?)(?= (?:over|to|rather than|instead of|than|more than|for|when|if|in|on|because)\b|[,;]|$)(?: (?:over|to|rather than|instead of|than) (?P<than>.+))?", "prefers", modals="would", past="skip", keep_head=True),
    Rule("like love enjoy", r"(?P<v>.+?) (?:better|more) than (?P<than>.+)", "prefers", past="skip", shape="one"),
    Rule("like take drink", r"(?:my|our) (?P<v>(?:coffee|tea|steak|eggs|toast|pizza|espresso|curry|food|burgers?|meetings|emails|code|answers|reports|summaries)\b .+)", "prefers", shape="one", past="skip"),
    Rule("love like enjoy adore dig cherish", _V, "likes", past="skip", negation="dislikes"),
    Rule("hate dislike loathe despise detest", rf"{_NOT}(?:to )?(?P<v>.+)", "dislikes", past="skip"),
    Rule("be", r"(?:\w+ )?(?:a |an )?(?:(?:big|huge|massive|great|lifelong|total|die-hard|avid|real|true|major|such a|complete|giant|longtime|long-time|big-time|proud) )*(?:fan|lover|enthusiast|devotee|admirer) of (?P<v>.+)", "likes", past="skip", negation="dislikes"),
    Rule("be", r"(?:a |an )?(?:(?:big|huge|massive|great|lifelong|total|die-hard|avid|real|true|major|keen|passionate) )*(?P<v>[\w-]+(?: [\w-]+)?) (?:fan|lover|enthusiast|buff|nerd|geek|fanatic|aficionado|addict|nut|junkie)\b", "likes", past="skip", negation="dislikes"),
    Rule("be", r"(?:an? )?(?P<v>(?:cat|dog|morning|night|coffee|tea|beach|mountain|city|people|outdoors|indoor|early|dogs|cats)) person", "likes", value="{v}", past="skip", negation="dislikes"),
    Rule("get", r"(?:really |so |super |quite |totally )*into (?P<v>(?!.*\b(?:school|college|university|uni|program|accident|fight|trouble|argument|shape|it|bed|debt)\b).+)", "likes", past="holds"),
    Rule("be", r"(?:\w+ly |so |very |super |totally |absolutely |quite |pretty |big |really |also |still |just |that |much )*(?:fond of|into|crazy about|nuts about|mad about|obsessed with|keen on|passionate about|hooked on|addicted to|enthusiastic about|partial to|a sucker for|interested in|wild about|enamoured with|enamored with|in love with the|in love with) (?P<v>(?!you\b|it\b|him\b|her\b|this\b|that\b|[A-Z]\w+$).+)", "likes", past="holds", negation="dislikes"),
    Rule("be", r"(?:\w+ly |so |very |super |totally |absolutely |quite |pretty |really |also |still |just |a bit )*(?:sick of|tired of|fed up with|afraid of|scared of|terrified of|bored of|done with|over|not a fan of|wary of|allergic to the idea of|put off by|petrified of|frightened of) (?P<v>(?!it\b|this\b|that\b|all\b|here\b|the\b).+)", "dislikes", past="skip"),
    Rule("stand bear", rf"{_NOT}(?P<v>.+)", "dislikes", modals="can could", past="skip", negation="dislikes"),
    Rule("have", r"a (?:\w+ )?(?:soft spot|weakness|thing|passion|sweet spot|love) for (?P<v>.+)", "likes", past="skip"),
    Rule("have", r"a (?P<v>sweet tooth)", "likes", past="skip"),
    Rule("have", r"a (?:fear|phobia|dread|hatred) of (?P<v>.+)", "dislikes", past="skip"),
    Rule("support", r"(?P<v>(?:the )?[A-Z][\w ]*)", "likes", past="skip"),
    Rule("root cheer", r"for (?P<v>(?:the )?[A-Z][\w ]*)", "likes", past="skip"),
    Rule("fall", r"in love with (?P<v>(?!him\b|her\b|you\b|[A-Z]\w+$).+)", "likes", past="holds"),
    Rule("play", r"(?:a (?:lot|bit|little) of |some |a little )?(?P<v>(?!with\b|it\b|around\b|a (?:role|part)\b|outside\b|along\b|by\b|that\b|this\b).+?)(?= (?:every|on|with|at|when|since|once|twice|most|after|before|whenever|three|four|all|each|because|professionally|badly|together|daily|regularly|to|and (?:I|we))\b|;|$)", "plays", modals="can", past="skip"),
)  # fmt: skip
