"""What `reverie doctor` checks. Every check says what it found, also if all is well, and else the next move."""

from collections.abc import Iterator
from pathlib import Path

from reverie.agents.checks import installed, stumbled
from reverie.config import Config
from reverie.errors import ReverieError, StoreTooNew
from reverie.language.calendar import counted, span
from reverie.language.detect import is_english
from reverie.language.speech import spoken
from reverie.minds.embed import by_name
from reverie.minds.llm.spec import ModelSpec
from reverie.model.base import DAY, Instant
from reverie.model.ledger import Scope
from reverie.policy.spending import NOTHING, Budget, Spent, allows, day_start
from reverie.reverie import Reverie
from reverie.store.db import Database
from reverie.store.dialect import migrate
from reverie.store.dialect.dialect import Dialect, Finding
from reverie.store.dialect.open import dialect_of
from reverie.store.forget import forget
from reverie.store.tables import failures, nights, rhythm, spaces, turns, workers
from reverie.store.transfer.delete_space import half_deleted, half_made
from reverie.triggers.health import SleepHealth, health, sleeper_alive
from reverie.wiring.models import budgets_of, environ_of, specs_of, unpriced
from reverie.wiring.parts import Parts

RECENT = 200  # turns of a space, to tell its language from
LEAST_TURNS = 10
NOT_WHOLE = "See what is said of its files. Nothing is changed before you decide."
OLDER = "The next command that opens the store brings it up to date; `reverie backup` first, if you like."


def examine(config: Config, now: Instant, *, repair: bool = False) -> list[Finding]:
    """All checks, cheapest first. Nothing is made or changed; with `repair`, what can be mended is mended first."""
    found = [*_thinking(config), *_agents(config, now)]
    try:
        dialect = dialect_of(config.location)
        if not dialect.is_there:
            said = f"no store in {dialect.shown} yet: the first command that writes makes one"
            return [Finding("store", "ok", said), *found]
        found = [*dialect.check(repair), *found]
        if any(finding.status == "wrong" and finding.check in ("files", "pair") for finding in found):
            return [_refused(dialect), *found]
        if repair:
            with Reverie.open(config=config) as memory:
                return [*_store(memory.parts), *found, *_inside(memory.parts, now, repair=True)]
        return [*_read(dialect, config, now, found)]
    except ReverieError as error:
        return [Finding("store", "wrong", error.message, error.next_move), *found]


def _agents(config: Config, now: Instant) -> Iterator[Finding]:
    """Whether what `reverie install` wrote is still there and works, and what hooks have stumbled over lately."""
    for home in dict.fromkeys((Path(config["home"]).absolute(), Path.home() / ".reverie")):
        for check in (*installed(home), *stumbled(home, now)):
            yield Finding("agents", "ok" if check.well else "warning", check.said, check.next_move)


def _refused(dialect: Dialect[Database]) -> Finding:
    """Why a store whose files are not as they should be cannot be opened, in the words of whoever tries."""
    try:
        dialect.open(read_only=True).close()
        _ = dialect.schema
    except ReverieError as error:
        return Finding("store", "wrong", error.message, error.next_move)
    return Finding("store", "wrong", f"{dialect.shown} is not whole", NOT_WHOLE)


def _read(dialect: Dialect[Database], config: Config, now: Instant, found: list[Finding]) -> Iterator[Finding]:
    """What is in a store, read without bringing it up to date."""
    known, newest = dialect.schema, migrate.newest(dialect.name)
    if known > newest:
        raise StoreTooNew(known, newest)
    if known < newest:
        yield Finding("store", "warning", f"{dialect.shown}: schema {known}, this Reverie makes {newest}", OLDER)
        yield from found
        return
    db = dialect.open(read_only=True)
    try:
        parts = Parts(db, config, lambda: now)
        yield from (*_store(parts), *found, *_inside(parts, now, repair=False))
    finally:
        db.close()


