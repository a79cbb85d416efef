"""The console as people use it: a real browser on a real server with its sleeper, by mouse and by keys."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from reverie import Reverie
from reverie.demo import story
from tests.contract.test_console import ACTIONS
from tests.support.browser import Watched, chromium, watched
from tests.support.console import HOSTILE, console_home
from tests.support.served import Served, served

PATHS = (
    "", "memory", "memory?q=deadline", "memory/{memory}", "memory/{memory}/forget", "memory/{turn}",
    "context?q=deadline", "nights", "nights/{night}", "nights/{night}/undo", "sleep?kind=nap", "inbox",
    "inbox?decided=1", "blocks", "blocks/learned_context", "answers", "topology", "diary", "ledger", "live", "connect",
    "settings", "doctor",
)  # fmt: skip
MAIN = ("", "memory?q=deadline", "nights/{night}", "inbox")  # also tried as narrow and as wide as windows get


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("console")
    console_home(where / "store")
    return where


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


def addresses(up: Served, root: str, paths: tuple[str, ...] = PATHS) -> list[str]:
    space = root.rsplit("/", 1)[1]
    night = up.call("GET", f"/v1/spaces/{space}/nights")["items"][0]["id"]
    memory = up.call("GET", f"/v1/spaces/{space}/memories?limit=1")["items"][0]
    names = {"night": night, "memory": memory["id"], "turn": memory["sources"][0]}
    return [f"{root}/{path.format(**names)}" if path else root for path in paths]


@pytest.mark.parametrize("width", [1440, 390])
def test_every_screen_is_whole_readable_and_silent(up: Served, browser: Browser, width: int) -> None:
    """Light and dark; the whole of axe once, and what depends on colours in the other one."""
    with watched(browser, width=width) as seen:
        for address in addresses(up, enter(up, seen.page)):
            reply = seen.page.goto(address)
            assert reply is not None
            assert reply.status == 200, address
            assert len(reply.body()) < 300_000, address
            assert seen.overflow() <= 0, address
            assert seen.faults() == [], address
            seen.page.emulate_media(color_scheme="dark")
            assert seen.faults("color-contrast") == [], address
            seen.page.emulate_media(color_scheme="light")
            assert seen.complaints == [], address


def test_the_main_screens_fit_a_small_phone_and_a_wall(up: Served, browser: Browser) -> None:
    with watched(browser, width=320, scheme="dark") as seen:
        for address in addresses(up, enter(up, seen.page), MAIN):
            seen.page.set_viewport_size({"width": 320, "height": 900})
            seen.page.goto(address)
            assert seen.overflow() <= 0, address
            seen.page.set_viewport_size({"width": 3840, "height": 2000})
            assert seen.overflow() <= 0, address
        assert seen.complaints == []


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
    """Memory, the hit, This is wrong, Correct it."""
    page = there.page
    there.clicks.clear()
    page.get_by_role("link", name="Memory", exact=True).click()
    page.keyboard.press("/")
    page.keyboard.type("where do I live? Lisbon")
    page.locator("#found .row", has_text="I live in Lisbon.").first.locator(".open").click()
    drawer = page.locator("#drawer")
    expect(drawer.get_by_role("heading", name=re.compile("Episode|Fact"))).to_be_visible()
    expect(drawer.locator("blockquote")).to_contain_text("Lisbon")
    drawer.get_by_text("This is wrong").click()
    drawer.get_by_label("What is true instead").fill("I live in Hamburg.")
    drawer.get_by_role("button", name="Correct it").click()
    expect(page.get_by_role("status")).to_contain_text("Corrected")
    expect(page.locator("blockquote")).to_contain_text("I live in Hamburg.")
    assert len(there.clicks) <= 5, there.clicks


def test_did_it_sleep_last_night_what_did_it_cost_what_did_it_change(there: Watched) -> None:
    page = there.page
    there.clicks.clear()
    expect(page.get_by_role("region", name="The last night")).to_contain_text("0 tokens, $0")
    page.get_by_role("link", name="The last one").click()
    expect(page.get_by_role("heading", name="What it changed")).to_be_visible()
    assert page.locator(".changes li").count() > 5
    expect(page.locator("main")).to_contain_text("0 tokens, $0")
    assert len(there.clicks) <= 5, there.clicks


def test_what_does_my_agent_see_when_i_ask_about_the_deadline(there: Watched) -> None:
    page = there.page
    there.clicks.clear()
    page.get_by_role("link", name="Context", exact=True).click()
    page.get_by_role("searchbox").fill("when is the deadline?")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#text")).to_contain_text("18 December")
    assert int(page.locator(".bar rect").count()) >= 2
    assert len(there.clicks) <= 5, there.clicks
    expect(page.locator("#briefing")).to_contain_text("allergic to peanuts")  # what hooks tell first
    page.get_by_label("budget").fill("300")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".plainlist li").first).to_contain_text(re.compile("memories: |turns: |blocks: |learned: "))


# Rows and ids that say nothing to a reader.
INNARDS = re.compile(r'\["|\b(?:block|agent|ans|con|mem)-[0-9a-f]{6}|\b(?:agent|mem)-\d[0-9a-hjkmnp-tv-z]{8}')
RECORDING = """() => {
    window.states = [];
    const note = () => window.states.push(document.querySelectorAll(".steps .good").length);
    new MutationObserver(note).observe(document.querySelector("main"), {childList: true});
}"""


def test_a_night_from_the_page_is_live_survives_a_reload_and_is_taken_back(there: Watched) -> None:
    page = there.page
    page.get_by_role("link", name="Run now").click()
    expect(page.locator("#dream")).to_contain_text("would change", timeout=60_000)
    assert INNARDS.search(page.locator("#dream").inner_text()) is None, page.locator("#dream").inner_text()
    page.get_by_role("button", name="Run the night").click()
    page.wait_for_url(re.compile("/nights/night-"))
    page.reload()
    page.evaluate(RECORDING)
    expect(page.locator("#night p .verdict").first).to_have_text("done", timeout=90_000)
    states = page.evaluate("window.states")
    assert len(set(states)) >= 3, states  # some steps, then more, then all, without another load
    expect(page.locator(".steps tbody tr").last).to_contain_text("diary")
    expect(page.locator(".changes").first).to_contain_text("18 December")
    assert INNARDS.search(page.locator("#night").inner_text()) is None, page.locator("#night").inner_text()
    page.get_by_role("link", name="Take it back").click()
    expect(page.locator("main")).to_contain_text("Nothing rests on it")
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("status")).to_contain_text("Taken back")
    expect(page.locator("#night p .verdict").first).to_have_text("undone")
    page.get_by_role("button", name="think again").click()
    expect(page.get_by_role("status")).to_contain_text("free for the next night")


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


def pressed(page: Page, key: str) -> None:
    """A key that is pressed once the page listens to keys."""
    page.wait_for_load_state("load")
    page.keyboard.press(key)


def test_the_inbox_is_worked_off_by_keys_alone_and_one_key_takes_back(there: Watched) -> None:
    page = there.page
    pressed(page, "g")
    pressed(page, "i")
    expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
    assert page.locator(".matter").count() == 2
    pressed(page, "s")
    expect(page.locator(".matter.at")).to_contain_text("cannot both hold")
    pressed(page, "k")
    for key in ("r", "u", "a", "u", "a"):  # the proposal: rejected, taken back, approved, taken back, approved
        pressed(page, key)
        expect(page.get_by_role("status")).to_contain_text({"r": "Rejected", "a": "Approved", "u": "Taken back"}[key])
    for key in ("e", "u", "a"):  # the contradiction: both, taken back, the newer
        pressed(page, key)
        expect(page.get_by_role("status")).to_contain_text({"e": "Both", "u": "Taken back", "a": "newer"}[key])
    expect(page.locator("main")).to_contain_text("Nothing waits for you")
    pressed(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()
    pressed(page, "Escape")
    assert there.clicks == []


def test_a_memory_is_found_and_corrected_by_keys_alone(there: Watched) -> None:
    page = there.page
    pressed(page, "/")  # no box on this page: the one of Memory
    expect(page.get_by_role("heading", name="Memory")).to_be_visible()
    pressed(page, "/")
    page.keyboard.type("coffee place")
    page.wait_for_url("**q=coffee+place**")  # the list that belongs to all of it is there
    expect(page.locator("#found .row").first).to_contain_text("coffee")
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")).to_have_count(0)
    pressed(page, "ArrowDown")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    pressed(page, "Enter")
    expect(page.locator("#drawer .close")).to_be_focused()
    for _ in range(4):
        pressed(page, "Tab")
        if page.evaluate("document.activeElement.textContent") == "This is wrong":
            break
    pressed(page, "Enter")
    pressed(page, "Tab")
    page.keyboard.type("My favourite coffee place is the Kaffeehaus.")
    pressed(page, "Tab")
    pressed(page, "Enter")
    expect(page.get_by_role("status")).to_contain_text("Corrected")


def test_pin_and_tags_from_the_drawer_and_escape_closes_it(there: Watched) -> None:
    page = there.page
    page.get_by_role("link", name="Memory", exact=True).click()
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


TRIED_ABOVE = {
    "/inbox/{matter}", "/memory/{memory}/pin", "/memory/{memory}/tag", "/memory/{memory}/correct",
    "/memory/{memory}/forget", "/blocks/{label}", "/blocks/{label}/restore", "/sleep", "/nights/{night}/undo",
    "/nights/{night}/redo",
}  # fmt: skip


LEFT = {
    action: re.compile("/console/[^/]+" + re.sub(r"{\w+}", "[^/]+", action))
    for action in {path.removeprefix("/console/{space}") for path in ACTIONS} - TRIED_ABOVE
}


def test_every_other_button_does_what_it_says(up: Served, there: Watched, tmp_path: Path) -> None:
    page = there.page
    root = page.url
    said = page.get_by_role("status")
    page.get_by_role("button", name="Sleep by itself again").click()
    expect(said).to_contain_text("sleeps by itself again")
    page.get_by_role("button", name="Pause").click()
    expect(said).to_contain_text("no longer sleeps")
    page.get_by_role("button", name="Cancel").first.click()
    expect(said).to_contain_text("will not remind")
    page.goto(f"{root}/memory")
    page.get_by_text("Remember something yourself").click()
    page.get_by_label("Remember this").fill("The bicycle is in the cellar.")
    page.get_by_role("button", name="Remember", exact=True).click()
    expect(said).to_contain_text("Remembered")
    page.goto(f"{root}/blocks")
    page.get_by_text("A new block").click()
    page.get_by_label("label").fill("garden")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", name="garden")).to_be_visible()
    page.goto(f"{root}/answers?dropped=1")
    page.get_by_role("button", name="This is wrong").first.click()
    expect(said).to_contain_text("Dropped")
    page.goto(f"{root}/nights/{up.call('POST', '/v1/spaces/mara/sleep')['night']}")
    if page.get_by_role("button", name="Stop it").is_visible():
        page.get_by_role("button", name="Stop it").click()
        expect(said).to_contain_text(re.compile("stops at its next batch|already ended"))
    page.goto(f"{root}/settings")
    page.get_by_label("idle_seconds").fill("soon")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Not set: idle_seconds must be a number")
    page.get_by_label("idle_seconds").fill("90")
    page.locator("tr", has_text="idle_seconds").get_by_role("button", name="Set").click()
    expect(page.locator("tr", has_text="idle_seconds")).to_contain_text("this space")
    expect(page.locator("tr", has_text="cadence_turns")).to_contain_text("default")
    page.get_by_label("A new key for").fill("laptop")
    page.locator("#keys ~ form").get_by_role("button", name="Make it").click()
    expect(said).to_contain_text("shown this once: rv_")
    page.locator("tr", has_text="laptop").get_by_role("button", name="Revoke").click()
    expect(said).to_contain_text("Revoked")
    (tmp_path / "said.jsonl").write_text('{"role": "user", "content": "I bought a zither."}\n', "utf-8")
    page.get_by_label("Import into this space from").select_option("jsonl")
    page.get_by_label("path").fill(str(tmp_path / "said.jsonl"))
    page.get_by_role("button", name="Import").click()
    expect(said).to_contain_text("Would take in 1 turn")
    page.get_by_label("Back the whole store up").fill(str(tmp_path / "copy"))
    page.get_by_role("button", name="Back up").click()
    expect(said).to_contain_text("The whole store is in")
    with page.expect_download() as export:
        page.get_by_role("link", name="Export it as a file").click()
    assert export.value.suggested_filename == "mara.jsonl"
    assert {action for action in LEFT if not any(LEFT[action].fullmatch(path) for path in there.posts)} <= {
        "/nights/{night}/cancel"  # over before it could be stopped
    }


def test_answers_that_have_expired_are_not_called_ready(up: Served, there: Watched) -> None:
    page = there.page
    page.goto(f"{page.url}/answers")
    assert page.locator(".row .mark", has_text="expired").count() == 0
    page.get_by_role("link", name="all, with dropped").click()
    expect(page.locator(".row").first).to_be_visible()


def test_a_server_that_dies_during_a_night_is_said_and_the_night_goes_on(tmp_path: Path, browser: Browser) -> None:
    clock = story.StoryClock()
    with story.open_demo(str(tmp_path / "store"), clock) as memory:
        mara = memory.space("mara")
        for _ in story.tell(mara, clock):
            pass
        mara.pause()
    with served(tmp_path, home=tmp_path / "store", space="mara") as up, watched(browser) as seen:
        page = seen.page
        page.goto(f"{enter(up, page)}/sleep")
        page.get_by_role("button", name="Run the night").click()
        page.wait_for_url(re.compile("/nights/night-"))
        night = page.url.rsplit("/", 1)[1]
        expect(page.locator(".steps .good").first).to_be_visible(timeout=90_000)
        up.process.kill()
        expect(page.get_by_role("status").filter(has_text="no longer answers")).to_be_visible()
        expect(page.get_by_role("heading", name="Night")).to_be_visible()  # what was known stays
    with served(tmp_path, home=tmp_path / "store", space="mara") as up, watched(browser) as seen:
        seen.page.goto(f"{enter(up, seen.page)}/nights/{night}")
        for _ in range(60):  # a step that died with its process is tried again after a while
            if seen.page.locator("#night p .verdict").first.inner_text() == "done":
                break
            seen.page.wait_for_timeout(2_000)
            seen.page.reload()
        expect(seen.page.locator("#night p .verdict").first).to_have_text("done")
        assert seen.complaints == []


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
        kept, own = [one.id for one in space.all(limit=100)], space.id
    with served(tmp_path, home=tmp_path / "store", embedder="none") as up, watched(browser) as seen:
        enter(up, seen.page)
        root = f"{up.address}/console/{own}"
        plain = [path for path in PATHS if "{" not in path and not path.startswith(("sleep", "blocks/"))]
        absent = ("nights/x", "memory/%3Cscript%3E", "blocks/%3Cscript%3E")
        pages = [*plain, *(f"memory/{id}" for id in kept), "blocks/human", *absent]
        pages += ["memory?q=%3Cscript%3E&tag=%22%3E%3Cscript%3E", "topology?about=%3Cscript%3E&tier=%22%3E"]
        for path in pages:
            reply = seen.page.goto(f"{root}/{path}" if path else root)
            assert reply is not None
            assert reply.status == (404 if path in absent else 200), path
            assert seen.page.title() != "owned", path
            assert seen.page.locator("main script, main img, main form[action*=evil]").count() == 0, path
            assert seen.page.locator("main a:not([href^='/console'], [href^='#'], [href^='?'])").count() == 0, path
            assert seen.overflow() <= 0, path
            assert len(reply.body()) < 300_000, path
        assert seen.dialogs == []
        assert [said for said in seen.complaints if "404" not in said] == []
