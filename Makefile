# Two commands matter: `make demo` runs the main job on the shipped screenshots, `make test` runs every test.
# Both set up what they need in .venv from the hash-locked requirements.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DEMO := build/demo

.PHONY: demo test quick browser lint bench lock kernels clean

demo: $(VENV)/.ready
	rm -rf $(DEMO) && mkdir -p $(DEMO)
	$(BIN)/lpb-pipeline ingest screenshots --out $(DEMO)/catalogue
	$(BIN)/lpb-pipeline validate --root $(DEMO)
	$(BIN)/lpb-pipeline snapshot --tag v1 --root $(DEMO)
	$(BIN)/lpb-pipeline verify v1 --root $(DEMO)
	@echo "Look at $(DEMO)/catalogue (levels and overlays) and $(DEMO)/snapshots/v1 (the frozen benchmark)."

# Browser tests wait much of their time: one worker more than there are cores.
test: $(VENV)/.ready lint kernels
	$(BIN)/python -m pytest -n $$($(BIN)/python -c 'import os; print(1 + (os.cpu_count() or 1))')

quick: $(VENV)/.ready kernels
	$(BIN)/python -m pytest -n auto -m "not slow and not browser"

# Without any Chromium the browser tests fetch one, or are skipped; this one asks the system's packages, too.
browser: $(VENV)/.ready
	@$(BIN)/python -m tests.browser.install

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.ready
	@for script in bench/solve_*.py bench/read_*.py bench/ingest_*.py; do $(BIN)/python -m bench.$$(basename $$script .py) || exit 1; done

kernels: $(VENV)/.ready
	@$(BIN)/python -c "from pipeline.solve.table import warm_up; warm_up()"

lock:
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile pyproject.toml --universal --generate-hashes \
	  --no-emit-index-url --python-version 3.11 -o requirements.lock
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile pyproject.toml --group dev --universal --generate-hashes \
	  --no-emit-index-url --python-version 3.11 -c requirements.lock -o requirements-dev.lock

$(VENV)/.ready: requirements-dev.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

clean:
	rm -rf build $(VENV) .mypy_cache .ruff_cache .pytest_cache
