"""Stores and conversations for the benchmarks of nights: made by templates, the same for the same seed.

Chat is a sentence a turn. Agent traffic is what coding agents see: a coder's turns from `bench/histories/dev`, again
and again with other names and numbers, each answered at length in prose and code.
"""

import json
import random
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from reverie.awake.append import append
from reverie.language.calendar import date_words
from reverie.language.words import content_hash
from reverie.minds.embed import Vectors
from reverie.model.base import DAY, Instant, Role
from reverie.model.changes import Changes, Vector
from reverie.model.memories import Document, Memory
from reverie.model.night import Night
from reverie.model.turns import Draft
from reverie.policy.care.dedupe import bands
from reverie.policy.care.tagging import words_of
from reverie.policy.recall.search_keys import episode_id
from reverie.store import upkeep
from reverie.store.commit.commit import Checkpoint, commit
from reverie.store.db import Database, batches
from reverie.store.dialect.sqlite_dialect import SqliteDialect
from reverie.store.tables import leases, nights, spaces

NAMES = "Anna Tom Clara Mia Jonas Priya Omar Elena Kenji Lucia Noah Sofia Ivan Grace Hugo Leila Marta Finn Ada"
PLACES = "Berlin Lisbon Porto Vienna Oslo Kyoto Lyon Graz Ghent Turin Leeds Malmo Split Tartu Cadiz Bergen"
THINGS = (
    "garden kitchen bicycle piano camera sailboat telescope bakery orchard library aquarium cello greenhouse tent "
    "typewriter kayak pottery compass lantern workshop beehive sourdough marathon chess violin sketchbook drone"
)
VERBS = "bought sold repaired painted borrowed lost found cleaned planned visited photographed studied built moved"
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
SYLLABLES = "ba ko ri mu te sa lo ni fa du ze pi ga vo he ju"
SAID = (
    "I {verb} the {thing} in {place} together with {name} last {day}",
    "{name} told me that the {thing} near {place} was {verb} again",
    "My friend {name} lives in {place} and loves the {thing}",
    "We {verb} a {thing} for {name}, and then drove to {place}",
    "I work on a {thing} project with {name} in {place} now",
    "Remember that {name} is allergic to everything from the {thing} in {place}",
    "Do you know whether {name} still has the {thing} from {place}?",
)
DIM = 384
HISTORIES = Path(__file__).parent / "histories" / "dev"
CODERS = ("ilmari", "kestutis")
ADVICE = (
    "The {0} is the part that I would change first, because everything behind it waits for the {1}.",
    "I have moved the {0} into a function of its own, so that the {1} can be tested without a database.",
    "Note that the {0} is read twice there; the second read sees the {1} as it was before the write.",
    "There are two ways: keep the {0} as it is and retry, or give the {1} a queue with a limit.",
)
CODE = (
    "def {0}_{1}(rows, limit={3}):",
    "    for {0} in rows.{1}(limit={3}):",
    "        if {0}.{1} is None or len({2}) > {3}:",
    '            raise ValueError(f"{0} {1}: {{{2}}}")',
    "    {0} = [{1}.value * {3} for {1} in {2} if {1}.key]",
    "    return {0}.{1}({2}, timeout={3})",
)


def sentences(seed: int) -> Iterator[str]:
    """Sentences whose words are as unevenly common as people's: a few everywhere, most of them rare."""
    chance = random.Random(seed)

    def one_of(words: str) -> str:
        return chance.choice(words.split())

    def rare() -> str:
        return "".join(one_of(SYLLABLES) for _ in range(3 + chance.randrange(2)))

    while True:
        said = chance.choice(SAID).format(
            name=one_of(NAMES), place=one_of(PLACES), thing=one_of(THINGS), verb=one_of(VERBS), day=one_of(DAYS)
        )
        yield f"{said}, because of the {rare()} {rare()} and {one_of(THINGS)} number {chance.randrange(10_000)}"


Embed = Callable[[Sequence[str]], Vectors]


def make_store(
    home: Path, memories: int, now: Instant, embedder: str = "bench", embed: Embed | None = None
) -> tuple[Database, str]:
    """A space with this many memories: seven episodes to three facts, as nights with that embedder leave them.

    Facts have the vectors that `embed` makes of them, because nights compare these; all else has random ones.
    """
    SqliteDialect(home).migrate()
    db = SqliteDialect(home).open()
    space = spaces.create(db, spaces.org_named(db, "default", now), "bench", now).id
    night = Night(f"night-fill-{memories}", space, "night", "manual", now - DAY, now - DAY, status="running")
    lease = leases.acquire(db, space, "bench", now)
    assert lease is not None
    with db.write("memory") as tx:
        nights.insert(tx, night)
        nights.plan(tx, night.id, ["fill"])
    said = sentences(1)
    for part in batches(range(memories), 500):
        made = [_memory(night, n, next(said), now - 90 * DAY + n) for n in part]
        commit(db, lease, night, Checkpoint("fill"), _filled(made, embedder, embed), clock=lambda: now)
    with db.write("memory") as tx:
        nights.update(tx, night.id, status="done", ended_at=now - DAY)
        tx.run("DELETE FROM journal")
    leases.release(db, lease)
    upkeep.index_vectors(db, space)
    return db, space


