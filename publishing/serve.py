"""Serve the built book on this machine: `python -m publishing.serve _build/html --port 8000`.

Only programs on this machine can reach it. When the port is taken the next free one is used.
"""

import argparse
import functools
import http.server
import sys
from pathlib import Path

TRIES = 20


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files; logs no requests, and lets no browser keep an old page."""

    def end_headers(self):
        """Ask the browser to check with us before it shows a page that it kept."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format, *args):
        """Keep the address the last line in the terminal."""


def listen(directory, port):
    """Return a server at the first free port from `port` on."""
    handler = functools.partial(Handler, directory=directory)
    for candidate in range(port, port + TRIES):
        try:
            return http.server.ThreadingHTTPServer(("127.0.0.1", candidate), handler)
        except OSError as error:
            reason = error.strerror
    sys.exit(f"No free port from {port} to {candidate} ({reason}): name another, make serve PORT=…")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--port", type=int, default=8000)
    asked = parser.parse_args()
    if not (asked.directory / "index.html").exists():
        sys.exit(f"No book in {asked.directory}: run `make book` first")
    with listen(asked.directory, asked.port) as server:
        print(f"http://localhost:{server.server_port}/  (stop with Ctrl+C)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
