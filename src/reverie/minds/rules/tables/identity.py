"""Who somebody is: name, age, birthday, languages, how to reach them."""

from reverie.minds.rules.people import NAME
from reverie.minds.rules.tables.rule import Rule

_NUMBER = r"(?P<v>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|eighteen|nineteen|sixteen|seventeen|fifteen|fourteen|thirteen|twelve|eleven|ten|nine|eight|seven|six|five|four|three|two|one)"
_LANGUAGE = (
    r"(?P<v>(?:(?:fluent|native|some|a little|a bit of|basic|good|decent|conversational|broken|only|both) )*"
    r"(?:[A-Z]\w+)(?:(?:, | and |, and | or | as well as | but also )(?:(?:some|a little|a bit of|basic|fluent) )*[A-Z]\w+)*)"
)
_DATE = r"(?:on )?(?P<v>(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z]\w+(?: \d{4})?|[A-Z]\w+ \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|in (?:January|February|March|April|May|June|July|August|September|October|November|December))"

RULES = (
    Rule("be", rf"(?P<v>{NAME})(?=$|,| and | from | by the way)", "name", noun=r"(?:full |first |last |real |middle )?name", shape="name"),
    Rule("be", rf"(?:called |named )?(?P<v>{NAME})", "name", noun=r"nickname", shape="name"),
    Rule("go", rf"by (?P<v>{NAME})", "name", shape="name"),
    Rule("call", rf"me (?P<v>{NAME})", "name", noun=r"(?:friends|family|team|colleagues|mom|mum|parents|students).*", shape="name"),
    Rule("be", rf"(?:about |almost |only )?{_NUMBER}(?:(?:[ -]years?[ -]old| years of age| yo)\b|$|,| and | now\b| years young)(?! years| kids)", "age", shape="one", past="skip"),
    Rule("be", r"in my \w+, (?P<v>\d{2})\b", "age", shape="one", past="skip"),
    Rule("turn", rf"(?:the big )?{_NUMBER}(?=$|,| \w+)(?! (?:left|right|around))", "age", shape="one", past="holds", happening=False, cue="turned"),
    Rule("be", r"(?:about )?(?P<v>\d{1,3})\b", "age", noun="age", shape="one"),
    Rule("be", _DATE, "birthday", noun=r"birthday|date of birth|bday|b-day", shape="raw"),
    Rule("be", rf"born {_DATE}", "birthday", shape="raw", past="holds"),
    Rule("have", rf"(?:my|a) birthday {_DATE}", "birthday", shape="raw"),
    Rule("celebrate", rf"my birthday {_DATE}", "birthday", shape="raw"),
    Rule("speak", _LANGUAGE, "speaks", modals="can", past="skip"),
    Rule("be", rf"(?:fluent|bilingual|trilingual|conversational|proficient) in {_LANGUAGE}", "speaks"),
    Rule("be", r"(?:a )?(?:native|fluent) (?P<v>[A-Z]\w+) speaker", "speaks"),
    Rule("be", _LANGUAGE, "speaks", noun=r"(?:native|first|second|main) language|mother tongue|native tongue"),
    Rule("be", r"(?P<v>[\w.+-]+@[\w-]+\.[\w.]+\w)", "email", noun=r"(?:\w+ )?e-?mail(?: address)?", shape="raw"),
    Rule("be", r"(?P<v>\+?[\d(][\d ()./-]{4,}\d)", "phone", noun=r"(?:\w+ )*(?:phone|number|cell|mobile)(?: number)?", shape="raw"),
)  # fmt: skip
