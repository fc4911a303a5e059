"""What the search finds, and in which order."""

from itertools import chain
from urllib.parse import unquote

from .. import data
from ..browser_fixtures import HTML, READY, pages

SEARCHES = data("browser/searches.yml")
FOUND = """() => [...document.querySelectorAll("#search-results li")].map(item => ({
  page: item.querySelector("a").getAttribute("href").replace(/#.*|^[./]+/g, ""),
  hash: decodeURIComponent(item.querySelector("a").href.replace(/[^#]*#/, "")),
  text: item.querySelector(".context").textContent,
}))"""


def search(page, words):
    page.locator(".bd-search-container input").fill(words)
    return page.evaluate(FOUND)


def test_words_lead_to_what_answers_them_and_names_to_their_entries(visit):
    page = visit("search.html")
    found = {words: search(page, words) for words in chain(*SEARCHES["pages"].values())}
    for name, all_words in SEARCHES["pages"].items():
        first = {words: found[words][0]["page"] for words in all_words}
        assert first == dict.fromkeys(all_words, f"{name}.html")
    for each in chain(*found.values()):
        assert each["hash"] in (HTML / each["page"]).read_text("utf8")
        assert each["text"]
    for words, section in SEARCHES["sections"].items():
        assert search(page, words)[0]["hash"].startswith(section)
    for name in ("rotate", "translation_matrix"):
        entries = [found["hash"] for found in search(page, name) if "/api" in found["page"]]
        assert entries[0].endswith(f".{name}")
    named = [hit["page"] for hit in search(page, "BERT interpolate position embeddings press")]
    assert named.index("appendices/bibliography.html") > 0  # it names papers, and explains none
    assert search(page, "zyzzyva") == []
    assert page.get_by_role("status").inner_text() == "No passage has “zyzzyva”."
    assert page.get_by_role("link", name="glossary", exact=True).last.is_visible()
    search(page, "positon embeding")
    said = "No passage has “positon” (did you mean “position”?)."
    assert page.get_by_role("status").inner_text() == said
    nearest = search(page, "rotary zyzzyva")
    assert (nearest[0]["page"], len(nearest)) == ("chapters/12-rotary.html", 5)
    assert page.get_by_role("status").inner_text() == "No passage has “zyzzyva”."
    assert not search(page, "rope scaling")[0]["text"].startswith("…")  # words, and no command
    assert len(search(page, "my model outputs garbage past 8k tokens")) > 2
    assert "pasted" not in page.locator("mark").all_text_contents()
    search(page, "ALiBi binary TMRoPE")
    assert page.get_by_role("status").inner_text() == "No passage has all of these words."


# In a tab of its own, which lays out late what is far away, as for readers.
def test_a_click_on_the_first_hit_opens_the_section_it_names(new_tab, address):
    page = new_tab(own=address, viewport={"width": 1280, "height": 800})
    heading_is_seen = """(name) => {
      const place = document.getElementById(name);
      const { top, bottom } = (place.querySelector("h1, h2, h3") ?? place).getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight / 2;
    }"""
    for words in SEARCHES["clicked"]:
        page.goto(f"{address}/search.html")
        place = search(page, words)[0]["hash"]
        page.locator("#search-results li a").first.click()
        page.wait_for_url(lambda url, place=place: f"#{place}" in unquote(url))
        page.wait_for_function(READY)
        page.wait_for_function(heading_is_seen, arg=place, timeout=5000)


def test_the_dialog_answers_while_one_types_and_leads_to_all_results(visit):
    page = visit("chapters/07-learned.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("10000")
    page.locator("#pst-search-dialog li a").first.wait_for()
    found = page.evaluate(FOUND)
    assert found[0]["page"] in ("chapters/04-sinusoid.html", "chapters/15-config.html")
    assert found[-1]["page"] == "appendices/api.html"  # that has no name of it
    assert not any("10000−" in each["text"] for each in found)  # a power in a line of text
    page.locator("#pst-search-dialog li a").first.click()
    page.wait_for_url(f"**/{found[0]['page']}#*")
    page.keyboard.press("Control+k")
    page.keyboard.type("frequency")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    assert page.url.endswith("search.html?q=frequency")


def test_every_page_for_readers_is_searched(visit):
    page = visit("search.html")
    listed = set(page.evaluate("Object.keys(PASSAGES)"))
    unread = {"404.html", "search.html", "genindex.html", "slides/index.html"}
    wanted = {name for name in pages() if not name.startswith("_modules/")} - unread
    assert wanted - listed == set()
