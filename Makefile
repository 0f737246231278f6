# Three commands matter: `make demo` (the main job on the screen), `make quick` (after every change) and `make check`
# (everything that must hold). How long they take: docs/how-to/develop.md.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CONFIG ?= examples/large+hdmd.yaml

# Tests start hundreds of processes: the bytecode of all of them is kept, out of the tree, whatever the shell has set.
# Tests of one file share what takes long to make, so they run in one process, in the order of the files.
BYTECODE := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(abspath $(VENV))/pycache
# One worker more than there are cores: some tests wait for programs that they start. Those of the quick suite hardly do.
CORES := $(shell nproc)
WORKERS := $(shell expr $(CORES) + 1)
PYTEST = $(BYTECODE) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

.PHONY: demo quick check lint mypy pages imports ruff format test coverage goldens reference calibration bench office clean

demo: $(VENV)/.installed
	$(BIN)/pixsize plan --config $(CONFIG)
	$(BIN)/pixsize render stanzas --config $(CONFIG)

# No real programs, no packages, no long draws.
quick: WORKERS = $(CORES)
quick: $(VENV)/.installed-dev
	$(PYTEST) -m "not real and not long"

check: lint test

# Side by side, as many as there are cores; what each says stays together.
lint: $(VENV)/.installed-dev
	$(MAKE) --no-print-directory --jobs=$(CORES) --output-sync=target mypy pages imports ruff format

mypy:
	$(BIN)/mypy
pages:
	$(BIN)/python docs/generate.py --check
imports:
	$(BIN)/lint-imports
ruff:
	$(BIN)/ruff check .
format:
	$(BIN)/ruff format --check .

test: $(VENV)/.installed-dev
	$(PYTEST)

# Every test again, and how many branches they take: once, in CI, as it takes more than twice the time.
coverage: $(VENV)/.installed-dev
	$(PYTEST) --cov --cov-report=term:skip-covered

# Renews the expected trees; the run that renews still fails, so that the flag cannot be left on.
goldens: $(VENV)/.installed-dev
	$(BIN)/python -m pytest tests/golden --renew-goldens

reference: $(VENV)/.installed-dev
	$(BIN)/python -m pixsize.load.snapshot
	$(BIN)/python docs/generate.py

# Learns the spreads anew; needed when a measurement comes or goes.
calibration: $(VENV)/.installed-dev
	$(BIN)/python docs/calibration.py
	$(BIN)/python -m pixsize.load.snapshot
	$(BIN)/python docs/generate.py

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/run.py

# Opens the DOCX and the XLSX of a quote in LibreOffice, which is too large for every check (soffice on the PATH).
office: $(VENV)/.installed-dev
	$(BYTECODE) $(BIN)/python -m pytest tests/quote/check_office.py

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage
