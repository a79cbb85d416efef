"""No interleaving of writes, nights and reads serves an answer whose ground has changed."""

from tests.life import Life, lived

TestAnswersNeverLie = Life.TestCase
TestAnswersNeverLie.settings = lived(examples=10, steps=10)
