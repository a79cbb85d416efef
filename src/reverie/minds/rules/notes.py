"""A note: two or more episodes on one topic, told briefly in their own words with who said it and when."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from reverie.language.calendar import MONTHS
from reverie.language.sentences import sentences
from reverie.language.vocabulary import STOP_WORDS
from reverie.language.words import stem, tokens
from reverie.minds.rules.centrality import central
from reverie.minds.rules.filters import is_question
from reverie.minds.rules.people import USER, speaker_name
from reverie.model.thinking import Episode, NoteDraft

LINES = 3  # a note is read at a glance; its episodes hold the rest


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
    if name != USER:
        return name
    return "the user" if episode.role == "user" else f"the {episode.speaker.lower()}"


Line = tuple[Episode, str]


def _lines(episodes: Sequence[Episode]) -> list[Line]:
    """What was stated. An assistant's echo is left out where the others alone make a note."""
    told = [
        (e, line) for e in episodes for line in sentences(e.text) if not is_question(line) and len(line.split()) > 2
    ]
    own = [(e, line) for e, line in told if e.role == "user"]
    return own if len({e.id for e, _ in own}) > 1 else told


def _chosen(lines: Sequence[Line], count: int) -> list[Line]:
    """The most central lines; when they are all of one episode, the first line of each."""
    chosen = [lines[i] for i in central([line for _, line in lines], count)]
    if len({e.id for e, _ in chosen}) > 1:
        return chosen
    first = {e.id: (e, line) for e, line in reversed(lines)}
    return list(reversed(first.values()))[:count]


def _told(chosen: Sequence[Line]) -> str:
    """Each day and each speaker named once: "On 3 May 2026 Maya said: … On 4 May 2026: …"."""
    parts: list[str] = []
    day = who = ""
    for episode, line in chosen:
        if (_day(episode), _who(episode)) == (day, who):
            parts.append(line)
        elif _who(episode) == who:
            parts.append(f"On {_day(episode)}: {line}")
        else:
            parts.append(f"On {_day(episode)} {_who(episode)} said: {line}")
        day, who = _day(episode), _who(episode)
    return " ".join(parts)


def note(episodes: Sequence[Episode]) -> NoteDraft | None:
    """None when the episodes share no topic: a note that cites one episode would add nothing."""
    topic = _topic(episodes)
    if len(episodes) < 2 or not topic:
        return None
    chosen = _chosen(_lines(episodes), LINES)
    cited = tuple(dict.fromkeys(e.id for e, _ in chosen))
    return NoteDraft(_titled(topic, episodes), _told(chosen), cited) if len(cited) > 1 else None
