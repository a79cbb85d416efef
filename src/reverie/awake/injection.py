"""What a coding agent's hooks put into its context: core and the project at the start, sure hits for a prompt."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from reverie.awake.intents import Reminders
from reverie.awake.recall import Recaller, evidence, leave_evidence
from reverie.awake.unread_directives import UnreadDirectives
from reverie.language.sentences import sentences
from reverie.minds.rules.directives.directives import standings
from reverie.minds.rules.reading.salience import weigh
from reverie.model.base import Instant, Trust
from reverie.model.blocks import DIRECTIVES, Block
from reverie.model.hits import Asking, Hit, Injection
from reverie.model.memories import Memory
from reverie.policy.core.directives import in_force, may_stand
from reverie.policy.recall import injection as policy
from reverie.policy.recall.injection import LIMITS, BriefingPart, Weighed
from reverie.policy.safety.trust import strip_recalled
from reverie.store.db import Database
from reverie.store.tables import blocks, memories, spaces, turns

MOST_DIRECTIVES = 1_000
MOST_SESSIONS = 50  # of a project, the last ones
MOST_FACTS, MOST_EPISODES = 40, 15
MOST_LATELY = 6  # of what was said in this project and no night has read
LONGEST_PROMPT = 2_000  # characters that are looked for
LONGEST_TEXT = 600  # characters of a hit that are compared with the question
HEADINGS = {
    "directives": "How this user wants you to work:",
    "core": "What you know of them:",
    "project": "Of this project ({}):",
    "lately": "Said here lately:",
}


@dataclass(frozen=True, slots=True)
class Injector:
    db: Database
    recaller: Recaller
    directives: UnreadDirectives
    reminders: Reminders

    def briefing(self, space: str, project: str, now: Instant) -> Injection:
        """Core memory and what matters for a project, as a session begins; no directive of another project."""
        kept = self._directives(space, project, now)
        core = [line for block in blocks.attached(self.db, space) for line in self._lines(space, block, project)]
        facts, lately = self._of_project(space, project) if project else ([], [])
        parts = (
            BriefingPart(HEADINGS["directives"], kept, 0.5),
            BriefingPart(HEADINGS["core"], core, 0.4),
            BriefingPart(HEADINGS["project"].format(policy.cut(project, 80)), facts, 0.5),
            BriefingPart(HEADINGS["lately"], lately, 0.3),
        )
        text, lines = policy.briefing_text(policy.without_repeats(parts))
        return Injection(text, tuple(policy.said_mark(policy.words_of(line)) for line in lines))

    def state(self, space: str) -> list[int]:
        """Other figures when a night or an edit has changed what a briefing is made of."""
        record = spaces.by_id(self.db, space)
        return [record.changes, record.watermark, sum(block.version for block in blocks.attached(self.db, space))]

    def for_prompt(
        self,
        space: str,
        prompt: str,
        *,
        session: str,
        project: str,
        seen: Iterable[str],
        now: Instant,
        quiet: bool = False,
    ) -> Injection:
        """At most three lines: what is due to be reminded of, then statements that surely belong to a prompt and that
        the session has not seen."""
        asked = strip_recalled(prompt)[:LONGEST_PROMPT]
        reminders = [one.line for one in self.reminders.of(space, asked, session, now, quiet=quiet)]
        hits = self._hits(space, asked, session, project, set(seen), now)[: LIMITS.hits - len(reminders)]
        if hits and not quiet:
            self.recaller.events.put(lambda tx: leave_evidence(tx, space, asked, evidence(hits), now))
        texts = (policy.reminders_text(reminders), policy.hits_text(hits))
        return Injection(
            "\n".join(text for text in texts if text), tuple(mark for hit in hits for mark in policy.marks_of(hit))
        )

    def _hits(
        self, space: str, asked: str, session: str, project: str, known: Collection[str], now: Instant
    ) -> list[Hit]:
        words = policy.question_words(asked)
        if len(words) < LIMITS.least_words:
            return []
        asking = Asking(k=LIMITS.candidates, quiet=True)
        found = self.recaller.recall(space, asked, asking, now)
        open_ = [hit for hit in found if policy.may_be_shown(hit, session, known)]
        channels = self._channels(space, {hit.session for hit in open_ if hit.session})
        mine = [hit for hit in open_ if _may_enter(hit, channels, project)]
        return policy.chosen(self._weighed(asked, words, mine, channels, project))

    def _weighed(
        self, asked: str, words: frozenset[str], hits: Sequence[Hit], channels: Mapping[str, str | None], project: str
    ) -> list[Weighed]:
        """Each hit with its nearness to the question; without an embedder words alone decide."""
        embedder = self.recaller.retriever.embedder
        vector = embedder.embed_one(asked) if embedder.dim else None
        weighed = []
        for hit in hits:
            text = (hit.quote or hit.text)[:LONGEST_TEXT]
            covered = policy.cover(words, hit.text[:LONGEST_TEXT])
            cosine = covered if vector is None else float(embedder.embed_one(text) @ vector)
            weighed.append(Weighed(hit, cosine, covered, channels.get(hit.session or "") == project))
        return weighed

    def _directives(self, space: str, project: str, now: Instant) -> list[str]:
        """A person's own lines of the block, what was said since the last night, then what nights found."""
        own = [line for block in blocks.attached(self.db, space) for line in self._own_lines(block)]
        unread = self.directives.lines(space)
        said = turns.by_ids(self.db, space, [line.turn for line in unread])
        standing = in_force(one for one in memories.directives(self.db, space, MOST_DIRECTIVES) if may_stand(one, now))
        sessions = {turn.session for turn in said.values()} | {one.session for one in standing if one.session}
        channels = self._channels(space, sessions)

        def here(session: str | None) -> bool:
            return channels.get(session or "") in (None, project)

        fresh = [
            policy.briefing_line(line.said, said[line.turn].at) for line in unread if here(said[line.turn].session)
        ]
        known = [policy.briefing_line(one.quote or one.text, one.dated) for one in standing if here(one.session)]
        return list(dict.fromkeys([*own, *fresh, *known]))

    def _lines(self, space: str, block: Block, project: str) -> list[str]:
        """A block's lines; directives have their own part, and who the agent is it knows already."""
        if block.label in (DIRECTIVES, "persona"):
            return []
        lines = [line.strip() for line in block.value.splitlines() if line.strip()]
        ordering = [line for line in lines if _orders(line.lstrip("- "))]
        alien = self._given_elsewhere(space, block, ordering, project) if ordering else set()
        return [policy.briefing_line(line.lstrip("- "), None) for line in lines if line not in alien]

    def _given_elsewhere(self, space: str, block: Block, lines: Iterable[str], project: str) -> set[str]:
        """Those of these lines that rest on what was said in another project."""
        resting = blocks.sentence_sources(self.db, block.id)
        sources = {line: resting.get(line, ()) for line in lines}
        known = memories.by_ids(self.db, space, {id for ids in sources.values() for id in ids})
        channels = self._channels(space, {memory.session for memory in known.values() if memory.session})
        other = {id for id, memory in known.items() if channels.get(memory.session or "") not in (None, project)}
        return {line for line, ids in sources.items() if other.intersection(ids)}

    def _own_lines(self, block: Block) -> list[str]:
        if block.label != DIRECTIVES:
            return []
        resting = blocks.sentence_sources(self.db, block.id)
        return [line for line in block.value.splitlines() if line.strip() and line.strip() not in resting]

    def _of_project(self, space: str, project: str) -> tuple[list[str], list[str]]:
        """The user's statements that nights kept of this project, and the last ones that none has read yet."""
        here = turns.sessions_by_channel(self.db, space, project, MOST_SESSIONS)
        if not here:
            return [], []
        kept = memories.of_sessions(self.db, space, here, ("fact", "note"), MOST_FACTS)
        kept += memories.of_sessions(self.db, space, here, ("episode",), MOST_EPISODES)
        watermark = spaces.by_id(self.db, space).watermark
        unread = [
            turn
            for session in here[:3]
            for turn in turns.listed(
                self.db, space, session=session, after=watermark, descending=True, limit=20, shown=True
            )
            if turn.role == "user" and turn.trust >= Trust.USER
        ]
        lately = [(statements(turn.text), turn.at) for turn in unread]
        return (
            [policy.briefing_line(words, at) for words, at in _each_once(kept)],
            [policy.briefing_line(words, at) for words, at in lately if words][:MOST_LATELY],
        )

    def _channels(self, space: str, sessions: Iterable[str]) -> dict[str, str | None]:
        """The project of each session that has one."""
        named = list(sessions)
        return {row["session"]: row["channel"] for row in turns.described(self.db, space, named)} if named else {}


