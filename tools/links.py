"""Ask every address outside of the book that its pages lead to.

    python tools/links.py _build/html            (after `make book`; needs the network)

Prints each address that does not answer, with the pages that lead there; then the exit status is 1.
Some hosts turn every program away, so a refusal (401, 403, 429, 999) proves nothing: it is printed,
to be looked at by a person, and counts as no error.
"""

import argparse
import http.client
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

# Hosts turn away what names itself a library; this says what asks, and no browser is feigned.
AGENT = "Mozilla/5.0 (compatible; link check of a book; asks each page once)"
REFUSED = (401, 403, 429, 999)
NO_HEAD = (400, 403, 404, 405, 406, 500, 501, 503)  # hosts that dislike HEAD answer with these
AT_ONCE, AT_ONCE_PER_HOST = 16, 2
TIMEOUT, TRIES, PAUSE = 20.0, 3, 5.0  # seconds, times, seconds before the second time


class Links(HTMLParser):
    """Collects where the links of a page lead."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        """Note the address of a link."""
        if tag == "a" and (address := dict(attributes).get("href")):
            self.found.append(address)


def external_links(folder):
    """Return the pages that lead to each external address, without its fragment.

    folder: of the built book; returns a dictionary from address to a list of page names.
    """
    pages = {}
    for path in sorted(folder.rglob("*.html")):
        name = path.relative_to(folder).as_posix()
        reader = Links()
        reader.feed(path.read_text(encoding="utf8"))
        # Parted by hand: an address that cannot be parsed shall be reported, too.
        for address in {link.split("#")[0].strip() for link in reader.found}:
            if address.lower().startswith(("http://", "https://")):
                pages.setdefault(address, []).append(name)
    return dict(sorted(pages.items()))


def ask(address, method, timeout):
    """Return the status with which a host answers, or what went wrong in words."""
    readable = quote(address, safe=":/?#[]@!$&'()*+,;=%~")
    try:
        request = urllib.request.Request(readable, method=method, headers={"User-Agent": AGENT})
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except urllib.error.URLError as error:
        return str(error.reason)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return str(error) or type(error).__name__


def check(address, timeout=TIMEOUT, tries=TRIES, pause=PAUSE):
    """Return the last answer of a host: HEAD costs it less; what refuses that is asked again."""
    for number in range(tries):
        time.sleep(pause * number)
        answer = ask(address, "HEAD", timeout)
        if answer in NO_HEAD:
            answer = ask(address, "GET", timeout)
        if not is_passing(answer):
            break
    return answer


def is_passing(answer):
    """Tell whether a failure may be gone a moment later: no answer, too many requests, 5xx."""
    return isinstance(answer, str) or answer == 429 or 500 <= answer < 600


def check_all(addresses, **patience):
    """Return the answer for every address; a host is asked for two at a time, not more."""
    hosts = {}
    for address in addresses:
        hosts.setdefault(address.lower().split("/")[2], []).append(address)
    rows = [found[n::AT_ONCE_PER_HOST] for found in hosts.values() for n in range(AT_ONCE_PER_HOST)]

    def check_row(row):
        return [(address, check(address, **patience)) for address in row]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(pair for row in pool.map(check_row, rows) for pair in row)


def is_broken(answer):
    """Tell whether an address leads nowhere; a 3xx that is left is a redirect in a circle."""
    return isinstance(answer, str) or (answer >= 300 and answer not in REFUSED)


def report(pages, answers):
    """Return the lines to print, for the addresses in order: broken ones, then refusals."""
    lines = []
    for title, wanted in [
        ("broken", is_broken),
        ("refused (look yourself)", lambda answer: answer in REFUSED),
    ]:
        for address in filter(lambda address: wanted(answers[address]), pages):
            lines += [f"{title}: {answers[address]}  {address}"]
            lines += [f"    {page}" for page in pages[address]]
    return lines


def main(arguments=None):
    """Check the built book; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="seconds for an answer")
    parser.add_argument("--tries", type=int, default=TRIES)
    parser.add_argument("--pause", type=float, default=PAUSE, help="seconds before another try")
    wanted = parser.parse_args(arguments)
    pages = external_links(wanted.folder)
    if not pages:  # a book without one is no book that was built
        sys.exit(f"No external links in {wanted.folder}: run `make book` first")
    answers = check_all(pages, timeout=wanted.timeout, tries=wanted.tries, pause=wanted.pause)
    print(*report(pages, answers), sep="\n")
    broken = sum(map(is_broken, answers.values()))
    print(f"{len(pages)} addresses, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
