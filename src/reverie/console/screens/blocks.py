"""Blocks: core memory with its limits, where each line comes from, an editor that loses nothing, and every version."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from reverie.console.shell import Form, Reading, Screens, Writing
from reverie.console.words import diff_lines
from reverie.errors import BadInput, BlockTooLong, StaleVersion
from reverie.model.blocks import DEFAULT_LIMIT, BlockVersion

routes = Screens()
Number = Annotated[int, Query(ge=0, le=2**62)]


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of a block: which version brought it, and the memories it rests on."""

    text: str
    version: BlockVersion
    sources: tuple[str, ...]


@routes.screen("/blocks")
def blocks(here: Reading) -> Response:
    return here.page("blocks.html", blocks=list(here.space.blocks))


@routes.screen("/blocks/{label}")
def block(here: Reading, label: str, older: Number = 0, newer: Number = 0) -> Response:
    return _block_page(here, label, older, newer)


def _block_page(here: Reading, label: str, older: int = 0, newer: int = 0, draft: str | None = None) -> Response:
    handle = here.space.blocks[label]
    now, history = handle.read(), handle.history()
    values = {version.version: version.value for version in history}
    newer = newer if newer in values else now.version
    older = older if older in values else max((v for v in values if v < newer), default=newer)
    return here.page(
        "block.html",
        block=now,
        lines=written(now.value, history, handle.sources()),
        history=history[::-1],
        older=older,
        newer=newer,
        compared=diff_lines(values.get(older, ""), values.get(newer, "")),
        draft=draft,
        conflict=[] if draft is None else diff_lines(now.value, draft),
    )


def written(value: str, history: Sequence[BlockVersion], sources: dict[str, tuple[str, ...]]) -> list[WrittenLine]:
    """Each line with the version from which on it has stood there."""
    found = []
    for text in value.splitlines():
        since = history[-1]
        for version in reversed(history):
            if text not in version.value.splitlines():
                break
            since = version
        rests = tuple(dict.fromkeys(id for sentence, ids in sources.items() if sentence in text for id in ids))
        found.append(WrittenLine(text, since, rests))
    return found


@routes.action("/blocks/{label}")
def save(here: Writing, form: Form, label: str) -> Response:
    """Writes the text if nobody has written since; else shows both."""
    text = form.get("text", "").replace("\r\n", "\n")
    try:
        wrote = here.space.blocks[label].set(text, expected=_version(form), reason="edited in the console")
    except StaleVersion:
        return _block_page(here, label, draft=text)
    except BlockTooLong as long:
        here.session.told.append(f"Not saved: {long.message}. {long.next_move}")
        return _block_page(here, label, draft=text)
    told = "Saved." if wrote.status == "written" else wrote.why or wrote.status
    return here.go("blocks", label, told=told)


@routes.action("/blocks/{label}/restore")
def restore(here: Writing, form: Form, label: str) -> Response:
    version = _version(form)
    here.space.blocks[label].restore(version)
    return here.go("blocks", label, told=f"Version {version} stands again, as a new version.")


@routes.action("/blocks")
def create(here: Writing, form: Form) -> Response:
    label = form.get("label", "").strip()
    if not label:
        raise BadInput("a block needs a label")
    made = here.space.blocks.create(label, limit=DEFAULT_LIMIT, description=form.get("description", ""))
    return here.go("blocks", made.label, told="Made.")


def _version(form: Form) -> int:
    given = form.get("version", "")
    if not given.isdecimal() or len(given) > 18:
        raise BadInput("a version is a number")
    return int(given)
