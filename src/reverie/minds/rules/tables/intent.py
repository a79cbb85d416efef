"""Goals, plans, decisions, and places visited."""

from reverie.minds.rules.tables.rule import Rule

_SMALL = (
    r"(?!know\b|ask\b|say\b|talk\b|see (?:if|how|what|the|your|you)\b|thank\b|make sure\b|book\b|order\b|check\b|understand\b|tell\b|hear\b|be able\b|"
    r"find out\b|share\b|mention\b|be clear\b|discuss\b|let\b|add\b|confirm\b|apologi[sz]e\b|clarify\b|try this\b|believe\b|go home\b|cry\b|"
    r"help you\b|print\b|write a (?:function|script|query)\b|fix this\b|debug\b|use this\b|sleep\b|go to bed\b|eat something\b|scream\b|stay positive\b|join in\b|find things\b|keep (?:it|going)\b|make (?:it|my plan) work\b|say hi\b)"
)
_PLACE = r"(?P<v>(?:the )?(?:(?:north|south|east|west|coast|island|islands|city|old town) of )?[A-ZÀ-Þ][\w'.-]*(?:[ ,]+(?:(?:and|de|la|of|the|in) )*[A-ZÀ-Þ][\w'.-]*)*)"
_THERE = r"(?:back |over |out |up |down |all the way |on (?:a|an|my|our) [\w ]+? |for [\w ]+? )?"

RULES = (
    Rule("want", rf"to {_SMALL}(?P<v>.+)", "goal", shape="one", past="skip", keep_head=True),
    Rule("love like", rf"to {_SMALL}(?P<v>.+)", "goal", shape="one", modals="would", needs="would", past="skip", keep_head=True),
    Rule("hope aspire aim strive", rf"(?:to|on|for) {_SMALL}(?P<v>.+)", "goal", shape="one", past="skip", keep_head=True),
    Rule("dream", r"(?:of|about) (?P<v>.+)", "goal", shape="one", past="skip", keep_head=True),
    Rule("be", r"(?:\w+ly |still |really |now )*(?:determined|hoping|aiming|trying|working|looking|dying|eager|keen|aspiring|committed) (?:hard )?to (?P<v>.+)", "goal", shape="one", past="skip", keep_head=True),
    Rule("try", rf"to {_SMALL}(?P<v>.+)", "goal", shape="one", past="skip", keep_head=True),
    Rule("save", r"(?:up )?(?:money )?(?:for|to buy) (?P<v>.+)", "goal", value="save for {v}", shape="one", past="skip", keep_head=True),
    Rule("train", r"(?:hard )?(?:for|to run) (?P<v>.+)", "goal", value="train for {v}", shape="one", past="skip", keep_head=True),
    Rule("work", r"(?:towards|toward|on becoming|on getting) (?P<v>.+)", "goal", value="work towards {v}", shape="one", past="skip", keep_head=True),
    Rule("be", r"(?:to )?(?P<v>.+)", "goal", noun=r"(?:\w+ )*(?:goal|dream|aim|ambition|resolution|target|aspiration|bucket list item)(?: (?:this|for|in) .+)?", shape="one", past="skip", keep_head=True),
    Rule("plan intend", r"(?:on |to |for )?(?P<v>.+)", "plans", shape="one", past="skip", keep_head=True),
    Rule("be", r"(?:\w+ly |still |also )*(?:planning|scheduled|about|due|set|booked|off) (?:on |to |a |for )(?P<v>.+)", "plans", shape="one", past="skip", keep_head=True),
    Rule("be", r"(?:to )?(?P<v>.+)", "plans", noun=r"(?:\w+ )*(?:plan|plans)(?: (?:this|for|in) .+)?", shape="one", past="skip", keep_head=True),
    Rule("look", r"forward to (?:my |our |the |a )?(?P<v>(?!it\b|that\b|hearing\b|seeing you\b|seeing\b|this\b|meeting you\b).+)", "plans", shape="one", past="skip", keep_head=True),
    Rule("book reserve schedule", r"(?:myself |us )?(?:a|an|my|our|the|two|three|flights|tickets) (?P<v>.+)", "plans", shape="one", past="holds"),
    Rule("cancel postpone", r"(?:our |my |the |a )?(?:upcoming |planned )?(?:(?:trip|flight|flights|visit|holiday|vacation|booking|reservation|journey|tickets) (?:to|in|for) )?(?P<v>.+)", "plans", shape="one", past="holds", over=True, happening=False, cue="cancelled"),
    Rule("decide choose agree resolve elect opt vote", r"(?:\w+ )?(?:against|not to) (?P<v>.+)", "decided", value="not {v}", shape="one", past="holds", keep_head=True),
    Rule("decide choose agree resolve elect opt vote commit", r"(?:\w+ly |together |finally |unanimously )?(?:that (?:we|I|the team|our team) (?:will|should|would|are going to|shall) |to |on |for |upon |in favou?r of )(?P<v>.+)", "decided", shape="one", past="holds", keep_head=True),
    Rule("settle", r"on (?P<v>.+)", "decided", shape="one", past="holds", keep_head=True),
    Rule("choose pick select", r"(?P<v>.+?)(?: (?:over|instead of|rather than) .+)?$", "decided", shape="one", past="holds", keep_head=True),
    Rule("go", r"(?:ahead )?with (?P<v>(?!my\b|our\b|him\b|her\b|them\b|the (?:kids|family)\b|some\b|a friend\b|friends\b).+?)(?: (?:over|instead of|rather than) .+)?$", "decided", shape="one", past="holds", keep_head=True),
    Rule("make", r"(?:up my mind|the decision|a decision|our decision|the call) to (?P<v>.+)", "decided", shape="one", past="holds", keep_head=True),
    Rule("visit tour", rf"(?:my \w+ in |our \w+ in |the city of )?{_PLACE}(?! (?:Museum|Gallery|Church))", "visited", past="holds", happening=False),
    Rule("go travel fly drive", rf"{_THERE}to {_PLACE}", "visited", past="holds", happening=False),
    Rule("be", rf"(?:\w+ly |once |twice )*to {_PLACE}", "visited", past="skip", happening=False),
    Rule("be", rf"(?:just |here )?in {_PLACE}", "visited", past="holds", happening=False),
    Rule("spend", rf"(?:.+? )in {_PLACE}", "visited", past="holds", happening=False),
    Rule("return come get", rf"(?:home |back )?(?:back |home )from {_THERE}(?:a \w+ (?:\w+ )?(?:to|in) )?{_PLACE}", "visited", past="holds", happening=False),
    Rule("return", rf"from {_PLACE}", "visited", past="holds", happening=False),
    Rule("have take", rf"(?:a|an|our|my) (?:\w+ ){{0,3}}(?:trip|holiday|vacation|weekend|honeymoon|getaway|tour) (?:to|in|around|through) {_PLACE}", "visited", past="holds", happening=False),
)  # fmt: skip
