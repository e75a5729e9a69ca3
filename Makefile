# Everything sets itself up in .venv from a package registry; repeated runs skip what is done.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
ARGS ?=

.PHONY: demo test check bench clean

demo: $(READY)
	$(BIN)/under800 models pull
	$(BIN)/under800 demo $(ARGS)

test: $(READY)
	$(BIN)/under800 models pull --all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest $(ARGS)

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -m "not slow" $(ARGS)

bench: $(READY)
	$(BIN)/under800 models pull --all
	$(BIN)/under800 bench tts
	$(BIN)/under800 bench agent

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "under800 needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e '.[local,pipecat,livekit,probe,dev]'
	touch $(READY)

clean:
	rm -rf $(VENV) out build dist
