"""Settings: spaces, when this one sleeps (each value with its meaning and where it comes from), keys, the way out."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.responses import Response, StreamingResponse

from reverie.console.shell import Administering, Form, Here, Reading, Screens, Writing
from reverie.errors import BadInput, UsageError
from reverie.importers.sources import SOURCES
from reverie.model.rhythm import SLEEP_SETTINGS
from reverie.model.settings import Setting
from reverie.model.spaces import VERBS
from reverie.policy.settings import SettingPlace, read

routes = Screens()
ROLES = ("sleeper", "primary", "reviewer")


@dataclass(frozen=True, slots=True)
class ChosenSetting:
    """A setting with its value here, and who chose it."""

    setting: Setting
    value: Any
    own: bool  # this space's own value; otherwise the configuration's
    origin: str  # where it was set


@routes.screen("/settings")
def settings(here: Reading) -> Response:
    space = here.space
    own, now = space.settings, space.sleeping
    chosen = [
        ChosenSetting(one, getattr(now, name), name in own, "this space" if name in own else _origin(here, name))
        for name, one in SLEEP_SETTINGS.items()
    ]
    whole = here.may("admin") and here.caller.space is None
    return here.page(
        "settings.html",
        chosen=chosen,
        keys=here.org.keys.list(limit=100) if whole else [],
        verbs=VERBS,
        whole=whole,
        scheduler=here.org.scheduler(space),
        workers=here.org.workers() if here.owner else [],
        models={role: here.org.config[f"{role}_model"] for role in ROLES} if here.owner else {},
        embedder=here.org.config["embedder"] if here.owner else "",
        sources={name: source.what for name, source in SOURCES.items()},
    )


def _origin(here: Here, name: str) -> str:
    """Where the configuration has a value from; a path is for whoever has the home's token."""
    origin = here.org.config.origins.get(name, "default")
    return origin if here.owner or origin in ("default", "environment", "flag", "argument") else "configuration"


@routes.action("/settings")
def save(here: Writing, form: Form) -> Response:
    """One setting at a time; empty goes back to the configuration's value."""
    name, value = form.get("name", ""), form.get("value", "").strip()
    if name not in SLEEP_SETTINGS:
        raise BadInput(f"there is no sleep setting {name!r}")
    try:
        here.space.configure(**{name: read(SLEEP_SETTINGS[name], value, SettingPlace("the form")) if value else None})
    except UsageError as wrong:
        return here.go("settings", told=f"Not set: {wrong.message}.")
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


@routes.action("/settings/import")
def take_in(here: Administering, form: Form) -> Response:
    """A file or directory of the server's machine, as `reverie import` reads it; a dry run counts only."""
    here.must_be_owner()
    path = form.get("path", "").strip()
    if not path:
        raise BadInput("no path was named", next_move="Name a file or directory of the server's machine.")
    dry = form.get("dry_run") == "1"
    done = here.space.import_from(form.get("source", ""), path, dry_run=dry)
    took = f"{'Would take in' if dry else 'Took in'} {done.turns} turns and {done.memories} memories"
    return here.go("settings", told=f"{took}; {done.known} known already, {done.passed_over} passed over.")


@routes.action("/settings/backup")
def back_up(here: Administering, form: Form) -> Response:
    """The whole store, into a new directory of the server's machine."""
    here.must_be_owner()
    path = form.get("path", "").strip()
    if not path:
        raise BadInput("no path was named", next_move="Name a directory that does not exist yet.")
    return here.go("settings", told=f"The whole store is in {here.org.backup(Path(path).expanduser())}, checked.")


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
