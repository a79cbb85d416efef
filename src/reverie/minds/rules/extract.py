"""From a turn to its facts: sentences, clauses, patterns, then each statement written out so that it reads alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reverie.minds.rules import dates
from reverie.minds.rules.clauses import Piece, pieces
from reverie.minds.rules.events import doing, event
from reverie.minds.rules.filters import takes_back
from reverie.minds.rules.habits import habit, is_repeated
from reverie.minds.rules.lexicon import words
from reverie.minds.rules.match import RuleMatch, matches
from reverie.minds.rules.parse import Clause, parse
from reverie.minds.rules.people import NAME, PLURAL_OF, PREDICATE_OF, ROLES, USER, Cast, Tie, Who, is_name, is_pet
from reverie.minds.rules.plans import plan
from reverie.minds.rules.predicates import PREDICATES
from reverie.minds.rules.prepare import prepared
from reverie.minds.rules.rewrites import corrected, plainer
from reverie.minds.rules.spread import spread
from reverie.minds.rules.subjects import bare
from reverie.minds.rules.values import clean
from reverie.minds.rules.whole import whole
from reverie.minds.rules.wording import possessive, sentence
from reverie.model.thinking import Episode, FactDraft

LEAST, MOST = 10, 200  # characters of a fact
LONGEST_TURN, LONGEST_SENTENCE = 20_000, 600  # characters; beyond that it is a pasted document, not speech
_CONFIDENCE = {USER: 0.95}
_SAID_BY_NAME = 0.85  # between named persons: a conversation that the agent reads
_THIRD_PERSON = 0.9  # of what somebody says of somebody else, this share is believed
_DATED = {"event", "plans", "visited", "decided", "goal", "habit"}  # facts whose text tells the date
_DATE_VALUES = {"birthday", "deadline", "phone", "email"}  # values that may be dates themselves


def facts_of(episodes: Sequence[Episode]) -> list[FactDraft]:
    return [draft for episode in episodes for draft in _of_turn(episode)]


def _of_turn(episode: Episode) -> Iterator[FactDraft]:
    if episode.role != "user" and episode.speaker.lower() in ROLES:
        return  # what an assistant or a tool says is no statement of the user's
    cast = _cast(episode)
    said = [line for line in prepared(episode.text[:LONGEST_TURN]) if len(line) <= LONGEST_SENTENCE]
    seen: set[tuple[str, str, str, bool]] = set()
    for i, line in enumerate(said):
        if i + 1 < len(said) and takes_back(said[i + 1]):
            continue
        for draft in _of_sentence(line, episode, cast):
            key = (draft.subject, draft.predicate, draft.value.lower(), draft.negated)
            if key not in seen:
                seen.add(key)
                yield draft


def _cast(episode: Episode) -> Cast:
    """Who may be meant by "she": those whom the same speaker named just before."""
    cast = Cast(episode.speaker)
    for line in episode.before[-2:]:
        who, _, text = line.partition(": ")
        if who == episode.speaker:
            cast.see(text)
    return cast


def _of_sentence(line: str, episode: Episode, cast: Cast) -> Iterator[FactDraft]:
    drafts: list[FactDraft] = []
    parts = pieces(line)
    for piece in parts:
        ties = [(tie.owner, _tie(tie), list[dates.When]()) for tie in cast.see(piece.text)]
        told = list(_read(piece, episode, cast))
        over = {found.value for _, found, _ in told if found.negated}
        for subject, found, when in [tie for tie in ties if tie[1].value not in over] + told:
            drafts.append(_told_apart(_draft(episode, piece, subject, found, when), cast))
    if parts and parts[0].asked and not drafts and cast.speaker == USER and (rest := _request(parts)):
        drafts.append(_draft(episode, parts[0], cast.speaker, rest, []))
    yield from (draft for draft in drafts if draft.value and LEAST <= len(draft.text) <= MOST)


def _told_apart(draft: FactDraft, cast: Cast) -> FactDraft:
    """ "Anna (the user's cousin) lives in Kiel": there may be another Anna."""
    aside = cast.aside(draft.subject)
    head = next((h for h in (f"{possessive(draft.subject)} ", f"{draft.subject} ") if draft.text.startswith(h)), "")
    if not aside or not head:
        return draft
    return replace(draft, text=f"{head}({aside}) {draft.text[len(head) :]}")


def _request(parts: list[Piece]) -> RuleMatch | None:
    """What somebody asked to be remembered, kept as it was said when no pattern reads it."""
    text = ", ".join(part.text for part in parts).strip()
    if len(text.split()) < 3 or re.match(
        r"(?:to|about|me|my name|when|what|how|the last|our|us)\b(?! \w+ (?:is|are))", text
    ):
        return None
    value = re.sub(r"^(?:that|:)\s*", "", text)
    return RuleMatch("remember", value, text=f"The user asked to remember: {value}")


def _tie(tie: Tie) -> RuleMatch:
    if is_pet(tie.relation):
        return RuleMatch(
            "has_pet", f"{tie.relation} {tie.name}", text=f"{possessive(tie.owner)} {tie.relation} is called {tie.name}"
        )
    if tie.relation in PLURAL_OF:
        return RuleMatch(PLURAL_OF[tie.relation], tie.name)
    return RuleMatch(PREDICATE_OF[tie.relation], tie.name, text=f"{possessive(tie.owner)} {tie.relation} is {tie.name}")


def _read(piece: Piece, episode: Episode, cast: Cast) -> Iterator[tuple[str, RuleMatch, list[dates.When]]]:
    said = corrected(piece.text) if piece.correction or piece.denied else piece.text
    for text in spread(bare(plainer(said))):
        shaped = list(whole(text, cast))
        for subject, found in shaped:
            yield subject, found, dates.find(text, episode.said_at, "future") if found.predicate == "deadline" else []
        if shaped:
            continue
        clause = parse(text, cast)
        if clause is None:
            continue
        clause = _collective(clause, cast)
        cast.met(clause.who)
        if ties := _introduced(clause):
            yield from ((tie.owner, _tie(tie), []) for tie in ties)
            continue
        when = _dates(clause, episode)
        for found in _of_clause(clause, when, piece, cast):
            yield clause.who.name or cast.speaker, found, when


_ACTS = set(
    "use decide choose agree switch migrate adopt pick settle go run deploy replace vote drop select opt plan".split()
)
_OURS = re.compile(r"\b(?:team|company|group|startup|squad)(?: (?:at|in) [A-Z][\w&.' -]*| at work)?$")


def _collective(clause: Clause, cast: Cast) -> Clause:
    """What "our team" decides or uses, the speaker's side does."""
    ours = clause.who.name in ("", cast.speaker) and _OURS.search(clause.who.noun)
    return replace(clause, who=Who(cast.speaker)) if ours and clause.verb in _ACTS else clause


