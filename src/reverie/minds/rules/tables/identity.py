"""Who somebody is: name, age, birthday, languages, how to reach them."""

from reverie.minds.rules.tables.rule import Rule, change, present

RULES = (
    Rule(
        "be",
        "(?P<v><name>)(?=$|,| and | from | by the way)",
        "name", shape="name",
        noun="(?:full |first |last |real |middle )?name",
    ),
    Rule("be", "(?:called |named )?(?P<v><name>)", "name", noun="nickname", shape="name"),
    Rule("go", "by (?P<v><name>)", "name", shape="name"),
    Rule(
        "call",
        "me (?P<v><name>)",
        "name", shape="name",
        noun="(?:friends|family|team|colleagues|mom|mum|parents|students).*",
    ),
    present(
        "be",
        r"(?:about |almost |only )?<number>(?:(?:[ -]years?[ -]old| years of age| yo)\b|$|,| and | now\b| years"
        r" young)(?! years| kids)",
        "age", shape="one",
    ),
    present("be", r"in my \w+, (?P<v>\d{2})\b", "age", shape="one"),
    change("turn", r"(?:the big )?<number>(?=$|,| \w+)(?! (?:left|right|around))", "age", shape="one", cue="turned"),
    Rule("be", r"(?:about )?(?P<v>\d{1,3})\b", "age", noun="age", shape="one"),
    Rule("be", "<calendar_date>", "birthday", noun="birthday|date of birth|bday|b-day", shape="raw"),
    Rule("be", "born <calendar_date>", "birthday", shape="raw", past="holds"),
    Rule("have", "(?:my|a) birthday <calendar_date>", "birthday", shape="raw"),
    Rule("celebrate", "my birthday <calendar_date>", "birthday", shape="raw"),
    present("speak", r"(?:\w+ languages[:,;]? )?<language>", "speaks", modals="can"),
    Rule("be", "(?:fluent|bilingual|trilingual|conversational|proficient) in <language>", "speaks"),
    Rule("be", r"(?:a )?(?:native|fluent) (?P<v>[A-Z]\w+) speaker", "speaks"),
    Rule("be", "<language>", "speaks", noun="(?:native|first|second|main) language|mother tongue|native tongue"),
    Rule("be", r"(?P<v>[\w.+-]+@[\w-]+\.[\w.]+\w)", "email", noun=r"(?:\w+ )?e-?mail(?: address)?", shape="raw"),
    Rule(
        "be",
        r"(?P<v>\+?[\d(][\d ()./-]{4,}\d)",
        "phone", shape="raw",
        noun=r"(?:\w+ )*(?:phone|number|cell|mobile)(?: number)?",
    ),
)  # fmt: skip
