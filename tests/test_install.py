"""What is installed is what is used: a package that no file imports is weight for everybody."""

import ast
import os
import re
import shutil
import tomllib
from pathlib import Path

import pytest

from scripts import sbom, wheel

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
IMPORTED_AS = {
    "httptools": "uvicorn",  # which parses with it
    "PyStemmer": "Stemmer",
    "pydantic-ai-slim": "pydantic_ai",
    "agent-framework-core": "agent_framework",
    "google-adk": "google",
    "langgraph-checkpoint": "langgraph",
    "llama-index-core": "llama_index",
    "openai-agents": "agents",
    "psycopg-pool": "psycopg",  # by it, in the connector of the jobs
}
WANTED_BY_OTHERS = {"python-multipart"}  # fastapi reads uploaded files with it
NAME = re.compile(r"[\w.-]+")
# What a user of an adapter has already, whatever its version; judges pin theirs (`tests/judges/*/requirements.txt`).
NOT_PINNED = {
    "fastembed", "zstandard", "procrastinate", "psycopg-pool", "agent-framework-core", "google-adk",
    "langgraph-checkpoint", "llama-index-core", "openai-agents",
}  # fmt: skip


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
    assert {re.sub(r"[-_.]+", "-", name).lower() for name in packages()} - NOT_PINNED <= set(names)


def test_the_hashed_requirements_are_the_pins_and_name_no_registry() -> None:
    written = (ROOT / "requirements.txt").read_text("utf-8")
    locked = list(sbom.LOCKED.finditer(written))
    assert [f"{one['name']}=={one['version']}" for one in locked] == (ROOT / "constraints.txt").read_text(
        "utf-8"
    ).split()
    assert "".join(one[0] + "\n" for one in locked) == written  # nothing else stands there, no address


def test_the_bill_of_materials_lists_every_pin_with_its_digests_and_is_the_same_twice() -> None:
    bill = sbom.bill()
    listed = {one["name"]: one for one in bill["components"]}
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert {sbom.plain(pin.partition("==")[0]) for pin in (ROOT / "constraints.txt").read_text("utf-8").split()} == set(
        listed
    )
    assert all(one["hashes"] and one["purl"] == f"pkg:pypi/{one['name']}@{one['version']}" for one in listed.values())
    refs = {one["bom-ref"] for one in listed.values()}
    assert all(set(edge["dependsOn"]) <= refs for edge in bill["dependencies"])
    assert bill == sbom.bill()


@pytest.mark.torture  # it fetches setuptools and packs 20 MB twice
@pytest.mark.timeout(900)
def test_the_wheel_is_the_same_bytes_from_another_place_on_another_day(tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    for name in wheel.SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, other / name)
    for path in other.rglob("*.py"):
        path.chmod(0o600)
        os.utime(path, (1, 1))
    built = [wheel.build(tmp_path / f"{n}", root=root).read_bytes() for n, root in enumerate((ROOT, other))]
    assert built[0] == built[1]
