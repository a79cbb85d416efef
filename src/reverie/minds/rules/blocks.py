"""Core memory kept clean: promoted facts become sentences, what is over leaves, a person's own words stay."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reverie.language.sentences import sentences
from reverie.language.speech import utterances
from reverie.language.words import stem, terms, tokens
from reverie.minds.rules.predicates import PREDICATES
from reverie.minds.rules.profile import holds, joined
from reverie.minds.rules.wording import possessive, sentence, subject_words
from reverie.model.memories import Memory
from reverie.model.thinking import BlockDraft, Evidence, ProposedChange, Sentence, Verdict

_LISTS = ("likes", "dislikes", "allergic_to", "speaks", "uses", "prefers", "plays", "visited")
MOST_REMOVED = 0.25  # of a block's sentences: more than that is for a person to decide
LEAST_CITED = 0.5  # of a new sentence's words, in the evidence


def rethink(block: BlockDraft, memories: Sequence[Memory]) -> BlockDraft:
    """The block with what `memories` add, without what they retire, within its limit."""
    over = {m.id for m in memories if m.valid_until is not None or m.stale}
    live = [m for m in memories if holds(m)]
    kept = [s for s in block.sentences if s.own or not _is_over(s, over, memories)]
    fresh = [s for m in sorted(live, key=lambda m: (-m.importance, m.id)) for s in _told(m)]
    merged = _merged([*kept, *fresh])
    return replace(block, sentences=tuple(_fitted(merged, block.limit, {m.id: m for m in memories})))


def _told(memory: Memory) -> Iterator[Sentence]:
    text = memory.text.strip() if memory.kind == "fact" else next((said.text for said in utterances(memory.text)), "")
    if text:
        yield Sentence(text.rstrip(".") + ".", (memory.id,))


def _is_over(line: Sentence, over: set[str], memories: Sequence[Memory]) -> bool:
    if line.sources and set(line.sources) <= over:
        return True
    return any(_retires(memory, line) for memory in memories)


def _retires(memory: Memory, line: Sentence) -> bool:
    """Whether the memory says the opposite of the sentence: an ending of it, or another value where only one can be."""
    row = PREDICATES.get(memory.predicate or "")
    if (
        row is None
        or not memory.subject
        or not memory.value
        or memory.valid_until is not None
        or memory.id in line.sources
    ):
        return False
    if memory.metadata.get("negated"):
        return line.text.rstrip(".") == sentence(memory.subject, memory.predicate or "", memory.value)
    noun = memory.value.partition(": ")[0] if memory.predicate == "favorite" else ""
    head = row.says.partition("{v}")[0].format(s=subject_words(memory.subject), p=possessive(memory.subject), n=noun)
    return row.exclusive and line.text.startswith(head) and line.text.rstrip(".") != memory.text.rstrip(".")


def _merged(lines: Sequence[Sentence]) -> list[Sentence]:
    """Equal sentences become one with all sources, lists of one predicate one sentence; own words stay."""
    known: dict[str, Sentence] = {}
    for line in lines:
        key = " ".join(tokens(line.text))
        if key in known:
            both = known[key]
            known[key] = replace(
                both, sources=tuple(dict.fromkeys((*both.sources, *line.sources))), own=both.own or line.own
            )
        else:
            known[key] = line
    return _listed(list(known.values()))


def _listed(lines: list[Sentence]) -> list[Sentence]:
    for predicate in _LISTS:
        says = PREDICATES[predicate].says.partition("{s} ")[2].partition("{v}")[0]
        groups: dict[str, list[Sentence]] = {}
        for line in lines:
            head, found, value = line.text.partition(f" {says}")
            if found and not line.own and value.strip(".") and len(head.split()) <= 4:
                groups.setdefault(head, []).append(line)
        for head, members in groups.items():
            if len(members) > 1:
                lines = _joined(lines, members, f"{head} {says}")
    return lines


def _joined(lines: list[Sentence], members: list[Sentence], head: str) -> list[Sentence]:
    values = list(dict.fromkeys(v for m in members for v in _values(m.text[len(head) :].rstrip("."))))
    sources = tuple(dict.fromkeys(s for m in members for s in m.sources))
    whole = Sentence(f"{head}{joined(values)}.", sources)
    return [whole if line is members[0] else line for line in lines if line is members[0] or line not in members]


def _values(text: str) -> list[str]:
    *front, last = text.split(", ")
    return [v for v in (*front, *(last.split(" and ") if front else last.split(" and ", 1))) if v]


def _fitted(lines: list[Sentence], limit: int, memories: dict[str, Memory]) -> Iterator[Sentence]:
    """What fits: own sentences first, then the most important; said in their old order."""
    weight = {
        id(line): max((memories[s].importance for s in line.sources if s in memories), default=0.5) for line in lines
    }
    order = sorted(range(len(lines)), key=lambda i: (not lines[i].own, -weight[id(lines[i])], i))
    used, chosen = 0, set()
    for i in order:
        size = len(lines[i].text) + 1
        if lines[i].own or used + size <= limit:
            chosen.add(i)
            used += size
    yield from (line for i, line in enumerate(lines) if i in chosen)


def review(change: ProposedChange) -> Verdict:
    """A cautious second opinion: no large removal, nothing new without evidence, no orders smuggled in."""
    before, after = sentences(change.before), sentences(change.after)
    lost = [line for line in before if line not in after]
    if before and not after:
        return Verdict(False, "the change would empty the block")
    if before and len(lost) > MOST_REMOVED * len(before) and len(lost) > 1:
        return Verdict(False, f"removes {len(lost)} of {len(before)} sentences")
    for line in (line for line in after if line not in before):
        if _orders(line):
            return Verdict(False, f"reads like an instruction: {line}")
        if not _cited(line, change.evidence):
            return Verdict(False, f"no evidence for: {line}")
    return Verdict(True, f"{len(lost)} of {len(before)} sentences leave, what is new is cited")


def _cited(line: str, evidence: Sequence[Evidence]) -> bool:
    wanted = {t for t in terms(line) if t not in (stem("user"), stem("asked"))}
    known = {t for item in evidence for t in terms(item.text)}
    return bool(wanted) and len(wanted & known) >= LEAST_CITED * len(wanted)


def _orders(line: str) -> bool:
    words = tokens(line)
    telling = {"ignore", "disregard", "override", "bypass", "reveal", "jailbreak"}
    return bool(telling & set(words[:6])) or "system prompt" in line.casefold()
