"""Goals, plans, decisions, and places visited."""

from reverie.minds.rules.tables.rule import Rule, change, ended, present

RULES = (
    present("want", "to <not_small>(?P<v>.+)", "goal", shape="one", keep_head=True),
    present("love like", "to <not_small>(?P<v>.+)", "goal", shape="one", modals="would", needs="would", keep_head=True),
    present("hope aspire aim strive", "(?:to|on|for) <not_small>(?P<v>.+)", "goal", shape="one", keep_head=True),
    present("dream", "(?:of|about) (?P<v>.+)", "goal", shape="one", keep_head=True),
    present(
        "be",
        r"(?:\w+ly |still |really |now )*(?:determined|hoping|aiming|trying|working|looking|dying|eager|keen|"
        r"aspiring|committed) (?:hard )?to (?P<v>.+)",
        "goal", shape="one", keep_head=True,
    ),
    present("try", "to <not_small>(?P<v>.+)", "goal", shape="one", keep_head=True),
    present(
        "save",
        "(?:up )?(?:money )?(?:for|to buy) (?P<v>.+)",
        "goal", value="save for {v}", shape="one", keep_head=True,
    ),
    present("train", "(?:hard )?(?:for|to run) (?P<v>.+)", "goal", value="train for {v}", shape="one", keep_head=True),
    present(
        "work",
        "(?:towards|toward|on becoming|on getting) (?P<v>.+)",
        "goal", value="work towards {v}", shape="one", keep_head=True,
    ),
    present(
        "be",
        "(?:to )?(?P<v>.+)",
        "goal", shape="one", keep_head=True,
        noun=r"(?:\w+ )*(?:goal|dream|aim|ambition|resolution|target|aspiration|bucket list item)(?: (?:this|for|in) "
        r".+)?",
    ),
    present("plan intend", "(?:on |to |for )?(?P<v>.+)", "plans", shape="one", keep_head=True),
    present(
        "be",
        r"(?:\w+ly |still |also )*(?:planning|scheduled|about|due|set|booked|off) (?:on |to |a |for )(?P<v>.+)",
        "plans", shape="one", keep_head=True,
    ),
    present(
        "be",
        "(?:to )?(?P<v>.+)",
        "plans", shape="one", keep_head=True,
        noun=r"(?:\w+ )*(?:plan|plans)(?: (?:this|for|in) .+)?",
    ),
    present(
        "look",
        r"forward to (?:my |our |the |a )?(?P<v>(?!it\b|that\b|hearing\b|seeing you\b|seeing\b|this\b|meeting"
        r" you\b).+)",
        "plans", shape="one", keep_head=True,
    ),
    Rule(
        "book reserve schedule",
        "(?:myself |us )?(?:a|an|my|our|the|two|three|flights|tickets) (?P<v>.+)",
        "plans", shape="one", past="holds",
    ),
    ended(
        "cancel postpone",
        r"(?:our |my |the |a )?(?:upcoming |planned )?(?:(?:trip|flight|flights|visit|holiday|vacation|booking|"
        r"reservation|journey|tickets) (?:to|in|for) )?(?P<v>.+)",
        "plans", shape="one", cue="cancelled",
    ),
    Rule(
        "decide choose agree resolve elect opt vote",
        r"(?:\w+ )?(?:against|not to) (?P<v>.+)",
        "decided", value="not {v}", shape="one", past="holds", keep_head=True,
    ),
    Rule(
        "decide",
        r"(?:\w+ly |together )?that (?:we|I|the team|our team) (?:will|should|would|are going to|shall) (?P<v>.+)",
        "decided", shape="one", past="holds", keep_head=True,
    ),
    Rule(
        "decide choose agree resolve elect opt vote commit",
        r"(?:\w+ly |together |finally |unanimously )?(?:to|on|for|upon|in favou?r of) "
        r"(?!(?:use|do|try|go with|take|buy|keep) (?:it|that|this|them)$)(?P<v>.+?)"
        r"(?: (?:instead of|rather than|over) (?P<old>[A-Z].*?))?(?: for .+)?$",
        "decided", shape="one", past="holds", keep_head=True,
    ),
    Rule("decide agree", r"(?P<v>that (?:all|every|no|the|each) .+)", "decided", shape="raw", past="holds"),
    Rule("land", r"on (?!\w+day\b)<tool>$", "decided", past="holds"),
    Rule(
        "stick",
        "with <not_it>(?P<v>.+)",
        "decided", value="stick with {v}", shape="one", modals="will", past="holds",
    ),
    present(
        "be",
        "(?P<v>to .+)",
        "decided", shape="one",
        noun="(?:final |current |team )?decision",
    ),
    Rule("settle", "on (?P<v>.+)", "decided", shape="one", past="holds", keep_head=True),
    Rule(
        "choose pick select",
        "(?P<v>.+?)(?: (?:over|instead of|rather than) .+)?$",
        "decided", shape="one", past="holds", keep_head=True,
    ),
    Rule(
        "go",
        r"(?:ahead )?with (?P<v>(?!my\b|our\b|him\b|her\b|them\b|the (?:kids|family)\b|some\b|a friend\b|"
        r"friends\b).+?)(?: (?:over|instead of|rather than) .+)?$",
        "decided", shape="one", past="holds", keep_head=True, modals="will",
    ),
    Rule(
        "make",
        "(?:up my mind|the decision|a decision|our decision|the call) to (?P<v>.+)",
        "decided", shape="one", past="holds", keep_head=True,
    ),
    change(
        "visit tour",
        r"(?:my \w+ in |our \w+ in |the city of )?<place_visited>(?! (?:Museum|Gallery|Church))",
        "visited",
    ),
    change("go travel fly drive", "<way_there>to <place_visited>", "visited"),
    present("be", r"(?:\w+ly |once |twice )*to <place_visited>", "visited", happening=False),
    change("be", "(?:just |here )?in <place_visited>", "visited"),
    change("spend", "(?:.+? )in <place_visited>", "visited"),
    change(
        "return come get",
        r"(?:home |back )?(?:back |home )from <way_there>(?:a \w+ (?:\w+ )?(?:to|in) )?<place_visited>",
        "visited",
    ),
    change("return", "from <place_visited>", "visited"),
    change(
        "have take",
        r"(?:a|an|our|my) (?:\w+ ){0,3}(?:trip|holiday|vacation|weekend|honeymoon|getaway|tour) (?:to|in|around|"
        r"through) <place_visited>",
        "visited",
    ),
)  # fmt: skip
