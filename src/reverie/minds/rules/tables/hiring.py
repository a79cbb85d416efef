"""A job begun or ended: joining, hired, signed with, last day."""

from reverie.minds.rules.tables.rule import Rule, change, ended, present

_AS = r"(?: as (?:an? |the |their (?:new )?)?(?P<as>.+))?"

RULES = (
    Rule("join", rf"<not_later><org_name>{_AS}(?=$|,|;)", "works_at", shape="one", past="holds", cue="joined"),
    Rule(
        "start begin",
        rf"<not_later>(?:(?:working|(?:a|my) (?:new )?(?:job|role|position|gig|internship)) )?at <org_name>{_AS}"
        r"(?=$|,|;)",
        "works_at", shape="one", past="holds", cue="started",
    ),
    Rule(
        "get be",
        rf"(?:just |recently )?(?:hired|employed|taken on) (?:by|at) <employer>{_AS}",
        "works_at", shape="one", past="holds", cue="hired",
    ),
    Rule(
        "get be",
        r"(?:just |recently )?(?:hired|employed|taken on) as (?:an? |the |their )?(?P<v>[\w' /&-]+?)"
        r"(?= (?:at|by|for|with)\b|,|;|$)(?: (?:at|by|for|with) (?P<at>.+))?",
        "job", shape="one", past="holds", cue="hired",
    ),
    change("sign", rf"(?:on )?with <org_name>{_AS}(?=$|,|;)", "works_at", shape="one", cue="joined"),
    change(
        "leave quit",
        r"(?P<old>[A-Z0-9][\w&.'-]*(?: [A-Z][\w&.'-]*)*) to (?:join|work (?:at|for)) <org_name>"
        r"(?=$|,|;| (?:as|last|in)\b)",
        "works_at", shape="one", cue="left",
    ),
    ended(
        "leave quit",
        r"(?P<v>[A-Z0-9][\w&.'-]*(?: [A-Z][\w&.'-]*)*) for (?:an? [\w ]+|[A-Z].*)$",
        "works_at", shape="one", cue="left",
    ),
    ended(
        "end expire finish",
        "",
        "works_at", value="{n}", shape="raw", cue="over",
        noun="(?:time|job|contract|stint|internship|assignment) (?:at|with) (?P<n>.+)",
    ),
    Rule(
        "be",
        r"at <org_name>(?= (?:for (?:\w+ ){1,3}(?:years?|months?|decades?)|since (?:19|20)\d\d)\b)",
        "works_at", shape="one",
    ),
    Rule(
        "be",
        r"(?:now |also )?(?:on|in|part of) the [\w ]+? (?:team|department|squad) at <org_name>",
        "works_at", shape="one",
    ),
    Rule(
        "do",
        r"(?:an?|my) (?:\w+ )?(?:internship|apprenticeship|traineeship|residency|postdoc) (?:at|with) <org_name>",
        "works_at", shape="one",
    ),
    present(
        "do",
        r"(?P<v>(?:[a-z]+ )?(?:<field>|engineering)) (?:at|for) (?P<at>an? .+|[A-Z].+)",
        "job", shape="one",
    ),
    present("be", r"in (?:my|the) \w+ (?:year|month|week) as (?:an? |the )?<job>", "job", shape="one"),
    present("make earn", r"(?:a|my) living (?P<v>\w+ing .+)", "job", shape="one"),
    Rule("freelance intern", "(?:at|for|with) <org_name>", "works_at", shape="one"),
)  # fmt: skip
