"""The Python lines of a guide that needs a framework, run by the judge that has it."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

GUIDES = Path(__file__).resolve().parent.parent.parent / "docs" / "guides"


def run_guide(name: str, **names: Any) -> None:
    """Runs the lines of a guide and compares what they print with what they are said to."""
    for snippet in re.findall(r"```python\n(.*?)```", (GUIDES / name).read_text("utf-8"), re.DOTALL):
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            exec(compile(snippet, name, "exec"), dict(names))
        shown = [line.strip().removeprefix("# > ") for line in snippet.splitlines() if line.strip().startswith("# > ")]
        assert told.getvalue().splitlines() == shown
