"""Which words of a text are secrets, by a sum: how a word looks, what is said near it, how the two are joined.

    my wifi password   is   Cobalt-Otter-9          password 2 + is 2 + numbered 3 = 7: a secret
    the password reset for  Release-Candidate-2     password -1 + for -1.5 + numbered 3: none

All the numbers are in three tables: `LINKS` here, `CUES` in `cues`, `POINTS` in `looks`. A text is read
once, and a word is compared with the few cues before and behind it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.language.vocabulary import STOP_WORDS, word_set
from reverie.policy.safety.secrets.access import unnamed
from reverie.policy.safety.secrets.checks import PLACEHOLDERS, PLAIN_WORDS
from reverie.policy.safety.secrets.cues import (
    BACK,
    CUES,
    DAMPED,
    FILLERS,
    IS,
    LOOSE,
    OTHER_KEYS,
    OTHER_LABELS,
    PATTERNS,
    SPELLED,
    TARGETS,
    cues_of,
)  # fmt: skip
from reverie.policy.safety.secrets.looks import CODE, KEY, NEVER, PASSWORD, POINTS, look_of
from reverie.policy.safety.secrets.spelled import spelled
from reverie.policy.safety.secrets.tables import cells
from reverie.policy.safety.secrets.unnamed_keys import unnamed_keys
from reverie.policy.safety.secrets.words import GROUPS, NamedNear, SecretWord, look_at, made_up_in, passages, words_of

BAR = 5.0
LINKS = {
    "label": 3.0,  # password: X, PASSWORD=X, "password": "X"
    "colon": 2.5,  # password for the zip: X
    "pair": 2.5,  # login dana / X
    "is": 2.0,  # the password of the NAS is X
    "listed": 2.0,  # ("db.password", "X")
    "apposed": 1.5,  # my PIN, X, is
    "alone": 1.5,  # here is the password.\nX
    "next": 1.0,  # pw X
    "behind": 2.0,  # X as password
    "close": 0.5,  # password of the internet X.
    "near": 0.0,
    "target": -1.5,  # password for X
}
QUOTED, WORD_AT_END, IN_A_SENTENCE, OTHERS_WORD, NOT_JOINED, DAMPING, A_NAME = 0.5, 1.0, -1.0, -4.0, -1.5, -3.0, -2.0
A_WORD, A_STOP, A_LINE, A_COMMA = 0.1, 0.5, 0.3, 0.2  # what is between takes away
WORDS_AFTER, WORDS_BEFORE, CUES_TRIED, FREE_WORDS, WORDS_BEHIND, CLOSE = 14, 10, 3, 5, 4, 3
UNDOUBTED = ("mixed", "made", "signed", "long random")  # that nobody writes but as a password
_NAMED = re.compile(r"(?i)\b(?:called|named|heißt|s['’]appelle|se llama|release|version|branch|ticket|issue|model|ssid|network)[:=]?\s[\"'`„“(]{0,2}\Z")
_UNBROKEN = re.compile(r"[\w.!#$%^&*~+-]{2,30}(?:[;|][\w.!#$%^&*~+-]{1,30}){1,3}(?=[\s\"'`),.]|\Z)")
_SIGN = re.compile(r"[A-Za-z0-9]")
_NUMBERING = re.compile(r"\d{1,2}[.)]?|[-*•]|and|or|und")
_NAME = re.compile(r"[\w.$:]+")
_ENDED = re.compile(r"[.!?…]\Z")
_CLAUSE_END = re.compile(r"\s{0,2}(?:[\"'`”»]|\Z|\n|[,;.!?()]|—|–)")
_MINE = re.compile(r"(?i)\b(?:my|our|his|her|their|mein|meine|unser|mon|mi|the)\b[^\n.]{0,30}\Z")
ORDINARY = STOP_WORDS | PLAIN_WORDS | PLACEHOLDERS
QUOTES = "\"'`“„«「『‘"
SMALL = word_set("over under in on at of and the with by a an near behind for")
CLOSING = {"“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "‘": "’"}
_FUNCTION_WORDS = word_set("""
    y e de la el los las que en con por para un una und der die das ist nicht ein eine zu mit von auf et le les des du une
    est pas pour dans sur avec di il che non per sono da em com não uma os as do cada tener être haben sein ser
