"""A note: what was said about one topic, as a sentence of what is certain and the speakers' own words, newest first."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reverie.language import quoting
from reverie.language.topics import POINTED
from reverie.language.words import jaccard
from reverie.minds.rules.reading.facts import facts_of
from reverie.model.thinking import Episode, FactDraft, NoteDraft
from reverie.policy.care.grouping import SharedTopic, Topical, naming, topics

QUOTES = 4  # a note is read at a glance; its episodes hold the rest
ALIKE = 0.6  # of their words: one of two such quotes is enough


@dataclass(frozen=True, slots=True)
class _Said:
    """A quote with its episode, as a note weighs it."""

    draft: FactDraft
    episode: Episode
    topical: Topical

    @property
    def line(self) -> str:
        draft, episode = self.draft, self.episode
        return f"- {quoting.shown(draft.quote, episode.speaker, episode.said_at, draft.about, draft.when, draft.on)}"


def note(episodes: Sequence[Episode], topic: str = "") -> NoteDraft | None:
    """On this topic, or without one on what most of the episodes name. None when they say too little of it."""
    said = _quotes(episodes)
    found = naming([one.topical for one in said], topic) if topic else _topic(said)
    if found is None:
        return None
    named = {statement.id for statement in found.statements}
    on_topic = sorted((one for one in said if one.topical.id in named), key=lambda one: one.episode.said_at)
    chosen = _chosen(on_topic) if on_topic else []
    if len({one.episode.id for one in chosen}) < 2:
        return None
    text = "\n".join([_opening(_named(found), on_topic, len(chosen)), *(one.line for one in chosen)])
    return NoteDraft(_capital(found.shown), text, tuple(dict.fromkeys(one.episode.id for one in on_topic)))


def _quotes(episodes: Sequence[Episode]) -> list[_Said]:
    by_id = {episode.id: episode for episode in episodes}
    drafts = [draft for draft in facts_of(episodes) if draft.kind != "directive"]
    return [
        _Said(draft, by_id[draft.source], Topical.of(str(n), draft.source, by_id[draft.source].said_at, draft.quote))
        for n, draft in enumerate(drafts)
    ]


def _topic(said: Sequence[_Said]) -> SharedTopic | None:
    """The thing that most of the episodes name."""
    statements = [one.topical for one in said]
    found = topics(statements, {s.id for s in statements}, {one.episode.speaker for one in said})
    return max(found, key=lambda topic: (len(topic.episodes), topic.score), default=None)


def _chosen(said: Sequence[_Said]) -> list[_Said]:
    """The newest quote, then those that matter most and say something else; shown newest first."""
    newest = sorted(said, key=lambda one: -one.episode.said_at)
    ranked = [newest[0], *sorted(newest[1:], key=lambda one: -one.draft.importance)]
    chosen: list[_Said] = []
    for one in ranked:
        if len(chosen) < QUOTES and all(jaccard(one.topical.terms, other.topical.terms) < ALIKE for other in chosen):
            chosen.append(one)
    return sorted(chosen, key=lambda one: -one.episode.said_at)


def _opening(named: str, said: Sequence[_Said], shown: int) -> str:
    """What is certain: who spoke of it, on how many days, from when to when."""
    speakers = Counter(quoting.who(one.episode.speaker) for one in said)
    who = " and ".join(name for name, _ in speakers.most_common(3))
    days = list(dict.fromkeys(quoting.day(one.episode.said_at) for one in said))
    when = f"on {days[0]}" if len(days) == 1 else f"on {len(days)} days from {days[0]} to {days[-1]}"
    order = "the latest first" if shown == len(said) else f"{shown} of {len(said)} statements, the latest first"
    return f"{who} spoke of {named} {when}; {order}:"


def _named(topic: SharedTopic) -> str:
    """The topic within a sentence: Petra, the ledger deadline, counseling."""
    pointed = sum(thing.lead in POINTED and not thing.name for thing in topic.forms)
    return f"the {topic.shown}" if 2 * pointed > len(topic.forms) else topic.shown


def _capital(shown: str) -> str:
    return shown[:1].upper() + shown[1:]
