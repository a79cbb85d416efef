"""JSON out of what models write: a table of what they write, and what is read."""

import pytest

from reverie.errors import ModelFault
from reverie.minds.llm.asking.repair import read_json

READABLE = [
    ('{"a": 1}', {"a": 1}, False),
    ('  {"a": 1}\n\n', {"a": 1}, False),
    ('```json\n{"a": 1}\n```', {"a": 1}, False),
    ('```\n{"a": 1}\n```', {"a": 1}, False),
    ('Sure! Here it is: {"a": 1} Anything else?', {"a": 1}, False),
    ('<think>{"a": 0}?</think>{"a": 1}', {"a": 1}, False),
    ('{"a": [1, 2,],}', {"a": [1, 2]}, False),
    ('{"a": "line\nbreak"}', {"a": "line\nbreak"}, False),
    ('{"a": "it said \\"{[\\" once"}', {"a": 'it said "{[" once'}, False),
    ('{"a": [{"b": 1}, {"b": 2}, {"b": ', {"a": [{"b": 1}, {"b": 2}]}, True),
    ('{"a": [{"b": "}"}, {"b": "x', {"a": [{"b": "}"}]}, True),
    ('```json\n{"a": [{"b": 1}, {"b"', {"a": [{"b": 1}]}, True),
    ('{"a": ["x = 1", "y = x", "z = ', {"a": ["x = 1", "y = x"]}, True),
    ('{"a": ["she said \\"no\\", then", "y', {"a": ['she said "no", then']}, True),
]
UNREADABLE = [
    ("", "empty"),
    (" \n ", "empty"),
    ("<think>so much to say", "empty"),
    ("I live in Hamburg.", "bad_json"),
    ("[1, 2]", "bad_json"),
    ("null", "bad_json"),
    ("{facts: [oops", "bad_json"),
    ('{"a": "never closed', "bad_json"),
    ("{" * 5_000, "bad_json"),
    ("[" * 100_000, "bad_json"),
]


@pytest.mark.parametrize(("text", "found", "mended"), READABLE)
def test_an_object_is_read_and_a_missing_end_is_said(text: str, found: dict[str, object], mended: bool) -> None:
    assert read_json(text) == (found, mended)


@pytest.mark.parametrize(("text", "kind"), UNREADABLE, ids=range(len(UNREADABLE)))
def test_what_is_no_object_is_a_fault(text: str, kind: str) -> None:
    with pytest.raises(ModelFault) as caught:
        read_json(text)
    assert caught.value.kind == kind
