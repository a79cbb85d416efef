"""The word lists and fragments of `lexicon.toml`; a pattern names them in angle brackets: "allergic to <food>"."""

import re
import tomllib
from functools import lru_cache
from importlib import resources

_MARK = re.compile(r"(?<!\?P)<([a-z_]+)>")


@lru_cache(maxsize=1)
def _book() -> dict[str, dict[str, str]]:
    return tomllib.loads(resources.files(__package__).joinpath("lexicon.toml").read_text("utf-8"))


def _listed(text: str) -> frozenset[str]:
    return frozenset(word.strip() for word in text.replace("\n", ",").split(",") if word.strip())


@lru_cache(maxsize=256)
def words(name: str) -> frozenset[str]:
    """
    >>> "pork" in words("food")
    True
    """
    return _listed(_book()["words"][name])


@lru_cache(maxsize=256)
def either(name: str) -> str:
    """The words as one alternative, the longest first."""
    ordered = sorted(words(name), key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(re.escape(word).replace(chr(92) + ' ', ' ') for word in ordered)})"


def pattern(text: str) -> str:
    """The regular expression with every <name> written out.

    >>> re.fullmatch(pattern("an? <degree> in .+"), "a PhD in law") is not None
    True
    """
    return _MARK.sub(lambda mark: _written_out(mark.group(1)), text)


@lru_cache(maxsize=256)
def _written_out(name: str) -> str:
    fragment = _book()["fragments"].get(name)
    return either(name) if fragment is None else pattern(fragment.replace("\n", ""))


@lru_cache(maxsize=512)
def compiled(text: str, flags: int = 0) -> re.Pattern[str]:
    """Compiled on first use, so that importing the tables costs nothing."""
    return re.compile(pattern(text), flags)
