# Muster. `make run` and `make test` need only Python >= 3.11, make and git; they bring the rest.

VENV ?= .venv
export VENV
export MUSTER_BIND ?= 127.0.0.1
export MUSTER_PORT ?= $(or $(PORT),8000)
PYTHON_BIN := $(VENV)/bin/python
TESTS ?= tests
LAID_OUT := templates systems
DENO_FMT := --line-width 120 static/css static/js
test test-all proof: export PYTHONDONTWRITEBYTECODE :=  # many processes are started, and each would compile everything again

.DEFAULT_GOAL := help
.PHONY: help setup run worker test test-all proof lint types imports templates layout check bench memory replays schemas words canary wheel release manage backup restore upgrade rollback

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Bring everything `make run` needs, without starting it
	@deploy/bootstrap.sh run
	@$(PYTHON_BIN) -m deploy.prepare

run: ## Start Muster: web server and worker; Ctrl-C stops both (PORT=8001 for another port)
	@deploy/bootstrap.sh run
	@$(PYTHON_BIN) -m deploy.supervisor || [ $$? -eq 130 ]

worker: ## Start one more worker beside `make run`
	@deploy/bootstrap.sh run
	@exec $(PYTHON_BIN) -m deploy.worker -n extra-$$$$@%h

test: ## Run the tests on PostgreSQL, with Redis and Chromium, on every core; without the slow ones
	@deploy/bootstrap.sh test
	$(PYTHON_BIN) -m pytest -n auto --dist worksteal -m "not slow and not proof" $(TESTS)

test-all: ## Run the slow tests; then, on SQLite, the tests that commit and a third of the others
	@deploy/bootstrap.sh test
	$(PYTHON_BIN) -m pytest -n auto --dist worksteal -m "slow and not proof" $(TESTS)
	MUSTER_TEST_DATABASE=sqlite $(PYTHON_BIN) -m pytest -n auto --dist worksteal $(TESTS)

proof: ## Run what takes too long for every test run: soaks, kill runs, rates of many games, all of SQLite
	@deploy/bootstrap.sh test
	$(PYTHON_BIN) -m pytest -m proof $(TESTS)
	MUSTER_TEST_DATABASE=sqlite MUSTER_TEST_WHOLE=1 $(PYTHON_BIN) -m pytest -n auto --dist worksteal $(TESTS)

lint: ## Check style and formatting
	@deploy/bootstrap.sh dev
	$(PYTHON_BIN) -m ruff check .
	$(PYTHON_BIN) -m ruff format --check .

templates: ## Check the layout of templates, style sheets and scripts
	@deploy/bootstrap.sh dev
	$(VENV)/bin/djangofmt --check $(LAID_OUT)
	$(VENV)/bin/deno fmt --check $(DENO_FMT)

layout: ## Lay templates, style sheets and scripts out
	@deploy/bootstrap.sh dev
	$(VENV)/bin/djangofmt $(LAID_OUT)
	$(VENV)/bin/deno fmt $(DENO_FMT)

types: ## Check types
	@deploy/bootstrap.sh dev
	$(PYTHON_BIN) -m mypy .

imports: ## Check that imports go one way
	@deploy/bootstrap.sh dev
	$(VENV)/bin/lint-imports

check: lint types imports templates ## All of it: what must pass before a merge
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-all

bench: ## Measure speed, in ratios against a reference in the same run
	@deploy/bootstrap.sh dev
	$(PYTHON_BIN) -m benchmarks.run

memory: ## Measure what a site holds in memory, at rest and while it simulates and prints
	@[ "$$(id -u)" != 0 ] || [ "$$(stat -c %u .)" = 0 ] || { echo "This installs test tools and starts a second site. Call it in a clone of your own, as its owner."; exit 1; }
	@deploy/bootstrap.sh dev
	$(PYTHON_BIN) -m tests.tools.memory

replays: ## Write the golden replays again, after a rule has changed on purpose
	@deploy/bootstrap.sh dev
	$(PYTHON_BIN) -m tests.tools.replays

schemas: ## Write what is made from code: JSON Schemas, tables of docs/, examples of the API
	@deploy/bootstrap.sh dev
	$(PYTHON_BIN) -m tests.tools.formats
	$(PYTHON_BIN) -m tests.tools.event_types
	$(PYTHON_BIN) -m tests.tools.hooks
	MUSTER_TEST_WRITE_ANSWERS=1 $(PYTHON_BIN) -m pytest -q tests/permissions/test_example_responses.py

words: ## Count the texts that people read, and the phrases of docs/writing.md in them (ARGS="--warn templates" lists them)
	@deploy/bootstrap.sh dev
	@$(PYTHON_BIN) -m tests.tools.words $(ARGS)

canary: ## Test the code that uses private interfaces with the newest Django, WeasyPrint and numba
	@env -u PYTHON deploy/bootstrap.sh dev
	$(PYTHON_BIN) -m tests.tools.canary

wheel: ## Build the wheel of systems alone, in dist/
	@deploy/bootstrap.sh run
	@PYTHON=$(PYTHON_BIN) deploy/release.sh wheel

release: ## Build wheel and image context of this version in dist/, and tag it here (docs/releasing.md)
	@deploy/bootstrap.sh run
	@PYTHON=$(PYTHON_BIN) deploy/release.sh all

manage: ## A command of manage.py with the settings of the site: make manage COMMAND="check --deploy"
	@deploy/upgrade.sh with $(PYTHON_BIN) manage.py $(COMMAND)

backup: ## Save database, files and keys to one archive in backups/ (KEEP=14 drops all but the newest 14)
	@deploy/upgrade.sh with $(PYTHON_BIN) -m deploy.backup save $(if $(KEEP),--keep $(KEEP))

restore: ## Put an archive back: make restore FILE=backups/....tar.gz (REPLACE=yes where something is already)
	@deploy/upgrade.sh with $(PYTHON_BIN) -m deploy.backup restore "$(FILE)" $(if $(REPLACE),--replace)

upgrade: ## Save everything, then go to the newest version and ready it (VERSION=... for another)
	@deploy/upgrade.sh to $(VERSION)

rollback: ## The way back: make rollback FILE=backups/....tar.gz, as make upgrade named it
	@deploy/upgrade.sh back "$(FILE)"
