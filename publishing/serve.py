"""Serve the built book to this machine: `python -m publishing.serve _build/html 8000`.

When the port is taken the next free one is used.
"""

import errno
import http.server
import os
import sys
from contextlib import suppress
from pathlib import Path


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files; logs no requests, and lets no browser keep an old page."""

    def end_headers(self):
        """Ask the browser to check with us before it shows a page that it kept."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format, *args):
        """Keep the address the last line in the terminal."""


def listen(port):
    """Return a server at the first free port from `port` on."""
    try:
        return http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        return listen(port + 1)


if __name__ == "__main__":
    folder, port = sys.argv[1:]
    if not Path(folder, "index.html").exists():
        sys.exit(f"No book in {folder}: run `make book` first")
    os.chdir(folder)
    with listen(int(port)) as server, suppress(KeyboardInterrupt):
        print(f"http://localhost:{server.server_port}/  (stop with Ctrl+C)", flush=True)
        server.serve_forever()
