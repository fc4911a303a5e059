"""Take the README's picture and the one for shared links from the built book: `make picture`.

Both show the figure of the home page: the README's as a desktop shows the page, the other beside
the title, in the 1200 by 630 pixels that services ask for.
"""

import io

from PIL import Image

from publishing import browser
from publishing.home import HTML, ROOT

POSITION = 7
MOVE = """(value) => {
  const slider = document.querySelector(".moving-figure input[type=range]");
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}"""
COVER = """(style) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const title = document.createElement("header");
  title.innerHTML = `<p>Positional<br>Encoding</p><p><em>from counting to rotation</em></p>
    <p>A book that runs:<br>every number is computed</p>`;
  document.body.append(title);
}"""
STYLE = """
body.figure-alone { display: flex; flex-direction: row-reverse; align-items: center;
  justify-content: center; gap: 34px; height: 630px; margin: 0; overflow: hidden }
main > p, .anyhost-source, .ex-title, .ex-controls, .ex-reading { display: none !important }
main.bd-article { margin: 0; padding: 0; width: 668px }
.moving-figure { border: 0 !important; padding: 0 !important; width: 520px; zoom: 1.28 }
.moving-figure .ex-drawings { flex-wrap: nowrap !important; margin: 0 !important }
header { font-family: var(--pst-font-family-base); width: 440px }
header p { color: var(--pst-color-text-muted); font-size: 23px; line-height: 1.35; margin: 0 }
header p:first-child { color: var(--pst-color-text-base);
  font: 700 84px/1 var(--pst-font-family-heading) }
header em { color: var(--pst-color-link); display: block; font-size: 37px; margin: 22px 0 60px }
"""


def store(picture, name):
    """Write a picture, as small as it gets without a loss."""
    path = ROOT / "publishing" / "website" / name
    Image.open(io.BytesIO(picture)).convert("RGB").save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} KB")


def main():
    """Take both."""
    with browser.opened() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto((HTML / "intro.html").as_uri())
        page.wait_for_function(browser.READY)
        page.wait_for_function(browser.MOUNTED)
        page.evaluate(MOVE, POSITION)
        page.wait_for_load_state("networkidle")  # the pictures in view load last
        store(page.screenshot(), "book.png")

        page.set_viewport_size({"width": 1200, "height": 630})
        page.goto(f"{(HTML / 'figures' / 'word_clock.html').as_uri()}?theme=light")
        page.wait_for_function(browser.MOUNTED)
        page.evaluate(MOVE, POSITION)
        page.evaluate(COVER, STYLE)
        page.evaluate("document.fonts.ready.then(() => {})")
        page.wait_for_timeout(300)  # what was moved is drawn
        store(page.screenshot(), "social.png")


if __name__ == "__main__":
    main()
