"""Who is whose grandmother, aunt or cousin: what follows from who is said to be whose parent and spouse."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reverie.language.sentences import sentences
from reverie.model.thinking import Thought

_NAME = r"[A-Z][a-zà-ÿ]{1,20}"
_NAMES = rf"({_NAME}(?:(?:, and |, | and )(?:{_NAME})){{0,9}})"
_IS = r"(?:is|was)"
_PARENT_OF = re.compile(rf"\b({_NAME}) {_IS} (?:the )?(mother|father|parent|mom|dad) of {_NAMES}\b")
_HIS_PARENT = re.compile(rf"\b({_NAME}) {_IS} ({_NAME})'s (mother|father|parent|mom|dad)\b")
_PARENT_IS = re.compile(rf"\b({_NAME})'s (mother|father|mom|dad) {_IS} (?:named |called )?({_NAME})\b")
_CHILD_OF = re.compile(
    rf"\b({_NAME}) {_IS} (?:the |a |an )?(?:\w{{2,12}} )?(son|daughter|child) of ({_NAME})(?: and ({_NAME}))?\b"
)
_HIS_CHILD = re.compile(rf"\b({_NAME}) {_IS} ({_NAME})'s (?:\w{{2,12}} )?(son|daughter|child)\b")
_COUPLE = re.compile(
    rf"\b({_NAME}) and (?:(?:his|her|their) (?:wife|husband|partner),? )?({_NAME}),?"
    rf" (?:have|had|has) (?:\w{{1,10}} ){{0,3}}(?:children|kids|sons?|daughters?|child)(?: together)?"
    rf"(?: named| called|[:,])\s{{0,2}}{_NAMES}\b"
)
_CHILDREN_ARE = re.compile(
    rf"\b({_NAME})'s (?:\w{{2,8}} )?(?:children|kids|sons|daughters) (?:are|were) (?:named |called )?{_NAMES}\b"
)
_HAS = re.compile(
    rf"\b({_NAME}) (?:has|had) (?:\w{{1,10}} ){{1,2}}(?:children|kids|sons?|daughters?|child)"
    rf"(?: named| called|[:,])\s{{0,2}}{_NAMES}\b"
)
_MARRIED = re.compile(rf"\b({_NAME}) (?:is married to|was married to|married|is the (?:wife|husband) of) ({_NAME})\b")
_SPOUSES = re.compile(rf"\b({_NAME}) and ({_NAME}) (?:are|were|got) married\b")
_HIS_SPOUSE = re.compile(rf"\b({_NAME})'s (wife|husband) {_IS} (?:named |called )?({_NAME})\b")
_SIBLINGS = re.compile(rf"\b({_NAME}) {_IS} ({_NAME})'s (?:\w{{2,12}} )?(brother|sister)\b")
_THEIR_CHILD = re.compile(
    rf"\b({_NAME}) (?:is married to|was married to|married) ({_NAME}),? and they (?:have|had) (?:\w{{1,10}} ){{1,2}}"
    rf"(?:children|kids|sons?|daughters?|child)(?: named| called|[:,])\s{{0,2}}{_NAMES}"
)
_SIBLING_IS = re.compile(rf"\b({_NAME})'s (?:\w{{2,12}} )?(brother|sister) {_IS} (?:named |called )?({_NAME})\b")
_KIN_WORD = re.compile(
    r"\b(?:sons?|daughters?|child|children|kids?|mothers?|fathers?|parents?|moms?|dads?|sisters?|brothers?|siblings?"
    r"|twins?|married|marries|wife|husband|wives|partners?|cousins?|aunts?|uncles?|nieces?|nephews?|grand\w{2,12}"
    r"|born|adopted|step\w{2,12}|widow\w{0,3}|in-law)\b",
    re.I,
)
_HEDGED = re.compile(r"\b(?:not|never|maybe|perhaps|if|might|could|step|in-law|adopted|half)\b|\?", re.I)
_SHAPES = (
    _PARENT_OF, _HIS_PARENT, _PARENT_IS, _CHILD_OF, _HIS_CHILD, _COUPLE, _CHILDREN_ARE, _HAS, _MARRIED, _SPOUSES,
    _HIS_SPOUSE, _SIBLINGS, _THEIR_CHILD, _SIBLING_IS,
)  # fmt: skip
_FEMALE, _MALE = ("mother", "mom", "daughter", "wife", "sister"), ("father", "dad", "son", "husband", "brother")
MOST = 40


@dataclass
class Family:
    """What was said of a family, each statement with its line."""

    parents: dict[str, dict[str, set[int]]] = field(default_factory=dict)  # child -> parent -> lines
    spouses: dict[frozenset[str], set[int]] = field(default_factory=dict)
    siblings: dict[frozenset[str], set[int]] = field(default_factory=dict)
    sex: dict[str, str] = field(default_factory=dict)
    whole: bool = True  # every word of kinship was understood: only then may anybody be counted or be the only one

    def parent(self, parent: str, child: str, line: int, word: str = "") -> None:
        if parent != child:
            self.parents.setdefault(child, {}).setdefault(parent, set()).add(line)
        self.note(parent, word)

    def note(self, name: str, word: str) -> None:
        if word in _FEMALE + _MALE:
            self.sex.setdefault(name, "f" if word in _FEMALE else "m")

    def children(self, parent: str) -> dict[str, set[int]]:
        return {child: known[parent] for child, known in self.parents.items() if parent in known}

    def siblings_of(self, one: str) -> dict[str, set[int]]:
        """Full or half: who shares a parent with one, or is said to be a sibling."""
        found: dict[str, set[int]] = {}
        for parent, lines in self.parents.get(one, {}).items():
            for other, more in self.children(parent).items():
                if other != one:
                    found.setdefault(other, lines | more)
        for pair, lines in self.siblings.items():
            if one in pair:
                found.setdefault(next(iter(pair - {one})), lines)
        return found


def kin(lines: Sequence[str]) -> list[Thought]:
    """Grandparents, siblings, aunts and uncles, cousins that follow from what the lines say.

    Where a word of kinship was not understood, somebody may be missing: then nobody is counted, and what holds answers
    no question by itself.

    >>> [thought.text for thought in kin(["Ada is the mother of Ben.", "Ben is the father of Cleo and Dan."])]
    ["Cleo's grandmother is Ada", "Dan's grandmother is Ada", 'Cleo and Dan are siblings', 'Ada has 2 grandchildren: \
Cleo and Dan']
    >>> kin(["Ada is the mother of Ben.", "Ben is the father of Cleo.", "Cleo has a twin."])[0].value
    ''
    """
    family = Family()
    for n, line in enumerate(lines, 1):
        for sentence in sentences(line):
            _read(family, sentence, n)
    found = [*_grandparents(family), *_siblings(family), *_aunts(family), *_cousins(family)]
    if family.whole:
        return [*found, *_grandchildren(family)][:MOST]
    return [replace(thought, value="") for thought in found[:MOST]]


def _read(family: Family, text: str, line: int) -> None:
    """What a sentence says of kin; a word of kinship outside of what is understood makes the family incomplete."""
    hedged = bool(_HEDGED.search(text))
    spans = [] if hedged else [match.span() for shape in _SHAPES for match in shape.finditer(text)]
    words = [match.start() for match in _KIN_WORD.finditer(text)]
    if not all(any(begin <= at < end for begin, end in spans) for at in words):
        family.whole = False
    if not hedged:
        _read_pairs(family, text, line)
        _read_groups(family, text, line)


def _read_pairs(family: Family, text: str, line: int) -> None:
    for match in _PARENT_OF.finditer(text):
        for child in _split(match[3]):
            family.parent(match[1], child, line, match[2])
    for match in _HIS_PARENT.finditer(text):
        family.parent(match[1], match[2], line, match[3])
    for match in _PARENT_IS.finditer(text):
        family.parent(match[3], match[1], line, match[2])
    for match in _CHILD_OF.finditer(text):
        family.note(match[1], match[2])
        for parent in filter(None, (match[3], match[4])):
            family.parent(parent, match[1], line)
    for match in _HIS_CHILD.finditer(text):
        family.note(match[1], match[3])
        family.parent(match[2], match[1], line)


def _read_groups(family: Family, text: str, line: int) -> None:
    for shape in (_COUPLE, _THEIR_CHILD):
        for match in shape.finditer(text):
            for child in _split(match[3]):
                family.parent(match[1], child, line)
                family.parent(match[2], child, line)
    for shape in (_CHILDREN_ARE, _HAS):
        for match in shape.finditer(text):
            if not _COUPLE.search(text):
                for child in _split(match[2]):
                    family.parent(match[1], child, line)
    for shape in (_MARRIED, _SPOUSES):
        for match in shape.finditer(text):
            family.spouses.setdefault(frozenset(match.group(1, 2)), set()).add(line)
    for match in _HIS_SPOUSE.finditer(text):
        family.note(match[3], match[2])
        family.spouses.setdefault(frozenset(match.group(1, 3)), set()).add(line)
    for match in _SIBLINGS.finditer(text):
        family.note(match[1], match[3])
        family.siblings.setdefault(frozenset(match.group(1, 2)), set()).add(line)
    for match in _SIBLING_IS.finditer(text):
        family.note(match[3], match[2])
        family.siblings.setdefault(frozenset(match.group(1, 3)), set()).add(line)


def _grandparents(family: Family) -> Iterator[Thought]:
    for child, known in family.parents.items():
        for parent, lines in known.items():
            for grand, more in family.parents.get(parent, {}).items():
                word = {"f": "grandmother", "m": "grandfather"}.get(family.sex.get(grand, ""), "grandparent")
                yield _relation(f"{child}'s {word} is {grand}", lines | more, grand)


def _siblings(family: Family) -> Iterator[Thought]:
    told = set()
    for one in family.parents:
        for other, lines in family.siblings_of(one).items():
            if frozenset((one, other)) not in told:
                told.add(frozenset((one, other)))
                yield _relation(f"{one} and {other} are siblings", lines, f"{one} and {other}")


def _aunts(family: Family) -> Iterator[Thought]:
    for child, known in family.parents.items():
        for parent, lines in known.items():
            for other, more in family.siblings_of(parent).items():
                if other not in known:
                    word = {"f": "aunt", "m": "uncle"}.get(family.sex.get(other, ""), "aunt or uncle")
                    yield _relation(f"{child}'s {word} is {other}", lines | more, other)


def _cousins(family: Family) -> Iterator[Thought]:
    told = set()
    for child, known in family.parents.items():
        for parent, lines in known.items():
            for other, more in family.siblings_of(parent).items():
                for cousin, last in family.children(other).items():
                    pair = frozenset((child, cousin))
                    if cousin not in family.siblings_of(child) and len(pair) == 2 and pair not in told:
                        told.add(pair)
                        yield _relation(
                            f"{child} and {cousin} are cousins", lines | more | last, f"{child} and {cousin}"
                        )


def _grandchildren(family: Family) -> Iterator[Thought]:
    found: dict[str, dict[str, set[int]]] = {}
    for child, known in family.parents.items():
        for parent, lines in known.items():
            for grand, more in family.parents.get(parent, {}).items():
                found.setdefault(grand, {}).setdefault(child, lines | more)
    for grand, children in found.items():
        if len(children) > 1:
            names = list(children)
            text = f"{grand} has {len(names)} grandchildren: {', '.join(names[:-1])} and {names[-1]}"
            yield _relation(text, set().union(*children.values()), str(len(names)))


def _relation(text: str, lines: set[int], value: str) -> Thought:
    return Thought("relation", text, tuple(sorted(lines)), value)


def _split(names: str) -> list[str]:
    return [name for name in re.split(r", and |, | and ", names) if name]
