"""No text from outside keeps a pattern, a filter or a night busy: cost grows with its length, not with its square."""

from functools import partial

import pytest

from reverie import Space
from reverie.policy.safety.redaction import Redactor
from reverie.policy.safety.secrets.shapes import ALL_SHAPES
from tests.support.hostile import (
    COMPILED_LATER,
    PIECES,
    patterns,
    readers,
    scan,
    seconds,
    texts,
    too_slow,
    without_a_look,
)

SIZE = 20_000
MOST = 0.2  # seconds: a fifth of what 100 kB may take; a pattern that searches again takes whole seconds
SAMPLE = ("a", "1", "\n", " ", "a ", "(", '"', "-", ".", "a, ", "password ", "a@", "aB1-", "://", "<private>")
OF_FORMS = ("the ", "on ", "my ", "B1a-")  # what the forms of a sentence begin with, and a name without an end


def test_every_pattern_of_the_package_reads_hostile_texts_once() -> None:
    hostile = dict(texts(SIZE, SAMPLE))
    found = {where: too_slow(partial(scan, pattern), hostile, MOST) for pattern, where in patterns().items()}
    assert len(found) > 100
    assert {where: pieces for where, pieces in found.items() if pieces} == {}


def test_forms_that_are_compiled_later_read_their_own_beginnings_once() -> None:
    hostile = {piece: piece * (SIZE // len(piece)) for piece in OF_FORMS}
    later = {pattern: where for pattern, where in patterns().items() if where.rpartition(" ")[0] in COMPILED_LATER}
    assert len(later) > 70
    found = {where: too_slow(partial(scan, pattern), hostile, MOST) for pattern, where in later.items()}
    assert {where: pieces for where, pieces in found.items() if pieces} == {}


def test_no_function_keeps_patterns_that_are_not_looked_at() -> None:
    assert without_a_look() == []


@pytest.mark.parametrize("name", readers())
def test_every_reader_reads_hostile_texts_once(name: str) -> None:
    read = readers()[name]
    read("Warm up: patterns are compiled when they are first needed.")
    assert too_slow(read, dict(texts(SIZE, SAMPLE)), 1.0) == []


def test_all_shapes_of_secrets_at_once_read_a_large_text_once() -> None:
    every = Redactor()
    marks = " ".join(mark for s in ALL_SHAPES for mark in s.marks)
    every.redact(marks)
    assert too_slow(lambda text: every.redact(marks + text), dict(texts(100_000, SAMPLE)), 5.0) == []


@pytest.mark.slow
@pytest.mark.parametrize("role", ["tool", "user"])
def test_one_hostile_turn_keeps_no_night_and_no_reader_busy(alice: Space, role: str) -> None:
    alice.append("user", "I like tea, and my dog is called Rex.")
    alice.sleep()  # patterns are compiled and models loaded once
    for piece in ("\n", " ", "a", "a. ", "(", "- "):
        alice.append(role, f"Result: {piece * (100_000 // len(piece))} end")
        assert seconds(lambda: alice.context("What is my dog called?")) < 5
    assert seconds(alice.sleep) < 6 * 5  # six turns, and some room for slow machines


def test_the_sample_is_part_of_what_torture_tries() -> None:
    assert {*SAMPLE, *OF_FORMS} <= set(PIECES)
