"""Texts that make a careless pattern search the same run again and again, and every pattern that could be given one."""

import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from inspect import signature
from re import Pattern
from typing import Any

import reverie
from reverie.language.excerpts import one_line
from reverie.language.pasted import LONGEST_READY, announced
from reverie.language.sentences import sentences
from reverie.language.speech import utterances
from reverie.minds.rules.asking import askable, replies
from reverie.minds.rules.reading import date_words, forms
from reverie.minds.rules.reading.matters import matter_of
from reverie.policy.safety import instructions, order_signs
from reverie.policy.safety.grounding import stated
from reverie.policy.safety.secrets import shapes as secret_shapes
from reverie.policy.safety.trust import strip_recalled

PIECES = (
    "a", "A", "1", "\n", " ", "\t", "a ", "word ", "A ", "1 ", "(", "[", "{", '"', "'", "“", "-", "- ", "_", "a-", "a_",
    ".", ". ", "a.", "a, ", "\n\n ", "I am ", "you must ", "password ", "token: ", "key=", "<", "<a>", "<private>", "*",
    "#", "|", "\\", "/", "a/", "://", "a@", "@a.", "=", "a=", "ü", "日", "\u200b", "%2", "&amp;", "aB1-", "is not ",
    "my ", "the ", "May 1 ", "3rd of ", "2026-01-", "10:30 ", "Dr. ", "x@y.z ", "sk-", "eyJ", "---", "> ", "```\n",
    "curl -u ", "a: ", "1,", "€1 ", "Cookie: a=", "not ", "and then ", "on ", "B1a-",
)  # fmt: skip


def texts(size: int, pieces: tuple[str, ...] = PIECES) -> Iterator[tuple[str, str]]:
    """(piece, text): each piece over and over, and the same with an end that a pattern may not expect."""
    for piece in pieces:
        yield piece, piece * (size // len(piece))
    for piece in ("a", " ", "\n", "1", "word "):
        yield f"{piece}…!", piece * (size // len(piece)) + "!"
    yield "brackets", "(" * (size // 2) + ")" * (size // 2)
    yield "quotes", "\"'" * (size // 4) + "a" * (size // 2)


# Only ever matched at the beginning of a line that is not longer than `speech.LONGEST_LINE`; `utterances` reads so.
OF_A_LINE = {f"reverie.language.speech.{name}" for name in (
    "_INDENTED", "_LOG", "_CODE", "_TABLE", "_DATA", "_PAIR", "_HEADING", "_TITLED", "_IN_MARKS",
)}  # fmt: skip


# Packages of extras that are not installed here; the modules that need them have no patterns of their own.
NOT_HERE = {"agent_framework", "agents", "claude_agent_sdk", "google", "langgraph", "llama_index", "procrastinate"}


def modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(reverie.__path__, "reverie."):
        if not found.name.endswith("__main__"):
            try:
                yield importlib.import_module(found.name)
            except ModuleNotFoundError as missing:
                if (missing.name or "").partition(".")[0] not in NOT_HERE:
                    raise


@cache
def patterns() -> dict[Pattern[str], str]:
    """Every compiled pattern of the package, in whatever table, and where it stands; also those compiled later."""
    found: dict[Pattern[str], str] = {}
    for module in modules():
        for name, value in list(vars(module).items()):
            for pattern in _within(value, 0):
                if isinstance(pattern.pattern, str) and f"{module.__name__}.{name}" not in OF_A_LINE:
                    found.setdefault(pattern, f"{module.__name__}.{name}")
    for shape in secret_shapes.ALL_SHAPES:
        found.setdefault(shape.pattern, f"secret_shapes: {shape.marks[0]}")
        if shape.within:
            found.setdefault(secret_shapes.compiled(shape.within), f"within {shape.marks[0]}")
    for where, compiled in COMPILED_LATER.items():
        for number, pattern in enumerate(_within(compiled(), 0)):
            found.setdefault(pattern, f"{where} {number}")
    return found


# What compiles its patterns when they are first needed and keeps them; `test_linear` looks whether one is missing.
COMPILED_LATER: dict[str, Callable[[], Any]] = {
    "askable._table": askable._table,
    "replies._kinds": replies._kinds,
    "date_words.finder": date_words.finder,
    "forms._sure": forms._sure,
    "forms._compiled": forms._compiled,
}


def without_a_look() -> list[str]:
    """Cached functions without an argument that keep patterns which `patterns` does not find."""
    known, missing = patterns(), []
    for module in modules():
        for name, value in list(vars(module).items()):
            if hasattr(value, "cache_info") and value.__module__ == module.__name__ and not signature(value).parameters:
                kept = [pattern for pattern in _within(value(), 0) if isinstance(pattern.pattern, str)]
                missing += [f"{module.__name__}.{name}"] * any(pattern not in known for pattern in kept)
    return missing


def readers() -> dict[str, Callable[[str], Any]]:
    """Patterns that are only ever given a text which was made ready for them, as they are used."""
    return {
        "instructions": instructions.looks_like_instruction,
        "order_signs": order_signs.combined,
        "speech": utterances,
        "sentences": sentences,
        "excerpts": one_line,
        "matters": matter_of,
        "stored quotes": strip_recalled,
        "grounds": stated,
        "questions": askable.asked_of,
        "questions in reply": lambda text: replies.replied_to("Where does your sister live?", text),
        "questions asked": lambda text: replies.replied_to(text, "in Turku"),
        "announced": lambda text: announced(text, "Go ahead."),
        "announced in reply": lambda text: announced("Next message is the letter.", text),
        "announced, as short as it is read": lambda text: announced(text, text[:LONGEST_READY]),
    }


def _within(value: Any, depth: int) -> Iterator[Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 5 and isinstance(value, dict):
        for item in [*value.keys(), *value.values()]:
            yield from _within(item, depth + 1)
    elif depth < 5 and isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _within(item, depth + 1)
    elif depth < 5 and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _within(getattr(value, field.name, None), depth + 1)


def seconds(work: Callable[[], Any]) -> float:
    """Of this thread's own processor time: a busy machine changes nothing."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def too_slow(read: Callable[[str], Any], given: Mapping[str, str], most: float) -> list[str]:
    """The pieces of the texts that take longer to read than `most` seconds, each of three times."""
    return [piece for piece, text in given.items() if all(seconds(partial(read, text)) > most for _ in range(3))]


def scan(pattern: Pattern[str], text: str) -> int:
    """Looks for it everywhere in a text; answers how often it is there."""
    return sum(1 for _ in pattern.finditer(text))
