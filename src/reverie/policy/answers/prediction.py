"""Which questions are likely next (what recurs, is left open, became askable), and whether foreseeing them pays.

Each predictor says how likely its question is within an answer's life; its record says how far to believe it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from reverie.model.answers import TrackRecord
from reverie.model.base import DAY, Instant
from reverie.policy.answers.closeness import closeness
from reverie.policy.answers.guards.compare import compare
from reverie.policy.answers.guards.reading import ReadQuestion, read
from reverie.policy.decision import Decision

RECURRING, OPEN_THREAD, NEW_FACT = "recurring", "open_thread", "new_fact"
HALF_LIFE = 14.0  # days after which a question that was asked counts half
LIFE = 1.0  # days that an answer lives: the time within which it must be asked for
SAME = 0.90  # as close as this and past the guards, two past questions are one
MOST_PAST = 400  # of the latest different questions are clustered: the cost of a night must not grow with history
OPEN_PRIOR = 0.25  # that a question is asked which the latest turn left open; each turn further back counts less
OPEN_FADE = 0.8
FACT_PRIOR = 0.15  # that a fact of importance 1, learned just now, is asked for

Similarity = Callable[[int, int], float | None]  # cosine of two past questions, by their places
ENOUGH_ANSWERS = 40  # made, before anything is judged
ENOUGH_QUESTIONS = 20  # asked meanwhile
LEAST_HIT_RATE = 0.01  # even when computing is free, storing and checking is not
TRY_AGAIN = 7 * DAY
WINDOW = 28 * DAY  # what lies further back says nothing about now


@dataclass(frozen=True, slots=True)
class AskedBefore:
    text: str
    last_at: Instant
    times: int = 1


@dataclass(frozen=True, slots=True)
class Cluster:
    """Past questions that ask the same; its face is the phrasing used most, the latest where that ties."""

    question: str
    weight: float  # askings, each halved every two weeks
    times: int
    last_at: Instant
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    question: str
    predictor: str
    likelihood: float
    why: str
    sources: tuple[str, ...] = ()
    added: bool = False  # by a model, to those that the rules expect


@dataclass(frozen=True, slots=True)
class Chosen:
    candidate: Candidate
    score: float
    weight: float  # of its predictor


def clusters(asked: Sequence[AskedBefore], similarity: Similarity, now: Instant) -> list[Cluster]:
    """The heaviest first. Deterministic: each question joins the first cluster whose face it matches."""
    order = sorted(range(len(asked)), key=lambda i: (-asked[i].last_at, asked[i].text))[:MOST_PAST]
    groups: list[list[int]] = []
    questions = {i: read(asked[i].text) for i in order}
    for i in order:
        home = next((group for group in groups if _same(questions, i, group[0], similarity)), None)
        if home is None:
            groups.append([i])
        else:
            home.append(i)
    return sorted((_cluster([asked[i] for i in group], now) for group in groups), key=_heaviest_first)


def _heaviest_first(cluster: Cluster) -> tuple[float, str]:
    return -cluster.weight, cluster.question


def _same(questions: Mapping[int, ReadQuestion], a: int, b: int, similarity: Similarity) -> bool:
    one, other = questions[a], questions[b]
    if one.text == other.text:
        return True
    if one.topics.isdisjoint(other.topics) and one.personal != other.personal:
        return False  # no word and no reading in common: not worth a cosine
    return closeness(one, other, similarity(a, b)).score >= SAME and compare(one, other).ok


def _cluster(group: Sequence[AskedBefore], now: Instant) -> Cluster:
    times: dict[str, tuple[int, Instant]] = {}
    for asked in group:
        count, last = times.get(asked.text, (0, 0.0))
        times[asked.text] = (count + asked.times, max(last, asked.last_at))
    face = max(times, key=lambda text: (times[text], text))
    return Cluster(
        question=face,
        weight=sum(recency(asked.last_at, now) * asked.times for asked in group),
        times=sum(asked.times for asked in group),
        last_at=max(asked.last_at for asked in group),
        members=tuple(times),
    )


def recency(at: Instant, now: Instant) -> float:
    """
    >>> recency(0.0, 14 * DAY)
    0.5
    """
    return float(0.5 ** (max(0.0, now - at) / DAY / HALF_LIFE))


def likelihood_of_recurrence(weight: float) -> float:
    """That a question of this weight is asked within an answer's life, if it keeps its rate.

    A question asked `rate` times a day weighs `rate * half_life / ln 2`; askings come as they may (Poisson).

    >>> round(likelihood_of_recurrence(14 / log(2)), 3)  # once a day
    0.632
    """
    rate = weight * log(2) / HALF_LIFE
    return 1 - exp(-rate * LIFE)


def recurring(groups: Sequence[Cluster]) -> list[Candidate]:
    """What was asked only once recurs too seldom to be worth a night; twice or more is a habit."""
    return [
        Candidate(g.question, RECURRING, likelihood_of_recurrence(g.weight), f"asked {g.times} times")
        for g in groups
        if g.times > 1
    ]


def left_open(question: str, turns_ago: int, sources: tuple[str, ...] = ()) -> Candidate:
    likelihood = OPEN_PRIOR * OPEN_FADE**turns_ago
    return Candidate(question, OPEN_THREAD, likelihood, f"left open {turns_ago} turns ago", sources)


def askable(question: str, importance: float, sources: tuple[str, ...] = (), *, added: bool = False) -> Candidate:
    return Candidate(question, NEW_FACT, FACT_PRIOR * importance, "a new fact answers it", sources, added)


_EXPECTED = 0.1  # of a new predictor's answers are asked for
_PATIENCE = 10.0  # answers that this expectation counts for


def weight_of(record: TrackRecord) -> float:
    """How far to believe a predictor: its hits per answer against what a new one is given, less what was wrong.

    >>> [weight_of(TrackRecord("new", made, hits)) for made, hits in ((0, 0), (40, 0), (10, 5))]
    [1.0, 0.2, 3.0]
    """
    precision = (record.hits + _EXPECTED * _PATIENCE) / (record.made + _PATIENCE)
    return round(precision / _EXPECTED * (1 - record.wrong_share) ** 2, 6)


def dropped(record: TrackRecord, max_wrong: float = 0.2, after: int = 10) -> Decision:
    """Allowed while it does well: a predictor whose probed hits were wrong too often makes no more questions."""
    if record.probes >= after and record.wrong_share > max_wrong:
        return Decision(False, f"{record.wrong} of {record.probes} probed hits were wrong")
    return Decision(True, f"{record.hits} hits of {record.made} answers")


def choose(
    candidates: Sequence[Candidate], records: Mapping[str, TrackRecord], k: int, held: Sequence[str] = ()
) -> list[Chosen]:
    """The k best by likelihood times the predictor's weight, what a model has added after all others; what is held
    already or asks the same is left out.
    """
    taken = [read(text) for text in held]
    best: list[Chosen] = []
    for chosen in sorted(_scored(candidates, records), key=_best_first):
        if len(best) >= k:
            break
        question = read(chosen.candidate.question)
        if not any(repeats(question, other) for other in taken):
            taken.append(question)
            best.append(chosen)
    return best


def _best_first(chosen: Chosen) -> tuple[bool, float, str]:
    return chosen.candidate.added, -chosen.score, chosen.candidate.question


def _scored(candidates: Sequence[Candidate], records: Mapping[str, TrackRecord]) -> list[Chosen]:
    weights = {name: weight_of(records.get(name, TrackRecord("new"))) for name in {c.predictor for c in candidates}}
    return [
        Chosen(candidate, candidate.likelihood * weights[candidate.predictor], weights[candidate.predictor])
        for candidate in candidates
        if dropped(records.get(candidate.predictor, TrackRecord("new")))
    ]


def repeats(question: ReadQuestion, other: ReadQuestion) -> bool:
    """The same by reading or by words; without vectors, since a few candidates too alike cost little."""
    if question.personal and question.personal == other.personal:
        return True
    return question.topics == other.topics and question.kind == other.kind and compare(question, other).ok


@dataclass(frozen=True, slots=True)
class AnswerUsage:
    """Since the window was opened, in one space."""

    made: int = 0
    asked: int = 0
    hits: int = 0
    wrong: int = 0
    tokens_asleep: int = 0
    tokens_saved: int = 0
    asleep_price: float = 0.5  # of a token asleep, where one awake costs 1: nobody waits, so it may be batched or cheap
    off_since: Instant | None = None

    @property
    def hit_rate(self) -> float:
        return self.hits / self.asked if self.asked else 0.0

    @property
    def cost(self) -> float:
        return self.tokens_asleep * self.asleep_price


def pays(usage: AnswerUsage, now: Instant) -> Decision:
    """
    >>> pays(AnswerUsage(made=50, asked=30, hits=9, tokens_asleep=10_000, tokens_saved=9_000), 0.0).why
    'saves 9000 tokens for 5000'
    """
    if usage.off_since is not None and now - usage.off_since < TRY_AGAIN:
        return Decision(False, f"off since it did not pay; tries again in {_days(usage.off_since, now)} days")
    if usage.off_since is not None:
        return Decision(True, "tries again after a week off")
    if usage.made < ENOUGH_ANSWERS or usage.asked < ENOUGH_QUESTIONS:
        return Decision(True, f"too early to judge: {usage.made} answers, {usage.asked} questions")
    if usage.hit_rate < LEAST_HIT_RATE:
        return Decision(False, f"{usage.hits} hits of {usage.asked} questions: not predictable here")
    if usage.tokens_saved < usage.cost:
        return Decision(False, f"saves {usage.tokens_saved} tokens for {usage.cost:.0f}: does not pay here")
    return Decision(True, f"saves {usage.tokens_saved} tokens for {usage.cost:.0f}")


def _days(since: Instant, now: Instant) -> int:
    return max(1, round((since + TRY_AGAIN - now) / DAY))


def probed(serving: str, share: float) -> bool:
    """Is this hit among the share that is computed again and compared? By its id, so that every reader agrees.

    >>> probed("srv-1", 1.0), probed("srv-1", 0.0)
    (True, False)
    """
    return sum(serving.encode()) * 2654435761 % 2**32 < share * 2**32
