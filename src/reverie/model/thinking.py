"""The small typed values that go into a reasoner and come out of it. Every draft cites the ids it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reverie.model.base import Instant, Trust

FactKind = Literal["statement", "preference", "plan", "decision", "request", "correction", "event", "directive"]
ClashKind = Literal["none", "update", "conflict", "extends"]


@dataclass(frozen=True, slots=True)
class Episode:
    """One turn as a reasoner sees it: data, never instruction."""

    id: str  # the memory id of the episode
    text: str
    said_at: Instant
    speaker: str = "user"  # a name where known, else the role
    role: str = "user"
    session: str = ""
    trust: Trust = Trust.USER
    before: tuple[str, ...] = ()  # "speaker: text" of the turns just before, oldest first
    earlier: tuple[str, ...] = ()  # the turns of the session before those, for whom "she" means; no model reads them
    to_agent: bool = True  # False in a talk between persons
    pause: float = 0.0  # seconds since the turn before it


@dataclass(frozen=True, slots=True)
class FactDraft:
    """What somebody said that is worth keeping: their own words, and where sure, what they are about.

    Subject, predicate and value are for the index and for clashes; they may be missing, and nobody reads them.
    """

    source: str  # the episode's id
    quote: str  # the speaker's own words, a span of the episode's text exactly as it stands there
    text: str = ""  # a clean sentence that passed every check; without one the quote is shown
    when: str = ""  # the dates that it names, made plain: "yesterday" was "7 May 2023"
    about: str = ""  # the question it answers, or the thing that it continues; somebody's words too
    on: str = ""  # what the speaker had said before the question, where quote and question need it
    told: str = ""  # what the other one said just before `about`, where few words lean on all of it
    talk: str = ""  # what was said just before it, by whom: shown behind the quote, as the record of the moment
    introduced: str = ""  # the day and the words by which its speaker first named what it takes for known
    reasons: tuple[str, ...] = ()  # why it is worth keeping, the strongest first
    subject: str = ""  # "user" for the person who speaks to the agent
    predicate: str = ""  # lives_in, works_at, deadline, …
    value: str = ""
    kind: FactKind = "statement"
    confidence: float = 0.95
    happened_at: Instant | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    negated: bool = False  # "I don't eat meat any more": ends the value, states no new one
    cue: str = ""  # the words that mark a change: "moved", "no longer", "switched from X"
    replaces: str = ""  # the value that the speaker says it replaces, where said
    exclusive: bool = False  # a subject has one such value at a time (home, employer, name, …)
    scope: str = ""  # of a directive: the project or path that it is limited to
    asked: bool = False  # "remember that …"
    doubted: bool = False  # it may be somebody else's words: worth no more than a file's
    importance: float = 0.5
    line: str = ""  # the part of the quote that core shows, where that is not all of it, and the dates in it
    line_when: str = ""
    core: float | None = None  # the odds that an assistant should have it before its eyes at all times, if judged
    read_alone: float | None = None  # the same of the words that core would show, read by themselves
    leans: float | None = None  # and that nobody understands those by themselves


@dataclass(frozen=True, slots=True)
class NoteDraft:
    title: str
    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clash:
    """How two facts of one subject and predicate stand to each other."""

    kind: ClashKind
    why: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class ProfileDraft:
    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InsightDraft:
    text: str
    kind: Literal["deduction", "induction"]
    premises: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A memory or turn that may answer a question."""

    id: str
    text: str
    said_at: Instant | None
    speaker: str = ""
    score: float = 0.0
    trust: Trust = Trust.USER
    kind: str = "episode"
    subject: str | None = None
    predicate: str | None = None
    value: str | None = None
    quote: str = ""  # of a fact: the speaker's own words
    about: str = ""  # the question that these answered, or the thing that they continue
    when: str = ""  # the dates that they name, made plain
    happened_at: Instant | None = None
    core: float | None = None  # the odds that an assistant should know it at all times, if judged


@dataclass(frozen=True, slots=True)
class QuestionContext:
    """What the predictors know: the latest facts, newest first, and the recent turns of a space."""

    facts: tuple[Evidence, ...]
    turns: tuple[Episode, ...]
    asked: tuple[str, ...] = ()  # questions of the past, most likely first
    now: Instant | None = None


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    text: str
    why: str
    sources: tuple[str, ...] = ()
    added: bool = False  # by a model: it takes no place that a question of the rules could have


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    text: str
    confidence: float
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a block with what it rests on; `own` marks a person's own words, never reworded."""

    text: str
    sources: tuple[str, ...] = ()
    own: bool = False


@dataclass(frozen=True, slots=True)
class BlockDraft:
    label: str
    limit: int
    sentences: tuple[Sentence, ...]
    description: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Somebody's own words, with who said them, when, and the question or thing that they are on."""

    text: str
    speaker: str = "user"
    said_at: Instant = 0.0
    about: str = ""


@dataclass(frozen=True, slots=True)
class NightStory:
    """What a night changed for the user, in the user's words; its cost."""

    night: str
    began_at: Instant
    kind: str
    learned: tuple[Quote, ...] = ()  # what matters most first
    changed: tuple[tuple[Quote, Quote], ...] = ()  # older, newer
    directives: tuple[Quote, ...] = ()
    core: tuple[str, ...] = ()  # lines that core memory has gained
    open: tuple[tuple[Quote, Quote], ...] = ()  # two statements that cannot both hold
    topics: tuple[str, ...] = ()  # what notes were written about
    asked: tuple[Quote, ...] = ()  # the user's questions, the latest first
    ahead: int = 0  # answers that were prepared
    tokens: int = 0
    cost: float = 0.0

    @property
    def empty(self) -> bool:
        return not (self.learned or self.changed or self.directives or self.core or self.open or self.topics)


@dataclass(frozen=True, slots=True)
class ProposedChange:
    label: str
    before: str
    after: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    approve: bool
    why: str


Reasoning = Literal["computation", "relation", "consequence", "comparison", "open question"]
REASONINGS: tuple[Reasoning, ...] = ("computation", "relation", "consequence", "comparison", "open question")


@dataclass(frozen=True, slots=True)
class ContextLine:
    """One line of a context, and the memory that holds it."""

    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """A whole context as a reasoner ponders it: data, never instruction. Lines are counted from 1."""

    name: str
    lines: tuple[ContextLine, ...]
    now: Instant | None = None
    talk: bool = False  # turns of a session: a date without a year takes none from another turn

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    def sources(self, lines: tuple[int, ...]) -> tuple[str, ...]:
        """The memories that hold these lines."""
        held = (self.lines[n - 1].source for n in lines if 1 <= n <= len(self.lines))
        return tuple(dict.fromkeys(source for source in held if source))


@dataclass(frozen=True, slots=True)
class Thought:
    """One thing that follows from a context, in a sentence that stands alone, with the lines that it rests on."""

    kind: Reasoning
    text: str
    lines: tuple[int, ...]
    value: str = ""  # what was worked out, as it is shown
    expression: str = ""  # how, in numbers of the text
    by_code: bool = True  # False: a model's own words, grounded in the lines
    days: bool = False  # counted from today: it holds for a day


@dataclass(frozen=True, slots=True)
class Pondered:
    """What came of thinking about one context."""

    thoughts: tuple[Thought, ...]
    counts: Mapping[str, int] = field(default_factory=dict)  # quantities kept and dropped, disagreements
