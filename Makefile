# Each target sets up what it needs; nothing has to be installed by hand but Python 3.11+.
export PYTHONDONTWRITEBYTECODE :=
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test torture external check lint types bench docs lock sbom wheel clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[all]" --group dev
	touch $(READY)

demo: $(READY)
	$(BIN)/reverie demo

test: $(READY)
	$(BIN)/python scripts/test.py

torture: $(READY)
	$(BIN)/python -m pytest -m torture tests --timeout 3600

external: $(READY)
	$(BIN)/python scripts/external.py

check: lint types test

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/reverie bench

docs: $(READY)
	$(BIN)/python scripts/reference.py

lock: $(READY)
	$(BIN)/python scripts/lock.py

sbom: $(READY)
	$(BIN)/python scripts/sbom.py

wheel: $(READY)
	$(BIN)/python scripts/wheel.py

clean:
	rm -rf .venv build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache
