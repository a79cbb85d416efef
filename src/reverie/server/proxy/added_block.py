"""The block that is added to a user's turn: a briefing with the first of a conversation, then what surely belongs."""

from collections.abc import Collection, Iterable

from reverie.language.sentences import sentences
from reverie.language.words import normalised
from reverie.model.hits import NOTHING_INJECTED, Injection
from reverie.policy.safety.trust import strip_recalled
from reverie.space import Space

SHORT = 12  # characters: so short a sentence is no repetition


def added_block(space: Space, said: str, session: str, seen: Collection[str], *, first: bool) -> Injection:
    """What to add to a turn: core memory if it is the first, and the statements that surely belong to it."""
    briefing = space.briefing(write=False) if first else NOTHING_INJECTED
    found = space.for_prompt(said, session=session, seen=(*seen, *briefing.seen))
    text = "\n".join(part for part in (briefing.text, found.text) if part)
    return Injection(text, (*briefing.seen, *found.seen))


def without_added(answer: str, blocks: Iterable[str]) -> str:
    """An answer without the sentences that it repeats from what was added: memory does not learn from itself.

    >>> without_added("It is easy. The spare key is with Ana.", ["- user, 3 May 2026: The spare key is with Ana."])
    'It is easy.'
    """
    given = f" {normalised(' '.join(blocks))} "
    own = strip_recalled(answer)
    if not given.strip():
        return own
    said = sentences(own)
    kept = [sentence for sentence in said if not _repeats(sentence, given)]
    return own if len(kept) == len(said) else " ".join(kept)


def _repeats(said: str, given: str) -> bool:
    words = normalised(said)
    return len(words) > SHORT and f" {words} " in given
