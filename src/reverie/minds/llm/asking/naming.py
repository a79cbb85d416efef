"""What an unclear quote speaks of: a model copies words from the talk before it, and code finds their sentence.

One quote a call: small models can answer that, and mix several up.
"""

import re

from reverie.errors import ModelFault
from reverie.minds.llm.asking.grounding import copied_from
from reverie.minds.llm.asking.parse import lines_of
from reverie.minds.llm.ladder import ModelQuestion
from reverie.minds.llm.prompt_data import Sheet, clipped, shown, task
from reverie.minds.llm.validate import ParsedAnswer
from reverie.minds.rules.undecided.quotes import UnclearQuote
from reverie.model.thinking import FactDraft

WORDS = 24  # tokens that a name may take
LONGEST_QUOTE = 300  # characters


_SPEAKS_OF = re.compile(r"^(?:the statement|it|this) (?:speaks|talks|is) (?:of|about) ", re.I)


def subject_of(unclear: UnclearQuote) -> ModelQuestion[FactDraft | None]:
    """Asked once: a second answer to so small a question is seldom better."""
    speaker = shown(unclear.led.turn.episode.speaker)
    sheet = Sheet()
    if unclear.talk:
        sheet.add("talk", [f"{shown(one.speaker)}: {shown(one.text)}" for one in unclear.talk])
    sheet.add("statement", [f"{speaker}: {shown(clipped(unclear.text, LONGEST_QUOTE))}"])
    words = task("subject")
    return ModelQuestion(sheet.text, words, lambda found: _named(found, unclear, words), WORDS, once=True)


def _named(text: str, unclear: UnclearQuote, words: str) -> ParsedAnswer[FactDraft | None]:
    """The quote behind the sentence that it was found in; None where the model says that nothing names it."""
    said = [_SPEAKS_OF.sub("", line) for line in lines_of(text)]
    if not said:
        return ParsedAnswer(None)
    found = unclear.named(said[0])
    if found is None and copied_from(said[0], words):
        raise ModelFault("echo", "the form's own example came back")
    if found is None:
        raise ModelFault("not_verbatim", "the words stand in none of the lines, or name nothing new")
    return ParsedAnswer(found)
