"""What the search page finds, in which order, and that nothing of it stays behind."""

import itertools

from ..browser_fixtures import HTML, READY, Log, pages

# The words that a reader looks for, and the chapter that explains them.
HOMES = {
    "ALiBi": "11-relative", "a translation matrix": "05-translation", "extrapolation": "10-reach",
    "frequencies": "04-sinusoid", "KV cache": "16-running", "NoPE": "09-skipping",
    "position problem": "01-attention", "RoPE": "12-rotary", "rotary": "12-rotary",
    "sinusoid": "04-sinusoid", "sliding window": "16-running", "speculative decoding": "16-running",
    "YaRN": "12-rotary",
}  # fmt: skip
# What an engineer asks, and what answers it.
ANSWERS = {
    **dict.fromkeys(
        ["how do I extend a model from 32k to 128k?", "what to measure at 100k?", "YaRN in vLLM",
         "YaRN short requests", "extend an encoder",
         "switch YaRN off for short prompts"], "appendices/extending"),
    **dict.fromkeys(
        ["why is my prefix cache wrong after a template change?",
         "what to test before I trust speculative decoding?",
         "continuous batching", "packed ALiBi", "chunked prefill", "cu_seqlens",
         "KV cache bytes per token", "ring buffer", "position_ids", "prefix cache",
         "which columns of DeepSeek's key turn, and why?"], "chapters/16-running"),
    **dict.fromkeys(
        ["inv_freq", "rope_theta", "sliding-window attention"], "chapters/15-config"),
    **dict.fromkeys(
        ["block diffusion", "cross-attention", "indexer", "multi-token prediction",
         "GGUF", "--hf-overrides", "--max-model-len", "--rope-scaling", "apply_rotary_pos_emb",
         "cos_cached", "DroPE is served?", "FoPE", "freqs_cis", "max_position_embeddings",
         "merge LoRA", "ModernBERT", "PaTH", "PoPE", "rotate_half",
         "TMRoPE"], "appendices/glossary"),
    "QK norm before or after the rotation": "appendices/frameworks",
    "a learned bias over two offsets (Swin)": "chapters/14-axes", "rope_deltas": "chapters/14-axes",
    "the relative shift without a mask": "chapters/11-relative",
    "angles made for one layout, columns turned in the other": "chapters/13-debugging",
    "4k to 64k": "appendices/choosing", "view_as_complex": "chapters/12-rotary",
}  # fmt: skip
FOUND = """() => [...document.querySelectorAll("#search-results li")].map(item => ({
  page: item.querySelector("a").getAttribute("href").replace(/#.*|^[./]+/g, ""),
  hash: decodeURIComponent(item.querySelector("a").href.replace(/[^#]*#/, "").replace(/:~:.*/, "")),
  text: item.querySelector(".context").textContent,
}))"""


def search(page, words):
    page.locator(".bd-search-container input").fill(words)
    return page.evaluate(FOUND)


def test_a_term_leads_to_its_chapter_and_a_name_to_its_entry(visit):
    page, log = visit("search.html")
    found = {words: search(page, words) for words in HOMES}
    first = {words: results[0]["page"] for words, results in found.items()}
    assert first == {words: f"chapters/{name}.html" for words, name in HOMES.items()}
    for each in itertools.chain(*found.values()):
        assert each["hash"] in (HTML / each["page"]).read_text("utf8")
        assert each["text"]
    for words, section in {"sliding window": "an-id", "speculative decoding": "a-draft"}.items():
        assert found[words][0]["hash"].startswith(section)
    for name in ("rotate", "translation_matrix"):
        entries = [found["hash"] for found in search(page, name) if "/api" in found["page"]]
        assert entries[0].endswith(f".{name}")
    assert search(page, "zyzzyva") == []
    assert page.get_by_role("status").inner_text() == "No passage has all of these words."
    nearest = search(page, "rotary zyzzyva")
    assert (nearest[0]["page"], len(nearest)) == ("chapters/12-rotary.html", 5)
    assert page.get_by_role("status").inner_text() == "No passage has all of these words."
    assert (log.foreign, log.failed, log.console) == ([], [], [])


def test_a_question_leads_to_its_answer(visit):
    page, _ = visit("search.html")
    first = {words: search(page, words)[0]["page"] for words in ANSWERS}
    assert first == {words: f"{name}.html" for words, name in ANSWERS.items()}


def test_the_dialog_answers_while_one_types_and_leads_to_all_results(visit):
    page, log = visit("chapters/07-learned.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("10000")
    page.locator("#pst-search-dialog li a").first.wait_for()
    found = page.evaluate(FOUND)
    assert found[0]["page"] in ("chapters/04-sinusoid.html", "chapters/05-translation.html")
    assert found[-1]["page"] == "appendices/api.html"  # that has no name of it
    assert not any("10000−" in each["text"] for each in found)  # a power in a line of text
    page.locator("#pst-search-dialog li a").first.click()
    page.wait_for_url(f"**/{found[0]['page']}#*")
    page.keyboard.press("Control+k")
    page.keyboard.type("frequency")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    assert page.url.endswith("search.html?q=frequency")
    assert (log.foreign, log.failed, log.console) == ([], [], [])


def test_every_page_for_readers_is_searched(visit):
    page, _ = visit("search.html")
    listed = set(page.evaluate("Object.keys(PASSAGES)"))
    unread = {"404.html", "search.html", "genindex.html"}
    unread |= {f"{folder}/index.html" for folder in ("figures", "slides")}
    wanted = {name for name in pages() if not name.startswith("_modules/")} - unread
    assert wanted - listed == set()


def test_a_page_opened_as_a_file_is_searched_without_an_error(file_tab):
    with Log().watching(file_tab, HTML.as_uri() + "/") as log:
        file_tab.goto(f"{(HTML / 'search.html').as_uri()}?q=rotary")
        file_tab.wait_for_function(READY)
        found = file_tab.evaluate(FOUND)
    assert found[0]["page"] == "chapters/12-rotary.html"
    assert (log.foreign, log.failed, log.console) == ([], [], [])


def test_no_mark_of_a_search_stays_on_a_page(visit):
    page, _ = visit("search.html?q=rotary")
    for step in ("#search-results a", ".prev-next-area a.right-next"):
        with page.expect_navigation():
            page.locator(step).first.click()
        page.wait_for_function(READY)
        page.wait_for_timeout(100)  # Sphinx would mark them after 10 milliseconds
        assert page.locator("span.highlighted, .highlight-link").count() == 0
