"""Tools and technologies, and what was switched to what."""

from reverie.minds.rules.tables.rule import Rule

_TOOL = r"(?P<v>[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*)*(?:(?:, | and |, and | plus | with )[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*)*)*)"
_TEAM = r"(?:\w+ )*(?:team|project|app|company|backend|frontend|back end|front end|codebase|code base|site|website|service|services|stack|database|pipeline|product|blog|api|startup|office|org|organization|repo|server|servers|cluster|infrastructure|ci|platform|system)(?: of choice)?"
_END = r"(?=$|,|;| (?:last|this|because|since|for|as|on|in|when|after|and|at|about|two|three|a|yesterday|recently|now|so|which|where|to|over|every)\b)"

RULES = (
    Rule("switch migrate move convert change transition port go", r"(?:over |back |everything |\w+ |(?:our|my|the) [\w ]+? )?from (?P<old>.+?) (?:over )?to (?P<v>.+?)" + _END, "uses", past="holds", happening=False, cue="switched"),
    Rule("switch migrate convert change transition port", r"(?:\w+ |(?:our|my|the) [\w ]+? )?(?:over |back |everything )?to (?P<v>.+?)(?: from (?P<old>.+?))?" + _END, "uses", past="holds", happening=False, cue="switched"),
    Rule("replace swap ditch drop trade", r"(?:out )?(?P<old>.+?) (?:with|by|for) (?P<v>.+?)" + _END, "uses", past="holds", happening=False, cue="replaced"),
    Rule("be", r"on (?P<v>[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*)*) (?:instead of|rather than|not) (?P<old>.+)", "uses", past="skip", cue="now"),
    Rule("use", r"(?P<v>.+?) (?:instead of|rather than) (?P<old>[A-Z].*)", "uses", past="skip", cue="now"),
    Rule("cancel", r"(?:my|our|the) (?P<v>.+?) (?:subscription|membership|account|plan|licence|license)", "uses", past="holds", over=True, happening=False, cue="cancelled"),
    Rule("be", r"(?:done|finished|through) with (?P<v>[A-Z].*)", "uses", past="holds", over=True, cue="done with"),
    Rule("ditch abandon uninstall delete", r"(?:using )?(?P<v>.+)", "uses", past="holds", over=True, happening=False, cue="dropped"),
    Rule("drop", r"(?:using )?" + _TOOL, "uses", past="holds", over=True, happening=False, cue="dropped"),
    Rule("use", r"(?P<v>(?!to\b|it\b|that\b|this\b|them\b|up\b|the same\b|my\b|your\b|what\b).+?)(?= (?:for|as|at|in|on|to|when|every|because|with|since|instead of|rather than|and (?:it|that|we|I)|daily|quite|all)\b|,? (?:not|which|but)\b|;|$)", "uses"),
    Rule("use run", r"(?:on |with )?(?P<v>.+?)(?= (?:for|as|at|in|to|when|with)\b|;|$)", "uses", noun=_TEAM),
    Rule("be", r"(?:all )?(?:written in|built (?:with|on|in)|based on|running on|hosted on|powered by|deployed (?:on|to|with)|coded in|on|in) (?P<v>[A-Z].+)", "uses", noun=_TEAM),
    Rule("be", _TOOL, "uses", noun=_TEAM + r"|(?:\w+ )*(?:editor|IDE|browser|OS|operating system|shell|terminal|framework|(?:programming|main) language|tech stack|password manager|note-taking app|search engine|calendar app|note app|email client|distro)"),
    Rule("code program develop write build work", r"(?:\w+ )?(?:mostly |mainly |primarily |exclusively |only )?(?:in|with|on top of) " + _TOOL, "uses", past="skip"),
    Rule("run deploy host rely depend standardize standardise", r"(?:it |everything |our \w+ |all \w+ |\w+ )?(?:on |to |with |upon )?" + _TOOL, "uses", past="skip"),
    Rule("adopt install", _TOOL, "uses", past="holds", happening=False, cue="adopted"),
    Rule("subscribe", r"to (?P<v>.+)", "uses", past="holds"),
    Rule("pay", r"for (?P<v>[A-Z].+)", "uses", past="skip"),
    Rule("track manage write keep store take", r".+? (?:in|with|on) " + _TOOL + r"$", "uses", past="skip"),
    Rule("be", r"(?:an? )?(?:\w+ )?(?P<v>[A-Z][\w.+#-]*) user\b", "uses"),
)  # fmt: skip
