"""A hundred secrets and five hundred strings like them, written before their author had read any rule.

A mark stands inside each secret of the files, so that no scanner of repositories takes them for a leak.
"""

import json
from pathlib import Path

from tests.corpora.secret_samples import Sample

MARK = "\u2016"
HERE = Path(__file__).parent


def blind_secrets() -> list[Sample]:
    """One sample for each secret of each text."""
    lines = (json.loads(line.replace(MARK, "")) for line in _lines("secrets-blind.jsonl"))
    return [Sample(one["kind"], one["text"], secret) for one in lines for secret in one["secrets"]]


def blind_strings() -> list[str]:
    return [json.loads(line)["text"] for line in _lines("benign-strings-blind.jsonl")]


def round_of(name: int | str) -> tuple[list[list[Sample]], list[str]]:
    """A round of judging, or `own`: the secrets of each text that has any, and the texts that have none."""
    file = f"secrets-round{name}.jsonl" if isinstance(name, int) else f"secrets-{name}.jsonl"
    lines = [json.loads(line.replace(MARK, "")) for line in _lines(file)]
    texts = [[Sample(file, one["text"], secret) for secret in one["secrets"]] for one in lines]
    return [samples for samples in texts if samples], [one["text"] for one in lines if not one["secrets"]]


def _lines(name: str) -> list[str]:
    return (HERE / name).read_text("utf-8").splitlines()
