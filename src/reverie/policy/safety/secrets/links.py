"""How a value is joined to a word that names secrets: by a colon, an "is", a comma, a line of its own, or not."""

import re
from collections.abc import Sequence

from reverie.language.vocabulary import word_set
from reverie.policy.safety.secrets.cues import BACK, FILLERS, IS, LOOSE, OTHER_LABELS, OTHER_NOUNS, TARGETS, WAYS
from reverie.policy.safety.secrets.looks import CODE
from reverie.policy.safety.secrets.values import CLAUSE_END, QUOTES, Values
from reverie.policy.safety.secrets.words import NamedNear, SecretWord

LINKS = {
    "label": 3.0,  # password: X, PASSWORD=X, "password": "X"
    "colon": 2.5,  # password for the zip: X
    "pair": 2.5,  # login dana / X
    "is": 2.0,  # the password of the NAS is X
    "dash": 2.0,  # same pw as the NAS - X
    "so": 1.5,  # the password is my dog and the year, so X
    "listed": 2.0,  # ("db.password", "X")
    "apposed": 1.5,  # my PIN, X, is
    "alone": 1.5,  # here is the password.\nX
    "next": 1.0,  # pw X
    "behind": 2.0,  # X as password
    "close": 0.5,  # password of the internet X.
    "near": 0.0,
    "target": -1.5,  # password for X
}
A_WORD, A_STOP, A_LINE, A_COMMA = 0.1, 0.5, 0.3, 0.2  # what is between takes away
FREE_WORDS, WORDS_BEHIND, CLOSE = 5, 4, 3
NUMBERING = re.compile(r"\d{1,2}[.)]?|[-*•]|and|or|und")
_LABELS = re.compile(r"[ \t]{0,2}:[ \t\n]")
_CLOSED = re.compile(r"\s?[\"'`]\s?[,)]")  # prompt="Password: ", stream=None
_UNPACKED = re.compile(r"(?:\A|\n)\s{0,40}[A-Za-z_][\w.]{0,30}, \Z")
# Keys whose value belongs to what was named before: {"name": "password", "value": …}.
VALUE_NAMES = word_set("""
    value val v data content contents text default current answer new old secret stringvalue newvalue oldvalue new_value
    old_value plaintext plain raw payload string input typed body is
""")
USERS = word_set("admin administrator root guest user superuser sysadmin pi ubuntu postgres sa")
ANDS = word_set("and with und mit et avec y con e")  # it's admin and X
_AFTER_ANOTHER = re.compile(r"[\"'`]\s{0,2},\s{1,40}[\"'`][\w./:-]{0,40}\Z|[\"'`],[\"'`][\w./:-]{0,40}\Z")
_NAME_OF_CODE = re.compile(r"[a-z_./:-]{1,80}\d?|[A-Z_-]{1,80}|[A-Za-z]{1,80}")
_ENDED = re.compile(r"[.!?…]\Z")


def is_numbering(token: SecretWord) -> bool:
    """1) or - at the beginning of a line."""
    return "\n" in token.before and NUMBERING.fullmatch(token.text) is not None


