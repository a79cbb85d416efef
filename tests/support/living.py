"""A space whose days are as long as a test wants them: say, ask, sleep, look."""

from dataclasses import dataclass, field, replace
from typing import Any

from reverie.asleep.runner import Runner
from reverie.asleep.step import Minds
from reverie.awake.append import append, defer
from reverie.awake.recall import query_hash
from reverie.minds.embed import NoEmbedder
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.base import DAY, day_of, new_id
from reverie.model.blocks import Block
from reverie.model.memories import Filter, Memory
from reverie.model.night import Night
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.model.turns import Draft, RecallEvent
from reverie.policy.safety.channels import PERSON, Channel
from reverie.store.db import Database
from reverie.store.tables import blocks, memories, nights, recalls, spaces
from reverie.store.tables.blocks import Writer
from reverie.triggers.inline import sleep
from tests.support.nights import NOW, make_space

EVERY = Filter(include_quarantined=True, include_stale=True)


@dataclass
class Life:
    """Real appends, real nights by the rules; recalls are written down as the awake side does."""

    db: Database
    space: str
    now: float = NOW
    embedder: Any = field(default_factory=NoEmbedder)
    reasoner: Any = field(default_factory=RulesReasoner)
    second_opinion: bool = False

    @classmethod
    def in_new_space(cls, db: Database, *labels: str, limit: int = 5_000) -> "Life":
        life = cls(db, make_space(db))
        for label in labels or ("human", "persona", "learned_context"):
            life.block(label, limit=limit)
        return life

    def block(self, label: str, value: str = "", limit: int = 5_000, **more: Any) -> Block:
        org = spaces.by_id(self.db, self.space).org
        more.setdefault("protected", label == "persona")
        made = Block(new_id("block"), org, label, value, limit, owner=more.pop("owner", self.space), **more)
        with self.db.write("memory") as tx:
            return blocks.create(tx, made, Writer("person", "made", self.now), attach_to=self.space)

    def say(self, text: str, role: str = "user", session: str = "monday", **more: Any) -> str:
        draft = Draft(role, text, **{"at": self.now, "session": session, **more})
        return append(self.db, spaces.by_id(self.db, self.space), draft).id

    def defer(self, line: str, block: str, channel: Channel = PERSON) -> str:
        """A line that the block had no room for."""
        return defer(self.db, spaces.by_id(self.db, self.space), line, block, channel, self.now).id

    def ask(self, memory: str, question: str, score: float = 0.9) -> None:
        event = RecallEvent(self.space, memory, query_hash(question), day_of(self.now), score, self.now)
        with self.db.write("log") as tx:
            recalls.put_events(tx, [event])

    def sleep(self, kind: Any = "night", **settings: Any) -> Night:
        minds = Minds(self.reasoner, self.embedder, second_opinion=self.second_opinion)
        run = Runner(self.db, minds, clock=lambda: self.now, wait=lambda _: None)
        asked = sleep(run, self.space, SleepRequest(kind, "manual", "me"), replace(Sleeping(), **settings))
        assert asked.night.status == "done", asked.night
        self.now += 60.0  # nobody speaks in the very moment of a night
        return asked.night

    def next_day(self, days: float = 1.0) -> None:
        self.now += days * DAY

    def counts(self, night: Night, step: str) -> dict[str, int]:
        return dict(next(row.counts for row in nights.steps(self.db, night.id) if row.step == step))

    def memories(self) -> list[Memory]:
        return memories.listed(self.db, self.space, EVERY, limit=2_000)

    def memory(self, text: str) -> Memory:
        return next(memory for memory in self.memories() if memory.text == text)

    def fact(self, said: str) -> Memory:
        """The fact that quotes these words, or else has this text."""
        facts = [memory for memory in self.memories() if memory.kind == "fact"]
        return next(fact for fact in facts if said in (fact.quote, fact.text))

    def value(self, label: str = "human") -> str:
        return blocks.labelled(self.db, self.space, label).value
