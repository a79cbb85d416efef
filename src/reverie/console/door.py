"""The door: signing in with a key or the token, by a code that a command line has asked for, and out again."""

from urllib.parse import parse_qs

from fastapi import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from reverie.console.shell import HTML, ROOT, TEMPLATES, Anywhere, peer_of, posted, remembered, sessions_of
from reverie.server.dependencies import Routes, the_server
from reverie.server.errors import NoKey, Problem
from reverie.server.gateway.auth import secret_in

routes = Routes(include_in_schema=False)
SIGN_IN = f"{ROOT}/sign-in"
ENTER = f"{ROOT}/enter"
LONGEST = 4_000  # bytes of the form that are read
PUBLIC = ("/", SIGN_IN, ENTER)


@routes.get("/", response_model=None)
async def front(request: Request) -> Response:
    """Whoever opens the server's address is led to the console, with the key that the address carried."""
    led = RedirectResponse(ROOT, 307)
    if (secret := secret_in(request.headers)) is None:
        return led
    return remembered(led, sessions_of(request).begin(secret, peer_of(request)), secure=request.url.scheme == "https")


@routes.get(ROOT, response_model=None)
def spaces(here: Anywhere) -> Response:
    """The spaces; where there is only one, its overview."""
    found = here.spaces
    if len(found) == 1:
        return here.with_cookie(RedirectResponse(f"{ROOT}/{found[0].id}", 303))
    return here.page("spaces.html", spaces=found)


@routes.get(SIGN_IN, response_model=None)
async def sign_in_page() -> Response:
    return HTMLResponse(sign_in_text(""), headers=HTML)


@routes.post(SIGN_IN, response_model=None)
async def sign_in(request: Request) -> Response:
    """Begins a session for whoever knows a key; who guesses is slowed down as everywhere."""
    server = the_server(request)
    peer = request.client.host if request.client else "?"
    body = await server.bodies.read(f"stranger {peer}", request.receive, request.headers)
    secret = (parse_qs(body[:LONGEST].decode("utf-8", "replace")).get("key") or [""])[0].strip()
    headers = {**request.headers, "x-reverie-key": secret}
    try:
        known = server.auth.cached_caller(headers, peer) if secret else None
        if known is None:
            await server.run(server.auth.stored_caller, headers)
    except NoKey as refused:
        server.rate.take(f"stranger {peer}")
        return HTMLResponse(sign_in_text(refused.message), 401, headers=HTML)
    session = sessions_of(request).begin(secret, peer_of(request))
    return remembered(RedirectResponse(ROOT, 303), session, secure=request.url.scheme == "https")


@routes.post(f"{ROOT}/codes", response_model=None)
async def make_code(request: Request) -> dict[str, str]:
    """For `reverie console`: a word that opens the console once, in the name of the key that asks for it."""
    return {"code": sessions_of(request).code_for(secret_in(request.headers))}


@routes.get(ENTER, response_model=None)
async def enter(request: Request, code: str = "") -> Response:
    session = sessions_of(request).enter(code, peer_of(request))
    if session is None:
        return HTMLResponse(sign_in_text("this address was used before, or is too old"), 401, headers=HTML)
    return remembered(RedirectResponse(ROOT, 303), session, secure=request.url.scheme == "https")


@routes.post(f"{ROOT}/sign-out", response_model=None)
async def sign_out(request: Request) -> Response:
    await posted(request)
    sessions = sessions_of(request)
    if (session := sessions.of(request.headers)) is not None:
        sessions.end(session)
    return RedirectResponse(SIGN_IN, 303)


def sign_in_text(why: str) -> str:
    return TEMPLATES.get_template("sign_in.html").render(why=why, sign_in=SIGN_IN)


def error_page(problem: Problem) -> str:
    """What went wrong and the next move; whoever has no key is asked for one."""
    if problem.status == 401:
        return sign_in_text("")
    return TEMPLATES.get_template("error.html").render(problem=problem)
