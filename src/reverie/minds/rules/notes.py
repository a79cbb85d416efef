"""A note: two or more episodes on one topic, told in their own words with who said it and when."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from reverie.minds.rules.centrality import central
from reverie.minds.rules.filters import is_question
from reverie.minds.rules.people import USER, speaker_name
from reverie.model.thinking import Episode, NoteDraft
from reverie.policy.words import MONTHS, STOP_WORDS, sentences, stem, tokens

LINES = 5


def _topic(episodes: Sequence[Episode]) -> list[str]:
    """The words that most episodes share, as they are most often written."""
    written: dict[str, Counter[str]] = {}
    spread: Counter[str] = Counter()
    for episode in episodes:
        words = {w for w in tokens(episode.text) if w not in STOP_WORDS and len(w) > 3}
        for word in words:
            written.setdefault(stem(word), Counter())[word] += 1
        spread.update({stem(word) for word in words})
    shared = [(count, root) for root, count in spread.items() if count > 1]
    ranked = sorted(shared, key=lambda item: (-item[0], -len(item[1]), item[1]))
    return [max(sorted(written[root]), key=lambda w: written[root][w]) for _, root in ranked[:3]]


def _titled(topic: Sequence[str], episodes: Sequence[Episode]) -> str:
    """The topic's words, with capitals where the episodes write them so."""
    said = " ".join(e.text for e in episodes)
    words = [w.capitalize() if f"{w.capitalize()}" in said and f" {w} " not in f" {said} " else w for w in topic]
    return ", ".join(words)[:1].upper() + ", ".join(words)[1:]


def _day(episode: Episode) -> str:
    at = datetime.fromtimestamp(episode.said_at, UTC)
    return f"{at.day} {MONTHS[at.month - 1].title()} {at.year}"


def _who(episode: Episode) -> str:
    name = speaker_name(episode.speaker)
    return (
        "The user"
        if name == USER and episode.role == "user"
        else episode.speaker.capitalize()
        if name == USER
        else name
    )


def note(episodes: Sequence[Episode]) -> NoteDraft | None:
    """None when the episodes share no topic: a note that cites one episode would add nothing."""
    topic = _topic(episodes)
    if len(episodes) < 2 or not topic:
        return None
    lines = [
        (e, line) for e in episodes for line in sentences(e.text) if not is_question(line) and len(line.split()) > 2
    ]
    chosen = [lines[i] for i in central([line for _, line in lines], LINES)]
    cited = dict.fromkeys(e.id for e, _ in chosen)
    if len(cited) < 2:
        first_lines = {e.id: (e, line) for e, line in reversed(lines)}
        chosen = [first_lines[e.id] for e in episodes if e.id in first_lines][:LINES]
        cited = dict.fromkeys(e.id for e, _ in chosen)
    if len(cited) < 2:
        return None
    text = " ".join(f"{_who(e)} said on {_day(e)}: {line}" for e, line in chosen)
    return NoteDraft(_titled(topic, episodes), text, tuple(cited))
