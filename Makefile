# Two commands: `make serve` (set up, build, open the book) and `make test` (set up, run everything).
# They presume Python 3.11 or newer and make, and nothing else. `make help` lists the others.

PYTHON ?= python3
UV_VERSION := 0.13.8
PORT ?= 8000

BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMP := .venv/.installed
HTML := _build/html
BIOME := _build/biome/node_modules/.bin/biome

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
LONGEST := $(foreach name,07 10 15 11 09 08 14 13 12,$(wildcard chapters/$(name)-*.ipynb))
NOTEBOOKS := $(LONGEST) $(filter-out $(LONGEST),$(wildcard chapters/*.ipynb exercises/*.ipynb appendices/*.ipynb))
# Strict comparison of text (a missing output is red); conftest.py adds that of the figures.
NBVAL := --nbval --nbval-current-env --nbval-sanitize-with=tests/nbval.cfg \
  --nbval-cell-timeout=120 --nbval-kernel-startup-timeout=120 \
  -n 2 --dist loadscope --no-loadscope-reorder
# A page that a busy machine kept waiting is read once more; "-ra" lists such a test. What fails otherwise fails.
# Browsers wait more than they compute: three readers keep two processors busy.
PAGES := -n 3 --dist loadgroup -q --reruns 1 --only-rerun Timeout

.PHONY: help serve preview book test lint test-unit test-notebooks test-book test-page test-browser test-figures test-engines test-live test-pdf test-copy lab refresh \
  bench picture vectors stills  handout slides  grade links pdf live site colab package lock clean
.DELETE_ON_ERROR:

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

# COMPILED=folder takes the five compiled packages from there, and the site asks no other host. They must
# be the files that Pyodide's makers publish, unless UNOFFICIAL=yes.
COMPILED_FROM = $(if $(COMPILED),--compiled "$(COMPILED)" $(if $(UNOFFICIAL),--unofficial))

# Where npm is missing or has no network the book is built without the button that runs a page.
serve: $(STAMP) ## Set up, build the book and serve it on localhost (PORT=8000)
	$(BIN)/python -m publishing.live $(COMPILED_FROM)
	@$(BIN)/python -m publishing.serve $(HTML) --port $(PORT)

preview: $(STAMP) ## Serve the book as it was built last (PORT=8000)
	@$(BIN)/python -m publishing.serve $(HTML) --port $(PORT)

book: $(STAMP) ## Build the book into _build/html
	$(BIN)/jupyter-book build . --quiet

# The build uses one processor, and the unit tests wait for processes of their own: side by side.
# READ=test-browser reads a page of every kind.
READ ?= test-page
test: lint ## Set up and run the checks (6 minutes)
	@$(MAKE) --no-print-directory -j2 test-unit test-book
	@$(MAKE) --no-print-directory test-notebooks
	@$(MAKE) --no-print-directory $(READ)
	@echo "These checks passed. Not run: $(filter-out $(READ),test-browser test-figures test-engines test-live test-pdf)"

lint: $(STAMP) ## Check style and format of Python, notebooks and JavaScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(BIOME) && $(BIOME) check --error-on-warnings .; \
	else echo "JavaScript was not checked: there is no npm"; test -z "$$CI"; fi

# Biome writes what it can mend itself: _build/biome/node_modules/.bin/biome check --write
$(BIOME): package.json package-lock.json
	@mkdir -p _build/biome && cp $^ _build/biome
	npm ci --prefix _build/biome --ignore-scripts --no-audit --no-fund --silent
	@touch $@

test-unit: $(STAMP) ## Unit and property tests, doctests, notebook hygiene
	$(BIN)/python -m pytest -m 'not browser' --ignore=tests/browser --ignore-glob='*/test_speed*.py' -n 2 --dist loadfile -q
	$(BIN)/python -m pytest $(wildcard tests/test_speed*.py tests/*/test_speed*.py) -q --reruns 1 # alone: they measure

test-notebooks: $(STAMP) ## Run every notebook and compare with what is stored in it
	$(BIN)/python -m pytest $(NBVAL) -q $(NOTEBOOKS)

# --all reads every page again: a page that is not read again repeats none of its warnings.
test-book: $(STAMP) ## Build the book from nothing with warnings as errors, and Python for the browser
	rm -rf _build/html # pages of earlier builds would be checked too
	$(BIN)/python -m publishing.live -- --all -W --keep-going -n

test-page: $(STAMP) ## Follow every link of the built book, and read a chapter and its exercises in a browser
	@test -f $(HTML)/index.html || $(MAKE) --no-print-directory test-book
	$(BIN)/python -m pytest tests/browser/test_site.py -k "link or 05-translation" $(PAGES)

test-browser: $(STAMP) ## Read a page of every kind in a browser, all pages with PECODE_PAGES=all (2 minutes)
	@test -f $(HTML)/index.html || $(MAKE) --no-print-directory test-book
	$(BIN)/python -m pytest tests/browser/test_site.py tests/browser/test_run.py $(PAGES)

test-figures: $(STAMP) ## Move every control of every moving figure, on paper and phone too (4 minutes)
	@test -f $(HTML)/index.html || $(MAKE) --no-print-directory test-book
	$(BIN)/python -m pytest -m browser tests/figures tests/browser $(addprefix --ignore=tests/browser/test_,site.py run.py pdf.py) $(PAGES)

test-engines: $(STAMP) ## Read a sample of pages in Firefox and in WebKit, where they are installed (1 minute)
	@test -f $(HTML)/index.html || $(MAKE) --no-print-directory test-book
	$(BIN)/python -m pytest tests/engines $(PAGES)

# The five packages that are compiled for WebAssembly are taken from this folder, whoever compiled them.
# The real ones come from where Pyodide's makers publish them.
test-live: $(STAMP) ## Run pages in a browser, all of them with PECODE_PAGES=all (PECODE_WASM_WHEELS=folder)
	@test -n "$(PECODE_WASM_WHEELS)" || { echo "PECODE_WASM_WHEELS names no folder: not run"; exit 2; }
	@test -f $(HTML)/python/page.js || $(MAKE) --no-print-directory test-book
	$(BIN)/python -m publishing.live --reuse --compiled "$(PECODE_WASM_WHEELS)" --unofficial --target _build/full/python
	PECODE_WASM_WHEELS="$(abspath $(PECODE_WASM_WHEELS))" \
	  $(BIN)/python -m pytest tests/browser/test_run.py tests/engines/test_run.py -m wheels $(subst loadgroup,load,$(PAGES))

test-pdf: $(STAMP) ## Print the book and check the print (2 minutes)
	@test -f $(HTML)/index.html || $(MAKE) --no-print-directory test-book
	$(BIN)/python -m publishing.pdf
	$(BIN)/python -m pytest tests/browser/test_pdf.py -q

# What remains of the tests where chapters were left out: the others are about the whole book.
test-copy: lint test-notebooks ## Check a copy of which chapters were left out
	rm -rf $(HTML)
	$(BIN)/python -m publishing.live

lab: $(STAMP) ## Open the notebooks in JupyterLab
	$(BIN)/jupyter lab --notebook-dir=. chapters

refresh: $(STAMP) ## Run the notebooks again and store the outputs (NB=one notebook)
	$(BIN)/python -m tools.refresh $(if $(NB),$(NB),$(NOTEBOOKS))

bench: $(STAMP) ## Measure speed and memory
	$(BIN)/python benchmarks/bench.py

picture: $(STAMP) ## Take the README's picture, and that of shared links, from the built book again
	$(BIN)/python -m publishing.picture

vectors: $(STAMP) ## Write the rotations that engines in other languages can be compared with again
	$(BIN)/python -m publishing.vectors

stills: book ## Draw the pictures of the interactive figures for readers without scripts again
	$(BIN)/python -m publishing.stills

handout: $(STAMP) ## Write the exercises without their solutions: _build/handout.zip
	$(BIN)/python -m tools.handout

slides: book ## Print the slides of every chapter as PDF, beside their pages (15 seconds)
	$(BIN)/python -m publishing.slides

# Sphinx asks. Some hosts turn every program away: a refusal proves nothing, and is no error.
links: $(STAMP) ## Ask every address outside of the book that it leads to (needs the network)
	rm -rf _build/linkcheck
	-$(BIN)/jupyter-book build . --builder custom --custom-builder linkcheck --quiet
	@test -s _build/linkcheck/output.json
	@! grep '"status": "broken"' _build/linkcheck/output.json | grep -vE '"info": "(401|403|429|999) '

pdf: book ## Print the whole book into one PDF: _build/pdf
	$(BIN)/python -m publishing.pdf

live: $(STAMP) ## Build the book with pages that run in the browser (needs npm)
	$(BIN)/python -m publishing.live $(COMPILED_FROM)

site: $(STAMP) ## Build what is published: pages that run in the browser, the PDF, slides
	rm -rf $(HTML) # a page that was left out would be published too
	@$(MAKE) --no-print-directory pdf
	cp _build/pdf/positional-encoding.pdf $(HTML)/
	@$(MAKE) --no-print-directory live
	$(BIN)/python -m publishing.slides

colab: $(STAMP) ## Write copies of the notebooks for Colab (needs a published repository)
	@test -f $(HTML)/index.html || $(MAKE) --no-print-directory book
	$(BIN)/python -m publishing.colab

package: $(STAMP) ## Build what a package index gets, `pecode` alone: _build/dist
	rm -rf _build/dist
	$(BIN)/uv build --no-build-isolation --out-dir _build/dist

lock: $(STAMP) ## Renew requirements.txt: the newest versions, with hashes, no index address
	$(BIN)/uv pip compile pyproject.toml \
	  $(foreach group,book test notebooks live env,--group $(group)) --upgrade --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet \
	  --output-file requirements.txt
	$(BIN)/python -m publishing.live.distribution

clean: ## Remove what was built, and the environment
	rm -rf _build .venv .pytest_cache .ruff_cache .hypothesis *.egg-info

# The environment is made anew when a pin changes, or what the package consists of. It is compiled at
# once: a kernel, or a submission behind its wall, that may not write beside it would do so each time.
# With rfc3987-syntax, jsonschema prepares a grammar of addresses for a second in every process that opens a
# notebook; it does without.
$(STAMP): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "The book needs Python 3.11 or newer, and '$(PYTHON)' is older or missing." \
	    "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv --clear .venv || { \
	  echo "'$(PYTHON) -m venv' failed. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements.txt
	$(BIN)/uv pip uninstall --quiet --python $(BIN)/python rfc3987-syntax
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@
