"""Firefox and WebKit, as they are installed, behind one small interface: selenium speaks with both.

WebKit has a driver of its own, which Debian packages. Firefox's (geckodriver) is in no package of
Debian or PyPI that is kept up, so Firefox is started here and asked by WebDriver BiDi, which it
speaks itself. Playwright's way of doing that needs a newer Firefox than the ESR.
"""

import json
import os
import shutil
import tempfile
import time
import warnings
from pathlib import Path
from subprocess import DEVNULL, Popen

from selenium.webdriver import WebKitGTK, WebKitGTKOptions
from selenium.webdriver.common.bidi.common import command_builder
from selenium.webdriver.remote.websocket_connection import WebSocketConnection

PATIENCE = 60  # seconds; a machine that does two things at once may need some


class Browser:
    """What the tests do with a page; a subclass has `goto`, `js` and `resize`."""

    def wait(self, function, *values, seconds=PATIENCE):
        """Wait until a JavaScript function returns something true."""
        until = time.monotonic() + seconds
        while not self.js(function, *values):
            assert time.monotonic() < until, f"never true: {function}"
            time.sleep(0.05)


class Firefox(Browser):
    """Firefox, without a window."""

    programs, package = ("firefox-esr", "firefox"), "firefox-esr"

    def __init__(self, stack):
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        program = next(filter(None, map(shutil.which, self.programs)))
        command = [program, "--headless", "--profile", folder, "--remote-debugging-port=0"]
        process = stack.enter_context(Popen(command, stdout=DEVNULL, stderr=DEVNULL))
        stack.callback(process.terminate)
        told, until = Path(folder, "WebDriverBiDiServer.json"), time.monotonic() + PATIENCE
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.1)
        address = f"ws://127.0.0.1:{json.loads(told.read_text())['ws_port']}/session"
        self.connection = WebSocketConnection(address, timeout=PATIENCE, interval=0.01)
        stack.callback(self.connection.close)
        self.ask("session.new", capabilities={})
        self.tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method, **parameters):
        """Send a command of WebDriver BiDi; return its result."""
        return self.connection.execute(command_builder(method, parameters))

    def goto(self, url):
        """Open a page and wait until it is loaded."""
        self.ask("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    def js(self, function, *values):
        """Return what a JavaScript function returns, or what its promise becomes."""
        # as JSON: the standard's own form of values has a name for every type
        text = f"async (text) => JSON.stringify(await ({function})(...JSON.parse(text)) ?? null)"
        call = {"functionDeclaration": text, "awaitPromise": True, "target": {"context": self.tab}}
        given = [{"type": "string", "value": json.dumps(values)}]
        result = self.ask("script.callFunction", arguments=given, **call)
        assert result["type"] == "success", result["exceptionDetails"]["text"]
        return json.loads(result["result"]["value"])

    def resize(self, width, height):
        """Give the page another size."""
        size = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self.tab, viewport=size)


class WebKit(Browser):
    """WebKitGTK's own small browser, on a screen that nobody sees."""

    programs, package = ("WebKitWebDriver",), "webkit2gtk-driver xvfb xauth"

    def __init__(self, stack):
        os.environ |= {
            "GDK_BACKEND": "x11",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # only our own pages are opened
        }
        options = WebKitGTKOptions()
        options.binary_location = shutil.which("xvfb-run")
        program = next(Path("/usr").glob("lib*/*/webkit2gtk-4.*/MiniBrowser"))
        for argument in ("--auto-servernum", str(program), "--automation"):
            options.add_argument(argument)
        with warnings.catch_warnings():  # selenium calls its own connection in the old way
            warnings.simplefilter("ignore", DeprecationWarning)
            self.driver = WebKitGTK(options)
        stack.callback(self.driver.quit)
        self.driver.set_script_timeout(PATIENCE)
        self.goto = self.driver.get

    def js(self, function, *values):
        """Return what a JavaScript function returns, or what its promise becomes."""
        script = f"""const [values, done] = arguments;
          (async () => ({function})(...values))().then(
            (value) => done({{ value }}), (error) => done({{ error: `${{error}}` }}));"""
        result = self.driver.execute_async_script(script, values)
        assert "error" not in result, result["error"]
        return result.get("value")

    def resize(self, width, height):
        """Give the page this size, or the smallest that there is: 447 pixels wide."""
        for _ in range(2):  # the frame of the window is known once it has a size
            frame = self.js("() => [outerWidth - innerWidth, outerHeight - innerHeight]")
            self.driver.set_window_size(width + frame[0], height + frame[1])
            time.sleep(0.3)


ENGINES = {"firefox": Firefox, "webkit": WebKit}
