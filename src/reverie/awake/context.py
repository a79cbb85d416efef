"""The prompt section: blocks, relevant memories, recent turns, within a token budget."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reverie.awake.events import Events
from reverie.awake.intents import Reminders
from reverie.awake.recall import Recaller
from reverie.awake.unread_directives import UnreadDirectives
from reverie.errors import BadInput
from reverie.language.excerpts import GAP, looked_for, one_line
from reverie.language.words import token_count
from reverie.model.answers import Answered
from reverie.model.base import DAY, Instant
from reverie.model.blocks import Block
from reverie.model.hits import Asking, Context, Hit
from reverie.policy.core import provisional
from reverie.policy.ponder.serving import instead
from reverie.policy.recall import conversation, lines
from reverie.policy.recall.packing import WEIGHTS, Item, LeftOut, Packed, Section, pack
from reverie.policy.recall.repeats import Statement, distinct
from reverie.policy.safety.trust import shown_name, without_marks, wrap_recalled
from reverie.store.db import Database
from reverie.store.tables import blocks, memories, turns

CORE = ("blocks", "learned")
PARTS = ("directives", "reminders", "memories", "prepared", "turns")
FIRST_BLOCKS = ("directives", "human")  # where there is no room for all of core memory


@dataclass(frozen=True, slots=True)
class Assembler:
    db: Database
    recaller: Recaller
    events: Events
    directives: UnreadDirectives
    reminders: Reminders

    def context(
        self,
        space: str,
        query: str | None,
        *,
        session: str | None,
        budget: int,
        asking: Asking,
        now: Instant,
        prepared: Answered | None = None,
        only_read: bool = False,
    ) -> Context:
        """Blocks stand first, byte for byte the same until one is written, so that prompt caches keep hitting.

        `only_read`: who asked what is noted as ever, but no reminder counts as shown and no block as seen.
        """
        if budget < 1:
            raise BadInput(f"a budget of {budget} tokens holds nothing", budget=budget)
        asked = query if query and query.strip() else None
        core = blocks.attached(self.db, space, session)
        quiet = asking.quiet or only_read
        changed = self._changed(space, session, core, quiet)
        told = Section("directives", self.directives.of(space), share=WEIGHTS.directives_share)
        ready = _prepared(prepared)
        due = self._due(space, asked, session, now, quiet)
        parts = [section.name for section in (told, due, ready) if section.items]
        room = max(0, budget - _frame(["memories", "turns", *parts], changed))
        recent = self._recent(space, session, room, asked is not None)
        fixed = pack([*_core(core, asked is not None), told, due, recent, ready], room)
        hits = self.recaller.recall(space, asked, asking, now, noted=WEIGHTS.noted_hits) if asked else []
        found = pack([self._memories(space, asked or "", hits, fixed)], room - fixed.tokens)
        return _made([*fixed.sections, *found.sections], changed, hits, (*fixed.left_out, *found.left_out))

    def _due(self, space: str, asked: str | None, session: str | None, now: Instant, quiet: bool) -> Section:
        """What the user wanted to be reminded of when this comes up."""
        found = self.reminders.of(space, asked, session, now, quiet=quiet) if asked else []
        items = tuple(Item(one.intent.id, without_marks(one.line)) for one in found)
        return Section("reminders", items, share=WEIGHTS.reminders_share)

    def _recent(self, space: str, session: str | None, room: int, asked: bool) -> Section:
        """The last turns of the session, or of the last session if none was named."""
        last = turns.last(self.db, space, WEIGHTS.recent_turns, session)
        if session is None:
            last = [turn for turn in last if turn.session == last[-1].session]
        named = session is not None or not asked
        share = WEIGHTS.turns_share if named else WEIGHTS.other_turns_share
        if not named and int(room * share) < WEIGHTS.least_turns:
            return Section("turns", ())
        return Section("turns", tuple(conversation.recent(last, int(room * share))), share=share)

    def _memories(self, space: str, query: str, hits: Sequence[Hit], fixed: Packed) -> Section:
        """What the hits say and the rest of the text does not; the newest day stands first, a day in its order."""
        shown = {item.id for section in fixed.sections if section.name == "turns" for item in section.items}
        fresh = [hit for hit in instead(hits, query) if not shown.intersection(hit.turns)]
        said = distinct(fresh, "\n".join(s.text for s in fixed.sections if s.name in (*CORE, "directives")))
        wanted = looked_for(query)
        told = zip(said, self._known(space, said), strict=True)
        worth = [(one, known) for one, known in told if lines.worth_a_line(one, known)]
        items = [(one, lines.item(one, rank, known, wanted)) for rank, (one, known) in enumerate(worth)]
        items.sort(key=lambda pair: (-int(pair[0].said_at // DAY), pair[0].said_at))
        said_items = tuple(item for _, item in items)
        return Section("memories", said_items, whole=WEIGHTS.whole, largest=WEIGHTS.largest, always=WEIGHTS.always)

    def _known(self, space: str, said: Sequence[Statement]) -> list[lines.Known]:
        """For each of them the turn that it answers, and what facts quote of it."""
        replies = [one.hit.turns[0] for one in said if one.hit.turns and lines.needs_question(one.hit)]
        before = turns.before(self.db, space, replies) if replies else {}
        episodes = [one.hit.id for one in said if one.hit.kind == "episode"]
        quotes = memories.quotes_of(self.db, space, episodes) if episodes else {}
        shown = {one.hit.turns[0] for one in said if one.hit.turns}
        found = []
        for one in said:
            answered = before.get(one.hit.turns[0]) if one.hit.turns else None
            follows = answered is not None and answered.id in shown
            found.append(lines.Known(answered, quotes.get(one.hit.id, ()), follows))
        return found

    def _changed(self, space: str, session: str | None, core: Sequence[Block], quiet: bool) -> tuple[str, ...]:
        """Labels of blocks that were written since this session's last context; what it sees now is noted."""
        if session is None:
            return ()
        seen = turns.blocks_seen(self.db, space, session)
        now_seen = {block.id: block.version for block in core}
        if seen != now_seen and not quiet:
            self.events.put(lambda tx: turns.see_blocks(tx, space, session, now_seen))
        return tuple(block.label for block in core if seen.get(block.id, block.version) != block.version)


