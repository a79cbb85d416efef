"""Settings: spaces, when this one sleeps (each value with its meaning and where it comes from), keys, the way out."""

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response, StreamingResponse

from reverie.console.shell import Administering, Form, Reading, Screens, Writing
from reverie.errors import BadInput
from reverie.model.rhythm import SLEEP_SETTINGS
from reverie.model.settings import Setting
from reverie.model.spaces import VERBS

routes = Screens()


@dataclass(frozen=True, slots=True)
class ChosenSetting:
    """A setting with its value here, and who chose it."""

    setting: Setting
    value: Any
    own: bool  # this space's own value; otherwise the configuration's


@routes.screen("/settings")
def settings(here: Reading) -> Response:
    space = here.space
    own, now = space.settings, space.sleeping
    chosen = [ChosenSetting(one, getattr(now, name), name in own) for name, one in SLEEP_SETTINGS.items()]
    whole = here.may("admin") and here.caller.space is None
    return here.page(
        "settings.html",
        chosen=chosen,
        keys=here.org.keys.list(limit=100) if whole else [],
        verbs=VERBS,
        whole=whole,
        scheduler=here.org.scheduler(space),
    )


@routes.action("/settings")
def save(here: Writing, form: Form) -> Response:
    """One setting at a time; empty goes back to the configuration's value."""
    name, value = form.get("name", ""), form.get("value", "").strip()
    if name not in SLEEP_SETTINGS:
        raise BadInput(f"there is no sleep setting {name!r}")
    here.space.configure(**{name: value or None})
    return here.go("settings", told=f"{name} is set." if value else f"{name} comes from the configuration again.")


@routes.action("/settings/keys")
def create_key(here: Administering, form: Form) -> Response:
    here.caller.must_see_all()
    verbs = [verb for verb in VERBS if form.get(verb) == "1"] or ["read"]
    only = here.space.id if form.get("only") == "1" else None
    made = here.org.keys.create(form.get("name", "").strip() or "console", ",".join(verbs), space=only)
    return here.go("settings", told=f"The key, shown this once: {made.secret}")


@routes.action("/settings/keys/{key}/revoke")
def revoke_key(here: Administering, key: str) -> Response:
    here.caller.must_see_all()
    here.org.keys.revoke(key)
    return here.go("settings", told="Revoked.")


@routes.get("/export", response_model=None)
def export(here: Administering) -> Response:
    """The whole space as a file that `reverie import` reads back."""
    lines = (line if line.endswith("\n") else f"{line}\n" for line in here.space.export())
    name = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in here.space.name)
    return StreamingResponse(
        lines,
        media_type="application/jsonl",
        headers={"content-disposition": f'attachment; filename="{name}.jsonl"'},
    )
