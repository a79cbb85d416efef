"""The same lives as in the story, many more and longer."""

import pytest

from tests.support.truth import Truth, lived


class LongTruth(Truth):
    """A life of its own, so that its settings are its own too."""


TestAnswersNeverLieForLong = pytest.mark.torture(LongTruth.TestCase)
TestAnswersNeverLieForLong.settings = lived(examples=150, steps=25)