def say(db: Database, space: str, turns: int, now: Instant, seed: int = 2, traffic: str = "chat") -> None:
    record, said = spaces.by_id(db, space), agent_traffic(seed) if traffic == "agent" else chat(seed)
    for n, (role, text) in enumerate(islice(said, turns)):
        append(db, record, Draft(role, text, session=f"s{n // 20}", at=now - turns + n))


def chat(seed: int) -> Iterator[tuple[Role, str]]:
    said = sentences(seed)
    while True:
        yield "user", next(said)
        yield "assistant", next(said)


def agent_traffic(seed: int) -> Iterator[tuple[Role, str]]:
    """Roles and texts: about 110 characters a turn of the user's, 2,600 an answer, 60% of them code."""
    chance = random.Random(seed)
    asked = [text for name in CODERS for text in _said_by_user(HISTORIES / f"{name}.jsonl")]
    while True:
        for text in asked:
            names = {word: chance.choice(SYLLABLES.split()) + word for word in re.findall(r"\w{7,}", text)[::3]}
            text = re.sub(r"\w{7,}", lambda found, to=names: to.get(found[0], found[0]), text)  # type: ignore[misc]
            yield "user", re.sub(r"\d+", lambda _: str(chance.randrange(2, 900)), text)
            yield "assistant", _answer(chance, text)


def _said_by_user(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        turn = json.loads(line)
        if turn["role"] == "user":
            yield turn["text"]


def _answer(chance: random.Random, asked: str) -> str:
    """Prose and code in turns, about what was asked."""
    words = re.findall(r"[a-z]{4,}", asked.lower()) or ["that"]
    parts = []
    for _ in range(chance.randrange(2, 5)):
        parts.append(" ".join(chance.choice(ADVICE).format(*chance.choices(words, k=2)) for _ in range(3)))
        lines = (chance.choice(CODE).format(*chance.choices(words, k=3), chance.randrange(99)) for _ in range(14))
        parts.append("```python\n" + "\n".join(lines) + "\n```")
    return "\n\n".join([*parts, "Tell me once it has run, then we take the next part."])


def _memory(night: Night, n: int, text: str, at: Instant) -> Memory:
    fact = n % 10 < 3
    id = episode_id(night.space, f"turn-{n}")
    return Memory(
        id=id,
        space=night.space,
        kind="fact" if fact else "episode",
        text=text,
        sources=(id,),
        created_at=at,
        said_at=at,
        subject=NAMES.split()[n % 19] if fact else None,
        predicate="has" if fact else None,
        value=text.split()[3] if fact else None,
        session=f"old-{n // 20}",
        night=night.id,
        auto_tags=words_of(text)[:6],
        last_tagged_at=night.now,
        last_linked_at=night.now,
        hash=content_hash(text),
    )


def _filled(made: list[Memory], embedder: str, embed: Embed | None) -> Changes:
    chance = np.random.default_rng(zlib.crc32(made[0].id.encode()))
    rows = chance.standard_normal((len(made), DIM), np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    if embed is not None:
        facts = [place for place, memory in enumerate(made) if memory.kind == "fact"]
        rows[facts] = embed([made[place].text for place in facts])
    return Changes(
        memories=tuple(made),
        documents=tuple(Document(m.id, f"user: {m.text}", date_words(m.said_at or 0)) for m in made),
        vectors=tuple(Vector(m.id, embedder, row.tobytes()) for m, row in zip(made, rows, strict=True)),
        keywords={m.id: words_of(m.text) for m in made},
        bands=tuple((band, m.id) for m in made if m.kind == "episode" for band in bands(m.text)),
        mentions=tuple((m.subject, m.id) for m in made if m.subject),
        cursor="more",
    )


def quick(texts: Sequence[str]) -> Vectors:
    """Hashed words: as wide as the real embedder and nearly free, so that growth is not hidden behind it."""
    rows = np.zeros((len(texts), DIM), np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in text.lower().split():
            row[zlib.crc32(word.encode()) % DIM] += 1.0  # the same in every process
    return rows + 1e-3
