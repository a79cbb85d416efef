"""Tools and technologies, and what was switched to what."""

from reverie.minds.rules.tables.rule import Rule, change, ended, present

RULES = (
    change(
        "switch migrate convert change port",
        r"(?:over |back |everything |\w+ |(?:our|my|the) [\w ]+? )?from (?P<old>.+?) (?:over )?to (?P<v>.+?)<tool_end>",
        "uses", cue="switched",
    ),
    change(
        "move transition go",
        r"(?!.*\b(?:by (?:train|car|bus|bike|plane|boat|ferry|night)|on foot)\b)"
        r"(?:over |back |everything |\w+ |(?:our|my|the) [\w ]+? )?"
        r"from (?P<old>[A-Z].*?) (?:over )?to (?P<v>[A-Z].*?)<tool_end>",
        "uses", cue="switched",
    ),
    change(
        "move",
        r"(?:all )?(?:our|my|the) (?:\w+ ){0,2}?(?:CI|builds?|notes|repos?|code|infra|infrastructure|services?|backend|"
        r"frontend|site|website|blog|pipelines?|deployments?|database|data|hosting|tickets|docs|monitoring|stack|apps?|"
        r"workloads?) (?:over )?to <tool><tool_end>",
        "uses", cue="switched",
    ),
    ended("move get migrate", "(?:off(?: of)?) <tool>", "uses", cue="dropped"),
    ended("migrate switch", "away from <tool>", "uses", cue="dropped"),
    change("go", r"back to <tool> (?:after|from) (?:.* of |using )[A-Z].*", "uses", cue="switched"),
    present("be", r"on <tool>(?= (?:everywhere|in production|at work|for everything)\b)", "uses"),
    change(
        "switch migrate convert change transition port",
        r"(?:\w+ |(?:our|my|the) [\w ]+? )?(?:over |back |everything )?to (?P<v>.+?)(?: from (?P<old>.+?))?<tool_end>",
        "uses", cue="switched",
    ),
    change(
        "replace swap ditch drop trade",
        r"(?:out )?(?P<old>.+?) (?:with|by|for|in favou?r of) (?P<v>.+?)<tool_end>",
        "uses", cue="replaced",
    ),
    present(
        "be",
        r"on (?P<v>[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*)*) (?:instead of|rather than|not) (?P<old>.+)",
        "uses", cue="now",
    ),
    present("use", "(?P<v>.+?) (?:instead of|rather than) (?P<old>[A-Z].*)", "uses", cue="now"),
    ended(
        "cancel",
        "(?:my|our|the) (?P<v>.+?) (?:subscription|membership|account|plan|licence|license)",
        "uses", cue="cancelled",
    ),
    ended("be", "(?:done|finished|through) with (?P<v>[A-Z].*)", "uses", cue="done with"),
    ended("ditch abandon uninstall delete", "(?:using )?(?P<v>[^,]+)", "uses", cue="dropped"),
    ended("drop", "(?:using )?<tool>", "uses", cue="dropped"),
    Rule(
        "use",
        r"(?P<v>(?!to\b|it\b|that\b|this\b|them\b|up\b|the same\b|my\b|your\b|what\b).+?)(?= (?:for|as|at|in|on|"
        r"to|when|every|because|with|since|instead of|rather than|and (?:it|that|we|I)|daily|quite|all)\b|,?"
        r" (?:not|which|but)\b|;|$)",
        "uses",
    ),
    Rule(
        "use run",
        r"(?:on |with )?(?P<v><not_measured>.+?)(?= (?:for|as|at|in|to|when|with)\b|;|$)",
        "uses",
        noun="<team>",
    ),
    Rule(
        "be",
        r"(?:all )?(?:written in|built (?:with|on|in)|based on|running on|hosted on|powered by|deployed (?:on|to|"
        r"with)|coded in|on|in) (?P<v>[A-Z].+)",
        "uses",
        noun="<team>",
    ),
    Rule(
        "be",
        "<tool>",
        "uses",
        noun=r"<team>|(?:\w+ )*(?:editor|IDE|browser|OS|operating system|shell|terminal|framework|(?:programming|main) "
        r"language|tech stack|password manager|note-taking app|search engine|calendar app|note app|email client|"
        r"distro)",
    ),
    present(
        "code program develop write build work",
        r"(?:\w+ )?(?:mostly |mainly |primarily |exclusively |only )?(?:in|with|on top of) <tool>",
        "uses",
    ),
    present(
        "run deploy host rely depend standardize standardise",
        r"(?:it |everything |our \w+ |all \w+ |\w+ )?(?:on |to |with |upon )?<tool>",
        "uses",
    ),
    change("adopt install", "<tool>", "uses", cue="adopted"),
    Rule("subscribe", "to (?P<v>.+)", "uses", past="holds"),
    present("pay", "for (?P<v>[A-Z].+)", "uses"),
    present("track manage write keep store take do", ".+? (?:in|with|on) <tool>$", "uses"),
    Rule("be", r"(?:an? )?(?:\w+ )?(?P<v>[A-Z][\w.+#-]*) user\b", "uses"),
)  # fmt: skip
