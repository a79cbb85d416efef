"""The import arrows of the design: who may know whom."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from reverie.asleep.pipeline import STEPS

SRC = Path(__file__).parent.parent / "src" / "reverie"

FOREIGN = SRC / "importers" / "hermes.py"  # reads a database of Hermes's own
SPEAKING = {"model", "language", "policy", "config", "reverie", "space", "verbs"}
SURFACES = ("server", "console", "adapters", "cli", "agents")

# A layer may import those named here, and itself. `errors` is everybody's.
MAY = {
    "model": set(),
    "language": {"model"},
    "policy": {"model", "language"},
    "store": {"model", "language", "policy"},
    "minds": {"model", "language", "policy"},
    "agent": {"model", "language", "policy", "minds"},
    "retrieve": {"model", "language", "policy", "store", "minds"},
    "awake": {"model", "language", "policy", "store", "minds", "retrieve"},
    "asleep": {"model", "language", "policy", "store", "minds", "retrieve"},
    "importers": {"model"},
    "mirror": {"model", "language", "policy", "store", "awake", "importers"},
    "triggers": {"model", "language", "policy", "store", "asleep", "minds"},
    "verbs": {"model", "policy", "store", "awake", "asleep", "triggers", "mirror", "wiring", "config"},
    # Surfaces speak to `Reverie` and `Space`, and know nouns and pure functions. No store, no hot path, no nights.
    "server": SPEAKING | {"agent", "agents", "console", "importers"},  # app.py lists every way in
    "agents": SPEAKING | {"adapters", "importers"},  # installs
    "console": SPEAKING | {"server", "doctor", "importers"},
    "adapters": {*SPEAKING, "importers"},
    "cli": SPEAKING
    | {"agent", "agents", "demo", "doctor", "minds", "mirror", "recovery", "server", "wiring", "worker"},
}
WIRING = {
    "reverie",
    "space",
    "wiring",
    "doctor",
    "recovery",
    "worker",
    "verbs",
    "aio",
    "server",
    "cli",
    "importers",
    "integrations",
    "demo",
}
READ_CONFIG = WIRING | {"triggers"}
WRITERS = {"reverie.store.db.Database", "reverie.store.db.Transaction"}
PURE = ("time", "random", "sqlite3", "os", "pathlib", "socket", "logging", "threading", "subprocess")


def modules() -> list[Path]:
    return sorted(SRC.rglob("*.py"))


def layer_of(path: Path) -> str:
    first = path.relative_to(SRC).parts[0]
    return first.removesuffix(".py")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def layers_imported(path: Path) -> set[str]:
    ours = {name.split(".")[1] for name in imports(path) if name.startswith("reverie.")}
    return ours & (set(MAY) | WIRING | {"config", "telemetry"})


def test_no_surface_reaches_for_the_parts_behind_the_verbs() -> None:
    """`memory.parts` and `space.parts` are for the sleeper, the doctor and tests."""
    wrong = [
        f"{path.relative_to(SRC)}:{node.lineno}"
        for path in modules()
        if layer_of(path) in SURFACES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr in ("parts", "_parts", "_db")
        if ast.unparse(node) != "hit.parts"  # what a score is made of
    ]
    assert wrong == []


def test_verbs_and_surfaces_open_no_transaction() -> None:
    """What must be one transaction lies with its noun: in awake, triggers, mirror or the store."""
    wrong = [
        f"{path.relative_to(SRC)}:{node.lineno}"
        for path in modules()
        if layer_of(path) in (*SURFACES, "verbs", "space", "reverie", "aio")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.With)
        for item in node.items
        if re.search(r"db\b.*\.(write|snapshot)\(", ast.unparse(item.context_expr))
    ]
    assert wrong == []


def test_no_group_of_verbs_inherits_another() -> None:
    bases = {
        node.name: [ast.unparse(base) for base in node.bases]
        for path in modules()
        if layer_of(path) == "verbs"
        for node in tree(path).body
        if isinstance(node, ast.ClassDef) and node.name.endswith("Verbs")
    }
    assert set(map(tuple, bases.values())) == {(), ("Verbs",)}


@pytest.mark.parametrize("layer", sorted(MAY))
def test_imports_point_one_way(layer: str) -> None:
    allowed = MAY[layer] | {layer, "telemetry"} | ({"config"} if layer in READ_CONFIG else set())
    wrong = {
        str(path.relative_to(SRC)): beyond
        for path in modules()
        if layer_of(path) == layer and (beyond := layers_imported(path) - allowed)
    }
    assert wrong == {}


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(SRC.parent).with_suffix("").parts).removesuffix(".__init__")


def test_no_import_leads_back_to_where_it_began() -> None:
    """Imports inside functions and those for types count too: a knot is a knot."""
    names = {path: name_of(path) for path in modules()}
    known = set(names.values())
    knows = {name: imports(path) & known - {name} for path, name in names.items()}
    TopologicalSorter(knows).prepare()  # raises, with the knot


def test_nouns_and_policies_touch_no_clock_no_chance_and_no_disk() -> None:
    wrong = {
        str(path.relative_to(SRC)): found
        for path in modules()
        if layer_of(path) in ("model", "language", "policy") and (found := imports(path) & set(PURE) - {"threading"})
    }
    assert wrong == {}


def test_sql_stands_only_in_the_store() -> None:
    words = ("SELECT ", "INSERT INTO ", "DELETE FROM ", "UPDATE ")
    wrong = [
        f"{path.relative_to(SRC)}: {text[:60]}"
        for path in modules()
        if layer_of(path) != "store" and path != FOREIGN
        for text in strings(path)
        if text.startswith(words) and text.isupper() is False and (" FROM " in text or " SET " in text)
    ]
    assert wrong == []


def test_only_the_dialects_say_which_backend_it_is() -> None:
    wrong = [
        f"{path.relative_to(SRC)}: {text[:60]}"
        for path in modules()
        if "dialect" not in path.relative_to(SRC).parts
        for text in strings(path)
        if text in ("sqlite", "postgres") or "FOR UPDATE" in text
    ]
    assert wrong == []


def test_a_step_has_nothing_to_write_with() -> None:
    """Steps read by a `Reader` and answer Changes; what writes them is the runner's."""
    wrong = {
        str(path.relative_to(SRC)): found
        for path in modules()
        if path.is_relative_to(SRC / "asleep" / "steps") or path.is_relative_to(SRC / "asleep" / "shared")
        if (found := imports(path) & WRITERS | attributes(path) & {"write", "alone", "db", "parts"})
    }
    assert wrong == {}


