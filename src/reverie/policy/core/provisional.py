"""What stands in core from the first night on, before anybody needed it: who the user is and what they are doing.

Such lines are provisional. They stay while they are fresh and there is room, move to `human` once the evidence is there
(`promotion`), and otherwise leave again; the fact they quote stays in the archive.
"""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from reverie.language.vocabulary import APOSTROPHES
from reverie.model.base import DAY, Instant, Trust
from reverie.model.memories import Memory
from reverie.policy.core import forms, lines
from reverie.policy.core.needed import NEWS
from reverie.policy.decision import Decision
from reverie.policy.recall.current import LEFT_OUT
from reverie.policy.truth.statements import is_over

PROVISIONAL = "provisional"  # in its marks: the night that put it into core without evidence
PROMOTED = "promoted"  # in its marks: the night that promoted it
LABEL = "learned_context"


@dataclass(frozen=True, slots=True)
class ProvisionalWeights:
    enters: float = 0.75  # the weight from which a line enters
    follows: float = -2.0  # the odds that it is needed from which one enters in the place of a line that it overtakes
    decided: float = 0.72  # the importance from which a mere decision enters
    by_itself: float = 0.0  # the judge's odds that a line belongs in core, read alone, below which it stays out
    by_form_by_itself: float = -0.5  # and of what plainly says who one is or how one's health; allergies always enter
    unclear: float = 0.3  # the odds that nobody understands a line alone, from which it stays out
    room: float = 0.6  # of the block's limit
    fades_after: float = 28.0  # days in which nobody said or needed what was of its time
    lasting_fades_after: float = 180.0  # and what may well be so for long
    a_use: float = 0.05
    most_uses: int = 6
    a_week: float = 0.04  # what a week takes from its weight


WEIGHTS = ProvisionalWeights()

# A question of the agent's that offers something; read in lower case.
_OFFER = re.compile(
    r"\b(?:do you want|would you like|shall (?:i|we)|should (?:i|we|it|the)|want me|can i|may i|could i|"
    r"anything (?:else|open|more)|is that (?:ok|okay|right|wrong)|does that)\b"
)
# Words that need somebody or something named before them, and what may name them.
_PRONOUN = re.compile(r"\b(?:he|him|his|she|her|hers|they|them|their|he's|she's|they're)\b")
_POINTER = re.compile(
    r"^(?:[^\w]*[\w']+\b){0,4}?[^\w]*\b(?:it|its|it's|that|that's|thats|this|these|those|both|same)\b"
)
_NAMED = re.compile(
    r"(?:(?<=[\w,;:)] )|^(?!(?:And|But|So|Yes|No|Ok|Oh|He|She|They|It|That|This)\b))(?!I\b)[A-ZÀ-Þ][\w'-]+|"
    rf"(?i:\b(?:{forms.KIN})s?\b)"
)
_TOPIC = re.compile(
    r"^(?!(?:i|we|you|the|my|our|so|and|but|yes|no|ok|oh|if|when|because|it|that|this|he|she|they)\b)[\w'-]+"
    r"(?: [\w'-]+){0,3}? (?:is|has|was|had|got|went|said|says|wants)\b"
)
_CONTINUES = re.compile(r"(?:at least |and |but |so )?(?:then|was|were|is|are|same|not|which)\b")
# A day or a figure first, and nothing that it is of: "20 september, yes.", "In the week of 20 April."
_VALUE_FIRST = re.compile(
    rf"(?:(?:in|on|by|from|since|the|week|of) )*(?:\d|{forms.MONTH})(?!.{{0,30}}\b(?:is|are|was)\b)"
)
_OF_THOSE_DAYS = frozenset({"plan", "deadline", "event", "time", "change", "decision"})
_PASSES = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|just|recently|lately|soon|currently|now|these days|at the moment|gonna"
    r"|going to|about to|planning|plan to|i'll|we'll|still|finally|already|(?:this|next|last|past|coming) \w+"
    r"|putting together|working on|looking (?:into|for|at)|trying to|waiting for)\b"
)
_OF_IT = re.compile(r"\b(?:it|them|this|these|those)\b|\bthat(?:[.,!]|$)")
_OWNED = re.compile(r"(?:my|our) ")
WHOLE = 7  # words of a figure's or a name's sentence, from which it is likely to say what it is of
SHORTEST = 4  # words of what stands without the question it answers


