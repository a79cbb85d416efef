"""Is a precomputed answer still true? Nothing that it rests on has changed, and nobody has just spoken of it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from reverie.language.sentences import sentences
from reverie.language.vocabulary import word_set
from reverie.model.answers import Answer
from reverie.policy.answers.guards.lexicon import FUNCTION_WORDS, root
from reverie.policy.answers.guards.reading import ReadQuestion
from reverie.policy.answers.guards.tokens import words as spoken
from reverie.policy.decision import Decision

# What people say when a fact of this predicate changes; its own word need not occur ("I moved to Berlin").
_CUES = {
    "lives_in": "move live address reside relocate settle apartment flat house home city",
    "works_at": "work job join quit fire hire start leave employer company office resign retire",
    "job": "work job promote role title career hire fire become retire quit",
    "name": "name call rename change",
    "birthday": "birthday born birth turn",
    "age": "age old turn birthday year",
    "from": "from born grow hometown raise",
    "allergic_to": "allergic allergy react intolerant",
    "diet": "diet vegan vegetarian eat meat",
    "has_pet": "pet dog cat puppy kitten adopt animal",
    "drives": "car drive buy sell vehicle",
    "phone": "phone number mobile cell",
    "email": "email mail address",
    "favorite": "favourite like love prefer best",
    "dislikes": "hate dislike like stand",
    "hobby": "hobby like love enjoy start play",
    "salary": "salary pay raise earn wage",
    "rent": "rent pay landlord lease",
    "medication": "medication pill take prescribe dose doctor",
    "wedding": "marry wedding divorce anniversary",
    "goal": "goal want plan aim",
    "studies": "study major degree university course",
    "speaks": "language speak learn fluent",
}
_CUE_STEMS = {predicate: frozenset(root(word) for word in cues.split()) for predicate, cues in _CUES.items()}
# "It got moved to Friday": what "it" is nobody can tell before the night has read it, so every answer waits.
_PRONOUNS = word_set("it that this they he she those these")
_CHANGES = frozenset(
    root(word)
    for word in word_set("""
    moved changed cancelled canceled postponed pushed rescheduled delayed renamed replaced switched
    wrong mistaken outdated actually instead longer anymore correction scratch
    """)
)
_ASKING = word_set(
    "who whom whose what which when where why how is are am was were do does did can could will would should shall"
    " have has had may might"
)


@dataclass(frozen=True, slots=True)
class UnreadStatement:
    """One statement of a turn past the watermark, as far as freshness has to know it."""

    roots: frozenset[str]
    unclear: bool = False  # it changes something, but does not say what


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact that is newer than an answer: what it is on, where that is known, and what it says."""

    subject: str
    predicate: str
    id: str
    says: tuple[UnreadStatement, ...] = ()


@dataclass(frozen=True, slots=True)
class World:
    """What the store holds now, as far as one answer is concerned."""

    versions: Mapping[str, int]  # current versions of what it rests on; what is gone is missing
    embedder: str
    tail: Sequence[UnreadStatement] = ()
    facts: Collection[NewFact] = field(default_factory=tuple)  # facts that are newer than the answer


def said(text: str) -> tuple[UnreadStatement, ...]:
    """The statements of a turn; what it only asks changes nothing.

    >>> len(said("I moved to Berlin. Where do I live?")), said("Where do I live?")
    (1, ())
    """
    return tuple(_said(sentence) for sentence in sentences(text) if not _asks(sentence))


def said_between(was: str, now: str) -> tuple[UnreadStatement, ...]:
    """What an edit says: the sentences that came and those that went.

    >>> [sorted(s.roots) for s in said_between("I live in Hamburg. I like tea.", "I like tea.")]
    [['hamburg', 'live']]
    """
    before, after = said(was), said(now)
    return tuple(one for one in (*before, *after) if (one in before) != (one in after))


def _asks(sentence: str) -> bool:
    if sentence.rstrip().endswith("?"):
        return True
    low = spoken(sentence).low
    return bool(low) and low[0] in _ASKING


def _said(sentence: str) -> UnreadStatement:
    low = spoken(sentence).low
    roots = frozenset(root(word) for word in low if word not in FUNCTION_WORDS)
    changing = roots & _CHANGES or "not" in low
    return UnreadStatement(roots=roots, unclear=bool(changing) and low[:1] != () and low[0] in _PRONOUNS)


def reach(question: ReadQuestion, answer: str) -> frozenset[str]:
    """The roots that touch an answer when somebody says them: its question's words, the names in it, its cues."""
    return question.topics | frozenset(_names(words_told(answer))) | cues(question)


