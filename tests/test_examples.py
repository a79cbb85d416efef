"""Every example in a docstring holds."""

import doctest
import importlib
from pathlib import Path

import pytest

SRC = Path(__file__).parent.parent / "src"


def with_examples() -> list[str]:
    files = sorted(path for path in SRC.rglob("*.py") if ">>> " in path.read_text("utf-8"))
    return [".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__") for path in files]


@pytest.mark.parametrize("module", with_examples())
def test_the_examples_of_a_module_hold(module: str) -> None:
    ran = doctest.testmod(importlib.import_module(module))
    assert ran.attempted > 0
    assert ran.failed == 0