def _dates(clause: Clause, episode: Episode) -> list[dates.When]:
    direction: dates.Direction = "past" if clause.tense in ("past", "perfect") else "future"
    found = dates.find(clause.rest, episode.said_at, direction)
    return found or dates.find(clause.front, episode.said_at, direction)


def _of_clause(clause: Clause, when: list[dates.When], piece: Piece, cast: Cast) -> list[RuleMatch]:
    found = matches(clause)
    if not clause.who.name and not any(f.predicate in ("uses", "deadline", "decided") for f in found):
        return []
    if found:
        return [] if piece.conditional and PREDICATES[found[0].predicate].kind in ("plan", "decision") else found
    if not clause.who.name or piece.conditional:
        return []
    return _told(clause, bool(when), cast)


def _told(clause: Clause, dated: bool, cast: Cast) -> list[RuleMatch]:
    """What no table reads: a habit, a plan, an event; the dates leave the value and come back in the text."""
    rest = dates.without(clause.rest, dates.find(clause.rest, 0.0))
    plain = replace(clause, rest=rest, said=clause.said[: len(clause.said) - len(clause.rest)] + rest)
    generous = cast.speaker != USER
    found = habit(clause if is_repeated(clause) else plain) or plan(plain, dated) or event(plain, dated, generous)
    if not found and generous and clause.who.name == cast.speaker:
        found = doing(plain)
    return [found] if found else []


