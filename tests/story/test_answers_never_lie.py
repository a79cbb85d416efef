"""No interleaving of writes, nights and reads serves an answer whose ground has changed."""

from tests.support.truth import Truth, lived

TestAnswersNeverLie = Truth.TestCase
TestAnswersNeverLie.settings = lived(examples=10, steps=10)