""")


Value = tuple[str, int, int, str]  # a text, where it ends, its last token, and its look if it is a run of words


@dataclass(frozen=True, slots=True)
class Find:
    """A secret, and why: "password 2, is 2, numbered 3"."""

    start: int
    end: int
    kind: str
    points: float = BAR
    why: str = ""


def finds(text: str, lower: str) -> list[Find]:
    """The secrets in a text that words near them tell, in order. `lower` is the text in small letters."""
    alone = [Find(start, end, "password", why="two cases, digits and a sign") for start, end in made_up_in(text)]
    alone += [Find(start, end, kind, why="words of access near it") for start, end, kind in unnamed(text)]
    alone += [Find(start, end, kind, why="characters of no meaning") for start, end, kind in unnamed_keys(text)]
    alone += [Find(start, end, kind, why="spelled") for start, end, kind in spelled(text, lower)]
    small = lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    said = sorted((match.start(), -match.end(), n) for n in cues_of(small) for match in PATTERNS[n].finditer(small))
    if not said:
        return list(_apart(sorted(alone, key=lambda find: find.start)))
    found = [Find(start, end, kind, why="under its head") for start, end, kind in cells(text)] if "\n" in text else []
    for start, end, cues in passages(text, ((start, -end, n) for start, end, n in said)):
        found += _Passage(text, start, end, cues).read()
    return list(_apart(sorted(found + alone, key=lambda find: find.start)))


def _apart(found: Sequence[Find]) -> Iterator[Find]:
    """Those that do not begin within the one before."""
    end = 0
    for find in found:
        if find.start >= end:
            yield find
            end = find.end


def _is_numbering(token: SecretWord) -> bool:
    """1) or - at the beginning of a line."""
    return "\n" in token.before and _NUMBERING.fullmatch(token.text) is not None


class _Passage:
    def __init__(self, text: str, start: int, end: int, cues: Sequence[tuple[int, int, int]]) -> None:
        self.text = text
        self.tokens = list(words_of(text, start, end))
        self.said = list(self._said(cues))
        self.lasts = [one.last for one in self.said]
        self.firsts = [one.first for one in self.said]

    def _said(self, cues: Sequence[tuple[int, int, int]]) -> Iterator[NamedNear]:
        ends = [token.end for token in self.tokens]
        over = -1
        for start, end, n in cues:
            first, last = bisect_left(ends, start + 1), bisect_left(ends, end)
            if start < over or last >= len(self.tokens) or self.tokens[last].sort == "gone":
                continue
            over = end
            cue, points = CUES[n], CUES[n].points
            if cue.wants == KEY and OTHER_KEYS.search(self.text[max(0, start - 16) : start]):
                continue
            if damped := DAMPED.match(self.text, end):
                if damped[0].lower().lstrip(" _-").startswith(("sha", "hash")):
                    continue
                points += DAMPING
            one = NamedNear(cue, points, first, last)
            for token in self.tokens[first : last + 1]:
                token.cues.append(one)
            yield one

    def read(self) -> list[Find]:
        found: list[Find] = []
        at = 0
        while at < len(self.tokens):
            find, at = self._at(at)
            if find:
                found.append(find)
                alike = list(self._alike(find, at))
                found += [more for _, more in alike]
                at = alike[-1][0] if alike else at
        return found

    def _alike(self, find: Find, at: int) -> Iterator[tuple[int, Find]]:
        """What follows a secret and is made as it is, as recovery codes are: one is told, and all are."""
        shape = _SIGN.sub("x", self.text[find.start : find.end])
        while at < len(self.tokens) and ("-" in shape or " " in shape or find.kind == "recovery_code"):
            token = self.tokens[at]
            if not _NUMBERING.fullmatch(token.text):
                end = token.start + len(shape)
                if (
                    _SIGN.sub("x", self.text[token.start : end]) != shape
                    or token.cues
                    or self.text[end : end + 1].isalnum()
                ):
                    return
                at = self._last(at, end)
                yield at + 1, Find(token.start, end, find.kind, find.points, "like the one before")
            at += 1

    def _at(self, i: int) -> tuple[Find | None, int]:
        """A secret that begins at a token, and where to go on."""
        token = self.tokens[i]
        if token.sort == "gone":
            self._use_up(i)
        if token.sort in ("op", "gone") or token.cues or self._stands_for(token):
            return None, i + 1
        for value in self._values(i):
            _, end, last, _ = value
            best = max(self._scores(i, value), key=lambda one: one[0], default=None)
            if best and best[0] >= BAR:
                points, said, why = best
                return Find(token.start, end, said.cue.kind, points, why), last + 1
        if self.tokens[i - 1].sort == "op" and not _is_numbering(token) and look_of(token.text) == "reference":
            for said in self.tokens[i - 2].cues:  # password = %s: it stands elsewhere
                said.used = True
        return None, i + 1

    def _stands_for(self, token: SecretWord) -> bool:
        """A call, or what stands in brackets for something else: getpass("…"), [FILTERED], {password}."""
        after = self.text[token.end : token.end + 1]
        return (after in ("(", "[") and _NAME.fullmatch(token.text) is not None) or (
            after in ("]", "}", ">") and self.text[token.start - 1 : token.start] in ("[", "{", "<")
        )

    def _use_up(self, i: int) -> None:
        for said in self._before(i):
            if said.last == i - 1 or self.tokens[i - 1].sort == "op" or self.tokens[i - 1].low in IS:
                said.used = True

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
        if not first.text.isalpha() or first.low in STOP_WORDS or first.low in PLAIN_WORDS:
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
        spelled = sum(word in SPELLED or len(word) == 1 for word in words) >= 2
        plain = all(map(str.isalpha, words)) and self.tokens[i].text.islower()
        behind_a_label = self.tokens[i - 1].sort == "op" and i > 0
        told = not ({*words} - (SMALL if behind_a_label and len(words) > 3 else set())) & (ORDINARY | IS | FILLERS | _FUNCTION_WORDS)
        if len(words) >= 3 and ((plain and told) or spelled):
            end = self.tokens[last].end
            return self.text[self.tokens[i].start : end], end, last, "phrase"
        return None

    def _to_the_blank(self, token: SecretWord) -> str | None:
        """A password that has signs in it at which words otherwise end: Halyard;Crow;8."""
        if self.text[token.end : token.end + 1] in (";", "|"):
            whole = _UNBROKEN.match(self.text, token.start)
            if whole and look_of(whole[0]) in ("made", "mixed"):
                return whole[0]
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
        if last == i or words & ORDINARY or not _CLAUSE_END.match(self.text, end):
            return None
        return self.text[self.tokens[i].start : end], end, last, "names"

    def _before(self, i: int) -> Iterator[NamedNear]:
        """The cues that end before a token, the nearest first."""
        n = bisect_left(self.lasts, i)
        for said in reversed(self.said[max(0, n - CUES_TRIED) : n]):
            if i - said.last <= WORDS_AFTER and not said.used:
                yield said

    def _behind(self, i: int) -> Iterator[NamedNear]:
        n = bisect_left(self.firsts, i + 1)
        for said in self.said[n : n + CUES_TRIED]:
            if said.first - i <= WORDS_BEFORE and not said.used:
                yield said

    def _scores(self, i: int, value: Value) -> Iterator[tuple[float, NamedNear, str]]:
        text, end, last, run = value
        quoted = self._is_quoted(i, end)
        look = run if run and not quoted else look_at(text, quoted)
        for said in self._before(i):
            wants = PASSWORD if said.cue.wants == KEY and self._is_set(said) else said.cue.wants
            points = POINTS[look][wants]
            if points > NEVER:
                link, away = self._link(said, i)
                yield self._sum(said, look, points + (wants != said.cue.wants), link, away, i, end)
        for said in self._behind(last):
            points = POINTS[look][said.cue.wants]
            if said.cue.label and (points > 0 or (look == "word" and quoted and said.points > 2)):
                link, away = self._link_back(last, said)
                yield self._sum(said, look, points, link, away, i, end)

    def _sum(
        self, said: NamedNear, look: str, points: float, link: str, away: float, i: int, end: int
    ) -> tuple[float, NamedNear, str]:
        total = said.points + LINKS[link] + points - away
        parts = [f"{said.cue.kind} {said.points:g}", f"{link} {LINKS[link]:g}", f"{look} {points:g}"]
        for what, extra in self._extras(said, look, link, i, end):
            total += extra
            parts.append(f"{what} {extra:g}")
        return total, said, ", ".join(parts) + (f", {away:.1f} away" if away else "")

    def _extras(self, said: NamedNear, look: str, link: str, i: int, end: int) -> Iterator[tuple[str, float]]:
        token = self.tokens[i]
        quoted = self._is_quoted(i, end)
        if quoted:
            yield "quoted", QUOTED
        if link not in ("label", "listed") and _NAMED.search(self.text[max(0, token.start - 20) : token.start]):
            yield "a name", A_NAME
        if link in ("near", "target") and look not in UNDOUBTED:
            yield "not joined", NOT_JOINED
        if look == "joined" and token.low in PLAIN_WORDS:
            yield "an ordinary word", OTHERS_WORD
        if look == "word":
            if (
                token.low in PLAIN_WORDS
                or token.low in STOP_WORDS
                or (link != "label" and not (said.points > 2 and (quoted or link == "colon")) and not self._specific(said, i, end))
            ):
                yield "an ordinary word", OTHERS_WORD
            elif link != "label":
                yield "ends the clause", WORD_AT_END
            elif self._in_a_sentence(i):
                yield "in a sentence", IN_A_SENTENCE

    def _is_set(self, said: NamedNear) -> bool:
        """A setting of the environment that is a secret by its name, whatever it looks like: JWT_SECRET=oakleaf."""
        name = self.tokens[said.last].text
        return name.isupper() and name.endswith("SECRET") and self.text[self.tokens[said.last].end :][:1] in ("=", ":")

    def _in_a_sentence(self, i: int) -> bool:
        """ "Password: see the vault", but not "PASSWORD=oakleaf psql"."""
        following = self.tokens[i + 1] if i + 1 < len(self.tokens) else None
        return (
            self.tokens[i - 1].text != "="
            and following is not None
            and following.before == " "
            and following.low not in STOP_WORDS
            and any(map(str.isalpha, following.low))
        )

    def _specific(self, said: NamedNear, i: int, end: int) -> bool:
        """ "My password for the bank is X." says X, "the password is correct" says how it is."""
        low = self.tokens[i].low
        owner = any(token.low in TARGETS or token.low == "to" for token in self.tokens[said.last + 1 : i - 1])
        mine = _MINE.search(self.text[max(0, self.tokens[said.first].start - 40) : self.tokens[said.first].start])
        return bool(
            (owner or said.cue.points > 2)
            and mine
            and len(low) > 3
            and self.tokens[i - 1].low not in LOOSE
            and not low.endswith(("ed", "ing", "ly"))
            and _CLAUSE_END.match(self.text, end)
        )

    def _link(self, said: NamedNear, i: int) -> tuple[str, float]:
        between = self.tokens[said.last + 1 : i]
        words = [token for token in between if token.sort != "op" and not _is_numbering(token)]
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
        if not words:
            if ops and "{" in token.before:
                return "near", away
            if ops and (lines == 0 or len(ops) == 1):
                return ("label" if said.cue.label else "next"), away
            if ">" in token.before and "<" not in token.before:
                return "label", away
            if "," in token.before and token.before[-1:] in QUOTES:
                return "listed", away
            if token.before.endswith("'") and self.tokens[said.last].text.isupper():  # PASSWORD 'X', of SQL
                return "label", away
            if lines:
                return ("alone" if self._alone(i) else "near"), away
            if token.before == ", " and _CLAUSE_END.match(self.text, token.end):
                return "apposed", away
            return "next", away
        if (prev.text == "/" or (prev.text == ":" and prev.before == " ")) and self._is_pair(i, said):
            return "pair", away
        if (
            prev.sort == "op"
            and (prev.text != "=" or prev.before == " ")
            and len(ops) == (1 if said.cue.label or between[0].sort != "op" else 2)
        ):
            label = self.tokens[i - 2]
            if (label.low not in OTHER_LABELS or said.points > 2) and (lines == token.before.count("\n") or label.cues):
                return "colon", away
        joint = i - 1
        while joint > said.last + 1 and self.tokens[joint].low in FILLERS:
            joint -= 1
        if self.tokens[joint].low in IS and (joint > said.last):
            return "is", away
        if lines and self._alone(i):
            return "alone", away
        if prev.low in TARGETS:
            return "target", away
        ends = _CLAUSE_END.match(self.text, token.end) is not None
        return ("close" if ends and not lines and not stops and len(words) <= CLOSE and not commas else "near"), away

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
        return "near", away