_ATTRIBUTION = re.compile(r"\b[^\s\"]{1,80},? (?:said )?on \d{1,2} [A-Z][a-z]+ \d{4}: ")


def words_told(answer: str) -> str:
    """An answer without who said it and when.

    >>> words_told('You said on 5 November 2026: "we live in Porto".')
    '"we live in Porto".'
    """
    return _ATTRIBUTION.sub("", answer)


def cues(question: ReadQuestion) -> frozenset[str]:
    """The roots that people say when what a personal question asks for changes; none for another question."""
    return _CUE_STEMS.get(_predicate(question), frozenset())


def bears_on(question: ReadQuestion, statement: str) -> bool:
    """Whether a statement speaks of what a question asks for: in its words, or in those that tell of a change.

    >>> from reverie.policy.answers.guards.reading import read
    >>> [bears_on(read("Where do I live?"), text) for text in ("I moved to Berlin.", "I like tea.")]
    [True, False]
    """
    touching = question.topics | cues(question)
    return any(one.roots & touching for one in said(statement))


def at_odds(question: ReadQuestion, answer: str, core: Sequence[UnreadStatement]) -> bool:
    """Whether core memory speaks of what a personal question asks for, but not of what the answer says.

    >>> from reverie.policy.answers.guards.reading import read
    >>> home = read("Where do I live?")
    >>> [at_odds(home, "You live in Hamburg.", said(core)) for core in ("Lives in Oslo.", "Likes tea.")]
    [True, False]
    """
    touching = cues(question)
    says = frozenset().union(*(one.roots for one in said(words_told(answer)))) - touching - question.topics
    return bool(says) and any(one.roots & touching and not one.roots & says for one in core)


def _predicate(question: ReadQuestion) -> str:
    return question.personal.rpartition(".")[2].partition(":")[0]


def _names(answer: str) -> list[str]:
    words = spoken(answer)
    return [
        root(low)
        for i, (cased, low) in enumerate(zip(words.cased, words.low, strict=True))
        if ((cased[0].isupper() and i not in words.starts) or cased[0].isdigit()) and low not in FUNCTION_WORDS
    ]


def fact_keys(personal: str) -> frozenset[tuple[str, str]]:
    """The subject and predicate of the facts that answer a question with this personal reading: ("user", "lives_in").

    >>> from reverie.policy.answers.guards.reading import personal_reading
    >>> sorted(fact_keys(personal_reading("Where does my sister live?")))
    [("user's sister", 'lives_in')]
    """
    whose, _, predicate = personal.rpartition(".")
    if not whose:
        return frozenset()
    subject = "user" if whose in ("me", "us") else whose.replace("my ", "user's ", 1).replace("+", " ")
    return frozenset(((subject, predicate.partition(":")[0]),))


def check(answer: Answer, question: ReadQuestion, world: World, keys: Collection[tuple[str, str]] = ()) -> Decision:
    """Allowed while fresh; `keys` are the (subject, predicate) of the facts that the answer rests on."""
    touching = reach(question, answer.answer)
    why = (
        _changed(answer, world)
        or _contradicted(answer, frozenset(keys) | fact_keys(question.personal), world.facts)
        or _spoken_of(touching, world.tail)
        or _spoken_of(touching, [part for fact in world.facts if fact.id not in answer.rests_on for part in fact.says])
    )
    return Decision(not why, why or "nothing it rests on has changed")


def _changed(answer: Answer, world: World) -> str:
    if answer.embedder != world.embedder:
        return f"made with embedder {answer.embedder}, now {world.embedder}"
    for ref, version in answer.rests_on.items():
        now = world.versions.get(ref)
        if now is None:
            return f"{ref} is gone"
        if now != version:
            return f"{ref} has changed"
    return ""


def _contradicted(answer: Answer, keys: frozenset[tuple[str, str]], facts: Collection[NewFact]) -> str:
    """A newer fact of the same subject and predicate, even if the answer never rested on one."""
    folded = {(_folded(subject), predicate) for subject, predicate in keys}
    for fact in facts:
        if (_folded(fact.subject), fact.predicate) in folded and fact.id not in answer.rests_on:
            return f"{fact.id} says something new about {fact.subject} {fact.predicate}"
    return ""


def _folded(subject: str) -> str:
    return " ".join(root(word) for word in spoken(subject).low)


def _spoken_of(touching: frozenset[str], tail: Sequence[UnreadStatement]) -> str:
    for statement in tail:
        if statement.unclear:
            return "something was just changed, not yet clear what"
        shared = statement.roots & touching
        if shared:
            return f"just spoken of: {min(shared)}"
    return ""
