"""Things, pets, family: what and whom somebody has."""

from reverie.minds.rules.tables.rule import Rule, change, ended, present


def _named(predicate: str, plural: str = "friends") -> Rule:
    """ "I have a sister named Anna", "we have two kids, Tom and Ida"."""
    where = r"(?: (?:here|from \w+|at \w+|in \w+))?"
    who = rf"(?:an?|one|my|two|three|four|\d) <adjectives>(?:<kin_{predicate}>|{plural}){where}"
    called = r"(?:,| named| called|:|, named|, called| whose names? (?:is|are)|;)+"
    names = r"(?P<v><name>(?:(?:, and |, | and |,? & )<name>)*)"
    return Rule("have get", f"{who}{called} {names}", predicate, past="holds", keep_head=True)


RULES = (
    change("pick", "up <a_thing>", "owns", shape="one"),
    _named("has_child", "kids|children|sons|daughters|boys|girls|twins"),
    _named("sibling", "brothers|sisters|siblings|twins"),
    *(_named(predicate) for predicate in ("spouse", "partner", "friend", "colleague", "relation", "parent")),
    change(
        "have own keep get adopt rescue foster raise buy",
        r"(?:an? |our |my |the |this |some |another |just )*(?:new |lovely |little |rescue |old |big |small |tiny"
        r" |adorable |beautiful |sweet |crazy |pet |baby )*<a_pet>",
        "has_pet", shape="raw",
    ),
    Rule(
        "be",
        "(?:called |named )?(?P<v><name>)(?=$|,|;| and )",
        "has_pet", value="{n} {v}", shape="raw",
        noun="(?P<n><pet>)(?:'s name)?(?: is)?",
    ),
    present(
        "be",
        r"(?:an? )?(?P<v>(?:[\w-]+ ){0,3}\w+)$",
        "has_pet", value="{n}, {v}", shape="raw",
        noun="(?P<n><pet>)",
    ),
    present("have", "<kids>", "has_child", shape="raw"),
    Rule(
        "be",
        r"(?:an? |the )?(?:proud |single |busy )?(?:mother|mom|mum|father|dad|parent|parents) (?:of|to) "
        r"(?P<v>(?:\d+|two|three|four|five|six|twin|an?|one|twin)(?: (?:little|young|small|grown|beautiful|older|"
        r"teenage|adult|baby|\w+-year-old))* (?:kids?|children|child|sons?|daughters?|boys?|girls?|baby|twins?|"
        r"toddlers?|grandchildren)\b(?: and (?:\d+|two|three|an?|one|twin) (?:\w+ )?(?:sons?|daughters?|boys?|"
        r"girls?|baby)\b)?)",
        "has_child", shape="raw",
    ),
    Rule(
        "be",
        r"(?:an? |the )?(?:proud |single |busy )?(?:mother|mom|mum|father|dad|parent|parents) (?:of|to) (?P<v>\w+)$",
        "has_child", value="{v} children", shape="one",
    ),
    present("have", "<siblings>", "sibling", shape="raw"),
    change("marry", "(?:to )?(?P<v><name>)", "spouse", shape="name", cue="married"),
    Rule(
        "be get",
        r"(?:happily |now |just |recently |newly )?married to (?:an? [\w ]+ (?:called|named) )?(?P<v><name>)",
        "spouse", shape="name", past="holds", cue="married",
    ),
    Rule(
        "be get",
        "(?:happily |now |just |recently )?engaged to (?P<v><name>)",
        "partner", shape="name", past="holds", cue="engaged",
    ),
    present(
        "date see",
        r"(?:a \w+ (?:named|called) |someone (?:named|called) )?(?P<v><name>)(?=$|,| for\b| since\b| now\b)",
        "partner", shape="name",
    ),
    Rule("be", "in a relationship with (?P<v><name>)", "partner", shape="name"),
    ended("divorce", "(?:from )?(?P<v><name>)", "spouse", shape="name", cue="divorced"),
    ended(
        "be get",
        "(?:now |recently )?(?:divorced|separated) from (?P<v><name>)",
        "spouse", shape="name", cue="divorced",
    ),
    ended("break split", "up with (?P<v><name>)", "partner", shape="name", cue="broke up"),
    present(
        "drive ride",
        r"(?P<v>(?:an? |my |the |our )?(?:(?:[\w'-]+ ){0,3}?(?:[A-Z][\w-]*|\d{4}|car|van|truck|electric|hybrid|"
        r"pickup|EV|motorbike|camper)).*)",
        "drives", shape="one",
    ),
    Rule(
        "be",
        r"(?:an? )?(?P<v>(?:\w+ )?[A-Z0-9].*|an? .+)",
        "drives", shape="one",
        noun="(?:new |current |first |old )?(?:car|van|truck|vehicle|ride)",
    ),
    ended(
        "rehome surrender",
        r"(?:my|our|the) (?:\w+ )?(?P<v><pet>\b(?: <name>)?)",
        "has_pet", shape="raw", cue="rehomed",
    ),
    change(
        "swap trade exchange",
        "(?:in )?(?:my|our) (?:old |trusty )?(?P<old>.+?) (?:in )?for (?:an? |the )?(?P<v>.+)",
        "owns", shape="one", cue="swapped",
    ),
    ended(
        "sell",
        r"(?:an? |my |our |the )(?:old |beloved |trusty )?(?P<v>[\w' -]+?)(?=$|,|;| (?:last|this|to|for|in|on|"
        r"yesterday|because|and|after|when|two|a)\b)",
        "owns", shape="one", cue="sold",
    ),
    ended(
        "give get",
        r"(?:away|rid of) (?:my |our |the )(?:old )?(?P<v>[\w' -]+?)(?=$|,|;| (?:last|this|to|for|in|on|yesterday|"
        r"because|and|after)\b)",
        "owns", shape="one", cue="got rid of",
    ),
    ended("give", r"(?:my|our) (?:old )?(?P<v>[\w' -]+?) away\b", "owns", shape="one", cue="got rid of"),
    Rule("own", "(?:an? |the |my |two |three |some )?(?P<v>.+)", "owns"),
    present("have", "<a_thing>", "owns", shape="one"),
    change("buy purchase get order inherit build acquire lease receive", "<a_thing>", "owns", shape="one"),
    change("buy purchase get order inherit acquire lease", "<a_brand>", "owns", shape="one"),
    present("have", "<a_brand>", "owns", shape="one"),
    change(
        "buy purchase order inherit acquire",
        "(?:myself |ourselves )?(?:an?|my first|our first|my own|some|new|two|three) (?P<v>.+)",
        "owns", shape="one",
    ),
    change("treat", "(?:myself|ourselves) to (?:an?|some) (?P<v>.+)", "owns", shape="one"),
    Rule("be", "(?:an? |the )?(?:proud |new )?owner of (?:an? |the |two )?(?P<v>.+)", "owns", shape="one"),
)  # fmt: skip
