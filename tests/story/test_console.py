"""The console as people use it: a real browser on a real server with its sleeper, by mouse and by keys."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from reverie import Reverie
from reverie.demo import story
from reverie.model.blocks import Block, Review
from reverie.model.memories import Contradiction
from tests.support.browser import Watched, chromium, watched
from tests.support.nights import put_contradiction, put_review
from tests.support.served import Served, served

PATHS = (
    "", "memory", "memory?q=deadline", "context?q=deadline", "nights", "inbox", "inbox?decided=1", "blocks",
    "blocks/learned_context", "answers", "topology", "diary", "ledger", "live", "connect", "settings", "sleep?kind=nap",
    "doctor",
)  # fmt: skip
HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">",
    "</bdi></a><form action=//evil.example><button>Save</button></form>",
    "\u202egnp.exe\u2066 \u200b\u200d {{7*7}} {% raw %} ${7*7} javascript:alert(1)",
    "[click](javascript:alert(1)) https://evil.example/?leak=1 data:text/html,<script>1</script>",
    "x" * 100_000,
    "line\n" * 2_000,
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four weeks of one person, slept over; a proposal and a contradiction wait."""
    where = tmp_path_factory.mktemp("console")
    clock = story.StoryClock()
    with story.open_demo(str(where / "store"), clock) as memory:
        mara = memory.space("mara")
        for _ in story.tell(mara, clock):
            pass
        mara.sleep()
        persona = mara.blocks["persona"].read()
        put_review(memory.parts.db, proposal(mara.id, persona, clock()))
        lisbon, porto = mara.remember("I live in Lisbon."), mara.remember("I live in Porto.")
        clash = Contradiction(
            "clash-1", mara.id, lisbon.id, porto.id, "conflict", "open", None, "two homes", None, clock()
        )
        put_contradiction(memory.parts.db, clash)
        mara.append("user", "The deadline moved to 18 December.", "late")
        mara.pause()  # it sleeps when it is asked to, and not by itself
    return where


def proposal(space: str, block: Block, now: float) -> Review:
    text = "Speaks plainly."
    return Review(
        "review-1", space, "block", block.id, block.label, text, "", "said twice", (), "open", block.version, now
    )


@pytest.fixture(scope="module")
def up(home: Path) -> Iterator[Served]:
    with served(home, home=home / "store", space="mara") as running:
        yield running


def enter(up: Served, page: Page) -> str:
    """Signs in as `reverie console` does; answers the address of the overview."""
    page.goto(f"{up.address}/console/enter?code={up.call('POST', '/console/codes')['code']}")
    return page.url


@pytest.fixture
def there(up: Served, browser: Browser) -> Iterator[Watched]:
    with watched(browser) as seen:
        enter(up, seen.page)
        yield seen
        assert seen.complaints == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 3840), ("light", 320), ("dark", 390)])
def test_every_screen_is_whole_readable_and_silent(up: Served, browser: Browser, scheme: str, width: int) -> None:
    with watched(browser, width=width, scheme=scheme) as seen:
        root = enter(up, seen.page)
        for path in PATHS:
            reply = seen.page.goto(f"{root}/{path}" if path else root)
            assert reply is not None
            assert reply.status == 200, path
            assert len(reply.body()) < 300_000, path
            assert seen.overflow() <= 0, path
            assert seen.faults() == [], path
            assert seen.complaints == [], path


def test_who_has_no_key_is_asked_for_one_and_a_wrong_one_is_refused(up: Served, browser: Browser, home: Path) -> None:
    with watched(browser) as seen:
        seen.page.goto(f"{up.address}/")
        expect(seen.page.get_by_role("heading", name="Reverie")).to_be_visible()
        seen.page.get_by_label("A key").fill("rv_wrong")
        seen.page.get_by_role("button", name="Sign in").click()
        expect(seen.page.get_by_role("alert")).to_contain_text("not known")
        seen.page.get_by_label("A key").fill((home / "store" / "token").read_text().strip())
        seen.page.keyboard.press("Enter")
        expect(seen.page.get_by_role("heading", name="Overview")).to_be_visible()
        seen.page.get_by_role("button", name="Sign out").click()
        seen.page.goto(f"{up.address}/console")
        expect(seen.page.get_by_label("A key")).to_be_visible()


