"""Where somebody lives and comes from."""

from reverie.minds.rules.tables.rule import Rule, change, ended, present

RULES = (
    Rule("live reside", "<in_place>", "lives_in", shape="place"),
    Rule(
        "be",
        r"(?:currently |now |still |also |here )*(?:based|located|situated|settled|resident|living) (?:out of|in|"
        r"near|around|outside(?: of)?) (?P<v>.*[A-ZÀ-Þ].*)",
        "lives_in", shape="place",
    ),
    Rule("be", "(?:a )?resident of (?P<v>[A-ZÀ-Þ].*)", "lives_in", shape="place"),
    Rule(
        "be",
        "(?:now |currently )?(?:in|at|near) (?P<v>.*[A-ZÀ-Þ0-9].*)",
        "lives_in", shape="place",
        noun=r"(?:\w+ )*(?:home|house|flat|apartment|place|address|condo)",
    ),
    Rule("be", r"(?P<v>\d+ .*|[A-ZÀ-Þ].*)", "lives_in", noun=r"(?:\w+ )*address|home", shape="place"),
    change(
        "move relocate",
        r"(?:back |away |over |up |down |house |home |here |out )?from (?P<old>[A-ZÀ-Þ][\w .'-]*?) (?:in)?to"
        r" (?P<v>[A-ZÀ-Þ].*)",
        "lives_in", shape="place", cue="moved",
    ),
    change(
        "move relocate",
        r"(?:back |away |over |up |down |house |home |in |here |out |permanently |again )*(?:in)?to (?P<v>(?:the |"
        r"a \w+ (?:in|near) )?[A-ZÀ-Þ][\w .'-]*?)(?: from (?P<old>[A-ZÀ-Þ][\w' -]+))?(?=$|,|;| (?:for|with|"
        r"because|after|when|to|and|last|this|in|on|about|at|two|three|a|since|as|recently|yesterday|\d)\b)",
        "lives_in", shape="place", cue="moved",
    ),
    ended(
        "move relocate",
        r"(?:out of|away from|out from) (?:(?:my|our|the) [\w ]+ (?:in|near) )?(?P<v>[A-ZÀ-Þ].*)",
        "lives_in", shape="place", cue="moved",
    ),
    Rule("settle", "(?:down )?in (?P<v>[A-ZÀ-Þ].*)", "lives_in", shape="place", past="holds", cue="settled"),
    Rule(
        "rent buy",
        r"(?:a|an|our|my) (?:\w+ ){0,3}(?:flat|apartment|house|room|studio|place|condo|home) (?:in|near) "
        r"(?P<v>[A-ZÀ-Þ].*)",
        "lives_in", shape="place", past="holds",
    ),
    Rule(
        "be",
        r"(?:originally |actually |really )*(?:born and raised|born and bred|born|raised|brought up) (?:in|"
        r"near) (?P<v>(?:a \w+ (?:\w+ )?(?:in|near) )?[A-ZÀ-Þ].*)",
        "from", shape="place", past="holds",
    ),
    present("be", "(?:originally |actually |really |not )*from (?P<v>.*[A-ZÀ-Þ].*)", "from", shape="place"),
    present("come hail", "(?:originally )?from (?P<v>(?:a .*)?[A-ZÀ-Þ].*)", "from", shape="place", happening=False),
    Rule("grow", "up (?:in|on|near|around) (?P<v>.*[A-ZÀ-Þ].*)", "from", shape="place", past="holds"),
    Rule(
        "be",
        "(?:in )?(?P<v>[A-ZÀ-Þ].*)",
        "from", shape="place",
        noun="home ?town|birthplace|home country|country of origin",
    ),
)  # fmt: skip
