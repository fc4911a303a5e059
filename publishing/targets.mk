# What publishes the book, and the parts of `make test`: publishing/README.md lists them.

.PHONY: test-unit test-notebooks test-book test-page test-browser test-figures test-engines test-live test-pdf test-grading test-published test-copy test-site test-copies stills links live package lock

test-unit: $(STAMP) ## Unit and property tests, doctests, notebook hygiene
	$(BIN)/python -m pytest -m 'not browser' --ignore=tests/browser -n 2 --dist loadfile -q

test-notebooks: $(STAMP) ## Run every notebook and compare with what is stored in it
	$(BIN)/python -m pytest $(NBVAL) -q $(NOTEBOOKS)

# --all reads every page again: a page that is not read again repeats none of its warnings.
test-book: $(STAMP) ## Build the book from nothing with warnings as errors, and Python for the browser
	rm -rf _build/html # pages of earlier builds would be checked too
	$(BIN)/python -m publishing.live -- --all -W --keep-going -n

test-page: $(STAMP) ## Follow every link of the built book, and read a chapter and its exercises in a browser
	@test -f $(HTML)/index.html || $(MAKE) $(AGAIN) test-book
	$(BIN)/python -m pytest tests/browser/test_site.py -k "link or 05-translation" $(PAGES)

test-browser: $(STAMP) ## Read a page of every kind in a browser, all pages with PECODE_PAGES=all (2 minutes)
	@test -f $(HTML)/index.html || $(MAKE) $(AGAIN) test-book
	$(BIN)/python -m pytest tests/browser/test_site.py tests/browser/test_run.py -m "not wheels" $(PAGES)

test-figures: $(STAMP) ## Move every control of every moving figure, on paper and phone too (4 minutes)
	@test -f $(HTML)/index.html || $(MAKE) $(AGAIN) test-book
	$(BIN)/python -m pytest -m browser tests/figures tests/browser $(addprefix --ignore=tests/browser/test_,site.py run.py pdf.py) $(PAGES)

test-engines: $(STAMP) ## Read a sample of pages in Firefox and in WebKit, where they are installed (1 minute)
	@test -f $(HTML)/index.html || $(MAKE) $(AGAIN) test-book
	$(BIN)/python -m pytest tests/engines -m "not wheels" $(PAGES)

# The five packages that are compiled for WebAssembly are taken from this folder, whoever compiled them.
# The real ones come from where Pyodide's makers publish them.
test-live: $(STAMP) ## Run pages in a browser, all of them with PECODE_PAGES=all (PECODE_WASM_WHEELS=folder)
	@test -n "$(PECODE_WASM_WHEELS)" || { echo "PECODE_WASM_WHEELS names no folder: not run"; exit 2; }
	@test -f $(HTML)/python/page.js || $(MAKE) $(AGAIN) test-book
	$(BIN)/python -m publishing.live --reuse --compiled "$(PECODE_WASM_WHEELS)" --unofficial --target _build/full/python
	PECODE_WASM_WHEELS="$(abspath $(PECODE_WASM_WHEELS))" \
	  $(BIN)/python -m pytest tests/browser/test_run.py tests/engines -m wheels $(subst loadgroup,load,$(PAGES))

test-pdf: $(STAMP) ## Print the book and check the print (2 minutes)
	@test -f $(HTML)/index.html || $(MAKE) $(AGAIN) test-book
	$(BIN)/python -m publishing.pdf
	$(BIN)/python -m pytest tests/browser/test_pdf.py -q

# The class is graded nowhere else: with nbgrader installed, test-unit skips it, too.
test-grading: $(GRADING) ## Grade a class of submissions, some of them hostile (1 minute)
	PECODE_GRADING=yes $(BIN)/python -m pytest tests/tools/test_grade.py -q

# It installs 330 MB of models and, for Gemma, needs 2 GB of memory.
test-published: $(STAMP) ## Measure a quick row of each table of the published models again (10 minutes)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --group published
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r lab/published/requirements.txt
	$(BIN)/python -m pytest tests/lab/test_published_language.py -q
	$(BIN)/python -m tools.measure_published --again

# What remains of the tests where chapters were left out: the others are about the whole book.
test-copy: lint test-notebooks ## Check a copy of which chapters were left out, and publish it into _build/html
	@$(MAKE) $(AGAIN) test-site

test-site: site
	$(BIN)/python -m pytest tests/browser/test_site.py -k every_internal_link -q

# As a teacher would: the lines of chapters and exercises go, and those of a part that becomes empty.
COPY := _build/copy
test-copies: $(STAMP) ## Leave out chapters 9 and 15, then all from 11 on, and publish the rest (10 minutes)
	@set -e; for out in '/09-|/15-' '/1[1-9]-|Part I(II|V) ' ; do \
	  rm -rf $(COPY); mkdir -p $(COPY); git ls-files -z | tar --null -T - -cf - | tar -xf - -C $(COPY); \
	  ln -s ../../.venv $(COPY)/.venv; \
	  awk -v out="$$out" '$$0 ~ out { empty = /Part/ ? 2 : 0; next } empty-- > 0 { next } 1' _toc.yml > $(COPY)/_toc.yml; \
	  PYTHONPATH=$(abspath $(COPY)) PECODE_SITE=https://school.example/pe/ $(MAKE) -C $(COPY) $(AGAIN) test-site; \
	done

stills: book ## Draw the stale pictures of figures for readers without scripts again
	$(BIN)/python -m publishing.stills

# Sphinx asks. Some hosts turn every program away: a refusal proves nothing, and is no error.
links: $(STAMP) ## Ask every address outside of the book that it leads to (needs the network)
	rm -rf _build/linkcheck
	-$(BIN)/jupyter-book build . --builder custom --custom-builder linkcheck --quiet
	@test -s _build/linkcheck/output.json
	@! grep '"status": "broken"' _build/linkcheck/output.json | grep -vE '"info": "(401|403|429|999) '

live: $(STAMP) ## Build the book with pages that run in the browser (needs npm)
	$(BIN)/python -m publishing.live $(COMPILED_FROM)

package: $(STAMP) ## Build what a package index gets, `pecode` and `pecheck`: _build/dist
	rm -rf _build/dist
	$(BIN)/uv build --no-build-isolation --out-dir _build/dist

LOCK = $(BIN)/uv pip compile pyproject.toml --upgrade --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-emit-find-links --no-header --quiet
# nbgrader has a lock of its own, with the versions of the other one for what both need.
lock: $(STAMP) ## Renew requirements*.txt: the newest versions, with hashes, no index address
	$(LOCK) $(foreach group,book test notebooks live env,--group $(group)) --output-file requirements.txt
	$(LOCK) --group grading --constraint requirements.txt --output-file requirements-grading.txt
	$(BIN)/python -m publishing.live.distribution
