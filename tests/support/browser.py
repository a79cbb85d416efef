"""A real browser for the pages: Debian's chromium, driven by playwright, with every complaint of the page kept."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = os.environ.get("REVERIE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
SERIOUS = ("serious", "critical")
COUNTING = "addEventListener('click', one => one.isTrusted && window.wasClicked(one.target.textContent.trim()), true)"


@contextmanager
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium here, and `make test` could not install one (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Watched:
    """A page, and what it complained of: errors, warnings of the policy, failed requests, dialogs."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    clicks: list[str] = field(default_factory=list)  # what was clicked, by its words
    posts: list[str] = field(default_factory=list)  # the paths that forms were sent to

    def faults(self, *rules: str) -> list[str]:
        """What axe finds that keeps people out; of these rules alone, if any are named."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE)
        wanted = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
        found: dict[str, Any] = self.page.evaluate("wanted => axe.run(document, wanted)", wanted)
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"] if one["impact"] in SERIOUS
        ]

    def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        wide: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return wide


@contextmanager
def watched(browser: Browser, *, width: int = 1440, scheme: str = "light", accept: bool = True) -> Iterator[Watched]:
    """A page in a context of its own; a dialog is accepted or dismissed, and kept."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    context.set_default_timeout(30_000)
    page = context.new_page()
    seen = Watched(page)
    page.expose_function("wasClicked", lambda words: seen.clicks.append(words))
    page.add_init_script(COUNTING)
    page.on("request", lambda sent: seen.posts.append(urlsplit(sent.url).path) if sent.method == "POST" else None)
    page.on("console", lambda said: seen.complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))

    def answer(dialog: Any) -> None:
        seen.dialogs.append(dialog.message)
        dialog.accept() if accept else dialog.dismiss()

    page.on("dialog", answer)
    try:
        yield seen
    finally:
        context.close()
