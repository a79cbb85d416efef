"""The sleeper's loop, on a clock of our own."""

import time
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from reverie.asleep.runner import Runner
from reverie.asleep.step import Minds, Step
from reverie.awake.append import append
from reverie.errors import StoreBusy
from reverie.minds.embed import NoEmbedder
from reverie.model.base import DAY, HOUR
from reverie.model.changes import Changes
from reverie.model.night import Night, Progress
from reverie.model.rhythm import Exhausted, Rhythm, Sleeping, SleepRequest
from reverie.model.spaces import SpaceRecord
from reverie.model.turns import Draft
from reverie.policy.sleep.gates import yield_seconds
from reverie.store.db import Database
from reverie.store.reader import Reader
from reverie.store.reading import log
from reverie.store.tables import leases, nights, rhythm, spaces, turns
from reverie.triggers import watch as watch_module
from reverie.triggers.admission import explain, request
from reverie.triggers.health import health, sleeper_alive
from reverie.triggers.inline import resume, sleep_if_due
from reverie.triggers.watch import Watch
from tests.conftest import BACKENDS
from tests.support.minds import Silent
from tests.support.nights import NOW, make_space
from tests.support.waiting import until

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
QUIET = Sleeping(cron="", importance_threshold=0.0)


def reading(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """Reads the log, and fails while somebody said so."""
    turns = log.turns_past(reader, log.watermark(reader), limit=100)
    if any(turn.text == "crash" for turn in turns):
        raise RuntimeError("crashed")
    return Changes(watermark=night.upto, counts={"turns": len(turns)})


@dataclass
class World:
    db: Database
    now: float = NOW
    settings: Sleeping = QUIET
    stop: bool = False
    spent: Exhausted | None = None
    watches: dict[str, Watch] = field(default_factory=dict)

    @property
    def runner(self) -> Runner:
        steps = (Step("light", "reading", reading, naps=True),)
        minds = Minds(Silent(), NoEmbedder())
        return Runner(
            self.db,
            minds,
            clock=lambda: self.now,
            stopping=lambda: self.stop,
            steps_of=lambda *_: steps,
            spent=lambda *_: self.spent,
        )

    def look(self, worker: str = "w", **later: float) -> list[tuple[str, str]]:
        """(trigger, status) of the runs of one look, some time later."""
        self.now += later.get("after", 0.0)
        watch = self.watches.setdefault(worker, Watch(self.runner, lambda _: self.settings, worker))
        return [(night.trigger, night.status) for night in watch.once()]

    def say(self, space: str, *texts: str, **more: Any) -> None:
        for text in texts:
            append(self.db, spaces.by_id(self.db, space), Draft("user", text, at=self.now, **more))


@pytest.fixture
def world(db: Database) -> World:
    return World(db)


@pytest.fixture
def alice(db: Database) -> str:
    return make_space(db, "alice")


def test_a_space_that_goes_quiet_naps(world: World, alice: str) -> None:
    world.say(alice, "hello")
    assert world.look() == []
    assert world.look(after=59) == []
    assert world.look(after=1) == [("idle", "done")]
    assert world.look(after=HOUR) == []


def test_every_fifth_turn_naps_and_a_cooldown_that_ends_in_silence_still_fires(world: World, alice: str) -> None:
    world.say(alice, *"abcde")
    assert world.look() == [("cadence", "done")]
    world.now += 5
    world.say(alice, *"fghij")
    assert world.look() == []  # 20 s between naps
    assert rhythm.due_at(world.db, alice) == NOW + 20
    assert world.look(after=15) == [("cadence", "done")]


def test_a_space_that_waits_for_a_budget_sleeps_when_the_next_day_begins(world: World, alice: str) -> None:
    tomorrow = NOW + DAY - NOW % DAY
    world.settings, world.spent = replace(QUIET, when_spent="wait"), Exhausted("all of it", until=tomorrow)
    world.say(alice, *"abcde")
    assert world.look() == []
    assert rhythm.due_at(world.db, alice) == tomorrow
    world.spent = None
    assert world.look(after=tomorrow - NOW) == [("cadence", "done")]


def test_a_space_whose_own_budget_is_spent_is_looked_at_again_soon_after_it_is_raised(world: World, alice: str) -> None:
    world.settings, world.spent = replace(QUIET, when_spent="wait"), Exhausted("this space: all of it")
    world.say(alice, *"abcde")
    assert world.look() == []
    world.spent = None
    assert world.look(after=60) == [("cadence", "done")]


def test_a_new_watch_goes_by_the_stored_times(world: World, alice: str) -> None:
    world.say(alice, "hello")
    world.look("first")
    second = Watch(world.runner, lambda _: world.settings, "second")
    second._seen |= rhythm.fresh_spaces(world.db, {})  # it has no news of its own
    world.now += 60
    assert [night.status for night in second.once()] == ["done"]


def test_no_space_starves_another(world: World) -> None:
    many = [make_space(world.db, f"space-{n}") for n in range(5)]
    for n, space in enumerate(many):
        world.say(space, *"abcde")
        world.now += n
    world.now += 60
    assert world.look() == [("cadence", "done")] * 5
    order = [nights.listed(world.db, space)[0].began_at for space in many]
    assert order == sorted(order, key=lambda at: at or 0.0)


def test_a_failed_run_is_due_again_after_a_backoff(world: World, alice: str) -> None:
    world.say(alice, "crash")
    assert world.look(after=60) == [("idle", "failed")]
    assert world.look(after=30) == []
    assert world.look(after=30) == [("idle", "failed")]
    assert world.look(after=60) == []
    assert health(world.db, alice, world.now).failures == 2
    assert world.look(after=60) == [("idle", "done")]  # the third time, the step is left out


def test_a_night_that_was_asked_for_elsewhere_is_run(world: World, alice: str) -> None:
    asked = request(world.db, alice, SleepRequest("night", "manual", "server"), QUIET, NOW, claim=False)
    assert world.look() == [("manual", "done")]
    assert nights.by_id(world.db, alice, asked.night.id).status == "done"


def test_a_night_that_another_worker_runs_is_left_alone_until_its_lease_ends(world: World, alice: str) -> None:
    request(world.db, alice, SleepRequest("night", "manual", "other"), QUIET, NOW)  # takes the lease, and dies
    assert world.look() == []
    assert world.look(after=leases.SECONDS + 1) == [("manual", "done")]


def test_a_space_that_another_holds_is_left_alone_without_a_line(world: World, alice: str) -> None:
    world.say(alice, *"abcde")
    assert leases.acquire(world.db, alice, "other", NOW) is not None
    assert world.look() == []
    assert world.look(after=1) == []
    assert nights.listed(world.db, alice) == []


def test_paused_spaces_sleep_only_once_resumed(world: World, alice: str) -> None:
    world.say(alice, *"abcde")
    with world.db.write("memory") as tx:
        rhythm.set_paused(tx, alice, True, NOW)
    assert world.look() == []
    with world.db.write("memory") as tx:
        rhythm.set_paused(tx, alice, False, NOW)
    assert world.look(after=61) == [("cadence", "done")]


def test_a_person_wakes_even_a_paused_space(world: World, alice: str) -> None:
    with world.db.write("memory") as tx:
        rhythm.set_paused(tx, alice, True, NOW)
    request(world.db, alice, SleepRequest("night", "manual", "server"), QUIET, NOW, claim=False)
    assert world.look() == [("manual", "done")]


def test_one_spaces_trouble_is_not_the_others(world: World, alice: str) -> None:
    told: list[Progress] = []
    bob = make_space(world.db, "bob")
    for space in (alice, bob):
        world.say(space, *"abcde")

    def settings(record: SpaceRecord) -> Sleeping:
        return replace(QUIET, cron="nonsense") if record.id == alice else QUIET

    watch = Watch(replace(world.runner, tell=told.append), settings, "w")
    assert [night.space for night in watch.once()] == [bob]
    assert [(p.space, p.status) for p in told if p.space == alice] == [(alice, "failed")]


def test_spaces_that_fail_do_not_hide_one_that_was_asked_for(world: World, alice: str) -> None:
    for n in range(110):
        space = make_space(world.db, f"failing-{n}")
        asked = request(world.db, space, SleepRequest("nap", "manual"), QUIET, NOW - 60, claim=False)
        with world.db.write("memory") as tx:
            nights.update(tx, asked.night.id, status="failed")
            rhythm.failed(tx, space, NOW)
    request(world.db, alice, SleepRequest("night", "manual"), QUIET, NOW, claim=False)
    assert world.look() == [("manual", "done")]


def test_spaces_that_back_off_do_not_hide_one_whose_time_has_come(world: World, alice: str) -> None:
    world.say(alice, "tea")
    assert world.look() == []
    for n in range(110):
        space = make_space(world.db, f"failing-{n}")
        asked = request(world.db, space, SleepRequest("nap", "idle"), QUIET, NOW - 60, claim=False)
        with world.db.write("memory") as tx:
            nights.update(tx, asked.night.id, status="failed")
            rhythm.failed(tx, space, NOW + 30)
            rhythm.set_due(tx, space, NOW - 1, NOW)
    assert world.look(after=60) == [("idle", "done")]


def test_trouble_is_told_now_and_then_and_tried_again(world: World, alice: str) -> None:
    told: list[Progress] = []
    trouble = True

    def settings(_: SpaceRecord) -> Sleeping:
        return replace(QUIET, cron="nonsense") if trouble else QUIET

    world.say(alice, *"abcde")
    watch = Watch(replace(world.runner, tell=told.append), settings, "w")
    for _ in range(3):
        assert watch.once() == []
    assert [p.status for p in told] == ["failed"]
    trouble = False
    world.now += 60
    assert [night.status for night in watch.once()] == ["done"]


def test_the_sleeper_outlives_a_store_that_is_busy(world: World, alice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Progress] = []
    looks = iter([StoreBusy("the store is in use"), RuntimeError("no such thing"), None])

    def fresh(*_: object) -> dict[str, Any]:
        if (trouble := next(looks)) is not None:
            raise trouble
        world.stop = True
        return {}

    monkeypatch.setattr(rhythm, "fresh_spaces", fresh)
    Watch(replace(world.runner, tell=told.append), lambda _: QUIET, "w").run(lambda _: None)
    assert [p.why for p in told] == ["the store is in use", "RuntimeError: no such thing"]


def test_a_night_that_another_worker_has_just_ended_is_not_run_again(
    world: World, alice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = request(world.db, alice, SleepRequest("night", "manual"), QUIET, NOW, claim=False).night
    assert world.look() == [("manual", "done")]
    done = nights.by_id(world.db, alice, asked.id)
    monkeypatch.setattr(nights, "unfinished", lambda *_: [asked])  # what a slower worker read a moment ago
    assert [night.status for night in resume(world.runner, alice, "slow")] == ["done"]
    assert nights.by_id(world.db, alice, asked.id) == done
    assert leases.held(world.db, alice, world.now) is None


def test_an_undo_that_was_broken_off_is_ended_before_the_next_night(world: World, alice: str) -> None:
    world.say(alice, "tea")
    asked = request(world.db, alice, SleepRequest("night", "manual"), QUIET, NOW, claim=False).night
    assert world.look() == [("manual", "done")]
    with world.db.write("memory") as tx:
        nights.update(tx, asked.id, status="undoing")
    refused = request(world.db, alice, SleepRequest("night", "manual"), QUIET, NOW)
    assert refused.night.why.startswith("active_run")
    assert world.look() == [("manual", "undone")]
    assert spaces.by_id(world.db, alice).watermark == 0


@pytest.mark.parametrize("text", ["tea", "crash"])
def test_a_clock_that_is_set_back_keeps_nobody_awake(world: World, alice: str, text: str) -> None:
    """It ran a year ahead: turns, runs and failures lie in the future now."""
    world.now += 365 * DAY
    world.say(alice, text)
    assert len(world.look(after=60)) == 1
    world.now = NOW
    world.say(alice, *"abcde")
    assert [status for _, status in world.look(after=61)] in (["done"], ["failed"])
    assert yield_seconds(Rhythm(last_turn_at=NOW + 365 * DAY), QUIET, NOW, 0.0) == 0.0


def test_a_clock_that_is_set_back_loses_no_time_that_was_stored(world: World, alice: str) -> None:
    world.now += 365 * DAY
    world.say(alice, "tea")
    assert world.look() == []
    world.now = NOW
    assert world.look() == [("idle", "done")]
    assert rhythm.last_alive(world.db) == ("w", NOW)


def test_a_time_that_has_come_to_nothing_is_not_looked_at_again(world: World, alice: str) -> None:
    world.settings = replace(QUIET, idle_seconds=0, cadence_turns=0)
    with world.db.write("memory") as tx:
        rhythm.set_due(tx, alice, NOW - 1, NOW)
    assert world.look() == []
    assert rhythm.due_at(world.db, alice) is None


def test_a_day_and_five_sessions_make_a_night_and_the_scan_is_throttled(world: World, alice: str) -> None:
    world.settings = replace(QUIET, idle_seconds=0, cadence_turns=0)
    for n in range(4):
        world.say(alice, "hello", session=f"s{n}")
    world.now += DAY
    assert world.look() == []
    world.say(alice, "hello", session="s4")
    assert world.look(after=60) == []  # counted less than ten minutes ago
    world.say(alice, "hello again", session="s4")
    assert world.look(after=10 * 60) == [("sessions", "done")]


def test_cron_makes_a_night(world: World, alice: str) -> None:
    world.settings = replace(QUIET, cron="0 3 * * *", idle_seconds=0, cadence_turns=0)
    world.say(alice, "hello")
    world.look()
    assert world.look(after=2 * HOUR) == []
    assert world.look(after=HOUR) == [("cron", "done")]


def test_stopping_ends_the_round(world: World) -> None:
    for n in range(3):
        world.say(make_space(world.db, f"space-{n}"), *"abcde")
    world.stop = True
    assert world.look() == []
    world.watches["w"].run(wait=lambda _: None)  # returns at once


def test_the_sleeper_says_that_it_lives(world: World, alice: str) -> None:
    assert not sleeper_alive(world.db, NOW)
    world.look()
    assert sleeper_alive(world.db, NOW + 60)
    assert not sleeper_alive(world.db, NOW + 600)
    assert not sleeper_alive(world.db, NOW - 600)  # the clock was set back since


def test_a_sleeper_that_leaves_takes_its_sign_of_life_with_it_but_not_anothers(world: World) -> None:
    world.look("first")
    world.look("second")
    world.stop = True
    world.watches["first"].run()
    assert sleeper_alive(world.db, NOW + 1)
    world.watches["second"].run()
    assert not sleeper_alive(world.db, NOW + 1)


def test_health_names_what_nobody_reads(world: World, alice: str) -> None:
    world.say(alice, "hello")
    found = health(world.db, alice, NOW + 2 * DAY)
    assert (found.backlog, found.last_done_at) == (1, None)
    assert "is a sleeper running" in found.trouble[0]


def test_if_due_runs_the_gates_once(world: World, alice: str) -> None:
    world.say(alice, "hello")
    assert sleep_if_due(world.runner, alice, QUIET, "cron") is None
    world.now += 60
    asked = sleep_if_due(world.runner, alice, QUIET, "cron")
    assert asked is not None
    assert (asked.night.status, asked.night.trigger) == ("done", "idle")


def test_every_gate_explains_itself(world: World, alice: str) -> None:
    world.say(alice, "hello")
    told = explain(world.db, alice, QUIET, NOW)
    assert (told.due, told.next and told.next.due_at) == (None, NOW + 60)
    assert told.answers[0].gate == "enabled"
    assert nights.listed(world.db, alice) == []


def test_a_person_is_served_next_and_the_night_that_steps_back_goes_on_after(world: World) -> None:
    """Two hundred spaces wait; somebody asks for one more while the first of them is being read."""
    many = [make_space(world.db, f"space-{n}") for n in range(5)]
    wanted = make_space(world.db, "wanted")
    for space in many:
        world.say(space, *"abcde")
    batches: list[str] = []

    def slow(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        batches.append(night.space)
        if len(batches) == 1:
            request(world.db, wanted, SleepRequest("night", "manual"), QUIET, world.now, claim=False)
        done = len([space for space in batches if space == night.space])
        return Changes(watermark=night.upto, cursor=None if done == 3 else str(done))

    steps = (Step("light", "slow", slow, naps=True),)
    watch = Watch(replace(world.runner, steps_of=lambda *_: steps), lambda _: QUIET, "w")
    watch_module.ASK_EVERY = 0.0
    try:
        first = watch.once()
        rest = watch.once()
    finally:
        watch_module.ASK_EVERY = 0.5
    assert [space == wanted for space in batches[:5]] == [False, True, True, True, False]
    assert [night.status for night in first].count("requested") == 1  # it stepped back
    assert {night.status for night in rest} == {"done"}
    assert batches.count(batches[0]) == 3  # and did no batch twice
    assert len([night for space in many for night in nights.listed(world.db, space)]) == 5


def test_the_sleeper_says_that_it_lives_while_a_night_takes_long(
    world: World, alice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "ALIVE_EVERY", 0.01)
    world.say(alice, *"abcde")
    heard: list[float] = []

    def long(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        world.now += 10 * 60
        until(lambda: (rhythm.last_alive(world.db) or ("", 0.0))[1] == world.now)
        heard.append(world.now)
        world.stop = True
        return Changes(watermark=night.upto)

    steps = (Step("light", "long", long, naps=True),)
    Watch(replace(world.runner, steps_of=lambda *_: steps), lambda _: QUIET, "w").run(lambda _: None)
    assert heard == [NOW + 10 * 60]


def test_an_idle_look_over_two_thousand_spaces_costs_next_to_nothing(world: World) -> None:
    record = spaces.by_id(world.db, make_space(world.db, "one"))
    with world.db.write("log") as tx:
        for n in range(2_000):
            turns.raise_sequence(tx, f"agent-{n}", 7)
    watch = Watch(world.runner, lambda _: QUIET, "w")
    watch._seen |= rhythm.fresh_spaces(world.db, {})
    watch.once()
    began = time.thread_time()
    for _ in range(20):
        watch.once()
    assert (time.thread_time() - began) / 20 < 0.05  # a look a second; it takes a hundredth of this
    append(world.db, record, Draft("user", "tea", at=world.now))
    world.now += 60
    assert [night.trigger for night in watch.once()] == ["idle"]


def test_whoever_asks_all_day_long_leaves_a_bounded_history(world: World, alice: str) -> None:
    request(world.db, alice, SleepRequest("night", "manual", "other"), QUIET, NOW)
    for n in range(nights.MOST_SKIPPED + 20):
        request(world.db, alice, SleepRequest("nap", "manual", "me"), QUIET, NOW + n)
    skipped = nights.listed(world.db, alice, limit=1_000, statuses=("skipped",))
    assert len(skipped) == nights.MOST_SKIPPED
    assert max(night.requested_at for night in skipped) == NOW + nights.MOST_SKIPPED + 19


def test_what_was_said_while_another_worker_slept_for_a_space_is_read_after_it(world: World, alice: str) -> None:
    """The other one had its night from a worker that died, and the space is ours by now."""
    world.say(alice, *"abcde")
    theirs = request(world.db, alice, SleepRequest("nap", "cadence", "other"), QUIET, NOW)
    world.say(alice, *"fghij")
    assert world.look() == []
    assert theirs.lease is not None
    world.runner.run(theirs.night, theirs.lease)
    assert world.look(after=30) == [("cadence", "done")]
    assert world.look(after=HOUR) == []


def test_a_night_that_a_death_broke_off_goes_before_one_that_nobody_waits_for(world: World, alice: str) -> None:
    bob = make_space(world.db, "bob")
    world.say(alice, *"abcde")
    world.say(bob, *"abcde")
    batches: list[str] = []

    def slow(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        batches.append(night.space)
        if len(batches) == 1:  # somebody begins a night over alice, and dies
            theirs = request(world.db, alice, SleepRequest("nap", "cadence", "dead"), QUIET, world.now)
            assert theirs.lease is not None
            with world.db.write("memory") as tx:
                nights.update(tx, theirs.night.id, status="running")
            leases.release(world.db, theirs.lease)
        return Changes(watermark=night.upto, cursor=None if batches.count(night.space) == 3 else "more")

    steps = (Step("light", "slow", slow, naps=True),)
    watch = Watch(replace(world.runner, steps_of=lambda *_: steps), lambda _: QUIET, "w")
    watch.mine = lambda space: space == bob or bool(batches)  # alice was the other one's
    watch_module.ASK_EVERY = 0.0
    try:
        ended = watch.once() + watch.once()
    finally:
        watch_module.ASK_EVERY = 0.5
    assert batches == [bob, alice, alice, alice, bob, bob]
    assert [night.status for night in ended] == ["requested", "done", "done"]


def test_a_nap_that_another_worker_has_just_done_leaves_no_line(
    world: World, alice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both saw that it was due; the second one asks when nothing is new any more."""
    world.say(alice, *"abcde")

    def beaten(runner: Runner, space: str, worker: str) -> list[Night]:
        monkeypatch.undo()
        assert world.look("quicker") == [("cadence", "done")]
        return []

    monkeypatch.setattr("reverie.triggers.inline.resume", beaten)
    assert world.look() == []
    assert [night.status for night in nights.listed(world.db, alice)] == ["done"]


def test_an_org_that_has_its_share_of_workers_waits_but_for_a_person(world: World, alice: str) -> None:
    bob = make_space(world.db, "bob")
    world.say(bob, *"abcde")
    theirs = leases.acquire(world.db, alice, "other", NOW)
    assert theirs is not None
    world.watches["w"] = Watch(world.runner, lambda _: world.settings, "w", org_nights=1)
    assert world.look() == []
    asked = request(world.db, bob, SleepRequest("night", "manual"), QUIET, NOW, claim=False).night
    assert world.look(after=3) == [("manual", "done")]
    world.say(bob, *"fghij")
    assert asked.status == "requested"
    assert world.look(after=30) == []
    leases.release(world.db, theirs)
    assert world.look(after=3) == [("cadence", "done")]
