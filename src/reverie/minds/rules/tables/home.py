"""Where somebody lives and comes from."""

from reverie.minds.rules.tables.rule import Rule

_IN = r"(?:.*?\b)?(?:in|on|near|outside|outside of|close to|around|at) (?P<v>.*[A-ZÀ-Þ].*)"

RULES = (
    Rule("live reside", _IN, "lives_in", shape="place"),
    Rule("be", r"(?:currently |now |still |also |here )*(?:based|located|situated|settled|resident|living) (?:out of|in|near|around|outside(?: of)?) (?P<v>.*[A-ZÀ-Þ].*)", "lives_in", shape="place"),
    Rule("be", r"(?:a )?resident of (?P<v>[A-ZÀ-Þ].*)", "lives_in", shape="place"),
    Rule("be", r"(?:now |currently )?(?:in|at|near) (?P<v>.*[A-ZÀ-Þ0-9].*)", "lives_in", noun=r"(?:\w+ )*(?:home|house|flat|apartment|place|address|condo)", shape="place"),
    Rule("be", r"(?P<v>\d+ .*|[A-ZÀ-Þ].*)", "lives_in", noun=r"(?:\w+ )*address|home", shape="place"),
    Rule("move relocate", r"(?:back |away |over |up |down |house |home |here |out )?from (?P<old>[A-ZÀ-Þ][\w .'-]*?) (?:in)?to (?P<v>[A-ZÀ-Þ].*)", "lives_in", shape="place", past="holds", happening=False, cue="moved"),
    Rule("move relocate", r"(?:back |away |over |up |down |house |home |in |here |out |permanently |again )*(?:in)?to (?P<v>(?:the |a \w+ (?:in|near) )?[A-ZÀ-Þ][\w .'-]*?)(?: from (?P<old>[A-ZÀ-Þ][\w' -]+))?(?=$|,|;| (?:for|with|because|after|when|to|and|last|this|in|on|about|at|two|three|a|since|as|recently|yesterday|\d)\b)", "lives_in", shape="place", past="holds", happening=False, cue="moved"),
    Rule("move relocate", r"(?:out of|away from|out from) (?:(?:my|our|the) [\w ]+ (?:in|near) )?(?P<v>[A-ZÀ-Þ].*)", "lives_in", shape="place", past="holds", over=True, happening=False, cue="moved"),
    Rule("settle", r"(?:down )?in (?P<v>[A-ZÀ-Þ].*)", "lives_in", shape="place", past="holds", cue="settled"),
    Rule("rent buy", r"(?:a|an|our|my) (?:\w+ ){0,3}(?:flat|apartment|house|room|studio|place|condo|home) (?:in|near) (?P<v>[A-ZÀ-Þ].*)", "lives_in", shape="place", past="holds", happening=True),
    Rule("be", r"(?:originally |actually |really )*(?:born and raised|born and bred|born|raised|brought up) (?:in|on|near) (?P<v>(?:a \w+ (?:\w+ )?(?:in|near) )?[A-ZÀ-Þ].*)", "from", shape="place", past="holds"),
    Rule("be", r"(?:originally |actually |really |not )*from (?P<v>.*[A-ZÀ-Þ].*)", "from", shape="place", past="skip"),
    Rule("come hail", r"(?:originally )?from (?P<v>(?:a .*)?[A-ZÀ-Þ].*)", "from", shape="place", past="skip", happening=False),
    Rule("grow", r"up (?:in|on|near|around) (?P<v>.*[A-ZÀ-Þ].*)", "from", shape="place", past="holds"),
    Rule("be", r"(?:in )?(?P<v>[A-ZÀ-Þ].*)", "from", noun=r"home ?town|birthplace|home country|country of origin", shape="place"),
)  # fmt: skip
