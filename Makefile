# Two commands matter: `make demo` (the main job on the screen) and `make check` (everything that must hold).
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CONFIG ?= examples/large+hdmd.yaml

.PHONY: demo check lint test goldens reference bench clean

demo: $(VENV)/.installed
	$(BIN)/pixsize plan --config $(CONFIG)
	$(BIN)/pixsize render stanzas --config $(CONFIG)

check: lint test

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto --cov --cov-report=term:skip-covered

# Renews the expected trees; the run that renews still fails, so that the flag cannot be left on.
goldens: $(VENV)/.installed-dev
	$(BIN)/python -m pytest tests/golden --renew-goldens

reference: $(VENV)/.installed-dev
	$(BIN)/python -m pixsize.load.snapshot
	$(BIN)/python docs/generate.py

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/run.py

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage
