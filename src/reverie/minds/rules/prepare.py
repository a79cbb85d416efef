"""Chat as people type it, made regular enough for patterns: one apostrophe, no contractions, no quoted speech."""

import re
from functools import lru_cache

from reverie.language.sentences import sentences
from reverie.language.speech import spoken

_SIGNS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "`": "'"})
_MARKUP = re.compile(r"<[^>\n]{1,200}>|https?://\S+")
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+|(?<=\\s)[:;]-?[)(DP](?=\\s|$)|\\*\\*|__")
_DASH = re.compile(r"\s+[-–—]+\s+|\s*—\s*|\s*–\s+")
_QUOTE = re.compile(r'"([^"\n]{1,400})"')
_SPEECH = re.compile(r"\b(?:I|my|me|we|our|you|your)\b|[.!?,]$", re.I)
QUOTED = "[quote]"

_FIXED = (
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"\bshan't\b", "shall not"),
    (r"\bain't\b", "is not"),
    (r"(\w+)n't\b", r"\1 not"),
    (r"\bdont\b", "do not"),
    (r"\bdoesnt\b", "does not"),
    (r"\bdidnt\b", "did not"),
    (r"\bisnt\b", "is not"),
    (r"\bcant\b", "can not"),
    (r"\bwont\b", "will not"),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\bgotta\b", "have got to"),
    (r"\bkinda\b", "kind of"),
    (r"\b(?:i)\b(?!\.)", "I"),
    (r"\bim\b|\bI'm\b|\bi'm\b", "I am"),
    (r"\bive\b", "I have"),
    (r"\b(I|we|you|they|who)'ve\b", r"\1 have"),
    (r"\b(\w+)'ll\b", r"\1 will"),
    (r"\b(we|you|they|who)'re\b", r"\1 are"),
    (r"\b(I|we|you|he|she|they)'d (?=been\b|better\b|had\b|gone\b|never\b)", r"\1 had "),
    (r"\b(\w+)'d\b", r"\1 would"),
    (
        r"\b(s?he|it|that|there|what|who|where|here|how)'s (?=been\b|got\b|gone\b|had\b|become\b|moved\b|always been\b|"
        r"lived\b|worked\b|started\b|stopped\b|quit\b|switched\b|never\b)",
        r"\1 has ",
    ),
    (r"\b(s?he|it|that|there|what|who|where|here|how)'s\b", r"\1 is"),
    (r"\blet's\b", "let us"),
    (r"\b(\w+)'s (?=(?:been|got|gone|moved|started|stopped|switched|become|recently)\b)", r"\1 has "),
    (
        r"\b(?!(?:master|bachelor)')(\w+)'s (?=(?:a|an|the|not|no longer|now|allergic|from|in|at|on|my|our|vegan|"
        r"vegetarian|pregnant|married|engaged|single|divorced|turning|getting|going|coming|moving|living|working|studying|learning|"
        r"visiting|training|planning|really|very|also|always|still|afraid|scared|lactose|gluten|obsessed|into)\b)",
        r"\1 is ",
    ),
    (
        r"\b(name|birthday|favourite|number|email|\w+day|job|dog|cat|mum|mom|dad|wife|husband|sister|brother|son|"
        r"daughter|boss|girlfriend|boyfriend|partner|friend)'s (?=(?:on|called|named|[A-Z]\w+ *[,.;!]|[A-Z]\w+ *$|"
        r"[A-Z]\w+ (?:and|but|by))\b|[A-Z]\w+[,.!;]|[A-Z]\w+$)",
        r"\1 is ",
    ),
    (r"\b(e-?mail|address)'s (?=\S+@)", r"\1 is "),
    (r"\bthinkin'", "thinking"),
    (r"\bgoin'", "going"),
    (r"\bdoin'", "doing"),
    (r"\bw/ ", "with "),
    (r"\bbday\b", "birthday"),
    (r"\b(?:favorite|fave|fav|favourit)\b", "favourite"),
    (r"\bany more\b", "anymore"),
    (r"\bas well\b(?! as)", "too"),
    (r"\bgoing to be\b", "will be"),
    (r"\bsort of\b|\bkind of (?=\w+(?:ing|ed)\b)", ""),
)


@lru_cache(maxsize=1)
def _fixes() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.I), new) for pattern, new in _FIXED)


def _quote(match: re.Match[str]) -> str:
    """Speech in quotes is somebody else's; a short title or name is kept."""
    inner = match.group(1).strip()
    return QUOTED if len(inner.split()) > 6 or _SPEECH.search(inner) else inner


def expand(text: str) -> str:
    """Contractions written out and spelling variants made one.

    >>> expand("I'm vegan and she's got a dog, don't worry")
    'I am vegan and she has got a dog, do not worry'
    """
    for pattern, new in _fixes():
        text = pattern.sub(new, text)
    return " ".join(text.split())


def prepared(text: str) -> list[str]:
    """The sentences that were said in a turn; material and links are gone, quoted speech is a mark."""
    plain = _EMOJI.sub(" ", _MARKUP.sub(" ", spoken(text).translate(_SIGNS)))
    plain = _QUOTE.sub(_quote, _DASH.sub("; ", plain))
    return [expand(sentence) for sentence in sentences(plain)]