def test_why_does_my_agent_think_i_live_in_lisbon_and_make_it_stop(there: Watched) -> None:
    """Front page, Memory, search, the hit, This is wrong, Correct: within five clicks."""
    page = there.page
    page.get_by_role("link", name="Memory").click()
    page.get_by_role("searchbox").fill("where do I live? Lisbon")
    hit = page.locator("#found .row", has_text="I live in Lisbon.").first
    hit.locator(".open").click()
    drawer = page.locator("#drawer")
    expect(drawer.get_by_role("heading", name=re.compile("Episode|Fact"))).to_be_visible()
    drawer.get_by_text("This is wrong").click()
    drawer.get_by_label("What is true instead").fill("I live in Hamburg.")
    drawer.get_by_role("button", name="Correct it").click()
    expect(page.get_by_role("status")).to_contain_text("Corrected")
    expect(page.locator("blockquote")).to_contain_text("I live in Hamburg.")


def test_did_it_sleep_last_night_what_did_it_cost_what_did_it_change(there: Watched) -> None:
    page = there.page
    expect(page.locator("main")).to_contain_text("$0")
    page.get_by_role("link", name="The last one").click()
    expect(page.get_by_role("heading", name="What it changed")).to_be_visible()
    assert page.locator(".changes li").count() > 5
    expect(page.locator("main")).to_contain_text("0 tokens")


def test_what_does_my_agent_see_when_i_ask_about_the_deadline(there: Watched) -> None:
    page = there.page
    page.get_by_role("link", name="Context").click()
    page.get_by_role("searchbox").fill("when is the deadline?")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#text")).to_contain_text("18 December")
    page.keyboard.press("Tab")
    assert int(page.locator(".bar rect").count()) >= 2


def test_a_night_from_the_page_is_live_survives_a_reload_and_is_taken_back(there: Watched) -> None:
    page = there.page
    page.get_by_role("link", name="Run now").click()
    expect(page.get_by_role("heading", name="What a night would do now")).to_be_visible()
    page.get_by_role("button", name="Run the night").click()
    page.wait_for_url(re.compile("/nights/night-"))
    page.reload()
    expect(page.locator("#night p .verdict").first).to_have_text("done", timeout=90_000)
    expect(page.locator(".steps tbody tr").last).to_contain_text("diary")
    expect(page.locator(".changes").first).to_contain_text("18 December")
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("status")).to_contain_text("Taken back")
    assert there.dialogs == ["Take this night back? What it wrote goes; what was said stays."]
    expect(page.locator("#night p .verdict").first).to_have_text("undone")


def test_a_block_that_two_have_edited_shows_both_texts_and_loses_none(up: Served, there: Watched) -> None:
    page = there.page
    page.get_by_role("link", name="Blocks").click()
    page.get_by_role("link", name="human").click()
    page.get_by_label("The whole text").fill("Mine: likes oolong.")
    space = up.call("GET", "/v1/spaces/mara")["id"]
    up.call("PATCH", f"/v1/spaces/{space}/blocks/human", {"value": "Theirs: likes rooibos."})
    page.get_by_role("button", name="Save").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Theirs: likes rooibos.")
    expect(alert).to_contain_text("Mine: likes oolong.")
    expect(page.get_by_label("The whole text")).to_have_value("Mine: likes oolong.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Saved")
    page.get_by_role("button", name="Restore").first.click()
    expect(page.locator(".lines")).to_contain_text("Theirs: likes rooibos.")