def _inside(parts: Parts, now: Instant, *, repair: bool) -> Iterator[Finding]:
    yield from (*_clock(parts.db, now), *_half_made(parts.db, now))
    yield from (*_workers(parts.db, now), *_sleep(parts, now, repair), *_languages(parts), *_money(parts, now))


def _store(parts: Parts) -> Iterator[Finding]:
    db = parts.db
    count = counted(len(spaces.every(db)), "space")
    yield Finding("store", "ok", f"{db.dialect.shown}: schema {migrate.version(db)}, {count}")
    yield db.dialect.index.check(db)


def _clock(db: Database, now: Instant) -> Iterator[Finding]:
    """Whether this machine's clock is behind what was done here before."""
    ahead = (nights.latest(db) or now) - now
    if ahead > rhythm.SKEW:
        said = f"the last night here was {span(ahead)} from now: the clock was set back, or was wrong then"
        yield Finding("clock", "warning", said, "Set the clock right. Nothing waits for the old time to come again.")


def _workers(db: Database, now: Instant) -> Iterator[Finding]:
    """Workers that died within the hour, and on what."""
    for worker in workers.listed(db, now):
        if worker.state == "gone":
            at = f" while it slept for {worker.space_name or worker.space}" if worker.space else ""
            said = f"{worker.name} died{at}, last heard of {span(max(0.0, now - worker.heard_at))} ago"
            move = "Its lease is free, and any other worker goes on with that night; see `reverie workers`."
            yield Finding("workers", "warning", said, move)


def _half_made(db: Database, now: Instant) -> Iterator[Finding]:
    for space in half_made(db, now):
        said = f"a restore was cut off: {spaces.by_id(db, space).name}"
        yield Finding("space", "warning", said, "The next command that opens the store deletes that half.")
    if begun := forget.cut_off(db, now):
        said = f"{len(begun)} forgets were cut off" if len(begun) > 1 else "a forget was cut off"
        yield Finding("space", "warning", said, "The next command that opens the store cleans its files. Repeat it.")
    if gone := half_deleted(db, now):
        said = f"the deletion of {counted(len(gone), 'space')} was cut off"
        yield Finding("space", "warning", said, "The next command that opens the store finishes it.")


def _thinking(config: Config) -> Iterator[Finding]:
    """The embedder and the models, as far as they can be checked without a call that costs."""
    try:
        embedder = by_name(config["embedder"])
        if config["embedder"] == "minilm":
            embedder.embed_one("memory")
        yield Finding("embedder", "ok", config["embedder"])
    except ReverieError as error:
        yield Finding("embedder", "wrong", error.message, error.next_move)
    specs = specs_of(config)
    if not specs:
        yield Finding("models", "ok", "none set: the rules think, and nothing is paid")
    for spec in specs:
        yield _model(spec, config)


def _model(spec: ModelSpec, config: Config) -> Finding:
    from reverie.minds.llm.provider import ProviderClient

    try:
        ProviderClient(spec, environ_of(config)).close()
    except ReverieError as error:
        return Finding("models", "wrong", f"{spec.role}: {error.message}", error.next_move)
    return Finding("models", "ok", f"{spec.role}: {spec.name} (not called: `reverie models check` does)")


def _sleep(parts: Parts, now: Instant, repair: bool) -> Iterator[Finding]:
    db = parts.db
    states = {record.name: health(db, record.id, now) for record in spaces.every(db)}
    alive = sleeper_alive(db, now)
    yield _sleeper(alive, bool(parts.config["sleep"]), list(states.values()))
    for name, state in states.items():
        if repair and state.aside:
            again = failures.retry(db, state.space)
            yield Finding("repair", "ok", f"{name}: {counted(again, 'item')} set aside will be tried again")
            state = health(db, state.space, now)
        yield _space(name, state, now)


