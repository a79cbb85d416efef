"""Talking: turns go into the log; recall, context and prepared answers come out. No model is called here."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reverie.awake.append import append, chat_message, end_session, note_overflow
from reverie.model.answers import Answer, Answered, AnswersReport
from reverie.model.base import Instant
from reverie.model.hits import DEFAULT_BUDGET, Asking, Context, Hit, HitKind, Mode
from reverie.model.memories import Tier
from reverie.model.turns import AddedBlock, Appended, Draft, SessionNote, Turn
from reverie.store.ids import whole_id
from reverie.store.tables import added_blocks, turns
from reverie.telemetry import memory_span
from reverie.verbs.base import Verbs

if TYPE_CHECKING:
    from reverie.model.ledger import Line
    from reverie.policy.safety.admission import AdmissionRule
    from reverie.store.tables.ledger import By


class TalkVerbs(Verbs):
    @memory_span("create_memory")
    def append(
        self,
        role: str,
        text: str,
        session: str = "default",
        key: str | None = None,
        *,
        origin: str | None = None,
        speaker: str | None = None,
        at: Instant | None = None,
        metadata: Mapping[str, Any] | None = None,
        kind: str | None = None,
        channel: str | None = None,
        source: str | None = None,
    ) -> Appended:
        """Stores one turn, durably. The same `key` twice stores once. Secrets are taken out before that.

        `origin` can only lower the trust that its role has. `kind` (interactive, cron, heartbeat, subagent),
        `channel` and `source` describe the session: nights may be told to leave it out (`exclude`).
        """
        when = self._now() if at is None else at
        note = SessionNote(kind, channel, source)
        draft = Draft(role, text, session, key, origin, speaker, when, metadata or {}, note)
        stored = append(self._db, self.record, draft)
        self.parts.appended(self.id)
        return stored

    def add(self, messages: Iterable[Mapping[str, Any]], session: str = "default") -> list[Appended]:
        """A list of chat messages at once; each needs `role` and `content` (or `text`)."""
        return [self.append(**chat_message(message), session=message.get("session", session)) for message in messages]

    def turn(self, id: str) -> Turn:
        """One turn by its id; `recall` names them in `hit.sources`."""
        return turns.by_id(self._db, self.id, whole_id(self._db, self.id, id))

    def turns(
        self,
        session: str | None = None,
        *,
        after: str | None = None,
        before: str | None = None,
        newest_first: bool = False,
        limit: int = 50,
    ) -> list[Turn]:
        """Turns of the log; `after` and `before` are ids of turns and exclusive."""
        return turns.listed(
            self._db,
            self.id,
            session=self._session(session),
            after=None if after is None else self.turn(after).seq,
            before=None if before is None else self.turn(before).seq,
            descending=newest_first,
            limit=limit,
        )

    def sessions(self, *, limit: int = 50, after: int = 0) -> list[dict[str, Any]]:
        """Conversations in the order they began; `after` is the `first_seq` of the last one seen."""
        from reverie.awake.edits import admission

        return admission.sessions(self._db, self._fresh(), limit=limit, after=after)

    def exclude(
        self,
        session: str | None = None,
        *,
        kind: str | None = None,
        channel: str | None = None,
        source: str | None = None,
        why: str = "",
    ) -> "AdmissionRule":
        """Keeps sessions out of nights, by one of name, kind, channel or source (`*` stands for anything).

        Their turns stay searchable; nights draw nothing lasting from them. The reason is kept with each.
        """
        from reverie.awake.edits import admission

        named = {"session": session, "kind": kind, "channel": channel, "source": source}
        return admission.decide(self._db, self._fresh(), named, False, why, self._now())

    def admit(
        self,
        session: str | None = None,
        *,
        kind: str | None = None,
        channel: str | None = None,
        source: str | None = None,
        why: str = "",
    ) -> "AdmissionRule":
        """Lets nights read sessions that were left out; what they hold is read by the next one."""
        from reverie.awake.edits import admission

        named = {"session": session, "kind": kind, "channel": channel, "source": source}
        return admission.decide(self._db, self._fresh(), named, True, why, self._now())

    def admission(self) -> "list[AdmissionRule]":
        """What nights read and what not: the rules that everybody begins with, then this space's own, oldest first."""
        from reverie.policy.safety.admission import rules_of

        return list(rules_of(self._fresh().private))

    def unread(self) -> int:
        """How many turns no night has read."""
        return max(0, turns.activity(self._db, self.id).last_seq - self._fresh().watermark)

    def end_session(self, session: str = "default") -> bool:
        """Says that a conversation is over: the space may sleep."""
        return end_session(self._db, self.id, session, self._now())

    @memory_span("search_memory", "query")
    def recall(
        self,
        query: str,
        k: int = 10,
        *,
        session: str | None = None,
        after: Instant | None = None,
        before: Instant | None = None,
        as_of: Instant | None = None,
        kinds: Sequence[HitKind] = (),
        tags: tuple[str, ...] = (),
        metadata: Mapping[str, Any] | None = None,
        tiers: Sequence[Tier] = (),
        min_confidence: float = 0.0,
        include_stale: bool = False,
        mode: Mode = "all",
        explain: bool = False,
        quiet: bool = False,
    ) -> list[Hit]:
        """What the space knows about a query, best first, each hit with its sources, dates and score.

        `as_of` asks what was believed at that moment; `mode="raw"` answers turns and episodes only; `quiet` leaves no
        trace that nights would count as use.
        """
        asking = Asking(
            k=k,
            session=self._session(session),
            after=after,
            before=before,
            as_of=as_of,
            kinds=tuple(kinds),
            tags=tuple(tags),
            metadata=metadata or {},
            tiers=tuple(tiers),
            min_confidence=min_confidence,
            include_stale=include_stale,
            mode=mode,
            explain=explain,
            quiet=quiet,
        )
        return self.parts.recaller.recall(self.id, query, asking, self._now())

    @memory_span("search_memory", "query")
    def context(
        self,
        query: str | None = None,
        budget: int = DEFAULT_BUDGET,
        *,
        session: str | None = None,
        k: int | None = None,
        quiet: bool = False,
    ) -> Context:
        """The prompt section: blocks first, then memories and recent turns, within `budget` tokens.

        The turns are the session's, or the last session's if none is named. `k` bounds the hits that are looked for;
        without it there are more for a larger budget. A prepared answer to a question much like this one is shown too.
        `quiet` leaves no trace: for a person who wants to see what an agent would.
        """
        from reverie.policy.recall.packing import hits_for

        now = self._now()
        prepared = self.parts.answerer.look(self.id, query, now) if query and query.strip() else None
        asking = Asking(k=hits_for(budget) if k is None else k, quiet=quiet)
        return self.parts.assembler.context(
            self.id,
            query,
            session=self._session(session),
            budget=budget,
            asking=asking,
            now=now,
            prepared=prepared,
            only_read=self.only_read,
        )

    def embed(self, limit: int = 1_000_000) -> int:
        """Embeds fresh turns now, which the next nap otherwise does; answers how many."""
        from reverie.awake.recall import embed_tail

        return embed_tail(self._db, self.parts.embedder, self.id, limit)

    def added_blocks(self, session: str) -> dict[str, AddedBlock]:
        """What proxies have added to the turns of a session, by the digest of each turn."""
        return added_blocks.of_session(self._db, self.id, self._session(session) or "")

    def note_added_blocks(self, session: str, made: Mapping[str, AddedBlock]) -> None:
        """Keeps what a proxy has added to turns, so that it can add the same bytes again. A forget takes all away."""
        from reverie.awake.added_blocks import note

        note(self._db, self.id, self._session(session) or "", made)

    def overflowed(self) -> None:
        """Says that a context could not hold what it wanted to: the space may nap and condense."""
        note_overflow(self._db, self.id)

    @memory_span("search_memory", "query")
    def answer(self, query: str) -> Answered:
        """A precomputed answer with its sources and age, or nothing (falsy) with the reason in `why`."""
        return self.parts.answerer.answer(self.id, query, self._now())

    def answers(self, *, live: bool = True, limit: int = 50, after: str | None = None) -> list[Answer]:
        """What is prepared, newest first."""
        from reverie.store.tables import answers

        return answers.listed(self._db, self.id, live=live, limit=limit, after=after)

    def prepared(self, id: str) -> Answer:
        """One prepared answer, with what it rests on."""
        from reverie.store.tables import answers

        return answers.by_id(self._db, self.id, id)

    def explain_answer(self, query: str) -> Answered:
        """What `answer` would say and why, without leaving a trace."""
        return self.parts.answerer.look(self.id, query, self._now())

    def drop_answer(self, id: str, why: str = "") -> None:
        """Never given again; a night answers the question anew only if it then has something else to say."""
        from reverie.awake import answer as answer_report

        answer_report.drop(self._db, self.id, id, why)

    def answers_report(self) -> AnswersReport:
        """Hit rate and wrong-hit rate, tokens asleep and saved, per predictor."""
        from reverie.awake import answer as answer_report

        return answer_report.report(self._db, self.id, self._now())

    def costs(self, by: "By" = "day", since: Instant = 0.0) -> "list[Line]":
        """What models have cost this space, awake and asleep apart."""
        from reverie.store.tables import ledger

        return ledger.report(self._db, by, self.id, since)

    def questions_asked(self, since: Instant = 0.0) -> int:
        """How many questions this space was asked since then: what the cost is spread over."""
        from reverie.store.tables import ledger

        return ledger.queries(self._db, self.id, since)
