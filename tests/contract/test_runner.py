"""A night walks its steps, ends, fails, stops, is cancelled and resumes."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import pytest

from reverie.asleep.pipeline import STEPS
from reverie.asleep.runner import ATTEMPTS, Runner
from reverie.asleep.step import BATCH, Minds, Step
from reverie.awake.append import append, append_all
from reverie.errors import NotFound, StoreBroken, StoreBusy
from reverie.minds.embed import NoEmbedder
from reverie.model.base import DAY
from reverie.model.changes import Changes, Failed
from reverie.model.night import Lease, Night, Progress
from reverie.model.rhythm import DEFAULT_CAPS, Sleeping, SleepRequest
from reverie.model.turns import Draft
from reverie.policy.sleep import due
from reverie.policy.sleep.gates import LONGEST_REST
from reverie.store.db import Database
from reverie.store.forget import forget
from reverie.store.reader import Reader
from reverie.store.reading import log, work
from reverie.store.tables import failures, leases, nights, rhythm, spaces
from reverie.store.transfer.delete_space import delete_space
from reverie.triggers.admission import request
from reverie.triggers.inline import dry_run, resume, sleep
from tests.conftest import BACKENDS
from tests.support.minds import Silent
from tests.support.nights import NOW, drafted, make_space

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
MANUAL = SleepRequest("night", "manual", "me")
MINDS = Minds(Silent(), NoEmbedder())
Think = Callable[[Night, Reader, Minds, str | None], Changes]


@pytest.fixture
def space(db: Database) -> str:
    return make_space(db)


def counting(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """Three batches, one memory each."""
    n = int(cursor or 0)
    made = drafted(night, f"memory number {n}")
    return Changes(memories=(made,), counts={"made": 1}, cursor=str(n + 1) if n < 2 else None)


def runner(db: Database, *thinks: Think, **more: object) -> Runner:
    steps = tuple(Step("light", think.__name__, think, naps=True) for think in thinks)
    plain = Runner(db, MINDS, clock=lambda: NOW, steps_of=lambda *_: steps)
    return replace(plain, **more)  # type: ignore[arg-type]


def sleep_now(run: Runner, space: str) -> Night:
    return sleep(run, space, MANUAL, Sleeping()).night


def texts(db: Database) -> list[str]:
    return [row["text"] for row in db.rows("SELECT text FROM memories ORDER BY text")]


def test_a_night_walks_its_steps_in_batches_and_says_so(db: Database, space: str) -> None:
    told: list[Progress] = []
    night = sleep_now(runner(db, counting, tell=told.append), space)
    assert (night.status, night.attempts, night.error) == ("done", 1, None)
    assert night.counts == {"made": 3, "steps_done": 1, "steps_failed": 0}
    assert texts(db) == ["memory number 0", "memory number 1", "memory number 2"]
    assert [(p.what, p.status, p.batch) for p in told] == [
        ("night", "running", 0),
        ("step", "running", 0),
        ("batch", "done", 1),
        ("batch", "done", 2),
        ("batch", "done", 3),
        ("step", "done", 0),
        ("night", "done", 0),
    ]
    assert leases.held(db, space, NOW) is None


def test_a_failed_step_leaves_the_rest_undone_and_the_next_run_starts_there(db: Database, space: str) -> None:
    fails = [True]

    def fragile(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        if fails:
            fails.pop()
            raise ValueError("a bad day")
        return Changes(counts={"fragile": 1})

    run = runner(db, counting, fragile)
    broken = sleep_now(run, space)
    assert (broken.status, broken.error) == ("failed", "fragile: ValueError: a bad day")
    assert [step.status for step in nights.steps(db, broken.id)] == ["done", "failed"]
    assert rhythm.read(db, spaces.by_id(db, space), Sleeping(), NOW).failures == 1
    (mended,) = resume(run, space, "me")
    assert (mended.id, mended.status, mended.attempts) == (broken.id, "done", 2)
    assert mended.counts["made"] == 3


def test_a_step_that_always_fails_cannot_block_every_night_to_come(db: Database, space: str) -> None:
    def hopeless(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        raise ValueError("never")

    run = runner(db, hopeless, counting)
    night = sleep_now(run, space)
    for _ in range(ATTEMPTS - 1):
        (night,) = resume(run, space, "me")
    assert (night.status, night.counts["steps_failed"], night.counts["made"]) == ("done", 1, 3)
    assert night.counts["failures"] == ATTEMPTS


def test_a_step_is_left_out_for_its_own_failures_alone(db: Database, space: str) -> None:
    """Neither those of the step before it count, nor that its worker was killed."""
    fails = {"first": ATTEMPTS - 1, "second": 1}

    def failing(step: str) -> Think:
        def think(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
            if fails[step]:
                fails[step] -= 1
                raise ValueError(step)
            return Changes(counts={step: 1})

        think.__name__ = step
        return think

    run = runner(db, failing("first"), failing("second"))
    night = sleep_now(run, space)
    with db.write("memory") as tx:
        nights.update(tx, night.id, status="running", attempts=9)  # as kills leave it
    while night.status != "done":
        (night,) = resume(run, space, "me")
    assert (night.counts["steps_failed"], night.counts["first"], night.counts["second"]) == (0, 1, 1)


def test_what_a_step_missed_is_news_to_the_next_three_runs(db: Database, space: str) -> None:
    broken, read = [True], []

    def hopeless(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        if broken:
            raise ValueError("never")
        news, _ = work.news(reader, ("fact",), cursor=None, limit=9)
        read.append([memory.text for memory in news])
        return Changes()

    def sleeps(n: int) -> None:
        def making(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
            return Changes(memories=(drafted(night, f"of night {n}"),))

        now = NOW + n * DAY
        run = runner(db, making, hopeless, clock=lambda: now)
        night = sleep_now(run, space)
        while night.status != "done":
            (night,) = resume(run, space, "me")

    sleeps(0)
    broken.clear()
    sleeps(1)
    sleeps(2)
    assert read == [["of night 0", "of night 1"], ["of night 2"]]
    broken.append(True)
    for n in range(3, 8):
        sleeps(n)
    broken.clear()
    sleeps(8)
    assert read[-1] == ["of night 5", "of night 6", "of night 7", "of night 8"]


@pytest.mark.parametrize("trouble", [StoreBroken("the disk is full"), StoreBusy("the store is in use")])
def test_trouble_of_the_store_leaves_no_step_out(db: Database, space: str, trouble: Exception) -> None:
    """However long the disk is full: what the step would have read is not lost to it."""
    full = [True] * (ATTEMPTS + 2)

    def writing(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        if full:
            full.pop()
            raise trouble
        return Changes(counts={"wrote": 1})

    run = runner(db, writing)
    night = sleep_now(run, space)
    while full:
        assert night.status == "failed"
        (night,) = resume(run, space, "me")
    (night,) = resume(run, space, "me")
    assert (night.status, night.counts["wrote"], night.counts["steps_failed"]) == ("done", 1, 0)


def test_a_space_that_is_deleted_while_its_night_runs_leaves_nothing_behind(db: Database, space: str) -> None:
    def deleted(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        delete_space(db, space, 0.0)
        return Changes(memories=(drafted(night, "too late"),))

    with pytest.raises(NotFound, match="night"):
        sleep_now(runner(db, deleted, counting), space)
    for relation in ("spaces", "nights", "night_steps", "rhythm", "leases", "memories", "journal"):
        assert not db.rows(f"SELECT * FROM {relation}")


def test_an_error_tells_no_secret(db: Database, space: str) -> None:
    key = "sk-proj-" + "abcdefghij0123456789" * 2
    told: list[Progress] = []

    def refused(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        if cursor is None:
            return Changes(failed=(Failed("mem-1", f"the key {key} is unknown"),), cursor="more")
        raise ValueError(f"incorrect API key provided: {key}")

    night = sleep_now(runner(db, refused, tell=told.append), space)
    assert "incorrect API key" in (night.error or "")
    kept = f"{night} {nights.steps(db, night.id)} {failures.listed(db, space)} {told}"
    assert key not in kept
    assert "is unknown" in kept


def test_stopping_waits_for_the_batch_and_the_next_run_goes_on(db: Database, space: str) -> None:
    asked = iter([False, True])
    stopped = sleep_now(runner(db, counting, stopping=lambda: next(asked)), space)
    assert (stopped.status, len(texts(db))) == ("requested", 1)
    (ended,) = resume(runner(db, counting), space, "another")
    assert (ended.id, ended.status, len(texts(db))) == (stopped.id, "done", 3)


def test_a_cancelled_night_stops_at_the_next_batch_and_leaves_its_news_to_the_next(db: Database, space: str) -> None:
    def cancelling(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        with db.write("memory") as tx:
            assert nights.cancel(tx, space, night.id, NOW)
        return counting(night, reader, minds, cursor)

    cancelled = sleep_now(runner(db, cancelling), space)
    assert (cancelled.status, len(texts(db))) == ("cancelled", 1)
    later = Night("night-2", space, "night", "manual", NOW + 1, NOW + 1)
    news, _ = work.news(Reader.of(db, later), ("fact",), cursor=None, limit=9)
    assert [memory.text for memory in news] == ["memory number 0"]


def test_a_paused_worker_that_wakes_late_cannot_commit(db: Database, space: str) -> None:
    """It slept through its lease; another has run the night to its end meanwhile."""
    taken: list[Night] = []

    def sleepy(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        if not taken:
            taken.append(night)
            later = runner(db, counting_too, clock=lambda: NOW + leases.SECONDS + 1)
            assert [n.status for n in resume(later, space, "other")] == ["done"]
        return Changes(memories=(drafted(night, "too late"),))

    counting_too = lambda night, reader, minds, cursor: counting(night, reader, minds, cursor)  # noqa: E731
    counting_too.__name__ = "sleepy"
    night = sleep_now(runner(db, sleepy), space)
    assert night.status == "done"
    assert "too late" not in texts(db)


def test_a_batch_longer_than_its_lease_keeps_it_though_one_renewal_fails(
    db: Database, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed, renew = threading.Event(), leases.renew
    trouble = iter([StoreBusy("the store is in use")])

    def renewing(db: Database, lease: Lease, now: float) -> None:
        for error in trouble:
            raise error
        renew(db, lease, now)
        renewed.set()

    def slow(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        assert renewed.wait(10)
        return Changes()

    monkeypatch.setattr(leases, "SECONDS", 0.04)
    monkeypatch.setattr(leases, "renew", renewing)
    assert sleep_now(runner(db, slow), space).status == "done"


@pytest.mark.parametrize(("trigger", "seconds"), [("cron", 3 * 30.0), ("manual", 0.0)])
def test_the_user_goes_first_for_a_bounded_while_unless_the_user_asked_for_the_night(
    db: Database, space: str, trigger: Literal["cron", "manual"], seconds: float
) -> None:
    append(db, spaces.by_id(db, space), Draft("user", "wait for me", at=NOW))
    waited: list[float] = []
    thinking = (Step("rem", "counting", counting, thinks=True),)
    minds = replace(MINDS, reasoner=Silent("llm:test"))
    run = Runner(db, minds, clock=lambda: NOW, wait=waited.append, steps_of=lambda *_: thinking)
    assert sleep(run, space, SleepRequest("night", trigger, "me"), Sleeping()).night.status == "done"
    assert sum(waited) == pytest.approx(seconds)  # three batches, at most 30 s each


@pytest.mark.parametrize(("trigger", "rests"), [("cron", 3), ("manual", 0)])
def test_without_a_model_a_night_rests_after_each_batch_while_the_user_is_active(
    db: Database, space: str, trigger: Literal["cron", "manual"], rests: int
) -> None:
    append(db, spaces.by_id(db, space), Draft("user", "I am here", at=NOW))
    waited: list[float] = []
    steps = (Step("rem", "counting", counting, thinks=True),)
    run = Runner(db, MINDS, clock=lambda: NOW, wait=waited.append, steps_of=lambda *_: steps)
    assert sleep(run, space, SleepRequest("night", trigger, "me"), Sleeping()).night.status == "done"
    assert len(waited) == rests
    assert all(0 < rest <= LONGEST_REST for rest in waited)


def test_items_that_fail_do_not_fail_the_night(db: Database, space: str) -> None:
    def picky(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        return Changes(failed=(Failed("mem-x", "no sense"),))

    night = sleep_now(runner(db, picky), space)
    assert (night.status, night.counts["failed"]) == ("done", 1)


def test_a_batch_that_read_what_was_forgotten_meanwhile_is_made_again(db: Database, space: str) -> None:
    turn = append(db, spaces.by_id(db, space), Draft("user", "The heron nests behind the mill")).id
    tries: list[str] = []

    def overhearing(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        heard = " ".join(said.text for said in log.turns_past(reader, 0, limit=9))
        tries.append(heard)
        if len(tries) == 1:
            forget.forget(db, space, turns=[turn], now=NOW)
        return Changes(memories=(drafted(night, f"I heard: {heard}"),))

    assert sleep_now(runner(db, overhearing), space).status == "done"
    assert [bool(heard) for heard in tries] == [True, False]
    assert texts(db) == ["I heard: "]


def test_a_second_request_while_one_waits_or_runs_is_skipped_and_in_the_history(db: Database, space: str) -> None:
    first = request(db, space, MANUAL, Sleeping(), NOW)
    second = request(db, space, MANUAL, Sleeping(), NOW)
    third = request(db, space, replace(MANUAL, worker="elsewhere"), Sleeping(), NOW)
    assert [asked.night.status for asked in (first, second, third)] == ["requested", "skipped", "skipped"]
    assert second.night.why.startswith("active_run")
    assert third.night.why.startswith("local_lock")
    assert sorted(night.status for night in nights.listed(db, space)) == ["requested", "skipped", "skipped"]
    assert isinstance(first.lease, Lease)


def test_a_request_for_a_sleeper_waits_without_a_lease(db: Database, space: str) -> None:
    asked = request(db, space, MANUAL, Sleeping(), NOW, claim=False)
    assert asked.lease is None
    assert request(db, space, MANUAL, Sleeping(), NOW).night.why.startswith(
        f"active_run: {asked.night.id} is requested"
    )
    assert [night.id for night in resume(runner(db, counting), space, "sleeper")] == [asked.night.id]


def test_a_dry_run_shows_the_diff_and_writes_nothing(db: Database, space: str) -> None:
    dry = dry_run(runner(db, counting), space, MANUAL, Sleeping())
    assert (dry.night.status, [step.counts for step in dry.steps]) == ("done", [{"made": 3}])
    assert [(change.relation, change.before) for change in dry.diff] == [("memories", None)] * 3
    assert (texts(db), nights.listed(db, space)) == ([], [])


def test_a_backlog_is_read_in_one_request_with_progress_and_goes_on_after_a_stop(db: Database) -> None:
    told: list[Progress] = []
    space = make_space(db)
    record = spaces.by_id(db, space)
    append_all(db, [(record, Draft("user", f"number {n}", at=NOW)) for n in range(1_500)], NOW)
    steps = tuple(step for step in STEPS if step.name == "collect")
    stops = iter([False] * 20 + [True])
    runner = Runner(
        db, MINDS, tell=told.append, clock=lambda: NOW, steps_of=lambda *_: steps,
        stopping=lambda: next(stops, False),
    )  # fmt: skip
    assert sleep(runner, space, MANUAL, Sleeping()).night.status == "requested"  # stopped in its middle
    read = spaces.by_id(db, space).watermark
    assert 0 < read < 1_500
    assert [night.status for night in resume(runner, space, "me")] == ["done"]
    assert spaces.by_id(db, space).watermark == 1_500
    batches = [one for one in told if one.what == "batch"]
    assert max(one.counts.get("turns", 0) for one in batches) <= BATCH
    assert (batches[0].of_turns, batches[0].turns) == (1_500, BATCH)
    assert batches[0].seconds_left > 0
    assert max(one.turns for one in batches if one.of_turns == 1_500 - read) == 1_500 - read
    assert len(nights.listed(db, space)) == 1


def test_a_backlog_of_many_runs_is_slept_over_in_one_request(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due, "MOST_TURNS", 30)
    monkeypatch.setitem(DEFAULT_CAPS, "collect", 20)
    space = make_space(db)
    record = spaces.by_id(db, space)
    append_all(db, [(record, Draft("user", f"number {n}", at=NOW)) for n in range(100)], NOW)
    steps = tuple(step for step in STEPS if step.name == "collect")
    runner = Runner(db, MINDS, clock=lambda: NOW, steps_of=lambda *_: steps)
    assert sleep(runner, space, MANUAL, Sleeping()).night.status == "done"
    assert spaces.by_id(db, space).watermark == 100
    assert [night.status for night in nights.listed(db, space)] == ["done"] * 4
