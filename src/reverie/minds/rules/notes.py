"""A note: what was said last about one topic, word for word, then what was said before that, newest first.

Three statements on one thing make a note, fewer do not. What a later one has brought up to date is marked as earlier.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from reverie.language import quoting
from reverie.language.topics import POINTED, is_topic_word
from reverie.language.words import jaccard
from reverie.minds.judge import Judge
from reverie.minds.rules.asking.questions import told_of
from reverie.minds.rules.reading.facts import facts_of
from reverie.minds.rules.reading.update_marks import Said, Surroundings
from reverie.minds.rules.reading.updates import SURE, weigh
from reverie.minds.rules.reference.persons import names_in, persons_in
from reverie.model.thinking import Episode, FactDraft, NoteDraft
from reverie.policy.care.grouping import SharedTopic, Topical, naming, topics

LEAST, QUOTES = 3, 4  # a note is read at a glance; its episodes hold the rest
ALIKE = 0.6  # of their words: one of two such quotes is enough


@dataclass(frozen=True, slots=True)
class _Said:
    """A quote with its episode, as a note weighs it."""

    draft: FactDraft
    episode: Episode
    topical: Topical

    @property
    def words(self) -> str:
        draft, episode = self.draft, self.episode
        return quoting.shown(draft.quote, episode.speaker, episode.said_at, draft.about, draft.when, draft.on)

    @property
    def said(self) -> Said:
        return Said(self.draft.quote, self.episode.text, at=self.episode.said_at)


def note(episodes: Sequence[Episode], topic: str = "", judge: Judge | None = None) -> NoteDraft | None:
    """On this topic, or without one on what most of the episodes name. None when they say too little of it."""
    said = _quotes(episodes, judge)
    found = naming([one.topical for one in said], topic) if topic else _topic(said)
    if found is None or not _is_specific(found, episodes):
        return None
    named = {statement.id for statement in found.statements}
    on_topic = sorted((one for one in said if one.topical.id in named), key=lambda one: one.episode.said_at)
    if _is_somebody(found.shown, on_topic):
        on_topic = [one for one in on_topic if _tells_of(found.shown, one.draft.quote)]
    chosen = _chosen(on_topic) if on_topic else []
    if len(chosen) < LEAST or not _belong_together(chosen, found.key):
        return None
    return _written(_capital(found.shown), _named(found), chosen, on_topic)


def _is_somebody(name: str, said: Sequence["_Said"]) -> bool:
    quotes = [one.draft.quote for one in said]
    names = names_in(quotes)
    return any(one.sure and one.named and one.key == name.lower() for q in quotes for one in persons_in(q, names))


def _tells_of(name: str, said: str) -> bool:
    """Whether a statement tells of somebody or of what one did with them; a party at their place does not."""
    dealt = rf"\b(?:i|we)\b(?:'\w+)?(?: [\w'-]+){{1,8}} {re.escape(name)}\b(?!['’]s)|\b{re.escape(name)} and i\b"
    return bool(told_of(name, said) or re.search(dealt, said, re.IGNORECASE))


def statements(episodes: Sequence[Episode]) -> list[str]:
    """What these episodes say that is worth keeping, as a note would show it, the oldest first."""
    return [one.words for one in _by_age(episodes)]


def note_of(episodes: Sequence[Episode], title: str, places: Sequence[int]) -> NoteDraft | None:
    """A note of those `statements` that somebody found to be on one thing; None where they are too few or too alike."""
    said = _by_age(episodes)
    on_topic = [said[place] for place in sorted(set(places))]
    chosen = _chosen(on_topic) if on_topic else []
    if len(chosen) < LEAST or len({one.episode.id for one in on_topic}) < 2:
        return None
    return _written(_capital(title), title, chosen, on_topic)


def _by_age(episodes: Sequence[Episode]) -> list["_Said"]:
    return sorted(_quotes(episodes), key=lambda one: one.episode.said_at)


def _written(title: str, named: str, chosen: Sequence["_Said"], on_topic: Sequence["_Said"]) -> NoteDraft:
    latest, *before = chosen
    lines = (f"- {one.words}{EARLIER if _overtaken(one, chosen) else ''}" for one in before)
    days = [quoting.day(one.episode.said_at) for one in (on_topic[0], on_topic[-1])]
    span = days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"
    heading = f"On {named}, {len(on_topic)} statements of {span}, the last of them: {latest.words}"
    text = "\n".join([heading, "Before that:", *lines])
    return NoteDraft(title, text, tuple(dict.fromkeys(one.episode.id for one in on_topic)))


def _quotes(episodes: Sequence[Episode], judge: Judge | None = None) -> list[_Said]:
    by_id = {episode.id: episode for episode in episodes}
    drafts = [draft for draft in facts_of(episodes, judge) if draft.kind != "directive"]
    return [
        _Said(draft, by_id[draft.source], Topical.of(str(n), draft.source, by_id[draft.source].said_at, draft.quote))
        for n, draft in enumerate(drafts)
    ]


def _topic(said: Sequence[_Said]) -> SharedTopic | None:
    """The thing that most of the episodes name."""
    statements = [one.topical for one in said]
    found = topics(statements, {s.id for s in statements}, {one.episode.speaker for one in said})
    return max(found, key=lambda topic: (len(topic.episodes), topic.score), default=None)


def _is_specific(topic: SharedTopic, episodes: Sequence[Episode]) -> bool:
    """Whether a reader knows from its name what it is: "the ledger deadline" or Petra, not "the class"; and nobody who
    takes part in the talk.
    """
    speakers = {episode.speaker.casefold() for episode in episodes}
    if any(speaker.startswith(topic.key) for speaker in speakers):
        return False
    names = sum(thing.name for thing in topic.forms)
    return len(topic.shown.split()) > 1 or 2 * names >= len(topic.forms) or any(map(str.isdigit, topic.shown))


def _chosen(said: Sequence[_Said]) -> list[_Said]:
    """The newest quote, then those that matter most and say something else; shown newest first."""
    newest = sorted(said, key=lambda one: -one.episode.said_at)
    ranked = [newest[0], *sorted(newest[1:], key=lambda one: -one.draft.importance)]
    chosen: list[_Said] = []
    for one in ranked:
        if len(chosen) < QUOTES and all(jaccard(one.topical.terms, other.topical.terms) < ALIKE for other in chosen):
            chosen.append(one)
    return sorted(chosen, key=lambda one: -one.episode.said_at)


def _belong_together(chosen: Sequence[_Said], key: str) -> bool:
    """Whether two of them, from two turns, say more of the same than the name of the topic."""
    told = [(one.episode.id, {t for t in one.topical.terms if is_topic_word(t)} - set(key.split())) for one in chosen]
    return any(a[0] != b[0] and a[1] & b[1] for a, b in combinations(told, 2))


def _overtaken(one: _Said, chosen: Sequence[_Said]) -> bool:
    """Whether a later one brings it up to date."""
    later = (other for other in chosen if other.episode.said_at > one.episode.said_at)
    return any(weigh(one.said, other.said, AMONG_MANY).score >= SURE for other in later)


EARLIER = " (earlier; changed since)"
AMONG_MANY = Surroundings(statements=100)


def _named(topic: SharedTopic) -> str:
    """The topic within a sentence: Petra, the ledger deadline, counseling."""
    pointed = sum(thing.lead in POINTED and not thing.name for thing in topic.forms)
    return f"the {topic.shown}" if 2 * pointed > len(topic.forms) else topic.shown


def _capital(shown: str) -> str:
    return shown[:1].upper() + shown[1:]
