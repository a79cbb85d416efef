"""What is installed is what is used: a package that no file imports is weight for everybody."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
IMPORTED_AS = {"PyStemmer": "Stemmer", "pydantic-ai-slim": "pydantic_ai"}
WANTED_BY_OTHERS = {"python-multipart"}  # fastapi reads uploaded files with it
NAME = re.compile(r"[\w.-]+")


def packages() -> list[str]:
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *(line for extra in extras.values() for line in extra)]
    names = {match[0] for line in wanted if (match := NAME.match(line))}
    return sorted(names - {"reverie"} - WANTED_BY_OTHERS)


def roots() -> set[str]:
    """The first name of every import, and every name that stands as a text (for `import_module`)."""
    found: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 40:
                found.add(node.value.partition(".")[0])
    return found


@pytest.fixture(scope="module")
def imported() -> set[str]:
    return roots()


@pytest.mark.parametrize("package", packages())
def test_every_package_that_is_installed_is_imported_somewhere(package: str, imported: set[str]) -> None:
    assert IMPORTED_AS.get(package, package).replace("-", "_") in imported


def test_every_pin_is_written_once_and_names_no_registry() -> None:
    pins = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins)
    names = [re.sub(r"[-_.]+", "-", pin.partition("==")[0]).lower() for pin in pins]
    assert len(names) == len(set(names))
    assert {re.sub(r"[-_.]+", "-", name).lower() for name in packages()} - {"fastembed"} <= set(names)
