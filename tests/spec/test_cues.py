"""Phrases of the table of cues: whole ones, and words of which only the beginning is given."""

from reverie.minds.rules.reading.cues import Phrases


def test_a_phrase_shows_whole_cues_first_then_those_of_ever_longer_beginnings() -> None:
    phrases = Phrases()
    for cue, phrase in (("move", "mov*"), ("people", "sister"), ("kin", "sist*"), ("family", "sis*")):
        phrases.add(cue, phrase)
    assert phrases.of("sister") == ["people", "family", "kin"]
    assert phrases.of("moved") == ["move"]
    assert phrases.of("mo") == []
