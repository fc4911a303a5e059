"""What appendices/site.md says of the browser's memory is what the scripts do."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "appendices" / "site.md").read_text(encoding="utf8")
SCRIPTS = {
    path: path.read_text(encoding="utf8")
    for folder in ("publishing", "exercises", "figures")
    for path in ROOT.glob(f"{folder}/**/*")
    if path.suffix in (".js", ".html")
}
# The theme's, in the packages: tests/browser/test_site.py sees them in a browser.
THEMES = {"mode", "theme", "sidebar-scroll-top", "sphinx-design-tab-id-framework"}


def test_every_name_under_which_something_is_kept_is_listed_and_no_other():
    rows = " ".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE))
    listed = set(re.findall(r"`([^`]+)`", rows))
    keeping = [
        text for text in SCRIPTS.values() if re.search(r"Storage\.setItem\(|/kept\.js", text)
    ]
    names = re.findall(r"const [A-Z]+ = \"(pecode-[\w-]+)\"", "\n".join(keeping))
    events = {"pecode-changed"}  # told to the other parts of a page, and kept nowhere
    assert set(names) - events == listed - THEMES
    assert listed > THEMES


def test_nothing_is_kept_in_another_way():
    others = r"document\.cookie|indexedDB|cookieStore|sendBeacon|storage\.getDirectory|caches\."
    assert [path.name for path, text in SCRIPTS.items() if re.search(others, text)] == []
    uses = {path.name for path, text in SCRIPTS.items() if "Storage.setItem" in text}
    assert uses == {"kept.js"}
