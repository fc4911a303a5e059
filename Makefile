# Two commands: `make serve` (set up, build, open the book) and `make test` (set up, run everything).
# They presume Python 3.11 or newer and make, and nothing else. `make help` lists what readers and
# teachers need besides; the rest is in publishing/targets.mk.

PYTHON ?= python3
PORT ?= 8000

BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMP := .venv/.installed
GRADING := .venv/.grading
HTML := _build/html
BIOME := _build/biome/node_modules/.bin/biome
# A recipe that calls make has the environment by then.
AGAIN := --no-print-directory -o $(STAMP)

# One thread a process: two notebooks and two test workers run at once, and the matrices are small.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
# The notebooks choose their own backend; one from the shell would change the stored figures.
unexport MPLBACKEND
# Workers, kernels and submissions are many processes: what one has compiled the others read.
unexport PYTHONDONTWRITEBYTECODE
# Debugger noise on the notebooks' standard error would be taken for a warning of theirs.
export PYDEVD_DISABLE_FILE_VALIDATION := 1
# Jupyter's old search path warns on every start.
export JUPYTER_PLATFORM_DIRS := 1

# Those that train the longest start first, so that no worker is left alone with one at the end.
LONGEST := $(foreach name,chapters/*config chapters/*axes chapters/*reach chapters/*skipping chapters/*relative \
  chapters/*learned appendices/mistakes chapters/*adding chapters/*rotary chapters/tour,$(wildcard $(name).ipynb))
NOTEBOOKS := $(LONGEST) $(filter-out $(LONGEST),$(wildcard chapters/*.ipynb exercises/*.ipynb appendices/*.ipynb))
# Strict comparison of text (a missing output is red); conftest.py adds that of the figures.
NBVAL := --nbval --nbval-current-env --nbval-sanitize-with=tests/nbval.cfg \
  --nbval-cell-timeout=360 --nbval-kernel-startup-timeout=120 \
  -n 2 --dist loadscope --no-loadscope-reorder
# A browser on a busy machine may be late: what fails is read once more, and listed. What fails twice fails.
# Browsers wait more than they compute: three readers keep two processors busy.
PAGES := -n 3 --dist loadgroup -q -raR --reruns 1

.PHONY: help serve preview book test lint lab refresh bench handout grade pdf site clean
.DELETE_ON_ERROR:

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24
	@echo "To publish or to change the book there are more: publishing/README.md"

# COMPILED=folder takes the five compiled packages from there, and the site asks no other host. They must
# be the files that Pyodide's makers publish, unless UNOFFICIAL=yes.
COMPILED_FROM = $(if $(COMPILED),--compiled "$(COMPILED)" $(if $(UNOFFICIAL),--unofficial))

# Where npm is missing or has no network the book is built without the button that runs a page.
serve: $(STAMP) ## Set up, build the book and serve it on localhost (PORT=8000)
	@case "$(PORT)" in ''|*[!0-9]*) echo "PORT: expected a number, got '$(PORT)'" >&2; exit 2;; esac
	$(BIN)/python -m publishing.live $(COMPILED_FROM)
	@$(BIN)/python -m publishing.serve $(HTML) $(PORT)

preview: $(STAMP) ## Serve the book as it was built last (PORT=8000)
	@$(BIN)/python -m publishing.serve $(HTML) $(PORT)

book: $(STAMP) ## Build the book into _build/html
	$(BIN)/python -m publishing.home

# The build uses one processor, and the unit tests wait for processes of their own: side by side.
# READ=test-browser reads a page of every kind.
READ ?= test-page
test: lint ## Set up and run the checks (6 minutes)
	@$(MAKE) $(AGAIN) -j2 test-unit test-book
	@$(MAKE) $(AGAIN) test-notebooks
	@$(MAKE) $(AGAIN) $(READ)
	@echo "These checks passed. Not run: $(filter-out $(READ),test-browser test-figures test-engines test-grading test-live test-pdf)"

lint: $(STAMP) ## Check style and format of Python, notebooks and JavaScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@if command -v npm >/dev/null; then $(MAKE) $(AGAIN) $(BIOME) && $(BIOME) check --error-on-warnings .; \
	else echo "JavaScript was not checked: there is no npm"; test -z "$$CI"; fi
	@git rev-parse >/dev/null 2>&1 || { echo "Long lines and names were not checked: there is no git here"; exit 0; }; \
	! LC_ALL=C.UTF-8 git grep -nE '.{121}' -- '*.js' && \
	! git grep -nE 'def test_\w{66}' -- tests # a long text that Biome does not break; names of at most 70 characters

# Biome corrects what it can itself: _build/biome/node_modules/.bin/biome check --write
$(BIOME): package.json package-lock.json
	@mkdir -p _build/biome && cp $^ _build/biome
	npm ci --prefix _build/biome --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# PEERS is a Python with the group `peers` of pyproject.toml, which is larger than all the rest: it is
# no part of .venv. What it said last is in tests/conformance/peers.txt.
PEERS ?= python
test-peers: ## Compare with transformers, PyTorch and JAX of today (PEERS=python that has them)
	$(PEERS) -W ignore -m tools.record_families
	$(PEERS) -W ignore -m tools.record_configs
	git diff --exit-code -U0 pecheck/configuration/recorded.json tests/pecheck/configs.json
	$(PEERS) -m pytest -q tests/conformance tests/book/test_frameworks.py tests/book/test_running_code.py

# JupyterLab shows the figures of notebooks that it trusts.
lab: $(STAMP) ## Open the notebooks in JupyterLab
	@$(BIN)/jupyter trust $(NOTEBOOKS) >/dev/null
	$(BIN)/jupyter lab --notebook-dir=. chapters

refresh: $(STAMP) ## Run the notebooks again and store the outputs (NB=one notebook)
	$(BIN)/python -m tools.refresh $(if $(NB),$(NB),$(NOTEBOOKS))

bench: $(STAMP) ## Measure speed and exactness as ratios, each with its goal
	$(BIN)/python benchmarks/bench.py

handout: $(STAMP) ## Write the exercises without their solutions: _build/handout.zip
	$(BIN)/python -m tools.handout

# Without a folder it would have nothing to grade: it says so and installs nothing.
grade: $(if $(FOLDER),$(GRADING)) ## Grade notebooks (FOLDER=submissions, or .zip; ROSTER=class.csv UNPROTECTED=yes)
	@test -n "$(FOLDER)" || { \
	  echo "make grade: which folder has the submissions? make grade FOLDER=submissions" >&2; exit 2; }
	@$(BIN)/python -m tools.grade "$(FOLDER)" $(if $(ROSTER),--roster "$(ROSTER)") $(if $(UNPROTECTED),--unprotected)

pdf: book ## Print the whole book into one PDF: _build/pdf
	$(BIN)/python -m publishing.pdf

site: $(STAMP) ## Build what is published: pages that run in the browser, slides, the PDF
	@# A page that was left out would be published too; what is refused leaves the site as it was.
	@rm -rf _build/last && if [ -d $(HTML) ]; then mv $(HTML) _build/last; fi
	PECODE_PDF=yes $(BIN)/python -m publishing.live $(COMPILED_FROM) || { \
	  rm -rf $(HTML); if [ -d _build/last ]; then mv _build/last $(HTML); fi; exit 1; }
	$(BIN)/python -m publishing.pdf
	cp _build/pdf/positional-encoding.pdf $(HTML)/

clean: ## Remove what was built, but no points given by hand, and the environment
	@if test -f _build/grading/gradebook.db; then \
	  echo "_build/grading stays: its gradebook has the points and comments that were given by hand"; \
	  find _build -mindepth 1 -maxdepth 1 ! -name grading -exec rm -rf {} +; else rm -rf _build; fi
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis *.egg-info

# The environment is made anew when a pin changes, or what the package consists of. Python compiles a module
# when it is first imported: to compile all of them would take longer than the rest of the installation.
# A pip of its own would take as long as all packages, which bring one: where the other Python has pip, that
# installs uv.
# With rfc3987-syntax, jsonschema prepares a grammar of addresses for a second in every process that opens a
# notebook; it does without.
HAS_PIP = $(shell $(PYTHON) -c 'import pip; print("yes")' 2>&-)
$(STAMP): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "The book needs Python 3.11 or newer, and '$(PYTHON)' is older or missing." \
	    "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -w . || { echo "Nothing can be written into this folder, where .venv would be: clone the book elsewhere" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(if $(HAS_PIP),--without-pip) .venv || { \
	  echo "'$(PYTHON) -m venv' failed. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(if $(HAS_PIP),$(PYTHON) -m pip --python .venv,$(BIN)/python -m pip) install --quiet --disable-pip-version-check $$(grep -om1 '^uv==[0-9.]*' requirements.txt)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.txt
	$(BIN)/uv pip uninstall --quiet --python $(BIN)/python rfc3987-syntax
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

# nbgrader alone, with what it needs. Everything is compiled: a submission in its sandbox may not write beside
# a module, and would compile it each time.
$(GRADING): requirements-grading.txt $(STAMP)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements-grading.txt
	$(BIN)/uv pip uninstall --quiet --python $(BIN)/python rfc3987-syntax
	@touch $@

include publishing/targets.mk
