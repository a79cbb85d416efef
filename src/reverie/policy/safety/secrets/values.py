"""What may be meant by a secret: one word, several in groups or between quotes, a phrase, a name, something spelled."""

import re
from collections.abc import Iterator, Sequence

from reverie.language.vocabulary import STOP_WORDS, word_set
from reverie.policy.safety.secrets.access import speaks_of_access
from reverie.policy.safety.secrets.checks import PLACEHOLDERS, PLAIN_WORDS
from reverie.policy.safety.secrets.cues import FILLERS, IS, SPELLED
from reverie.policy.safety.secrets.looks import look_of
from reverie.policy.safety.secrets.words import GROUPS, SAYS, SecretWord

_UNBROKEN = re.compile(r"[\w.!#$%^&*~+-]{2,30}(?:[;|][\w.!#$%^&*~+-]{1,30}){1,3}(?=[\s\"'`),.]|\Z)")
_NAME = re.compile(r"[\w.$:]+")
_TYPE = re.compile(r"(?<=[a-z]) (?:\| (?:None|null|undefined|str|string|bytes)\b|= (?:None|field\(|Field\())")
_OF_A_KEY = re.compile(r"[\"']\s{0,2}:")
_WORDS, _SIGNED = re.compile(r"[^\W\d]+"), re.compile(r"[\d&#*+@=]")
LINE = 200
CODE_LINE = re.compile(
    r"(?m)^[ \t>]{0,40}(?:def |class |import |from [\w.]{1,60} import|return(?: [\w.]{1,60}[(;]|$)|self\.|elif |else:$"
    r"|try:$|if [^\n]{1,120}:$|(?:const|let|var) \w{1,60} ?[:=]|(?:function|func|fn|pub fn) [\w(]|async |await |raise "
    r"|assert |@\w{1,40}[.(]|(?:public|private|protected) [\w<>]{1,40} [\w<>]{1,40})"
)
_IDENTIFIER, _COMMENT = re.compile(r"[A-Za-z_][\w.]{0,60}[,;:]?"), re.compile(r"#|//|/\*|\"\"\"|--")
_SET = re.compile(r"[A-Z][A-Z0-9_]{2,60}=\Z")  # a setting of the environment, pasted among code
_DECLARED = re.compile(r"\s{0,40}(?:from|import|def|class)\s")
_NAMES_OF_CODE = ("word", "joined", "paired", "numbered", "word and digits", "names", "name")
CLAUSE_END = re.compile(
    r"\s{0,2}(?:[\"'`”»]|\Z|\n|[,;.!?()]|—|–|(?:and|but|und|aber|et|mais|y|pero) (?:the|my|your|our|its?|i|das|die|der"
    r"|mein|le|la|mon|ma|el|mi)\b)"
)
ORDINARY = STOP_WORDS | PLAIN_WORDS | PLACEHOLDERS
QUOTES = "\"'`“„«「『‘"
SMALL = word_set("over under in on at of and the with by a an near behind for")
CLOSING = {"“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "‘": "’"}
_FUNCTION_WORDS = word_set("""
    y e de la el los las que en con por para un una und der die das ist nicht ein eine zu mit von auf et le les des
    du une est pas pour dans sur avec di il che non per sono da em com não uma os as do cada tener être haben sein ser
""")
Value = tuple[str, int, int, str]  # a text, where it ends, its last token, and its look if it is a run of words


class Values:
    """The words of a passage, and what may be a secret in them."""

    text: str
    tokens: Sequence[SecretWord]
    code: bool

    def _stands_for(self, token: SecretWord) -> bool:
        """A call, a type, a docstring, or what stands in brackets for something: getpass("…"), [FILTERED]."""
        after = self.text[token.end : token.end + 1]
        if self.text[max(0, token.start - 3) : token.start] in ('"""', "'''") or _TYPE.match(self.text, token.end):
            return True
        return (after in ("(", "[") and _NAME.fullmatch(token.text) is not None) or (
            after in ("]", "}", ">")
            and self.text[token.start - 1 : token.start] in ("[", "{", "<")
            and not token.text.isdigit()
        )

    def _of_code(self, i: int) -> bool:
        """Whether it is a name of a program: among lines of code and not between quotes, where no value can stand."""
        token = self.tokens[i]
        if not self.code or self._quote(token) or not _IDENTIFIER.fullmatch(token.text):
            return False
        before = self.text[max(0, token.start - LINE) : token.start]
        line = before[before.rfind("\n") + 1 :]
        if _COMMENT.search(line) or _SET.search(line):
            return False
        return _DECLARED.match(line) is not None or look_of(token.text) in _NAMES_OF_CODE

    def _is_key(self, token: SecretWord) -> bool:
        """Whether it names a value itself: all that stands between two quotes, before a colon."""
        return self._quote(token) in ("'", '"') and _OF_A_KEY.match(self.text, token.end) is not None

    def _says(self, i: int) -> bool:
        """Whether a text between quotes that speaks of passwords begins here: "Forgot your password?"."""
        quote = self._quote(self.tokens[i])
        end = self.text.find(quote, self.tokens[i].end, self.tokens[i].end + 300) if quote in ("'", '"') else -1
        said = self.text[self.tokens[i].start : end].lower() if quote and end > 0 else ""
        said_words = _WORDS.findall(said) if " " in said and "\n" not in said else []
        return len(said_words) > 1 and not SAYS.isdisjoint(said_words) and not _SIGNED.search(said)

    def _values(self, i: int) -> Iterator[Value]:
        """What may be meant: between quotes, in groups, a run of words, one word."""
        token = self.tokens[i]
        quote = self._quote(token)
        if quote and quote in QUOTES:
            close = CLOSING.get(quote, quote)
            end = self.text.find(close, token.start, token.start + 300)
            while self.text[end - 1 : end] == " ":
                end -= 1
            if end > token.end and "\n" not in self.text[token.start : end]:
                yield self.text[token.start : end], end, self._last(i, end), ""
        if whole := self._to_the_blank(token):
            yield whole, token.start + len(whole), self._last(i, token.start + len(whole)), ""
        if groups := GROUPS.match(self.text, token.start):
            yield groups[0], groups.end(), self._last(i, groups.end()), ""
        if run := self._run(i) or self._names(i):
            yield run
        end = token.end
        while self.text[end : end + 1] == "=":
            end += 1
        yield token.text, end, i, ""

    def _quote(self, token: SecretWord) -> str:
        """The quote that a token begins behind, if any."""
        at = token.start - 1
        if self.text[at : at + 1] in (" ", "\u00a0", "\u202f") and self.text[at - 1 : at] == "«":
            at -= 1
        quote = self.text[at : at + 1] if at >= 0 else ""
        return quote if quote in QUOTES else ""

    def _is_quoted(self, i: int, end: int) -> bool:
        """Whether a value is all that stands between two quotes."""
        quote = self._quote(self.tokens[i])
        return bool(quote) and self.text[end : end + 4].lstrip(" ,.!?\u00a0\u202f")[:1] == CLOSING.get(quote, quote)

    def _last(self, i: int, end: int) -> int:
        last = i
        while last + 1 < len(self.tokens) and self.tokens[last + 1].start < end:
            last += 1
        return last

    def _run(self, i: int) -> Value | None:
        """Plain words up to the end of the clause: "four muddy boots dancing", "capital T trombone nine nine"."""
        last, first = i, self.tokens[i]
        behind_a_label = i > 0 and self.tokens[i - 1].sort == "op"
        if not first.text.isalpha() or first.low in STOP_WORDS or (first.low in PLAIN_WORDS and not behind_a_label):
            return None
        while (
            last + 1 < len(self.tokens)
            and last - i < 11
            and self.tokens[last + 1].sort == "word"
            and self.tokens[last + 1].before == " "
            and self.tokens[last].text.replace("'", "").isalpha()
        ):
            last += 1
        words = [token.low for token in self.tokens[i : last + 1]]
        spelled = sum(word in SPELLED or (len(word) == 1 and word not in "ai") for word in words) >= 2
        shouted = any(token.text.isupper() for token in self.tokens[i : last + 1])
        plain = all(map(str.isalpha, words)) and first.text.islower() and not shouted
        plain = plain and (behind_a_label or not first.low.endswith(("ed", "ly", "ing")))
        joining = SMALL if behind_a_label and len(words) > 3 else frozenset[str]()
        if behind_a_label and len(words) > 3 and words[0] in PLAIN_WORDS:
            joining |= {words[0]}
        told = not ({*words} - joining) & (ORDINARY | IS | FILLERS | _FUNCTION_WORDS)
        if len(words) >= 3 and ((plain and told) or spelled):
            end = self.tokens[last].end
            return self.text[self.tokens[i].start : end], end, last, "phrase"
        return None

    def _names(self, i: int) -> Value | None:
        """Two to four words with capitals up to the end of the clause, as answers to security questions are."""
        last = i
        if not self.tokens[i].text.istitle():
            return None
        while (
            last + 1 < len(self.tokens)
            and last - i < 3
            and self.tokens[last + 1].sort == "word"
            and self.tokens[last + 1].before == " "
            and (self.tokens[last + 1].text.istitle() or self.tokens[last + 1].low in ("de", "der", "van", "von", "of"))
        ):
            last += 1
        words = {token.low for token in self.tokens[i : last + 1]}
        end = self.tokens[last].end
        while self.text[end - 1] in ".,!?":
            end -= 1
        if last == i or words & ORDINARY or not CLAUSE_END.match(self.text, end):
            return None
        return self.text[self.tokens[i].start : end], end, last, "names"

    def _to_the_blank(self, token: SecretWord) -> str | None:
        """A password that has signs in it at which words otherwise end: Halyard;Crow;8."""
        if self.text[token.end : token.end + 1] in (";", "|"):
            whole = _UNBROKEN.match(self.text, token.start)
            if whole and look_of(whole[0]) in ("made", "mixed", "numbered"):
                return whole[0]
        return None


# Passwords that somebody spells: "capital T, trombone, nine nine, exclamation mark".
_NUMBER_WORD = (
    r"zero|one|two|three|four|five|six|seven|eight|nine|ten|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun"
    r"|un|deux|trois|quatre|cinq|sept|huit|neuf|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve"
)
_SIGN = (
    r"dollar(?: sign)?|exclamation(?: mark| point)?|underscore|hyphen|dash|asterisk|ampersand|hashtag|hash(?: sign)?"
    r"|pound sign|at[- ]sign"
    r"|question mark|percent(?: sign)?|plus(?: sign)?|star|ausrufezeichen|unterstrich|bindestrich|raute|klammeraffe"
    r"|dollarzeichen|sternchen"
    r"|point d['’]exclamation|tiret(?: bas)?|arobase|dièse|guion bajo|guión|arroba|almohadilla"
)
_CASE = (
    r"(?:capital|upper ?case|lower ?case|big|small|groß(?:es|er)?|klein(?:es|er)?|majuscule|mayúscula|double|triple)"
    r" [^\W\d_]{1,20}"
)
_UNIT = rf"(?:{_CASE}|{_NUMBER_WORD}|{_SIGN}|[a-z0-9])(?![^\W_])"
_JOINT = r"[ ,]{1,3}(?:(?:then|and|dann|und|puis|et|luego|y|followed by|an?|the number|the word)[ ,]{1,2}){0,2}"
_SPELLED = re.compile(rf"(?i)(?<![^\W_]){_UNIT}(?:{_JOINT}(?:{_UNIT}|[^\W\d_]{{2,20}}(?={_JOINT}{_UNIT}))){{2,24}}")
_UNITS, _SIGNS = re.compile(rf"(?i)(?<![^\W_]){_UNIT}"), re.compile(rf"(?i)(?<![^\W_])(?:{_SIGN}|{_CASE})(?![^\W_])")
SPELLED_MARKS = (
    "capital", "uppercase", "upper case", "lowercase", "lower case", "dollar", "exclamation", "underscore", "hyphen",
    "asterisk", "ampersand",
    "hash", "at sign", "at-sign", "groß", "ausrufezeichen", "unterstrich", "bindestrich", "raute", "majuscule",
    "arobase", "tiret", "guion", "arroba",
)  # fmt: skip


def spelled(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of what is spelled, where somebody speaks of getting in.

    >>> text = "capital R, then iverbank six six dollar sign, that unlocks the drive"
    >>> [text[start:end] for start, end, _ in spelled(text, text.lower())]
    ['capital R, then iverbank six six dollar sign']
    """
    if [mark for mark in SPELLED_MARKS if mark in lower]:
        for match in _SPELLED.finditer(text):
            if len(_UNITS.findall(match[0])) > 2 and _SIGNS.search(match[0]) and speaks_of_access(text, *match.span()):
                yield match.start(), match.end(), "password"
