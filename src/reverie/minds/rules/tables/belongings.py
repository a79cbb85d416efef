"""Things, pets, family: what and whom somebody has."""

from reverie.minds.rules.people import ADJECTIVES, NAME, PREDICATE_OF, pet_pattern
from reverie.minds.rules.tables.rule import Rule

_PET = rf"(?P<v>(?:(?:\d+|two|three|four|five|six|several|some) )?(?:[\w-]+ ){{0,3}}?(?:{pet_pattern()})(?:e?s)?\b(?: (?:mix|puppy|dog|cat))?(?:,? (?:named|called|who is called|whose name is|who we named|by the name of)? ?{NAME}(?: and {NAME})?)?(?: and (?:a|an|two|three) (?:[\w-]+ )?(?:{pet_pattern()})(?:e?s)?(?:,? (?:named|called) {NAME})?)*)"
THINGS = (
    r"(?:car|bike|bicycle|motorbike|motorcycle|scooter|e-bike|van|camper|campervan|truck|boat|sailboat|kayak|canoe|yacht|house|home|flat|apartment|condo|cabin|cottage|"
    r"farm|allotment|garden|greenhouse|laptop|computer|desktop|macbook|ipad|tablet|phone|iphone|smartphone|watch|smartwatch|camera|lens|drone|"
    r"printer|3d printer|monitor|keyboard|headphones|console|playstation|xbox|switch|tv|television|projector|guitar|piano|violin|cello|drum kit|"
    r"drums|ukulele|harp|saxophone|trumpet|synth|synthesizer|turntable|record player|vinyl collection|collection|telescope|microscope|tent|surfboard|"
    r"skis|snowboard|skateboard|treadmill|rowing machine|espresso machine|coffee machine|grinder|sewing machine|loom|kiln|oven|fridge|dishwasher|"
    r"washing machine|dryer|sofa|desk|standing desk|chair|bed|mattress|couch|bookshelf|table|lawnmower|tractor|hot tub|pool|sauna|trampoline|"
    r"beehives?|aquarium|terrarium|raspberry pi|server|nas|router|tesla|volvo|toyota|vespa|kindle|e-reader|backpack|suitcase|dress|ring|necklace|jacket|coat|boots|shoes|glasses|tattoo|"
    r"air fryer|vacuum|robot vacuum|record collection|typewriter|longboard|paddleboard|motorhome|caravan|pickup|jeep|minivan|hatchback|hybrid|gravel bike|road bike|mountain bike)"
)
_THING = rf"(?:(?:a|an|my own|my|our own|our|two|three|the|some|another|this) )(?P<v>(?:(?:new|used|second-hand|vintage|old|[\w'-]+) ){{0,4}}?{THINGS}s?\b(?: (?:with|in|from|by) [\w ]+)?)"
_BRAND = r"(?:a|an|my|our|the|another|this|two) (?P<v>(?:(?:new|used|second-hand|vintage|old|red|blue|black|white|green|silver|electric|little) )*(?:\d{4} )?[A-Z][\w-]*(?: [A-Z0-9][\w-]*)*(?: [a-z]+)?)(?=$|,|;| (?:and|last|this|for|from|in|on|with|yesterday|because|that|recently|to|two|a)\b)"
_KIDS = r"(?P<v>(?:\d+|two|three|four|five|six|twin|an?|one)(?: (?:little|young|small|grown|beautiful|older|teenage|adult|baby|\w+-year-old))* (?:kids?|children|child|sons?|daughters?|boys?|girls?|baby|twins?|toddlers?|grandchildren)\b(?: and (?:\d+|two|three|an?|one) (?:\w+ )?(?:sons?|daughters?|boys?|girls?|baby)\b)?)"
_SIBLINGS = r"(?P<v>(?:\d+|two|three|four|five|six|an?|one)(?: (?:little|older|younger|big|twin|elder|half|step|baby|identical))* ?-?(?:brothers?|sisters?|siblings?|twin)\b(?: and (?:\d+|two|three|an?|one) (?:\w+ )?(?:brothers?|sisters?)\b)?)"
_KIN = "|".join(sorted(PREDICATE_OF, key=len, reverse=True))


def _named(predicate: str) -> Rule:
    """ "I have a sister named Anna", "we have two kids, Tom and Ida"."""
    words = "|".join(sorted((w for w, p in PREDICATE_OF.items() if p == predicate), key=len, reverse=True))
    plural = {
        "has_child": "|kids|children|sons|daughters|boys|girls|twins",
        "sibling": "|brothers|sisters|siblings|twins",
    }.get(predicate, "|friends")
    return Rule(
        "have get",
        rf"(?:an?|one|my|two|three|four|\d) {ADJECTIVES}(?:{words}{plural})(?: (?:here|from \w+|at \w+|in \w+))?(?:,| named| called|:|, named|, called| whose names? (?:is|are)|;)+ (?P<v>{NAME}(?:(?:, and |, | and |,? & ){NAME})*)",
        predicate,
        past="holds",
        keep_head=True,
    )


