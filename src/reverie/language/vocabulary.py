"""Word lists, written as running text so that a diff shows one word: words no search needs, contractions."""


def listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """
    >>> sorted(word_set("to be or not to be"))
    ['be', 'not', 'or', 'to']
    """
    return frozenset(text.split())


# "may" (a month) and "us" (a country) are left out: as search terms they are worth more than they cost.
_FUNCTION_WORDS = """
    a an the this that these those here there
    i me my mine myself we our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves one
    who whom whose what which when where why how whoever whatever whichever whenever wherever
    am is are was were be been being do does did doing done have has had having
    can could shall should will would might must ought
    dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt cant cannot couldnt shouldnt wont wouldnt mustnt aint
    and or but nor so yet if then else than because as until while though although whether unless since
    of at by for with about against between into through during before after above below to from up down in out on off
    over under upon onto within without toward towards among across per via
    again further once only own same too very just also even ever still already quite rather really
    all any both each few more most other another some such every either neither no not none nothing
    something anything everything someone anyone everyone somebody anybody everybody
    oh ok okay yes yeah hi hello hey please
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())


APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ＇", "'"))
IRREGULAR = {"won't": ("will", "not"), "can't": ("can", "not"), "cannot": ("can", "not"), "shan't": ("shall", "not")}
BARE = {  # typed without the apostrophe
    "whats": "what's", "wheres": "where's", "whos": "who's", "whens": "when's", "hows": "how's", "im": "i'm",
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't",
    "cant": "can't", "wont": "won't", "havent": "haven't", "hasnt": "hasn't", "ive": "i've", "shouldnt": "shouldn't",
    "couldnt": "couldn't", "wouldnt": "wouldn't", "werent": "weren't",
}  # fmt: skip
CLITICS = {"re": "are", "ll": "will", "ve": "have", "m": "am", "d": "would"}
