"""How lines read by what stands before their quote: the verdicts of `histories/dev/lines.jsonl`, form by form.

    python -m bench.lines

A line is a quote as a night showed it, or might have: behind a question, behind what was said before, with a day. Each
was judged by one reader who saw the turn that it comes from; on 353 of them a second reader agreed in 94 of 100.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from bench.report import table

LINES = Path(__file__).parent / "histories" / "dev" / "lines.jsonl"
VERDICTS = {"c": "correct", "i": "imprecise", "w": "wrong", "j": "junk", "n": "no fact"}
NAME = 4  # words: so few are a name or a thing, more are a statement


def form_of(line: dict[str, Any]) -> str:
    """
    >>> form_of({"on": "my sister", "about": "How old is she?", "when": ""})
    'a name, asked'
    """
    on, about = line["on"], line["about"]
    parts = ["a name" if len(on.split()) <= NAME and not on.endswith((".", "!", "?")) else "own words"] if on else []
    parts += ["asked" if about.endswith("?") else "after"] if about else []
    return ", ".join([*parts, *(["dated"] if line["when"] else [])]) or "alone"


def main() -> None:
    found: dict[str, Counter[str]] = {}
    for line in map(json.loads, LINES.read_text("utf-8").splitlines()):
        found.setdefault(form_of(line), Counter())[line["verdict"][0]] += 1
    rows = [
        (form, of.total(), *(f"{100 * of[letter] / of.total():.1f}%" for letter in VERDICTS))
        for form, of in sorted(found.items(), key=lambda item: -item[1].total())
    ]
    print(table(("form", "lines", *VERDICTS.values()), rows))


if __name__ == "__main__":
    main()