def may_enter(memory: Memory, now: Instant, w: ProvisionalWeights = WEIGHTS) -> Decision:
    """May a new fact stand in core without evidence?

    >>> from dataclasses import replace
    >>> said = Memory("m", "s", "fact", "", ("t",), 0.0, trust=Trust.USER, marks={"quote": "I'm celiac"})
    >>> may_enter(replace(said, marks={"quote": "I'm celiac", "reasons": ["health"]}), 0.0).why
    'health'
    >>> may_enter(replace(said, marks={"quote": "we went for a long walk"}), 0.0).why
    'states nothing of who the user is or what they are doing'
    """
    if not (sound := may_follow(memory, now, w)):
        return sound
    if not lines.is_read(memory) and (why := _not_yet(memory, w)):
        return Decision(False, why)
    if lines.weight(memory) < w.enters:
        return Decision(False, "says too little of who the user is or what they are doing")
    return Decision(True, ", ".join(lines.classes_of(memory)) or "read as something to know at all times")


def may_follow(memory: Memory, now: Instant, w: ProvisionalWeights = WEIGHTS) -> Decision:
    """May a fact stand in core at all, in the place of a line that it overtakes, say?"""
    if memory.kind != "fact" or not memory.quote:
        return Decision(False, "no quote")
    if memory.trust < Trust.USER or memory.quarantined:
        return Decision(False, "not the user's own words")
    if memory.stale or _is_past(memory, now):
        return Decision(False, "no longer holds")
    if len(lines.shown(memory)) > lines.TOO_LONG:
        return Decision(False, "too long for a line")
    if (odds := lines.judged(memory)) is not None and odds < w.follows:
        return Decision(False, "nobody needs it at all times, or understands it alone")
    why = _all_the_same(memory, w) if lines.is_read(memory) else None
    return Decision(why is None, why or "holds")


def _not_yet(memory: Memory, w: ProvisionalWeights) -> str | None:
    """Why a statement that nobody judged has no place in core before anybody needed it."""
    quote, about = memory.quote.translate(APOSTROPHES), memory.about
    if quote.count("|") > 1 or "```" in quote:
        return "no speech"
    if forms.OWN_ALLERGY.search(quote.casefold()):
        return None  # whatever is said around it
    if not (classes := lines.stated(memory)):
        return "states nothing of who the user is or what they are doing"
    if (why := forms.passing(quote.casefold())) and not _holds_all_the_same(quote, why, classes):
        return why
    if about and not _told_with_it(memory, about):
        return "needs the talk around it"
    if not about and (leans(quote) or _too_short(memory) or _mute(quote, classes)):
        return "leans on what was said before it"
    if classes == {"how things are"} and len(quote.split()) < WHOLE and not _OWNED.match(quote.casefold()):
        return "does not say of what"
    if classes <= {"decision", "change", "how things are"} and (memory.importance < w.decided or _OF_IT.search(quote)):
        return "does not say what was decided"
    return None


def _all_the_same(memory: Memory, w: ProvisionalWeights) -> str | None:
    """Why a statement has no place in core, whatever the judge finds in it."""
    quote = lines.told(memory).translate(APOSTROPHES)
    if quote.count("|") > 1 or "```" in quote:
        return "no speech"
    by_form = not lines.stated(memory).isdisjoint(lines.BY_FORM)
    why = forms.passing(quote.casefold())
    if why in forms.OF_ITS_MOMENT and not by_form and not (why == forms.OF_THE_MOMENT and _outlasts(memory)):
        return "of the moment"
    least = w.by_form_by_itself if by_form else w.by_itself
    if lines.by_itself(memory) < least and not forms.ALLERGEN.search(quote.casefold()):
        return "read by itself it tells nothing to know at all times"
    return "leans on what was said before it" if lines.unclear(memory) >= w.unclear else None


