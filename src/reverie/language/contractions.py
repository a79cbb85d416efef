"""Contractions, in one place: how apostrophes are typed, and what a contracted word stands for."""

APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ＇", "'"))
IRREGULAR = {"won't": ("will", "not"), "can't": ("can", "not"), "cannot": ("can", "not"), "shan't": ("shall", "not")}
BARE = {  # typed without the apostrophe
    "whats": "what's", "wheres": "where's", "whos": "who's", "whens": "when's", "hows": "how's", "im": "i'm",
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't",
    "cant": "can't", "wont": "won't", "havent": "haven't", "hasnt": "hasn't", "ive": "i've", "shouldnt": "shouldn't",
    "couldnt": "couldn't", "wouldnt": "wouldn't", "werent": "weren't",
}  # fmt: skip
CLITICS = {"re": "are", "ll": "will", "ve": "have", "m": "am", "d": "would"}
