"""Serve the built book to this machine: `python -m publishing.serve _build/html [port]`.

When the port is taken the next free one is used.
"""

import errno
import http.server
import os
import sys
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
    folder, *port = sys.argv[1:]
    if not Path(folder, "index.html").exists():
        sys.exit(f"No book in {folder}: run `make book` first")
    if not (number := "".join(port) or "8000").isdecimal() or not 0 < int(number) < 2**16:
        sys.exit(f"PORT: expected a number from 1 to 65535, got {number!r}")
    os.chdir(folder)
    with listen(int(number)) as server:
        print(f"http://localhost:{server.server_port}/  (stop with Ctrl+C)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