def _outlasts(memory: Memory) -> bool:
    """Whether what is told of this moment is about a day to come, or takes the place of what was so before."""
    ahead = memory.happened_at is not None and memory.happened_at > memory.dated + DAY
    return ahead or "deadline" in lines.stated(memory) or bool(memory.marks.get(NEWS))


def _told_with_it(memory: Memory, about: str) -> bool:
    """Whether what stands before the quote makes it plain: something named, or a question that asks for it."""
    if _OFFER.search(about.casefold()) or not (lines.is_lasting(memory) or _says_when(memory)):
        return False
    if about.endswith((".", "!", "…")):
        return not leans(memory.quote)
    if _OF_IT.search(about.casefold()):
        return False
    return bool(_NAMED.search(about)) or not _PRONOUN.search(memory.quote.casefold())


def _says_when(memory: Memory) -> bool:
    """A day ahead and what for, not only the day."""
    return "deadline" in lines.stated(memory) and len(memory.quote.split()) > SHORTEST


def _holds_all_the_same(quote: str, why: str, classes: frozenset[str]) -> bool:
    """Whether something lasting is said in passing: an allergy with a joke, a decision as a story."""
    if why == forms.ASKS:
        return False
    if not classes.isdisjoint(lines.SURE) or (why != "of the moment" and forms.CLOSE_ONE.search(quote)):
        return True
    if why == "a story":
        return not classes.isdisjoint({"health", "decision", "change", "identity", "deadline"})
    if why == "a wish":
        return not classes.isdisjoint({"health", "identity", "deadline", "people"})
    return why in ("unsure", "what somebody thinks") and not classes.isdisjoint({"health", "identity"})


def _too_short(memory: Memory) -> bool:
    return len(memory.quote.split()) < SHORTEST and not lines.is_lasting(memory)


def _mute(quote: str, classes: frozenset[str]) -> bool:
    """Figures and words without a verb; a dose needs none, and neither does who one is."""
    return not forms.is_clause(quote.casefold()) and classes.isdisjoint({"health", "identity", "deadline"})


def leans(quote: str) -> bool:
    """Whether somebody or something is meant that the quote does not name.

    >>> leans("asked him, he did"), leans("my sister says she'll come"), leans("ok I'll do it by the 20th to be safe")
    (True, False, True)
    """
    low = quote.casefold()
    if _CONTINUES.match(low) or _VALUE_FIRST.match(low):
        return True
    pronoun, pointer = _PRONOUN.search(low), _POINTER.search(low)
    named = _NAMED.search(quote) or _TOPIC.search(low)
    first = min((found.end() for found in (pronoun, pointer) if found), default=None)
    return first is not None and (named is None or named.start() > first)


def _is_past(memory: Memory, now: Instant) -> bool:
    """Ended, or about a day that was ahead and has passed; what began on a day goes on."""
    if is_over(memory, now):
        return True
    day = memory.happened_at
    if lines.is_lasting(memory):
        return False
    if day is None:
        return now - memory.dated > _until_its_day(memory.quote.casefold(), memory.dated)
    if day + DAY > now:
        return False
    if forms.BEGINS.search(memory.quote.casefold()):
        return False
    return day > memory.dated - DAY or "deadline" in lines.stated(memory)


# "appointment on the 15th at 8.10", without its month; what comes again every month does not pass.
_DAY_ALONE = re.compile(
    r"\b(?:on the |the )?(\d{1,2})(?:st|nd|rd|th)\b(?! (?:of )?[a-z]{0,4}(?:floor|grade|year|century))"
)
_COMES_AGAIN = re.compile(
    rf"\b(?:every|each|monthly|always|rent|payday|due on|an? (?:day|week|month|year)|{forms.MONTH})\b"
)


def _until_its_day(quote: str, said_at: Instant) -> float:
    """How long after it was said the only day that a quote names has passed, for doubt's sake; never, if it names none.

    >>> _until_its_day("appointment on the 15th at 8.10", 0.0) / DAY, _until_its_day("rent is paid on the 5th", 0.0)
    (15.0, inf)
    """
    found = _DAY_ALONE.findall(quote)
    if len(found) != 1 or _COMES_AGAIN.search(quote):
        return math.inf
    day, said = int(found[0]), datetime.fromtimestamp(said_at, UTC)
    ahead = next((n for n in range(32) if (said + timedelta(days=n)).day == day), None)
    return math.inf if ahead is None else (ahead + 1) * DAY


