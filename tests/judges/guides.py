"""The Python lines of a guide that needs a framework, run by the judge that has it."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

from reverie import Reverie

GUIDES = Path(__file__).resolve().parent.parent.parent / "docs" / "guides"
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def run_guide(name: str, *sections: str) -> None:
    """Runs the lines of a guide, in the working directory, and compares what they print with what they are said to.

    `sections`: those before the first heading and those under these; without any, all.
    """
    first, *headed = re.split(r"^## ", (GUIDES / name).read_text("utf-8"), flags=re.MULTILINE)
    chosen = [part for part in headed if not sections or part.startswith(sections)]
    assert len(chosen) >= len(sections), f"{name} has no such sections: {sections}"
    names: dict[str, Any] = {}
    try:
        for snippet in (snippet for part in (first, *chosen) for snippet in PYTHON.findall(part)):
            told = io.StringIO()
            with contextlib.redirect_stdout(told):
                exec(compile(snippet, name, "exec"), names)
            lines = [line.strip() for line in snippet.splitlines()]
            shown = [line.removeprefix("# > ") for line in lines if line.startswith("# > ")]
            assert told.getvalue().splitlines() == shown
    finally:
        for one in names.values():
            if isinstance(one, Reverie):
                one.close()
