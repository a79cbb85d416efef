"""What every page stands on: templates, the frame around a page, forms that are checked, the same page as JSON."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic_core import to_jsonable_python
from starlette.responses import HTMLResponse, RedirectResponse, Response

from reverie.console import assets, words
from reverie.errors import NotAllowed
from reverie.model.base import Instant
from reverie.model.spaces import Verb
from reverie.reverie import Reverie
from reverie.server.dependencies import MAX_ID, Routes, the_caller, the_server
from reverie.server.gateway.auth import Caller, secret_in
from reverie.server.gateway.responder import PAGE_HEADERS
from reverie.server.gateway.sessions import COOKIE, PAGES, ConsoleSession, ConsoleSessions
from reverie.server.state import Server
from reverie.space import Space

ROOT = PAGES
HTML = {**PAGE_HEADERS, "cross-origin-opener-policy": "same-origin"}
MOST_SPACES = 100


@dataclass(frozen=True, slots=True)
class Screen:
    """An entry of the navigation; `g` and its letter lead there."""

    path: str
    title: str
    letter: str


SCREENS = (
    Screen("", "Overview", "o"), Screen("memory", "Memory", "m"), Screen("context", "Context", "c"),
    Screen("nights", "Nights", "n"), Screen("inbox", "Inbox", "i"), Screen("blocks", "Blocks", "b"),
    Screen("answers", "Answers", "a"), Screen("topology", "Topology", "t"), Screen("diary", "Diary", "d"),
    Screen("ledger", "Ledger", "l"), Screen("live", "Live", "v"), Screen("connect", "Connect", "k"),
    Screen("settings", "Settings", "s"),
)  # fmt: skip


def environment() -> Environment:
    """Every value is escaped, and a name that a template misspells is an error."""
    made = Environment(
        loader=PackageLoader("reverie.console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(words.FILTERS)
    made.globals.update(asset=assets.address, screens=SCREENS, root=ROOT, outcome=words.OUTCOME)
    return made


TEMPLATES = environment()


@dataclass
class Here:
    """One request: who asks, in which space, under which session; and the page that answers it."""

    request: Request
    server: Server
    caller: Caller
    session: ConsoleSession
    named: Space | None = None

    @property
    def org(self) -> Reverie:
        return self.server.org(self.caller)

    @property
    def space(self) -> Space:
        assert self.named is not None
        return self.named

    @cached_property
    def now(self) -> Instant:
        return self.server.reverie.now()

    @cached_property
    def spaces(self) -> list[Space]:
        """Those that the caller may see, for the list at the top."""
        if self.caller.space is not None:
            return [self.org.space_by_id(self.caller.space)]
        return self.org.spaces(limit=MOST_SPACES)

    @property
    def partial(self) -> bool:
        """Whether only the inside of a page is wanted: for the drawer, and for what is live."""
        return "hx-request" in self.request.headers

    @property
    def whole(self) -> bool:
        """Whether a person is led to this page, rather than a script that reads a part of it anew.

        Only such a page says what has been done: a search or a live part that is still under way beside it
        would take the words and show them to nobody.
        """
        return not self.partial and self.request.headers.get("sec-fetch-dest", "document") == "document"

    def may(self, verb: Verb) -> bool:
        return self.caller.may(verb)

    @property
    def owner(self) -> bool:
        """Whether whoever asks has the home's token: what concerns the machine, its paths and its files, is theirs."""
        return self.caller.key is None

    def must_be_owner(self) -> None:
        if not self.owner:
            raise NotAllowed(
                "this names a path on the server's machine: it is for the token of its home",
                next_move="Sign in by `reverie console` on that machine, or run the command there.",
            )

    def to(self, *parts: str) -> str:
        """The address of a page of this space."""
        return "/".join([ROOT, *([self.named.id] if self.named else []), *(quote(part, safe="") for part in parts)])

    def page(self, template: str, **data: Any) -> Response:
        """The page; or, asked for with `.json` at its end, what stands on it."""
        if self.request.url.path.endswith(".json"):
            shown = to_jsonable_python(data, fallback=str, bytes_mode="base64", inf_nan_mode="strings")
            return Response(json.dumps(shown, ensure_ascii=True), media_type="application/json")
        told: list[str] = []
        if self.whole:
            told, self.session.told = self.session.told, told
        text = TEMPLATES.get_template(template).render(here=self, told=told, **data)
        return self.with_cookie(HTMLResponse(text, headers=HTML))

    def go(self, *parts: str, told: str = "", then: str = "") -> Response:
        """Leads to another page of this space, which first says what has been done."""
        if told:
            self.session.told.append(told)
        return self.with_cookie(RedirectResponse(self.to(*parts) + then, 303))

    def with_cookie(self, response: Response) -> Response:
        return remembered(response, self.session, secure=self.request.url.scheme == "https")


def remembered(response: Response, session: ConsoleSession, *, secure: bool) -> Response:
    """The response, after which the browser knows its session."""
    response.set_cookie(COOKIE, session.id, path=ROOT, httponly=True, samesite="strict", secure=secure)
    return response


def sessions_of(request: Request) -> ConsoleSessions:
    return the_server(request).sessions


def peer_of(request: Request) -> str:
    """The address that a request came from, as far as it is known."""
    return request.client.host if request.client else ""


def here_to(verb: Verb, *, in_space: bool = True) -> Callable[..., Any]:
    async def found(request: Request) -> Here:
        caller = the_caller(request)
        caller.must(verb)
        server = the_server(request)
        sessions = sessions_of(request)
        session = sessions.of(request.headers) or sessions.begin(secret_in(request.headers), peer_of(request))
        ref = request.path_params.get("space", "")
        space = await server.run(server.space, caller, ref[:MAX_ID]) if in_space else None
        return Here(request, server, caller, session, space)

    return found


async def posted(request: Request) -> Mapping[str, str]:
    """The fields of a form, if it came from a page of the caller's own session."""
    session = sessions_of(request).of(request.headers)
    if session is None:
        raise NotAllowed("there is no session for this form", next_move="Open the page again and send it from there.")
    form = await request.form()
    given = {name: value for name, value in form.items() if isinstance(value, str)}
    session.check(request.headers.get("x-csrf") or given.get("csrf", ""))
    return given


Reading = Annotated[Here, Depends(here_to("read"))]
Writing = Annotated[Here, Depends(here_to("write"))]
Reviewing = Annotated[Here, Depends(here_to("review"))]
Administering = Annotated[Here, Depends(here_to("admin"))]
Anywhere = Annotated[Here, Depends(here_to("read", in_space=False))]
Form = Annotated[Mapping[str, str], Depends(posted)]


class Screens(Routes):
    """Routes of one screen. A page has two addresses: its own, and with `.json` what stands on it."""

    def __init__(self) -> None:
        super().__init__(prefix=f"{ROOT}/{{space}}", include_in_schema=False)

    def screen(self, path: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def added(call: Callable[..., Any]) -> Callable[..., Any]:
            for each in (f"{path}.json", path):
                self.add_api_route(each, call, methods=["GET"], response_model=None)
            return call

        return added

    def action(self, path: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A form's POST: its mark is checked before anything is done."""

        def added(call: Callable[..., Any]) -> Callable[..., Any]:
            self.add_api_route(path, call, methods=["POST"], response_model=None, dependencies=[Depends(posted)])
            return call

        return added