def is_provisional(memory: Memory) -> bool:
    return PROVISIONAL in memory.marks and PROMOTED not in memory.marks


def faded(memory: Memory, now: Instant, w: ProvisionalWeights = WEIGHTS) -> bool:
    """Whether nobody has said or needed it for weeks."""
    used = max(memory.dated, memory.last_used_at or 0.0, memory.reinforced_at or 0.0)
    return now - used > (w.fades_after if _of_its_time(memory) else w.lasting_fades_after) * DAY


def _of_its_time(memory: Memory) -> bool:
    """Whether it tells of those days: a plan, something that had just happened, what somebody was about to do.

    >>> from dataclasses import replace
    >>> said = Memory("m", "s", "fact", "", ("t",), 0.0, marks={"quote": "I'm going to a conference this month"})
    >>> _of_its_time(said), _of_its_time(replace(said, marks={"quote": "I play the clarinet"}))
    (True, False)
    """
    if lines.is_lasting(memory):
        return False
    dated = memory.happened_at is not None or not _OF_THOSE_DAYS.isdisjoint(lines.reasons_of(memory))
    return dated or _PASSES.search(memory.quote.translate(APOSTROPHES).casefold()) is not None


def weight(memory: Memory, now: Instant, w: ProvisionalWeights = WEIGHTS) -> float:
    """What it is worth in core: how much it tells, how often it was needed, how fresh it is."""
    weeks = max(0.0, now - memory.dated) / (7 * DAY)
    return lines.weight(memory) + w.a_use * min(memory.uses, w.most_uses) - w.a_week * weeks


def chosen(
    candidates: Sequence[Memory],
    fixed: Sequence[Memory],
    room: int,
    now: Instant,
    doubted: Collection[str] = (),
    w: ProvisionalWeights = WEIGHTS,
) -> list[Memory]:
    """Those that stand provisionally: one a matter, not what a lasting line says, as many as there is room for.

    `fixed` are the lasting lines of core, `room` is in characters; `doubted` are what a later statement may overtake.
    What is left out stays in the archive.
    """
    sure = [m for m in candidates if m.id not in doubted or _stands_all_the_same(m, w)]
    fresh = [m for m in sure if not faded(m, now) and not _is_past(m, now) and not _in_pieces(m)]
    matters = [m for m in lines.newest_of_each(fresh) if not any(_told(m, other) for other in fixed)]
    kept: list[Memory] = []
    for memory in sorted(matters, key=lambda memory: (-weight(memory, now), memory.id)):
        size = len(lines.shown(memory)) + 1
        if size <= room:
            kept.append(memory)
            room -= size
    return kept


def _stands_all_the_same(memory: Memory, w: ProvisionalWeights) -> bool:
    """Whether a line stands though a later statement may overtake it: who somebody is does, if no day is told with it,
    what touches health, and what is needed all the same. No dose does: a wrong one is worse than none."""
    if forms.DOSE.search(memory.quote.casefold()):
        return False
    reasons = lines.reasons_of(memory)
    who_one_is = lines.is_lasting(memory) or not lines.SURE.isdisjoint(reasons) or "identity" in reasons
    lasts = "health" in reasons or (who_one_is and memory.happened_at is None)
    return lasts or lines.weight(memory, doubted=True) >= w.enters


def _in_pieces(memory: Memory) -> bool:
    """Whether only a part of it holds, and that part does not say who somebody is; of doses nobody knows which."""
    if LEFT_OUT not in memory.quote:
        return False
    return not lines.is_lasting(memory) or forms.DOSE.search(memory.quote.casefold()) is not None


def _told(memory: Memory, line: Memory) -> bool:
    """Whether a standing line says it already: the same matter, and not said before."""
    return memory.id == line.id or (lines.same_matter(memory, line) and memory.dated <= line.dated)
