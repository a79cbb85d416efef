"""What is current comes first: of the statements on one matter the newest stands before those that it overtakes."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from reverie.language.words import terms
from reverie.model.memories import Edge, Memory
from reverie.policy.recall.ranking import Ranked

# The weight of an edge: it overtakes all that the older says; only the words it names; perhaps, so that core, answers
# and notes leave the older out; a mere hint, so that recall shows the newer one first and nothing else changes.
WHOLE, PART, MAYBE, HINT = 1.0, 0.5, 0.2, 0.1


def is_asked(edge: Edge, text: str, query: Set[str]) -> bool:
    """Whether a question is about the words that were overtaken: of a price list, about that price.

    >>> part = Edge("s", "b", "a", "updates", PART, 0.0, why="large room 124")
    >>> [is_asked(part, "small room 89, large room 124", set(terms(q))) for q in ("the large room?", "the small room?")]
    [True, False]
    """
    if edge.weight > PART:
        return True
    named, rest = set(terms(edge.why)), set(terms(text.replace(edge.why, " ")))
    return bool(named & query) and len((named - rest) & query) >= len((rest - named) & query)


LEFT_OUT = "[…]"
LEAST_LEFT = 4  # words that a quote must still have to say something


def what_is_left(memory: Memory, overtaken: Sequence[Edge]) -> Memory | None:
    """A memory without the words that later statements overtake; None if they overtake it, or hardly a word is left.

    >>> quote = "I'm Mara, I live in Bremen and work at Brightloop"
    >>> said = Memory("a", "s", "fact", f'The user: "{quote}"', ("t",), 0.0, marks={"quote": quote})
    >>> what_is_left(said, [Edge("s", "b", "a", "updates", PART, 0.0, why="I live in Bremen")]).quote
    "I'm Mara, […] and work at Brightloop"
    """
    quote = memory.quote
    parts = [edge.why for edge in overtaken if edge.weight == PART and edge.why and edge.why in quote]
    for edge in overtaken:
        if edge.why not in parts and not any(part in edge.why for part in parts):
            return None  # nobody says which of its words they are
    for part in parts:
        quote = quote.replace(part, LEFT_OUT)
    if quote == memory.quote:
        return memory
    if memory.quote not in memory.text or len(quote.replace(LEFT_OUT, " ").split()) < LEAST_LEFT:
        return None
    when = memory.marks.get("when")  # a day that it names may be of the words that are gone
    text = memory.text.replace(f" ({when})", "", 1) if when else memory.text
    marks = {name: value for name, value in memory.marks.items() if name not in ("when", "line", "line_when")}
    left = replace(memory, text=text.replace(memory.quote, quote), marks={**marks, "quote": quote})
    ended = memory.value and any(memory.value in part for part in parts)
    return replace(left, predicate=None, value=None) if ended else left


def newest(older: str, successors: Mapping[str, Sequence[str]]) -> str:
    """The last of a chain: 8 became 3, 3 became 5. The first successor is the one that was said last.

    >>> newest("8", {"8": ["3"], "3": ["5"]})
    '5'
    """
    seen = {older}
    at = older
    while at in successors:
        later = [id for id in successors[at] if id not in seen]
        if not later:
            break
        at = later[0]
        seen.add(at)
    return at


def newest_first(ranked: Sequence[Ranked], overtaken: Mapping[str, str]) -> list[Ranked]:
    """The same order, but for each overtaken one the newest stands before it, with a score that fits its new place.

    >>> order = [Ranked("old", 0.9, 0.9, {}), Ranked("other", 0.5, 0.5, {}), Ranked("new", 0.1, 0.1, {})]
    >>> [hit.id for hit in newest_first(order, {"old": "new"})]
    ['new', 'old', 'other']
    """
    known = {hit.id: hit for hit in ranked}
    placed: dict[str, Ranked] = {}
    for hit in ranked:
        later = overtaken.get(hit.id)
        if later is not None and later not in placed:
            own = known.get(later, Ranked(later, 0.0, 0.0, {}))
            parts = {**own.parts, "newest on the matter": 1.0}
            placed[later] = Ranked(later, max(own.score, hit.score), max(own.relevance, hit.relevance), parts)
        placed.setdefault(hit.id, hit)
    return list(placed.values())
