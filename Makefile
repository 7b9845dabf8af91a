# Every step a person or CI takes. Each installation step leaves a stamp, so that a second run costs nothing.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
UV_VERSION := 0.13.8
VENV := .venv
BIN := $(VENV)/bin
STAMPS := .stamps
ENGINE_VENV := .venv-analyst
SPARK_VENV := .venv-spark
JOBS ?= 2
SLOWEST ?= --durations=15
EVALS ?= ../shared/evals
EVALS_OUT ?= /tmp/predictions.jsonl
SCREENSHOTS ?= screenshots
ONLY ?=
SCALE ?= 1
LEARN ?= var/learning
LEARN_BIN := .venv-learning/bin
LEARN_MINUTES ?= 120
LEARN_HELD ?= $(shell cat learning/held.txt)
FOLLOWING_HELD ?= $(shell cat learning/following_held.txt)
LEARN_SCORED = --scorer $(EVALS) --jobs $(JOBS)
LEARN_OTHERS := databench,defog,acme,bikesales,spider,bird,pgexercises
SOURCES := $(shell find assets templates -type f 2>/dev/null) apps/threads/topics.json package.json webpack.config.js tsconfig.json

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export UV_NO_PROGRESS := 1

.PHONY: help run run-with-fakes setup test test-engine sentences test-django test-front test-browser setup-spark test-spark lint format types bench bench-load bench-faults prove evals learn screenshots build schema lock sbom audit clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

run: $(STAMPS)/base $(STAMPS)/bundles ## Serve everything from one process on 127.0.0.1:8000 (PORT, DATA_DIR, DEMO_PASSWORD)
	@exec $(BIN)/python manage.py serve

run-with-fakes: $(STAMPS)/base $(STAMPS)/bundles ## The same, wired to stand-ins of HubSpot, Google and Slack on the ports after PORT
	@DATA_DIR=$${DATA_DIR:-var/with-fakes} exec $(BIN)/python manage.py serve_with_fakes --settings config.settings.fakes

setup: $(STAMPS)/dev $(STAMPS)/bundles $(STAMPS)/engine $(STAMPS)/system ## Install all that running, testing and checking need

test: setup test-engine test-django test-front test-browser ## Run every test and list the slowest (JOBS, SLOWEST)
	@echo "All tests passed."

test-engine: $(STAMPS)/engine ## The engine's tests, in an environment without Django
	$(ENGINE_VENV)/bin/python -m pytest tests/analyst -n $(JOBS) -p no:django $(SLOWEST)

sentences: $(STAMPS)/engine ## Write anew what the engine says of every kind of answer, to be read
	$(ENGINE_VENV)/bin/python -m tests.analyst.sentences

test-django: $(STAMPS)/dev ## Django's tests
	$(BIN)/python -m pytest tests --ignore=tests/analyst --ignore=tests/spark --ignore=tests/e2e -n $(JOBS) --dist loadgroup $(SLOWEST)

test-front: $(STAMPS)/node ## The front end's unit tests
	npm run --silent test

test-browser: $(STAMPS)/dev $(STAMPS)/bundles $(STAMPS)/system ## The whole way through a real server in Chromium
	$(BIN)/python -m pytest tests/e2e -n $(JOBS) --dist loadfile $(SLOWEST)

setup-spark: $(STAMPS)/spark ## Install Spark's own environment, for data beyond one machine (optional)

test-spark: $(STAMPS)/dev $(STAMPS)/spark ## The warehouse on a Spark master and two workers, which it starts (SPARK_PLANS)
	$(BIN)/python -m pytest tests/spark

lint: $(STAMPS)/dev $(STAMPS)/node ## Style, import rules and types, both languages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python scripts/circles
	$(BIN)/mypy apps config
	npm run --silent lint
	npm run --silent circles
	npm run --silent types

format: $(STAMPS)/dev $(STAMPS)/node ## Put every file into the house's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	npm run --silent format

bench: $(STAMPS)/dev $(STAMPS)/bundles $(STAMPS)/system ## Measure: ratios in one run, medians
	$(BIN)/python -m benches

