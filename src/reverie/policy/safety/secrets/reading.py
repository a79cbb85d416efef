"""Which words of a text are secrets, by a sum: how a word looks, what is said near it, how the two are joined.

    my wifi password   is   Cobalt-Otter-9          password 2 + is 2 + made 4 = 8: a secret
    the password reset for  Release-Candidate-2     password -1 + for -1.5 + numbered 3: none

All the numbers are in three tables: `LINKS` in `links`, `CUES` in `cues`, `POINTS` in `looks`. A text is read
once, and a word is compared with the few cues before and behind it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from reverie.language.vocabulary import STOP_WORDS
from reverie.policy.safety.public_places import public_places
from reverie.policy.safety.secrets.access import unnamed
from reverie.policy.safety.secrets.checks import PLAIN_WORDS
from reverie.policy.safety.secrets.cues import (
    CUES,
    DAMPED,
    FILLERS,
    IS,
    LOOSE,
    OTHER_CODES,
    OTHER_KEYS,
    PATTERNS,
    TARGETS,
    TRAVEL,
    cues_of,
)
from reverie.policy.safety.secrets.links import LINKS, NUMBERING, Links, is_numbering
from reverie.policy.safety.secrets.looks import CODE, KEY, NEVER, PASSWORD, POINTS, look_of
from reverie.policy.safety.secrets.tables import cells, code_lists
from reverie.policy.safety.secrets.unnamed_keys import unnamed_keys
from reverie.policy.safety.secrets.values import CLAUSE_END, CODE_LINE, Value, spelled
from reverie.policy.safety.secrets.words import NamedNear, look_at, made_up_in, passages, words_of

BAR = 5.0
QUOTED, WORD_AT_END, IN_A_SENTENCE, OTHERS_WORD, NOT_JOINED, DAMPING, A_NAME = 0.5, 1.0, -1.0, -4.0, -1.5, -3.0, -2.0
WORDS_AFTER, WORDS_BEFORE, CUES_TRIED = 14, 10, 3
UNDOUBTED = ("mixed", "made", "signed", "long random")  # that nobody writes but as a password
_NAMED = re.compile(
    r"(?i)\b(?:called|named|heißt|s['’]appelle|se llama|release|version|branch|ticket|issue|model"
    r"|ssid|network)[:=]?\s[\"'`„“(]{0,2}\Z"
)
_DOES = re.compile(r"\s(?:is|was|has|had|will|can|does|did|needs|wants|asked|takes|looks?)\s(?!(?:my|the|our|what)\b)")
_PATH = re.compile(r"(?:\A|[^\w\s])/\Z")  # "/login", which is a page
_SIGN = re.compile(r"[A-Za-z0-9]")
_MINE = re.compile(
    r"(?i)\b(?:my|our|his|her|their|mein|meine|unser|mon|mi|the|das|der|die|le|la|el|il|lo|o|a)\b[^\n.]{0,30}\Z"
)


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
    found = list[Find]()
    if "\n" in text:
        found += [Find(start, end, kind, why="in a list of codes") for start, end, kind in code_lists(text)]
        found += [Find(start, end, kind, why="under its head") for start, end, kind in cells(text)] if said else []
    for start, end, cues in passages(text, ((start, -end, n) for start, end, n in said)):
        found += _Passage(text, start, end, cues).read()
    return list(_apart(_not_public(text, found + alone)))


def _not_public(text: str, found: Sequence[Find]) -> list[Find]:
    """Those that lie in no place that everybody may read."""
    places = sorted(public_places(text)) if found else []
    starts, ends = [start for start, _ in places], list(accumulate((end for _, end in places), max))
    return [find for find in found if not (n := bisect_right(starts, find.start)) or ends[n - 1] <= find.start]


def _apart(found: Iterable[Find]) -> Iterator[Find]:
    """In order, those that do not begin within the one before; of two that begin together the first that is given."""
    end = 0
    for find in sorted(found, key=lambda find: find.start):
        if find.start >= end:
            yield find
            end = find.end


class _Passage(Links):
    def __init__(self, text: str, start: int, end: int, cues: Sequence[tuple[int, int, int]]) -> None:
        self.text = text
        self.tokens = list(words_of(text, start, end))
        self.code = sum(1 for _ in islice(CODE_LINE.finditer(text, start, end), 2)) > 1
        self.said = list(self._said(cues))
        self.lasts = [one.last for one in self.said]
        self.firsts = [one.first for one in self.said]

    def _said(self, cues: Sequence[tuple[int, int, int]]) -> Iterator[NamedNear]:
        ends = [token.end for token in self.tokens]
        over = -1
        for start, end, n in cues:
            first, last = bisect_left(ends, start + 1), bisect_left(ends, end)
            if first < last < len(self.tokens) and self.tokens[last].start >= end:  # it ends with a quote
                last -= 1
            if start < over or last >= len(self.tokens) or self.tokens[last].sort == "gone":
                continue
            over = end
            cue, points = CUES[n], CUES[n].points
            if points < 2 and _PATH.search(self.text[max(0, start - 2) : start]):
                continue
            if cue.wants == KEY and OTHER_KEYS.search(self.text[max(0, start - 16) : start]):
                continue
            if cue.wants == CODE and OTHER_CODES.search(self.text[max(0, start - 16) : start]):
                continue
            if self.text[start:end].lower().startswith("confirm") and TRAVEL.search(self.text, start - 60, end + 60):
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
            if not NUMBERING.fullmatch(token.text):
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
        if self._of_code(i) or self._says(i):  # its first word is no value of a label before it
            return None, i + 1
        for value in self._values(i):
            _, end, last, _ = value
            best = max(self._scores(i, value), key=lambda one: one[0], default=None)
            if best and best[0] >= BAR:
                points, said, why = best
                return Find(token.start, end, said.cue.kind, points, why), last + 1
        if self.tokens[i - 1].sort == "op" and not is_numbering(token) and look_of(token.text) == "reference":
            for said in self.tokens[i - 2].cues:  # password = %s: it stands elsewhere
                said.used = True
        return None, i + 1

    def _use_up(self, i: int) -> None:
        for said in self._before(i):
            if said.last == i - 1 or self.tokens[i - 1].sort == "op" or self.tokens[i - 1].low in IS:
                said.used = True

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
        if self._is_a_name(said, link, i):
            yield "a name", A_NAME
        if link in ("near", "target") and look not in UNDOUBTED:
            yield "not joined", NOT_JOINED
        if (look == "joined" and token.low in PLAIN_WORDS) or (look == "word" and link == "apposed"):
            yield "an ordinary word", OTHERS_WORD
        if look == "phrase" and "phrase" in self.tokens[said.last].low:
            yield "a phrase is meant", QUOTED
        if look == "word":
            if (
                ("\n" in token.before and not self._alone(i))  # "Enter password:" and then what the program says
                or token.low in PLAIN_WORDS
                or token.low in STOP_WORDS
                or not (
                    link == "label" or (said.points > 2 and (quoted or link == "colon")) or self._specific(said, i, end)
                )
            ):
                yield "an ordinary word", OTHERS_WORD
            elif link != "label":
                yield "ends the clause", WORD_AT_END
            elif self._in_a_sentence(i):
                yield "in a sentence", IN_A_SENTENCE

    def _is_a_name(self, said: NamedNear, link: str, i: int) -> bool:
        """Whether a noun stands before it and nothing joins the two: "the branch X", "the profile X"."""
        start, prev = self.tokens[i].start, self.tokens[i - 1]
        if link not in ("label", "listed") and _NAMED.search(self.text[max(0, start - 20) : start]):
            return True
        if link == "near" and i > said.last and _DOES.match(self.text, self.tokens[i].end):
            return True
        return (
            link in ("near", "close")
            and said.points < 2
            and i - 1 > said.last
            and prev.text.isalpha()
            and self.tokens[i].before.strip("\"'`(") == " "
            and prev.low not in STOP_WORDS | IS | FILLERS | TARGETS
        )

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
            and CLAUSE_END.match(self.text, end)
        )
