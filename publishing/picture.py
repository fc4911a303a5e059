"""Take the README's picture from the built book: `make picture`.

It shows the home page and its figure as a desktop does. (The picture for shared links,
website/social.png, was put together once, of the same figure beside the title.)
"""

import io

from PIL import Image

from publishing import browser
from publishing.home import HTML, ROOT

TARGET = ROOT / "publishing" / "website" / "book.png"
MOVE = """() => {
  const slider = document.querySelector(".moving-figure input[type=range]");
  slider.value = 7;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}"""

if __name__ == "__main__":
    with browser.opened() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto((HTML / "intro.html").as_uri())
        page.wait_for_function(browser.READY)
        page.wait_for_function(browser.MOUNTED)
        page.evaluate(MOVE)
        page.wait_for_load_state("networkidle")  # the pictures in view load last
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        picture.save(TARGET, optimize=True)  # as small as it gets without a loss