def test_only_steps_of_deep_sleep_write_core_memory() -> None:
    """The phases before it fill the archive: what reaches a block has passed promotion, or is a directive."""
    deep = {step.run.__module__ for step in STEPS if step.phase == "deep"}
    writers = {
        ".".join(path.relative_to(SRC.parent).with_suffix("").parts)
        for path in modules()
        if layer_of(path) == "asleep" and "reverie.model.changes.BlockChange" in imports(path)
    }
    assert writers
    assert writers <= deep


CORE_DOORS = {"blocks.write", "blocks.replace_value", "blocks.replace_version"}  # of the store: a block's value changes
GATES = {"may_reach_core", "waits_for"}  # the second asks for who may not, and stands before the first
# Whose word is a person's, or takes words away: nothing that was read can come in by them.
OF_PERSONS = {
    "awake/edits/correct.py": {"_out_of_core"},
    "mirror/rounds.py": {"store_edits"},
    "store/forget/traces.py": {"_delete_sentence"},
    "store/tables/reviews.py": {"accept", "reopen"},
}


def test_whoever_writes_core_memory_asks_whether_its_source_may_reach_it() -> None:
    """A function that writes a block's value asks itself; a step that changes blocks asks on its way from `run`."""
    writing = {
        (str(path.relative_to(SRC)), function.name)
        for path in modules()
        for function in functions(path)
        if called(function) & CORE_DOORS and not called(function) & GATES
    }
    assert writing == {(name, function) for name, found in OF_PERSONS.items() for function in found}
    doors = {f"reverie.store.tables.{door}" for door in CORE_DOORS}  # by another name they would not be seen
    assert [str(path.relative_to(SRC)) for path in modules() if imports(path) & doors] == []
    steps = {step.run.__module__: step.run.__name__ for step in STEPS}
    changing = [path for path in modules() if layer_of(path) == "asleep" and "BlockChange" in called(tree(path))]
    assert changing
    assert [name_of(path) for path in changing if "may_reach_core" not in reached(path, steps[name_of(path)])] == []


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def called(node: ast.AST) -> set[str]:
    """What is called there, as it is written."""
    return {ast.unparse(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)}


def reached(path: Path, start: str) -> set[str]:
    """The names that a function of a module calls, and what those call that are of the module too."""
    known = {function.name: function for function in functions(path)}
    found, left = set[str](), [start]
    while left:
        names = {name.id for name in ast.walk(known[left.pop()]) if isinstance(name, ast.Name)} - found
        found |= names
        left += [name for name in names if name in known]
    return found


def attributes(path: Path) -> set[str]:
    return {node.attr for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}