def _sleeper(alive: bool, wanted: bool, states: list[SleepHealth]) -> Finding:
    start = "Run `reverie up` or `reverie worker`, or `reverie sleep --if-due` from cron."
    waiting = sum(state.backlog for state in states)
    if alive:
        return Finding("sleeper", "ok", "a sleeper watches this store")
    if not wanted:
        return Finding("sleeper", "warning", "the setting `sleep` is off: nights run only by hand", "reverie sleep")
    if any(state.last_done_at is None and state.backlog_age > DAY for state in states):
        return Finding("sleeper", "wrong", f"nothing ever sleeps here; unread: {counted(waiting, 'turn')}", start)
    if waiting:
        return Finding("sleeper", "warning", f"no sleeper watches; unread: {counted(waiting, 'turn')}", start)
    return Finding("sleeper", "ok", "no sleeper watches, and nothing waits for one")


def _space(name: str, state: SleepHealth, now: Instant) -> Finding:
    slept = "never slept" if state.last_done_at is None else f"last slept {span(now - state.last_done_at)} ago"
    waits = (
        f"unread: {counted(state.backlog, 'turn')}, up to {span(state.backlog_age)} old"
        if state.backlog
        else "all is read"
    )
    again = f"; {counted(state.failing, 'item')} failed, to be tried again by the next nights" if state.failing else ""
    failed = f"; {counted(state.failed_nights, 'run')} failed in the last week" if state.failed_nights else ""
    said = f"{name}: {slept}; {waits}{again}{failed}"
    if not state.trouble:
        return Finding("space", "ok", said)
    move = f"See `reverie nights -s {name}`; `reverie sleep -s {name}` runs one now"
    more = "; `reverie doctor --repair` lets what was set aside be tried again." if state.aside else "."
    return Finding("space", "wrong", "; ".join([said, *state.trouble]), move + more)


def _languages(parts: Parts) -> Iterator[Finding]:
    """Spaces whose latest turns are largely not English, which only a model can read."""
    if any(spec.role == "sleeper" for spec in specs_of(parts.config)):
        return
    db = parts.db
    for record in spaces.every(db):
        said = [spoken(turn.text) for turn in turns.last(db, record.id, RECENT) if turn.role == "user"]
        other = sum(not is_english(text) for text in said if text)
        if len(said) >= LEAST_TURNS and 2 * other >= len(said):
            what = f"{record.name}: {other} of the user's last {len(said)} turns are not English"
            means = "they are kept word for word and found by search, but the rules draw no facts from them"
            move = "Set `sleeper_model` (docs/guides/models.md): a model reads any language."
            yield Finding("language", "warning", f"{what}; {means}", move)


def _money(parts: Parts, now: Instant) -> Iterator[Finding]:
    """What nights have spent today; and of every other budget, whether it is spent or cannot hold."""
    if not specs_of(parts.config):
        return
    blind = unpriced(parts.config)
    budgets, ledger = budgets_of(parts.config, parts.settings_of), parts.ledger
    yield _budget("asleep today", "day", budgets.day, ledger.spent(Scope(regime="asleep"), day_start(now)), blind)
    others = [
        _budget("each night", "night", budgets.night, NOTHING, blind),
        _budget("in all", "total", budgets.total, ledger.spent(Scope(), 0.0), blind),
    ]
    for record in spaces.every(parts.db):
        own = budgets.own(record.id) or budgets.space
        others.append(_budget(record.name, "space", own, ledger.spent(Scope(space=record.id), 0.0), blind))
    yield from (finding for finding in others if finding.status != "ok")


def _budget(who: str, span: str, budget: Budget, spent: Spent, blind: list[str]) -> Finding:
    said = f"{who}: {spent.tokens:,} tokens, ${spent.money:.4f}"
    tokens, cost = f"`budget_{span}_tokens`", f"`budget_{span}_cost`"
    if budget.rules_only:
        return Finding("budget", "ok", f"{said}; the budget is zero: rules only")
    decision = allows(budget, spent)
    if not decision:
        return Finding("budget", "warning", f"{said}; {decision.why}", f"Raise {tokens} or {cost}.")
    if blind and budget.money_only:
        why = f"{said}; {cost} cannot hold {', '.join(blind)}: no price is known"
        return Finding("budget", "warning", why, f"Set {tokens}, or a price in `model_prices`.")
    return Finding("budget", "ok", said)