bench-load: $(STAMPS)/dev $(STAMPS)/system ## Load on a private deployment: people, growth, sockets (LOAD_USERS, LOAD_MINUTES, ...)
	$(BIN)/python -m benches load growth sockets

bench-faults: $(STAMPS)/dev $(STAMPS)/system ## Faults on a private deployment: kills, losses, restarts (FAULT_RUNS, FAULT_KILLS, ...)
	$(BIN)/python -m benches faults poison rolling endings migrating

prove: $(STAMPS)/dev $(STAMPS)/bundles $(STAMPS)/system ## Measure the reliability goals R1 to R28 into docs/reliability.md (ONLY=R3,R8, SCALE=0.1)
	$(BIN)/python -m benches.prove --only "$(ONLY)" --scale $(SCALE)

evals: $(STAMPS)/base ## Score the built-in analyst on a folder of questions (EVALS=../shared/evals)
	$(BIN)/python -m apps.analyst evaluate $(EVALS) --out $(EVALS_OUT) --jobs $(JOBS)
	$(BIN)/python $(EVALS)/score.py --pred $(EVALS_OUT)
	@if [ -d $(EVALS)/office ]; then $(MAKE) evals EVALS=$(EVALS)/office EVALS_OUT=$(basename $(EVALS_OUT))-office.jsonl; fi

learn: $(STAMPS)/learning ## Train the reader anew (LEARN_MINUTES, LEARN_HELD: databases that the networks never learn, for the judge)
	mkdir -p $(LEARN)
	nice $(LEARN_BIN)/python -m learning.examples $(LEARN)/examples $(EVALS)/office learning/databases
	nice $(LEARN_BIN)/python -m learning.variations $(LEARN)/variations $(EVALS)/office learning/databases --each 220 --held $(LEARN_HELD)
	nice $(LEARN_BIN)/python -m learning.variations $(LEARN)/further $(EVALS)/office learning/databases --each 300 --common 5 --seed 7 --held $(LEARN_HELD)
	nice $(LEARN_BIN)/python -m learning.examples $(LEARN)/office $(EVALS)/office
	nice $(LEARN_BIN)/python -m learning.train $(LEARN)/begun.pt $(LEARN)/examples $(LEARN)/variations $(LEARN)/further --held $(LEARN_HELD) --minutes $(LEARN_MINUTES)
	nice $(LEARN_BIN)/python -m learning.train $(LEARN)/weights.pt $(LEARN)/examples $(LEARN)/office $(LEARN)/office --held $(LEARN_HELD) --start $(LEARN)/begun.pt --minutes 20 --rate 3e-4
	$(LEARN_BIN)/python -m learning.export $(LEARN)/weights.pt apps/analyst/reading/weights.npz apps/analyst/reading/encoder.npz
	$(LEARN_BIN)/python -m learning.reference tests/analyst/reading/reference.json
	nice $(LEARN_BIN)/python -m learning.judging $(LEARN)/held learning/databases --only $(LEARN_HELD) $(LEARN_SCORED)
	nice $(LEARN_BIN)/python -m learning.judging $(LEARN)/held learning/databases --foreign 45 --only $(LEARN_HELD) $(LEARN_SCORED)
	nice $(LEARN_BIN)/python -m learning.judging $(LEARN)/others $(EVALS) --only spider,biz,tablebench $(LEARN_SCORED)
	nice $(LEARN_BIN)/python -m learning.judging $(LEARN)/others $(EVALS)/../train --only $(LEARN_OTHERS) $(LEARN_SCORED)
	$(LEARN_BIN)/python -m learning.judge apps/analyst/reading/judge.npz $(LEARN)/held $(LEARN)/others
	nice $(LEARN_BIN)/python -m learning.following $(LEARN)/said --dialogues learning/dialogues
	nice $(LEARN_BIN)/python -m learning.following $(LEARN)/changed --questions learning/databases --held $(LEARN_HELD) --each 40
	nice $(LEARN_BIN)/python -m learning.elsewhere $(LEARN)/elsewhere learning/dialogues --held $(FOLLOWING_HELD) --each 40
	nice $(LEARN_BIN)/python -m learning.train $(LEARN)/following.pt $(LEARN)/said $(LEARN)/said $(LEARN)/elsewhere $(LEARN)/changed --held $(FOLLOWING_HELD) --start apps/analyst/reading/weights.npz --beside 16 --rate 1.5e-3 --batch 28 --minutes 34 --states $(LEARN)/states
	$(LEARN_BIN)/python -m learning.adapting $(LEARN)/following.pt apps/analyst/reading/following.npz
	nice $(LEARN_BIN)/python -m learning.following_judge apps/analyst/reading/following_judge.npz learning/dialogues tests/analyst/dialogues/open --only $(FOLLOWING_HELD)
	$(LEARN_BIN)/python -m learning.rules $(LEARN)/examples --computed $(LEARN)/held