def strings(path: Path) -> list[str]:
    return [
        node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


# Who writes a table: `store/tables/<table>.py`, but for these.
HOMES = {
    "activity": "store/tables/turns.py",
    "answer_rests": "store/tables/answers.py",
    "asked": "store/tables/recalls.py",
    "attachments": "store/tables/blocks.py",
    "awake_ledger": "store/tables/ledger.py",
    "band_postings": "store/tables/memory_words.py",
    "block_sentences": "store/tables/blocks.py",
    "block_versions": "store/tables/blocks.py",
    "documents": "store/search/documents.py",
    "edges": "store/tables/memories.py",
    "entry_versions": "store/tables/entries.py",
    "identity": "store/files/pair.py",
    "journal": "store/commit/journal.py",
    "name_postings": "store/tables/memory_words.py",
    "near": "store/search/large_spaces.py",
    "night_steps": "store/tables/nights.py",
    "orgs": "store/tables/spaces.py",
    "pg_statistic": "store/dialect/postgres_purge.py",
    "predictors": "store/tables/answers.py",
    "recall_days": "store/tables/recalls.py",
    "recall_events": "store/tables/recalls.py",
    "schema_version": "store/dialect/migrate.py",
    "servings": "store/tables/answers.py",
    "sessions": "store/tables/turns.py",
    "sources": "store/tables/memories.py",
    "word_postings": "store/tables/memory_words.py",
}
# Who writes a table whose name it is given: by the catalog, by the journal, or a vector table of a large space.
ANY_TABLE = {
    "store/commit/journal.py",
    "store/files/salvage.py",
    "store/rows.py",
    "store/search/pgvector.py",
    "store/parts.py",
    "store/transfer/restore.py",
    "store/undo/rows.py",
}
GIVEN = "{}"  # a table's name that is not in the text
WRITE = re.compile(r"\b(?:INSERT(?: OR \w+)? INTO|DELETE FROM|(?<!DO )(?<!FOR )UPDATE)\s+(\w+|\{\}|$)")


def test_writes_to_a_table_stand_only_in_its_file() -> None:
    wrong = [f"{name} writes {table}" for name, table in writes() if not at_home(name, table)]
    assert wrong == []


def test_every_writer_of_any_table_and_every_home_is_there() -> None:
    found = set(writes())
    assert {name for name, table in found if table == GIVEN} == ANY_TABLE
    assert {(name, table) for table, name in HOMES.items()} <= found


def writes() -> list[tuple[str, str]]:
    """(file, table) of each INSERT, UPDATE and DELETE in a text of the tree, and of each call of `insertion`."""
    return [(str(path.relative_to(SRC)), table) for path in modules() for table in tables_written(tree(path))]


def at_home(name: str, table: str) -> bool:
    if table == GIVEN:
        return name in ANY_TABLE
    return name == HOMES.get(table, f"store/tables/{table}.py")


def tables_written(module: ast.Module) -> list[str]:
    nodes = list(ast.walk(module))
    docs = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    texts = [text_of(node) for node in nodes if id(node) not in docs | parts]
    inserted = [
        str(first.value) if isinstance(first := node.args[0], ast.Constant) else GIVEN
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "insertion"
    ]
    return [found or GIVEN for text in texts for found in WRITE.findall(text)] + inserted


def text_of(node: ast.AST) -> str:
    """A text as it stands in the source; `{}` for what is put into it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) or GIVEN for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ('tx.run("INSERT INTO chores (space) VALUES (:space)")', ["chores"]),
        ('tx.run(f"UPDATE nights SET {sets} WHERE id = :id")', ["nights"]),
        ('tx.run("INSERT INTO near (a) VALUES (1)" " ON CONFLICT (a) DO UPDATE SET a = 2")', ["near"]),
        ('tx.run(f"DELETE FROM {relation} WHERE id = :id")', ["{}"]),
        ('sql = "DELETE FROM " + relation', ["{}"]),
        ("tx.run(insertion('blocks', row), **row)", ["blocks"]),
        ("tx.run(insertion(relation, row), **row)", ["{}"]),
        ("tx.run(f\"{insertion('edges', row)} ON CONFLICT DO NOTHING\")", ["edges"]),
        ('lock = " FOR UPDATE"', []),
        ('"""An INSERT INTO words is no INSERT."""', []),
    ],
)
def test_a_write_is_seen_however_its_text_is_made(source: str, written: list[str]) -> None:
    assert tables_written(ast.parse(source)) == written


def test_no_file_is_too_long_to_hold_in_the_head() -> None:
    long = {str(p.relative_to(SRC)): n for p in modules() if (n := len(p.read_text("utf-8").splitlines())) > 400}
    assert long == {}


# Lists of alike things: one file each, however many there are.
LISTS = {"asleep/steps", "store/tables", "cli/commands", "server/rest", "server/letta", "importers"}
MOST_FILES = 14


def test_no_folder_is_a_corridor_of_doors() -> None:
    folders = {path.parent for path in modules()}
    counts = {str(folder.relative_to(SRC)): len(list(folder.glob("*.py"))) for folder in folders}
    assert {name: n for name, n in counts.items() if n > MOST_FILES and name not in LISTS} == {}


def test_a_class_name_is_used_once() -> None:
    homes: dict[str, list[str]] = {}
    for path in modules():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(str(path.relative_to(SRC)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_every_room_says_what_it_is_for() -> None:
    rooms = [path for path in modules() if path.name == "__init__.py"]
    assert [str(path.relative_to(SRC)) for path in rooms if not ast.get_docstring(tree(path))] == []
