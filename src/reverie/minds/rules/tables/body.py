"""Health, allergies, diet."""

from reverie.minds.rules.tables.rule import Rule, change, ended, present

RULES = (
    Rule(
        "be",
        r"(?:\w+ly |very |super |also |extremely |pretty |quite |actually )*allergic to (?P<v>.+)",
        "allergic_to",
    ),
    Rule(
        "have",
        r"(?:an? |this |some )?(?:\w+ )?(?:allergy|allergic reactions?|sensitivity) to (?P<v>.+)",
        "allergic_to",
    ),
    Rule(
        "have",
        r"(?:an? )?(?:(?:severe|bad|serious|mild|terrible|deadly|life-threatening|strong|nasty) )*(?P<v>[\w]+(?:"
        r" \w+)?) allerg(?:y|ies)\b",
        "allergic_to",
    ),
    Rule(
        "be develop",
        "(?:to )?(?P<v>.+)",
        "allergic_to",
        noun="(?:worst |biggest |main |only )?allerg(?:y|ies)(?: is)?",
    ),
    Rule("develop", r"(?:an? )?(?:\w+ )?allergy to (?P<v>.+)", "allergic_to", past="holds"),
    present("get break", "(?:hives|a rash|an allergic reaction|out in hives) (?:from|to) (?P<v>.+)", "allergic_to"),
    present("react", "(?:badly|allergically) to (?P<v>.+)", "allergic_to"),
    Rule("be", r"(?:\w+ )?(?P<v>(?:lactose|gluten|fructose|histamine|dairy)[- ]intolerant)", "health", shape="one"),
    Rule("be", "intolerant (?:to|of) (?P<v>.+)", "allergic_to"),
    Rule(
        "be",
        "(?:an? |now |also |mostly |on an? |basically |pretty much |strictly )*<diet_of>(?: diet)?",
        "diet", shape="one",
    ),
    change("go turn become", "(?:an? |fully )?<diet_of>", "diet", shape="one", cue="became"),
    Rule(
        "follow keep eat do try start",
        "(?:an? |strictly |mostly |only |with an? )?<diet_of>(?: diet)?",
        "diet", shape="one",
    ),
    Rule("be", "(?:an? )?<diet_of>", "diet", noun="diet", shape="one"),
    Rule("be", r"on an? (?P<v>[\w-]+(?: [\w-]+)?) diet", "diet", shape="one"),
    Rule("follow keep", r"an? (?P<v>[\w-]+(?: [\w-]+)?) diet", "diet", shape="one"),
    Rule(
        "give",
        r"up (?:on )?(?:eating |drinking )?(?P<v>(?:all |red )?<food>\b)",
        "diet", value="no {v}", past="holds", cue="gave up",
    ),
    Rule(
        "quit",
        r"(?:eating |drinking )?(?P<v>(?:all |red )?<food>\b)$",
        "diet", value="no {v}", past="holds", cue="gave up",
    ),
    ended("give", "up on <tool>$", "uses", cue="gave up"),
    ended("give", "up (?:on )?(?P<v>(?!my job|hope|that|it|the idea|my seat).+)", "habit", cue="gave up"),
    Rule(
        "avoid skip",
        r"(?P<v>(?:(?:all|any|eating|red|added|processed|most|refined) )*<food>\b.*)",
        "diet", value="no {v}",
    ),
    Rule(
        "be",
        "(?:just |recently |officially )?diagnosed (?:with|as having) (?P<v>.+)",
        "health", past="holds", cue="diagnosed",
    ),
    Rule("get", "(?:just |recently )?diagnosed (?:with|as having) (?P<v>.+)", "health", past="holds", cue="diagnosed"),
    Rule("suffer", "(?:badly |a lot )?(?:from|with) (?P<v>.+)", "health"),
    Rule("live struggle deal", "with <illness_of>", "health"),
    present("have get develop", "<illness_of>", "health"),
    present(
        "be",
        r"(?:a |an |type[- ]\d |also |partially |slightly |legally |red-green |a type \d |\w+ (?:weeks|months) )"
        r"*(?P<v>(?:type \d |red-green |partially |legally )?<condition>)\b",
        "health", shape="one",
    ),
    present(
        "take",
        r"(?P<v>(?:\w+ ){0,2}(?:medication|meds|antidepressants|statins|insulin|beta blockers|blood thinners|"
        r"pills)\b.*)",
        "health", shape="one",
    ),
    present(
        "break sprain tear fracture injure twist dislocate",
        "(?:my|her|his) (?P<v>.+)",
        "event", value="broke {v}", shape="one",
    ),
)  # fmt: skip

# "I do not eat X": the plain negation is the statement.
NEVER = (
    present("eat", "<some_food>", "diet", value="no {v}", modals="can could will"),
    present("drink touch consume", "<some_food>", "diet", value="no {v}", modals="can could will"),
    present("have", r"(?:any )?(?P<v>(?:[a-z]+ )?<food>\b.*)", "diet", value="no {v}", modals="can could"),
    present("tolerate digest", "<some_food>", "allergic_to", modals="can could"),
)  # fmt: skip