def _introduced(clause: Clause) -> list[Tie]:
    """ "My wife is Eve", "my sister is called Anna", "my boss's name is Tom"."""
    if clause.verb not in ("be", "call", "name") or clause.negated or clause.tense not in ("present", "past"):
        return []
    match = re.match(rf"(?:called |named )?(?P<v>{NAME})(?=$|,|;| and )", clause.rest)
    kin, owner = _kin_of(clause.who)
    if not match or not kin or not is_name(match["v"].split()[0]) or match["v"] in words("nationality"):
        return []
    names = re.findall(NAME, clause.rest) if kin in PLURAL_OF else [match["v"]]
    return [Tie(owner, kin, name) for name in names]


def _kin_of(who: Who) -> tuple[str, str]:
    if who.relation and not who.noun and who.name.endswith(f"'s {who.relation}"):
        return who.relation, who.name.removesuffix(f"'s {who.relation}")
    if who.noun.endswith("'s name") and who.noun.removesuffix("'s name") in PREDICATE_OF:
        return who.noun.removesuffix("'s name"), who.name
    return "", ""


def _draft(episode: Episode, piece: Piece, subject: str, found: RuleMatch, when: list[dates.When]) -> FactDraft:
    row = PREDICATES[found.predicate]
    first = when[0] if when else None
    value = _bare(found, episode)
    text = _text(subject, replace(found, value=value), first)
    happened = first.instant if first and (found.predicate in _DATED or found.cue) and not first.since else None
    return FactDraft(
        source=episode.id,
        text=text,
        subject=subject,
        predicate=found.predicate,
        value=value,
        kind="correction" if piece.correction else "request" if piece.asked else row.kind,
        confidence=_confidence(episode, subject, piece),
        happened_at=happened,
        valid_from=first.instant if first and (first.since or (found.cue and not found.negated)) else None,
        valid_until=first.instant if first and found.negated and not first.since else None,
        negated=found.negated,
        cue="actually" if piece.correction and not found.cue else found.cue,
        replaces=found.replaces or ("" if found.negated else clean(piece.denied)),
        exclusive=row.exclusive,
        asked=piece.asked,
        importance=0.9 if piece.asked or piece.correction else row.importance,
        entities=_entities(subject, text),
    )


def _bare(found: RuleMatch, episode: Episode) -> str:
    if found.predicate in _DATE_VALUES:
        return found.value
    if found.predicate == "habit" or not found.value:
        return found.value
    return dates.without(found.value, dates.find(found.value, episode.said_at)) or found.value


def _text(subject: str, found: RuleMatch, when: dates.When | None) -> str:
    text = found.text or sentence(subject, found.predicate, found.value, found.negated, found.past)
    if when and (found.predicate in _DATED or when.since) and not found.negated and when.words not in text:
        text += f" {when.words}"
    return text if len(text) <= MOST else text[: MOST - 1].rsplit(" ", 1)[0] + "…"


def _confidence(episode: Episode, subject: str, piece: Piece) -> float:
    speaker = Cast(episode.speaker).speaker
    base = 1.0 if piece.correction and speaker == USER else _CONFIDENCE.get(speaker, _SAID_BY_NAME)
    return base if subject == speaker else round(base * _THIRD_PERSON, 3)


_ENTITY = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+(?: (?:(?:of|de|la|van|von) )?[A-ZÀ-Þ][\w'’-]+)*")


def _entities(subject: str, text: str) -> tuple[str, ...]:
    named = [m.group().removesuffix("'s") for m in _ENTITY.finditer(text)]
    own = [subject] if subject != USER else []
    return tuple(dict.fromkeys(own + [n for n in named if n not in ("The", "It") and is_name(n.split()[0])]))
