"""What changed between two texts, as a person reads it."""

import difflib


def unified(before: str, after: str, *, context: int = 2) -> str:
    """A unified diff without file names; empty if nothing changed.

    >>> print(unified("tea\\nmilk", "tea\\ncoffee"))
    @@ -1,2 +1,2 @@
     tea
    -milk
    +coffee
    """
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=context)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++")))
