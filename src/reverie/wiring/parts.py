"""The parts that a Reverie is wired from, each loaded and made when first needed, handed to every space."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.awake.events import Events
from reverie.config import Config
from reverie.handover import briefings, write_briefing
from reverie.model.base import JSON, Instant
from reverie.model.spaces import SpaceRecord
from reverie.store.db import Database

if TYPE_CHECKING:
    from reverie.agent.ports import AgentSpace
    from reverie.agent.primary import PrimaryAgent
    from reverie.asleep.runner import Runner
    from reverie.asleep.step import Minds
    from reverie.awake.answer import Answerer
    from reverie.awake.context import Assembler
    from reverie.awake.injection import Injector
    from reverie.awake.recall import Recaller
    from reverie.awake.tail_vectors import TailEmbedder
    from reverie.minds.embed import Embedder
    from reverie.minds.judge import Judge
    from reverie.minds.llm.models import Models
    from reverie.minds.reasoner import Reasoner
    from reverie.minds.rules.reasoner import RulesReasoner
    from reverie.mirror.mirror import Mirror
    from reverie.model.answers import Answered, Anticipating
    from reverie.model.hits import Injection
    from reverie.model.night import Progress
    from reverie.model.rhythm import Exhausted
    from reverie.retrieve import Retriever
    from reverie.store.gauges import MemoryCounts
    from reverie.store.search.fresh import FreshVectors
    from reverie.store.tables.ledger import StoreLedger
    from reverie.telemetry import Telemetry


@dataclass
class Parts:
    db: Database
    config: Config
    clock: Callable[[], Instant]
    given_embedder: "Embedder | None" = None
    brief: bool = False  # opened for one command: nothing is begun that would go on beside it
    on_close: list[Callable[[], None]] = field(default_factory=list)
    model_calls_ended: bool = False

    @cached_property
    def embedder(self) -> "Embedder":
        from reverie.minds.embed import by_name

        return self.given_embedder or by_name(self.config["embedder"])

    @cached_property
    def retriever(self) -> "Retriever":
        from reverie.retrieve import Retriever
        from reverie.store.search import index

        limits = index.IndexLimits(bytes=self.config["vector_cache_mb"] * 2**20)
        return Retriever(self.db, index.Indexes(self.db, limits, self.fresh), self.embedder, patient=True)

    @cached_property
    def events(self) -> Events:
        events = Events(self.db)
        self.on_close.append(events.close)
        return events

    @cached_property
    def memory_counts(self) -> "MemoryCounts":
        from reverie.store.gauges import MemoryCounts

        return MemoryCounts(self.db)

    @cached_property
    def fresh(self) -> "FreshVectors":
        from reverie.store.search.fresh import FreshVectors

        return FreshVectors()

    @cached_property
    def tail(self) -> "TailEmbedder | None":
        """Who embeds fresh turns; None for one command, without an embedder, and for a hosted one: nights ask that."""
        if self.brief:
            return None
        name = "" if self.given_embedder else self.config["embedder"]
        if name == "none" or name.startswith("openai:") or (self.given_embedder and not self.given_embedder.dim):
            return None
        from reverie.awake.tail_vectors import TailEmbedder

        made = TailEmbedder(self.db, self.embedder, self.fresh)
        self.on_close.append(made.close)
        return made

    def appended(self, space: str) -> None:
        """A turn was stored: meaning may find it soon."""
        if self.tail is not None:
            self.tail.want(space)

    @cached_property
    def recaller(self) -> "Recaller":
        from reverie.awake.recall import Recaller

        return Recaller(self.retriever, self.events, self.tail)

    @cached_property
    def assembler(self) -> "Assembler":
        from reverie.awake.context import Assembler
        from reverie.awake.intents import Reminders
        from reverie.awake.unread_directives import UnreadDirectives

        reminders = Reminders(self.db, self.events)
        return Assembler(self.db, self.recaller, self.events, UnreadDirectives(self.db), reminders)

    @cached_property
    def injector(self) -> "Injector":
        from reverie.awake.injection import Injector

        return Injector(self.db, self.recaller, self.assembler.directives, self.assembler.reminders)

    @property
    def home(self) -> str:
        """The directory of what is this user's own."""
        return str(self.db.dialect.home or Path(self.config["home"]).expanduser())

    def write_briefing(self, space: SpaceRecord, project: str) -> "Injection":
        """What sessions of a project begin with, also written where hooks find it when no server runs."""
        made = self.injector.briefing(space.id, project, self.clock())
        state = self.injector.state(space.id)
        write_briefing(
            self.home,
            {"project": project, "space": space.id, "state": state, "text": made.text, "seen": list(made.seen)},
        )
        return made

    def refresh_briefings(self, space: SpaceRecord) -> None:
        """Writes those of a space anew that are older than what is known now."""
        known = [one for one in briefings(self.home) if one.get("space") == space.id]
        if known and any(one["state"] != self.injector.state(space.id) for one in known):
            for one in known:
                self.write_briefing(space, one["project"])

    @cached_property
    def ledger(self) -> "StoreLedger":
        from reverie.store.tables.ledger import StoreLedger

        return StoreLedger(self.db)

    @cached_property
    def models(self) -> "Models | None":
        from reverie.wiring.models import models_of

        models = models_of(self.config, self.ledger, self.settings_of)
        if models is not None:
            self.on_close.append(models.close)
            if self.model_calls_ended:
                models.close()
        return models

    def end_model_calls(self) -> None:
        """Ends what is under way, for good: whoever waits for a model is told that it failed."""
        self.model_calls_ended = True
        if "models" in vars(self) and self.models is not None:  # never loads what was not used
            self.models.close()

    @cached_property
    def reasoner(self) -> "Reasoner":
        """The rules, or a model with the rules behind it."""
        return (self.models and self.models.reasoner(self.rules)) or self.rules

    @cached_property
    def judge(self) -> "Judge | None":
        from reverie.minds.judge import Judge

        return Judge.by(self.embedder)

    @cached_property
    def rules(self) -> "RulesReasoner":
        from reverie.minds.rules.reasoner import RulesReasoner

        return RulesReasoner(self.judge)

    @cached_property
    def minds(self) -> "Minds":
        """Who thinks in nights."""
        from reverie.asleep.step import Minds, NoFaults
        from reverie.minds.llm.reasoner import LlmReasoner
        from reverie.minds.meter import charged_to
        from reverie.minds.overtaking import OvertakingReader

        faults = self.reasoner.faults if isinstance(self.reasoner, LlmReasoner) else NoFaults()
        reviewed = bool(self.config["reviewer_model"])
        search = replace(self.retriever, patient=False).retrieve  # a night must see what it has just done
        return Minds(
            self.reasoner,
            self.embedder,
            faults,
            charged_to,
            search,
            self.anticipating,
            judge=self.judge,
            overtaking=OvertakingReader.by(self.embedder),
            second_opinion=reviewed,
        )

    @property
    def anticipating(self) -> "Anticipating":
        from reverie.model.answers import Anticipating

        return Anticipating(self.config["anticipate"], self.config["max_wrong_hits"], self.config["answer_hours"])

    @cached_property
    def answerer(self) -> "Answerer":
        from reverie.awake.answer import Answerer
        from reverie.awake.answer_cache import HeldSpaces
        from reverie.awake.unread_statements import Tails
        from reverie.policy.answers.serving import ServingLimits

        return Answerer(self.db, self.embedder, self.events, ServingLimits(), Tails(self.db), HeldSpaces(self.embedder))

    def runner(self, tell: "Callable[[Progress], None] | None" = None) -> "Runner":
        from reverie.asleep.runner import Runner

        def heard(told: "Progress") -> None:
            self.telemetry(told)
            if tell is not None:
                tell(told)

        return Runner(self.db, self.minds, heard, clock=self.clock, spent=self.spent)

    def mirror(self, space: SpaceRecord, directory: str | Path | None = None) -> "Mirror | None":
        """A space as files: in that directory, else where the setting `mirror` says; None where that says nothing."""
        if not directory and not self.config["mirror"]:
            return None  # and nothing is loaded for it
        from reverie.mirror.rounds import directory_of, open_mirror

        root, main = self.config["mirror"], self.config["space"]
        path = Path(directory).expanduser() if directory else directory_of(root, main, space.name)
        return None if path is None else open_mirror(self.db, space, path, self.clock)

    def agent(self, space: "AgentSpace", precomputed: "Callable[[str], Answered]") -> "PrimaryAgent":
        """Who answers a person: with the primary model if one is set, else from memory alone."""
        from reverie.agent.primary import PrimaryAgent

        return PrimaryAgent(
            space=space,
            reasoner=self.rules,
            client=self.models.primary() if self.models else None,
            precomputed=precomputed,
            nearness=self._nearness,
            sparing=self._spares_tools,
            context_tokens=self.config["context_tokens"],
            answer_tokens=self.config["model_answer_tokens"],
        )

    @property
    def _spares_tools(self) -> bool:
        """Whether the primary model is shown its tools only when a message asks for what they do: a server of one's own
        mostly runs a small one, and such a model calls tools in place of answering.
        """
        chosen = self.config["chat_tools"]
        return bool(self.config["model_base_url"]) if chosen == "auto" else chosen == "asked"

    def _nearness(self, question: str, texts: Sequence[str]) -> list[float] | None:
        """How near texts are to a question in meaning; None without an embedder, and for a hosted one, which costs."""
        hosted = self.given_embedder is None and self.config["embedder"].startswith("openai:")
        if hosted or not texts or not self.embedder.dim:
            return None
        return [float(near) for near in self.embedder.embed(texts) @ self.embedder.embed_one(question)]

    def spent(self, space: str, now: Instant) -> "Exhausted | None":
        """The budget that allows nights of a space no model call; None while all do."""
        from reverie.wiring.models import exhausted

        return exhausted(self.config, self.ledger, self.settings_of, space, now)

    def settings_of(self, space: str) -> Mapping[str, JSON]:
        """A space's own settings, by its id."""
        from reverie.store.tables.spaces import settings

        return settings(self.db, space)

    @cached_property
    def telemetry(self) -> "Telemetry":
        """Every night's events, as log lines and spans."""
        from reverie.telemetry import Telemetry, tracer

        return Telemetry(tracer=tracer())