def _each_once(found: Sequence[Memory]) -> list[tuple[str, Instant | None]]:
    """The user's own statements with their days: of an episode what states something, and no fact quotes already."""
    shown: list[tuple[str, Instant | None]] = []
    for memory in found:
        words = statements(memory.text) if memory.kind == "episode" else memory.quote or memory.text
        known = any(words in said or said in words for said, _ in shown)
        if words and not known and memory.trust >= Trust.USER:
            shown.append((words, memory.said_at))
    return shown


def statements(text: str) -> str:
    """What of a text is worth knowing in the next session; a request or a question is not.

    >>> statements("Fix the header. The staging cluster is called otter and has six nodes.")
    'The staging cluster is called otter and has six nodes.'
    """
    said = sentences(strip_recalled(text)[:LONGEST_PROMPT])
    return " ".join(sentence for sentence in said if weigh(sentence).kept)


def _may_enter(hit: Hit, channels: Mapping[str, str | None], project: str) -> bool:
    """A directive is for the project that it was given in, whatever keeps its words."""
    if channels.get(hit.session or "") in (None, project):
        return True
    return hit.kind != "directive" and not _orders(hit.quote or hit.text)


def _orders(text: str) -> bool:
    """Whether a text tells the agent how to work from now on."""
    return any(one.holds for one in standings(sentences(text[:LONGEST_PROMPT])))