def _core(core: Iterable[Block], asked: bool) -> tuple[Section, Section]:
    """Blocks that say something; what a night has only lately learned stands last, and gives way to a question."""
    said = [block for block in core if block.value.strip()]
    given = tuple(_block_item(block) for block in said if block.label != provisional.LABEL)
    learned = tuple(_block_item(block) for block in said if block.label == provisional.LABEL)
    share = WEIGHTS.learned_share if asked else WEIGHTS.learned_alone
    return (
        Section("blocks", given, stable=True, share=WEIGHTS.blocks_share),
        Section("learned", learned, stable=True, share=share),
    )


def _block_item(block: Block) -> Item:
    """Where there is no room for all of it, whole lines."""
    return Item(block.id, _block(block.label, block.value), rank=_place(block.label), shorter=_shorter(block))


def _place(label: str) -> int:
    return FIRST_BLOCKS.index(label) if label in FIRST_BLOCKS else len(FIRST_BLOCKS)


def _shorter(block: Block) -> Callable[[int], str]:
    def shorter(room: int) -> str:
        kept = block.value.splitlines()
        while kept and token_count(_block(block.label, "\n".join([*kept, GAP]))) > room:
            kept.pop()
        return _block(block.label, "\n".join([*kept, GAP])) if kept else ""

    return shorter


def _block(label: str, value: str) -> str:
    return f'<block label="{shown_name(label)}">\n{without_marks(value)}\n</block>'


def _prepared(prepared: Answered | None) -> Section:
    """What was thought before about a question much like this one."""
    thought = prepared and (prepared.text or prepared.prepared)
    if not prepared or not thought:
        return Section("prepared", ())
    line = f"- prepared for the question {one_line(prepared.question or '')!r}: {one_line(thought)}"
    return Section("prepared", (Item(prepared.id or "", line),), share=WEIGHTS.prepared_share)


def _frame(parts: Iterable[str], changed: Sequence[str]) -> int:
    """Tokens of the marks around the parts and of the note on changed blocks."""
    return token_count("\n\n".join((*(wrap_recalled("", part) for part in parts), _note(changed))))


def _note(changed: Sequence[str]) -> str:
    return f"(Changed since you last saw them: {', '.join(changed)}.)" if changed else ""


def _made(
    sections: Sequence[Section], changed: tuple[str, ...], hits: Sequence[Hit], left_out: Sequence[LeftOut]
) -> Context:
    filled = {section.name: section for section in sections}
    recalled = (wrap_recalled(filled[part].text, part) for part in PARTS if part in filled)
    core = "\n".join(filled[part].text for part in CORE if part in filled)
    text = "\n\n".join(part for part in (core, _note(changed), *recalled) if part)
    kept = {item.id for section in sections for item in section.items}
    return Context(
        text=text,
        tokens=token_count(text),
        hits=tuple(hit for hit in hits if hit.id in kept),
        left_out=tuple(f"{out.section} {out.id}: {out.why}" for out in left_out),
        changed_blocks=changed,
        tokens_of={part: token_count(filled[part].text) for part in (*CORE, *PARTS) if part in filled},
    )
