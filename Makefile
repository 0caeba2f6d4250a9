# Everything sets itself up: a Python 3.11 or newer and make are all that is needed.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check install --quiet --constraint constraints.txt

# Every core has a process of tests already; what a test starts finds compiled Python.
TEST_SETTINGS := OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=

.DEFAULT_GOAL := help
.PHONY: help demo test check docs fuzz torture mutants package format bench clean

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.core ## Compare four methods on the bundled MUTAG by nested cross-validation.
	@mkdir -p build
	@$(BIN)/graphrings run demo --store build/demo.db
	@$(BIN)/graphrings table --store build/demo.db
	@$(BIN)/graphrings report --store build/demo.db --output build/report.html

test: $(VENV)/.dev ## Run the tests.
	@$(TEST_SETTINGS) $(BIN)/python -m pytest --numprocesses logical --dist loadfile --no-loadscope-reorder

check: $(VENV)/.dev ## Format and lint (ruff), types (mypy --strict), imports (import-linter).
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

docs: $(VENV)/.dev ## Build the documentation site, strictly, into build/site.
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "build/site/index.html"

fuzz: $(VENV)/.dev ## Try changed inputs at every door for an hour; SECONDS=N for longer.
	@PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(or $(SECONDS),3600)

torture: $(VENV)/.dev ## Do 1 000 harms to runs (kills, full disks, jumping clocks); HARMS=N for more.
	@PYTHONPATH=tests $(BIN)/python -m torture --harms $(or $(HARMS),1000)

mutants: $(VENV)/.dev ## Put 300 mistakes into the code, one at a time: do the tests notice? MUTANTS=N.
	@PYTHONPATH=tests $(BIN)/python -m mutants --number $(or $(MUTANTS),300)

package: $(VENV)/.dev ## Build sdist and wheel and use the wheel in a clean environment.
	@.ci/package $(BIN)/python

format: $(VENV)/.dev ## Rewrite the code in the project's format.
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(VENV)/.dev ## Print speed as ratios against peers, all timed in one run.
	@$(BIN)/python -m benchmarks.rings
	@$(BIN)/python -m benchmarks.reading
	@$(BIN)/python -m benchmarks.waiting
	@$(BIN)/python -m benchmarks.training
	@$(BIN)/python -m benchmarks.own_code
	@$(BIN)/python -m benchmarks.rivals
	@$(BIN)/python -m benchmarks.protocol
	@$(BIN)/python -m benchmarks.kernels
	@$(BIN)/python -m benchmarks.machines wl nspdk --dataset MUTAG --dataset NCI1
	@$(BIN)/python -m benchmarks.forests NCI1 --rounds 1

clean: ## Remove the virtual environment and all caches.
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[dev]'
	@touch $(VENV)/.core $@
