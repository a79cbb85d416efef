"""The prompt section: blocks, relevant memories, recent turns, within a token budget."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.awake.events import Events
from reverie.awake.recall import Recaller
from reverie.awake.unread_directives import UnreadDirectives
from reverie.errors import BadInput
from reverie.language.words import token_count
from reverie.model.answers import Answered
from reverie.model.base import Instant, day_of
from reverie.model.blocks import Block
from reverie.model.hits import Asking, Context, Hit
from reverie.model.turns import Turn
from reverie.policy.recall.packing import WEIGHTS, Item, LeftOut, Packed, Section, pack
from reverie.policy.safety.trust import strip_recalled, wrap_recalled
from reverie.store.db import Database
from reverie.store.tables import blocks, turns


@dataclass(frozen=True, slots=True)
class Assembler:
    db: Database
    recaller: Recaller
    events: Events
    directives: UnreadDirectives

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
    ) -> Context:
        """Blocks stand first, byte for byte the same until one is written, so that prompt caches keep hitting."""
        if budget < 1:
            raise BadInput(f"a budget of {budget} tokens holds nothing", budget=budget)
        core = blocks.attached(self.db, space, session)
        recent = turns.last(self.db, space, WEIGHTS.recent_turns, session)
        shown = {turn.id for turn in recent}
        hits = self.recaller.recall(space, query, asking, now) if query and query.strip() else []
        relevant = [hit for hit in hits if hit.id not in shown and not set(hit.turns) & shown]
        told = self.directives.of(space)
        packed = pack(_sections(core, told, relevant, recent, prepared), max(0, budget - WEIGHTS.frame))
        changed = self._changed(space, session, core)
        text = _render(packed, changed)
        kept = {item.id for section in packed.sections for item in section.items}
        return Context(
            text=text,
            tokens=token_count(text),
            hits=tuple(hit for hit in relevant if hit.id in kept),
            left_out=tuple(_line(out) for out in packed.left_out),
            changed_blocks=changed,
        )

    def _changed(self, space: str, session: str | None, core: Sequence[Block]) -> tuple[str, ...]:
        """Labels of blocks that were written since this session's last context; what it sees now is noted."""
        if session is None:
            return ()
        seen = turns.blocks_seen(self.db, space, session)
        now_seen = {block.id: block.version for block in core}
        if seen != now_seen:
            self.events.put(lambda tx: turns.see_blocks(tx, space, session, now_seen))
        return tuple(block.label for block in core if seen.get(block.id, block.version) != block.version)


def _sections(
    core: Iterable[Block],
    told: tuple[Item, ...],
    hits: Iterable[Hit],
    recent: Iterable[Turn],
    prepared: Answered | None,
) -> list[Section]:
    thought = prepared and (prepared.text or prepared.prepared)
    ready = (Item(prepared.id or "", f"- asked before: {prepared.question} {thought}"),) if prepared and thought else ()
    return [
        Section("blocks", tuple(Item(block.id, _block(block)) for block in core), stable=True),
        Section("directives", told, share=WEIGHTS.directives_share),
        Section("memories", tuple(Item(hit.id, _memory(hit)) for hit in hits), share=WEIGHTS.memories_share),
        Section("prepared", ready),
        Section("turns", tuple(Item(turn.id, said) for turn in recent if (said := _turn(turn))), keep="last"),
    ]


def _render(packed: Packed, changed: tuple[str, ...]) -> str:
    parts = []
    for section in packed.sections:
        lines = "\n".join(item.text for item in section.items)
        parts.append(lines if section.name == "blocks" else wrap_recalled(lines, section.name))
    if changed:
        noted = ", ".join(changed)
        parts.insert(min(1, len(parts)), f"(Changed since you last saw them: {noted}.)")
    return "\n\n".join(parts)


def _block(block: Block) -> str:
    return f'<block label="{block.label}">\n{block.value}\n</block>'


def _memory(hit: Hit) -> str:
    """One line of data: the day, who said it, the text, where it comes from."""
    said = f"{day_of(hit.said_at)} " if hit.said_at is not None else ""
    who = f"{hit.speaker}: " if hit.speaker and hit.kind in ("turn", "episode") else ""
    flags = f" ({', '.join(hit.flags)})" if hit.flags else ""
    text = " ".join(hit.text.split())
    return f"- {said}{who}{text}{flags} [{hit.id}]"


def _turn(turn: Turn) -> str:
    """Without what was quoted from memory: it is in the section above, if it still matters."""
    text = strip_recalled(turn.text)
    return f"{turn.speaker or turn.role}: {text}" if text else ""


def _line(out: LeftOut) -> str:
    return f"{out.section} {out.id}: {out.why}"
