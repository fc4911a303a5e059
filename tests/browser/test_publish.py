"""The book as it is published: what pages say of themselves."""

import html
import re
from collections import Counter

import yaml

from publishing.website import publish

from ..browser_fixtures import HTML, ROOT, pages

WITHOUT_SOURCE = {"404.html", "search.html", "genindex.html"}
READ_BY = re.compile(r"<meta (?=[^>]*name=\"description\")[^>]*content=\"([^\"]*)\"")


def test_every_page_says_whose_it_is_and_no_two_have_the_same_description():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf8"))
    found = {}
    for name in pages():
        text = (HTML / name).read_text(encoding="utf8")
        assert f"ersion {publish.VERSION}, <time datetime=" in text
        assert f"© {config['copyright']} {html.escape(config['author'])}" in text
        if name not in WITHOUT_SOURCE and not name.startswith(("_modules/", "slides/")):
            (found[name],) = READ_BY.findall(text)
    assert [text for text, count in Counter(found.values()).items() if count > 1] == []
