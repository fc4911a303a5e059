"""The check of the links that lead out of the book, against a host that has every fault."""

import contextlib
import http.server
import sys
import threading
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import links

QUICK = {"timeout": 0.5, "tries": 2, "pause": 0.05}


class Host(http.server.BaseHTTPRequestHandler):
    """Answers as the path says, and remembers what it was asked."""

    def answer(self):
        with self.server.lock:
            self.server.asked.append((self.command, self.path))
            self.server.now += 1
            self.server.most = max(self.server.most, self.server.now)
            earlier = self.server.asked.count((self.command, self.path)) - 1
        try:
            self.reply(self.path.strip("/").split("?")[0], earlier)
        finally:
            with self.server.lock:
                self.server.now -= 1

    do_GET = do_HEAD = answer

    def reply(self, path, earlier):
        if path == "slow":
            time.sleep(1.5)
        elif path == "pause":
            time.sleep(0.1)
        status = int(path) if path.isdigit() else 200
        if path == "no-head" and self.command == "HEAD":
            status = 405
        if path == "tired" and not earlier:
            status = 503
        if path in ("moved", "circle", "moved-away"):
            status = 301
        with contextlib.suppress(OSError):  # who asked has gone
            self.send_response(status)
            if status == 301:
                to = {"moved": "/here", "circle": "/circle", "moved-away": "/404"}[path]
                self.send_header("Location", to)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, format, *arguments):
        pass


@pytest.fixture
def host(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        server.lock, server.asked, server.now, server.most = threading.Lock(), [], 0, 0
        server.address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("here", 200),
        ("moved", 200),
        ("no-head", 200),
        ("tired", 200),
        ("é?a=b c", 200),
        ("404", 404),
        ("410", 410),
        ("moved-away", 404),
        ("500", 500),
        ("403", 403),
        ("429", 429),
    ],
)
def test_the_answer_of_a_host_is_its_last_status(host, path, answer):
    assert links.check(f"{host.address}/{path}", **QUICK) == answer


def test_a_redirect_in_a_circle_is_broken(host):
    assert links.is_broken(links.check(f"{host.address}/circle", **QUICK))


def test_a_host_that_is_slow_or_not_there_is_broken(host):
    assert "timed out" in links.check(f"{host.address}/slow", **QUICK)
    nobody = links.check("http://127.0.0.1:9/", **QUICK)
    assert links.is_broken(nobody)
    assert "refused" in nobody
    assert links.is_broken(links.check("http://[bad/", **QUICK))


def test_head_is_enough_and_get_follows_only_where_head_is_refused(host):
    for path in ("here", "no-head"):
        links.check(f"{host.address}/{path}", **QUICK)
    assert host.asked == [("HEAD", "/here"), ("HEAD", "/no-head"), ("GET", "/no-head")]


def test_only_what_may_pass_is_asked_again(host):
    for path in ("404", "429"):
        links.check(f"{host.address}/{path}", **QUICK)
    assert host.asked.count(("GET", "/404")) == 1
    assert host.asked.count(("HEAD", "/429")) == QUICK["tries"]


def test_a_refusal_proves_nothing():
    assert not any(map(links.is_broken, [200, 401, 403, 429, 999]))
    assert all(map(links.is_broken, [302, 404, 410, 451, 500, "timed out"]))


def test_a_host_is_asked_for_two_at_a_time(host):
    wanted = [f"{host.address}/pause?{number}" for number in range(12)]
    assert links.check_all(wanted, **QUICK) == dict.fromkeys(wanted, 200)
    assert host.most == links.AT_ONCE_PER_HOST


@pytest.fixture
def book(tmp_path, host):
    pages = {
        "index.html": f'<a href="{host.address}/here#a">a</a><a href="{host.address}/here">b</a>'
        '<a href="chapters/one.html">in</a><a href="#x">on</a><a href="mailto:a@b.org">mail</a>'
        "<a>none</a><img src='https://example.org/x.png'><a href=''>self</a>",
        "chapters/one.html": f'<A HREF="{host.address}/404?a=1&amp;b=2">c</A>'
        f'<a href="{host.address}/here">d</a><a href="https://[bad">cannot be parsed</a>',
        "chapters/two.html": f'<a href="{host.address}/403">e</a>',
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf8")
    return tmp_path


def test_every_external_link_is_found_once_with_its_pages(book, host):
    assert links.external_links(book) == {
        f"{host.address}/403": ["chapters/two.html"],
        f"{host.address}/404?a=1&b=2": ["chapters/one.html"],
        f"{host.address}/here": ["chapters/one.html", "index.html"],
        "https://[bad": ["chapters/one.html"],
    }


ARGUMENTS = ["--timeout", "0.5", "--tries", "1", "--pause", "0"]


def test_a_broken_link_is_printed_with_its_pages_and_is_an_error(book, host, capsys):
    (book / "chapters/one.html").write_text(f'<a href="{host.address}/404">c</a>')
    assert links.main([str(book), *ARGUMENTS]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"broken: 404  {host.address}/404",
        "    chapters/one.html",
        f"refused (look yourself): 403  {host.address}/403",
        "    chapters/two.html",
        "3 addresses, 1 broken",
    ]


def test_a_book_whose_links_all_lead_somewhere_passes(book, capsys):
    (book / "chapters/one.html").unlink()
    assert links.main([str(book), *ARGUMENTS]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 addresses, 0 broken"


def test_a_folder_without_a_book_is_no_success(tmp_path):
    with pytest.raises(SystemExit, match="No external links in"):
        links.main([str(tmp_path)])