screenshots: $(STAMPS)/dev $(STAMPS)/bundles $(STAMPS)/system ## Pictures of every screen, panel, popup and chart (SCREENSHOTS=folder)
	$(BIN)/python -m tests.e2e.screenshots $(SCREENSHOTS)

build: $(STAMPS)/bundles ## Build the front end's bundles

schema: $(STAMPS)/dev ## Write the API's OpenAPI schema to openapi.yaml
	$(BIN)/python manage.py spectacular --file openapi.yaml --settings config.settings.schema

lock: $(BIN)/uv ## Resolve the requirements anew
	for name in analyst analyst-tests base dev production spark; do \
	  $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --no-emit-find-links --no-header requirements/$$name.in -o requirements/$$name.txt || exit 1; done
	@scripts/sbom

sbom: ## Write what the product is made of to sbom.cdx.json (CycloneDX), from the locked versions
	@scripts/sbom

audit: $(BIN)/uv ## Ask for known advisories about the locked versions, where their services can be reached
	@scripts/audit $(BIN)/uv

clean: ## Remove everything that can be made again (kept data stays in var/)
	rm -rf $(VENV) $(ENGINE_VENV) $(SPARK_VENV) .venv-learning $(STAMPS) node_modules static/bundles staticfiles webpack-stats.json .webpack-cache

# ---------------------------------------------------------------- stamps
$(STAMPS):
	@mkdir -p $@

$(BIN)/uv: | $(STAMPS)
	@scripts/python-env $(PYTHON) $(VENV) $(UV_VERSION)

$(STAMPS)/base: requirements/base.txt | $(BIN)/uv
	$(BIN)/uv pip install -q --python $(BIN)/python --compile-bytecode --require-hashes -r $<
	@touch $@

$(STAMPS)/dev: requirements/dev.txt | $(BIN)/uv
	$(BIN)/uv pip install -q --python $(BIN)/python --compile-bytecode --require-hashes -r $<
	@touch $@ $(STAMPS)/base

$(STAMPS)/engine: requirements/analyst-tests.txt | $(BIN)/uv
	$(BIN)/uv venv -q --clear --python $(BIN)/python $(ENGINE_VENV)
	$(BIN)/uv pip install -q --python $(ENGINE_VENV)/bin/python --require-hashes -r $<
	@touch $@

$(STAMPS)/spark: requirements/spark.txt scripts/java-runtime | $(BIN)/uv
	@scripts/java-runtime
	$(BIN)/uv venv -q --clear --python $(BIN)/python $(SPARK_VENV)
	$(BIN)/uv pip install -q --python $(SPARK_VENV)/bin/python --require-hashes -r $<
	@touch $@

$(STAMPS)/learning: requirements/learning.in requirements/analyst.txt | $(BIN)/uv
	$(BIN)/uv venv -q --clear --python $(BIN)/python .venv-learning
	$(BIN)/uv pip install -q --python $(LEARN_BIN)/python -r requirements/analyst.txt -r requirements/learning.in
	@touch $@

$(STAMPS)/node: package.json package-lock.json | $(STAMPS)
	npm install --no-audit --no-fund --loglevel=error
	@touch $@

$(STAMPS)/bundles: $(SOURCES) | $(STAMPS)/node
	npm run --silent build
	npm run --silent budget
	@touch $@

$(STAMPS)/system: scripts/system-packages | $(STAMPS)
	@scripts/system-packages
	@touch $@