def test_forget_shows_what_would_go_before_it_goes(up: Served, there: Watched) -> None:
    space = up.call("GET", "/v1/spaces/mara")["id"]
    kept = up.call("POST", f"/v1/spaces/{space}/memories", {"text": "The safe's code is under the zinnia pot."})["id"]
    page = there.page
    page.goto(f"{page.url}/memory/{kept}")
    page.get_by_role("link", name="Forget").click()
    expect(page.locator(".rows")).to_contain_text("zinnia pot")
    page.get_by_role("button", name="Forget for good").click()
    expect(page.get_by_role("status")).to_contain_text("Forgotten for good")
    page.get_by_role("searchbox").fill("zinnia pot")
    expect(page.locator("#found")).to_contain_text("as an agent would get them")
    expect(page.locator("#found")).not_to_contain_text("zinnia")


def test_the_inbox_is_worked_off_by_keys_alone(there: Watched) -> None:
    page = there.page
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
    assert page.locator(".matter").count() == 2
    for _ in range(2):
        page.keyboard.press("j")
        page.keyboard.press("a")
        expect(page.get_by_role("status")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Nothing waits for you")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_visible()


def test_pin_and_tags_from_the_drawer_and_escape_closes_it(there: Watched) -> None:
    page = there.page
    page.get_by_role("link", name="Memory").click()
    page.locator("#found .row .open").first.click()
    drawer = page.locator("#drawer")
    expect(drawer).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    page.locator("#found .row .open").first.click()
    drawer.get_by_role("button", name="Pin").click()
    expect(page.locator(".mark", has_text="pinned")).to_be_visible()
    page.get_by_text("Tags", exact=True).click()
    page.get_by_label("Your tags").fill("home, garden")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Tags saved")


def test_what_happens_is_seen_live(up: Served, there: Watched) -> None:
    page = there.page
    page.get_by_role("link", name="Live").click()
    expect(page.locator("#happened")).to_be_visible()
    page.wait_for_timeout(1_500)
    up.call("POST", "/v1/spaces/mara/turns", {"role": "user", "text": "The quince tree bears fruit."})
    expect(page.locator("#happened")).to_contain_text("quince tree", timeout=20_000)


def test_a_hostile_store_changes_nothing_and_runs_nothing(tmp_path: Path, browser: Browser) -> None:
    evil = "<b>space</b> \u202e &amp; \"'"
    with Reverie.open(tmp_path / "store", embedder="none") as memory:
        space = memory.space(evil)
        for text in HOSTILE:
            space.append("user", f"I like {text}", session=f"<i>{text[:40]}</i>", speaker=text[:60])
            space.remember(text, tags=(text[:60],))
        space.blocks["human"].set("\n".join(HOSTILE[:4]))
        space.blocks.create("a<b>'\"", HOSTILE[0])
        space.sleep()
        space.pause()
        kept = [one.id for one in space.all(limit=100)]
    with served(tmp_path, home=tmp_path / "store", embedder="none") as up, watched(browser) as seen:
        root = enter(up, seen.page)
        pages = [*PATHS[:3], *PATHS[4:8], *PATHS[9:16], *(f"memory/{id}" for id in kept)]
        pages += ["blocks/human", "memory?q=%3Cscript%3E&tag=%22%3E%3Cscript%3E", "memory/%3Cscript%3E", "nights/x"]
        for path in pages:
            reply = seen.page.goto(f"{root}/{path}" if path else root)
            assert reply is not None
            assert reply.status in (200, 404), path
            assert seen.page.title() != "owned", path
            assert seen.page.locator("main script, main img, main form[action*=evil]").count() == 0, path
            assert seen.page.locator("main a[href^='javascript'], main a[href*='evil.example']").count() == 0, path
            assert seen.overflow() <= 0, path
            assert len(reply.body()) < 300_000, path
        assert seen.dialogs == []
        assert [said for said in seen.complaints if "404" not in said] == []
