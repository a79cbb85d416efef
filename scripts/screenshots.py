"""Pictures of the console for the guide and the README: the demo's store, a real server, Debian's chromium.

python -m scripts.screenshots [FOLDER]
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from reverie.demo import story
from tests.support.served import Served, served

FOLDER = Path("docs/guides/console")
SHOTS = {
    "overview": "",
    "memory": "memory?q=where+do+I+live%3F",
    "context": "context?q=when+is+the+deadline%3F&budget=1500",
    "nights": "nights/{night}",
    "blocks": "blocks/learned_context",
    "topology": "topology",
}
FRONT = "memory?q=where+do+I+live%3F"  # for the README: a question, what is found, and from which words


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or sys.exit("install chromium first")
    with tempfile.TemporaryDirectory() as scratch:
        night = slept(scratch)
        with served(Path(scratch), home=Path(scratch) / "store", space="mara") as up, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for scheme in ("light", "dark"):
                context = browser.new_context(
                    viewport={"width": 1000, "height": 600},
                    color_scheme=scheme,
                )
                take(context.new_page(), up, night, folder, scheme)
            browser.close()


def slept(scratch: str) -> str:
    """The demo's four weeks with a night over them; answers the night's id."""
    clock = story.StoryClock()
    with story.open_demo(f"{scratch}/store", clock) as memory:
        mara = memory.space("mara")
        for _ in story.tell(mara, clock):
            pass
        night = mara.sleep()
        mara.pause()
        return night.id


def take(page: Page, up: Served, night: str, folder: Path, scheme: str) -> None:
    page.goto(f"{up.address}/console/enter?code={up.call('POST', '/console/codes')['code']}")
    root = page.url
    for name, path in SHOTS.items():
        page.goto(f"{root}/{path.format(night=night)}" if path else root)
        page.screenshot(path=folder / f"{name}-{scheme}.jpg", type="jpeg", quality=62)
    page.set_viewport_size({"width": 1080, "height": 520})
    page.goto(f"{root}/{FRONT}")
    page.locator("#found .row .open").first.click()
    page.locator("#drawer .close").wait_for()
    page.screenshot(path=folder / f"front-{scheme}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