RULES = (
    *(_named(predicate) for predicate in ("has_child", "sibling", "spouse", "partner", "friend", "colleague", "relation", "parent")),
    Rule("have own keep get adopt rescue foster raise buy", rf"(?:an? |our |my |the |this |some |another |just )*(?:new |lovely |little |rescue |old |big |small |tiny |adorable |beautiful |sweet |crazy |pet |baby )*{_PET}", "has_pet", shape="raw", past="holds", happening=False),
    Rule("be", rf"(?:called |named )?(?P<v>{NAME})(?=$|,|;| and )", "has_pet", value="{n} {v}", noun=rf"(?P<n>(?:{pet_pattern()}))(?:'s name)?(?: is)?", shape="raw"),
    Rule("be", r"(?:an? )?(?P<v>(?:[\w-]+ ){0,3}\w+)$", "has_pet", value="{n}, {v}", noun=rf"(?P<n>{pet_pattern()})", shape="raw", past="skip"),
    Rule("have", _KIDS, "has_child", shape="raw", past="skip"),
    Rule("be", rf"(?:an? |the )?(?:proud |single |busy )?(?:mother|mom|mum|father|dad|parent|parents) (?:of|to) {_KIDS.replace('an?|one', 'an?|one|twin')}", "has_child", shape="raw"),
    Rule("be", r"(?:an? |the )?(?:proud |single |busy )?(?:mother|mom|mum|father|dad|parent|parents) (?:of|to) (?P<v>\w+)$", "has_child", value="{v} children", shape="one"),
    Rule("have", _SIBLINGS, "sibling", shape="raw", past="skip"),
    Rule("marry", rf"(?:to )?(?P<v>{NAME})", "spouse", shape="name", past="holds", happening=False, cue="married"),
    Rule("be get", rf"(?:happily |now |just |recently |newly )?married to (?P<v>{NAME})", "spouse", shape="name", past="holds", cue="married"),
    Rule("be get", rf"(?:happily |now |just |recently )?engaged to (?P<v>{NAME})", "partner", shape="name", past="holds", cue="engaged"),
    Rule("date see", rf"(?:a \w+ (?:named|called) |someone (?:named|called) )?(?P<v>{NAME})(?=$|,| for\b| since\b| now\b)", "partner", shape="name", past="skip"),
    Rule("be", rf"in a relationship with (?P<v>{NAME})", "partner", shape="name"),
    Rule("divorce", rf"(?:from )?(?P<v>{NAME})", "spouse", shape="name", past="holds", over=True, cue="divorced"),
    Rule("be get", rf"(?:now |recently )?(?:divorced|separated) from (?P<v>{NAME})", "spouse", shape="name", past="holds", over=True, cue="divorced"),
    Rule("break split", rf"up with (?P<v>{NAME})", "partner", shape="name", past="holds", over=True, cue="broke up"),
    Rule("drive", r"(?P<v>(?:an? |my |the |our )?(?:(?:[\w'-]+ ){0,3}?(?:[A-Z][\w-]*|\d{4}|car|van|truck|electric|hybrid|pickup|EV|motorbike|camper)).*)", "drives", shape="one", past="skip"),
    Rule("be", r"(?:an? )?(?P<v>(?:\w+ )?[A-Z0-9].*|an? .+)", "drives", noun=r"(?:new |current |first |old )?(?:car|van|truck|vehicle|ride)", shape="one"),
    Rule("rehome surrender", rf"(?:my|our|the) (?:\w+ )?(?P<v>(?:{pet_pattern()})\b(?: {NAME})?)", "has_pet", shape="raw", past="holds", over=True, happening=False, cue="rehomed"),
    Rule("swap trade exchange", r"(?:in )?(?:my|our) (?:old |trusty )?(?P<old>.+?) (?:in )?for (?:an? |the )?(?P<v>.+)", "owns", shape="one", past="holds", happening=False, cue="swapped"),
    Rule("sell", r"(?:an? |my |our |the )(?:old |beloved |trusty )?(?P<v>[\w' -]+?)(?=$|,|;| (?:last|this|to|for|in|on|yesterday|because|and|after|when|two|a)\b)", "owns", shape="one", past="holds", over=True, happening=False, cue="sold"),
    Rule("give get", r"(?:away|rid of) (?:my |our |the )(?:old )?(?P<v>[\w' -]+?)(?=$|,|;| (?:last|this|to|for|in|on|yesterday|because|and|after)\b)", "owns", shape="one", past="holds", over=True, happening=False, cue="got rid of"),
    Rule("own", r"(?:an? |the |my |two |three |some )?(?P<v>.+)", "owns", shape="items"),
    Rule("have", _THING, "owns", shape="one", past="skip"),
    Rule("buy purchase get order inherit build acquire lease receive", _THING, "owns", shape="one", past="holds", happening=False),
    Rule("buy purchase get order inherit acquire lease", _BRAND, "owns", shape="one", past="holds", happening=False),
    Rule("have", _BRAND, "owns", shape="one", past="skip"),
    Rule("buy purchase order inherit acquire", r"(?:myself |ourselves )?(?:an?|my first|our first|my own|some|new|two|three) (?P<v>.+)", "owns", shape="one", past="holds", happening=False),
    Rule("treat", r"(?:myself|ourselves) to (?:an?|some) (?P<v>.+)", "owns", shape="one", past="holds", happening=False),
    Rule("be", r"(?:an? |the )?(?:proud |new )?owner of (?:an? |the |two )?(?P<v>.+)", "owns", shape="one"),
)  # fmt: skip
