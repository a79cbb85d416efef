"""Every pattern, every reader and whole nights against 100 kB of hostile text: none takes a second for one turn."""

from functools import partial

import pytest

from reverie import Space
from reverie.policy.safety.redaction import redact
from tests.support.hostile import patterns, readers, scan, seconds, texts, too_slow

pytestmark = [pytest.mark.torture, pytest.mark.timeout(3_600)]
SIZE = 100_000
SECOND = 1.0


def test_no_pattern_takes_a_second() -> None:
    hostile = dict(texts(SIZE))
    found = {where: too_slow(partial(scan, pattern), hostile, SECOND) for pattern, where in patterns().items()}
    assert {where: pieces for where, pieces in found.items() if pieces} == {}


@pytest.mark.parametrize("name", [*readers(), "redaction"])
def test_no_reader_takes_a_second(name: str) -> None:
    read = {**readers(), "redaction": redact}[name]
    read("Warm up: patterns are compiled when they are first needed.")
    assert too_slow(read, dict(texts(SIZE)), SECOND) == []


@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_no_night_takes_long_over_one_turn(alice: Space, role: str) -> None:
    alice.append("user", "I like tea, and my dog is called Rex.")
    alice.sleep()
    slow = []
    for piece, text in texts(SIZE):
        alice.append(role, f"Result: {text} end", session=f"s{piece!r}"[:50])
        night, read = seconds(alice.sleep), seconds(lambda: alice.context("What is my dog called?"))
        if night > 3 or read > SECOND:  # a night has steps that read the whole space
            slow.append((piece, round(night, 1), round(read, 1)))
    assert slow == []