class Links(Values):
    """The words of a passage, and how two of them are joined."""

    def _link(self, said: NamedNear, i: int) -> tuple[str, float]:
        """How a word is joined to what was named near it, and how far away that is."""
        between = self.tokens[said.last + 1 : i]
        words = [token for token in between if token.sort != "op" and not is_numbering(token)]
        ops = [token for token in between if token.sort == "op"]
        lines = sum(token.before.count("\n") for token in self.tokens[said.last + 1 : i + 1])
        stops = sum(1 for token in (self.tokens[said.last], *words) if _ENDED.search(token.text))
        stops += sum(1 for token in self.tokens[said.last + 1 : i + 1] if "?" in token.before)
        commas = sum(1 for token in words if token.text.endswith(",") or "," in token.before)
        away = (
            A_WORD * max(0, len(words) - FREE_WORDS)
            + A_LINE * max(0, lines - 1 if not words else lines)
            + A_STOP * stops
            + A_COMMA * commas
        )
        token, prev = self.tokens[i], self.tokens[i - 1]
        if any(one.sort == "gone" for one in between):
            return "target", 9.0
        if self._is_key(token) or (lines and _LABELS.match(self.text, token.end)):
            return "near", away  # it names a value of its own
        if not words:
            return self._directly(said, i, ops, lines), away
        slash = prev.text == "/" or (prev.text == ":" and prev.before == " ")
        if (slash or (prev.low in ANDS and self.tokens[i - 2].low in USERS)) and self._is_pair(i, said):
            return "pair", away
        if (
            prev.sort == "op"
            and (prev.text != "=" or prev.before == " ")
            and len(ops) == (1 if said.cue.label or between[0].sort != "op" else 2)
        ):
            label = self.tokens[i - 2]
            others = self._is_key(label) and not label.cues and label.low not in VALUE_NAMES
            if others:
                return "target", away
            if (label.low not in OTHER_LABELS or said.points > 2) and (lines == token.before.count("\n") or label.cues):
                return "colon", away
        if prev.text in ("-", "–", "—") and prev.before == token.before == " ":
            return "dash", away
        joint = i - 1
        while joint > said.last and self.tokens[joint].low in FILLERS:
            joint -= 1
        if joint == said.last and self.tokens[joint].low.endswith(("'s", "’s")):  # my password's still X
            return "is", away
        ends = CLAUSE_END.match(self.text, token.end) is not None
        if self.tokens[joint].low == "so" and joint > said.last:
            return ("so" if ends else "near"), away
        if self.tokens[joint].low in IS and joint > said.last:
            return ("target" if self._is_of_another(said, joint) else "is"), away
        if lines and self._alone(i):
            return "alone", away
        if prev.low in TARGETS:
            return "target", away
        return ("close" if ends and not lines and not stops and len(words) <= CLOSE and not commas else "near"), away

    def _is_of_another(self, said: NamedNear, joint: int) -> bool:
        """The noun before an "is" is the one whose value follows: "the wifi drops, its SSID is X"."""
        owner = joint - 1
        while owner > said.last and self.tokens[owner].low in FILLERS:
            owner -= 1
        if self.tokens[joint].low in LOOSE and self.tokens[owner].low in WAYS:
            return True
        if self.tokens[joint].low == "from" and said.points < 2:  # logged in from X
            return True
        between = self.tokens[said.last + 1 : owner]
        return (
            owner > said.last
            and said.points <= 2
            and self.tokens[owner].low in OTHER_NOUNS
            and not any(token.low in TARGETS or token.low == "to" for token in between)
        )

    def _directly(self, said: NamedNear, i: int, ops: Sequence[SecretWord], lines: int) -> str:
        """How a word is joined to what was named, where no other word stands between the two."""
        token = self.tokens[i]
        if ops and ("{" in token.before or _CLOSED.match(token.before)):
            return "near"
        if ops and ops[0].text == "=" and not self._quote(token) and self._is_unpacked(said):
            return "near"
        if ops and (lines == 0 or len(ops) == 1):
            return "label" if said.cue.label else "next"
        if ">" in token.before and "<" not in token.before:
            return "label"
        if "," in token.before and token.before[-1:] in QUOTES:
            return "near" if self._is_one_of_many(said, i) else "listed"
        if token.before.endswith("'") and self.tokens[said.last].text.isupper():  # PASSWORD 'X', of SQL
            return "label"
        if lines:
            return "alone" if self._alone(i) else "near"
        if self.tokens[said.last].low.endswith(("'s", "’s")):
            return "is"
        if token.before == ", " and CLAUSE_END.match(self.text, token.end):
            return "apposed"
        return "next"

    def _is_one_of_many(self, said: NamedNear, i: int) -> bool:
        """Among names between quotes: ["gr_name", "gr_passwd", "gr_gid"]."""
        start = self.tokens[said.first].start
        return (
            _AFTER_ANOTHER.search(self.text[max(0, start - 60) : start]) is not None
            and _NAME_OF_CODE.fullmatch(self.tokens[i].text) is not None
        )

    def _is_unpacked(self, said: NamedNear) -> bool:
        """user, password = …: what stands there is a name of a program."""
        start = self.tokens[said.first].start
        return _UNPACKED.search(self.text[max(0, start - 60) : start]) is not None

    def _is_pair(self, i: int, said: NamedNear) -> bool:
        return said.cue.wants != CODE and i - said.last <= 10

    def _alone(self, i: int) -> bool:
        """Whether nothing else stands in its line."""
        token = self.tokens[i]
        return "\n" in token.before and (i + 1 == len(self.tokens) or "\n" in self.tokens[i + 1].before)

    def _link_back(self, last: int, said: NamedNear) -> tuple[str, float]:
        between = self.tokens[last + 1 : said.first]
        words = [token.low for token in between if token.sort != "op"]
        lines = sum(token.before.count("\n") for token in self.tokens[last + 1 : said.first + 1])
        stops = sum(1 for token in (self.tokens[last], *between) if _ENDED.search(token.text))
        away = A_WORD * max(0, len(words) - WORDS_BEHIND) + 3 * A_LINE * lines + 2 * A_STOP * stops
        if any(token.sort == "gone" for token in between):
            return "target", 9.0
        if not lines and words and words[0] in BACK and "not" not in words and len(words) <= WORDS_BEHIND:
            return "behind", away
        if not words and "(" in self.tokens[said.first].before:
            return "behind", away
        quoted = self.tokens[last + 1].before[:1] in (*QUOTES, "”", "»") if self.tokens[last + 1].before else False
        if quoted and not lines and words and words[0] in ("a", "an", "my", "ein", "mein", "un", "una", "mon"):
            return "behind", away  # is 'X' a good password?
        return "near", away
