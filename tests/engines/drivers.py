"""Firefox and WebKit, as they are installed, behind one small interface.

Firefox speaks WebDriver BiDi over a web socket, WebKit's driver classic WebDriver over HTTP. What
pointer and keys do (`actions`) has the same form in both standards.
"""

import contextlib
import itertools
import json
import os
import shutil
import signal
import socket
import tempfile
import time
from pathlib import Path
from subprocess import DEVNULL, Popen

import requests
import websocket

KEYS = {"Tab": "\ue004", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Enter": "\ue007"}
PATIENCE = 60  # seconds; a machine that does two things at once may need some
MINI_BROWSER = "webkit2gtk-4.*/MiniBrowser"  # WebKit's own, beside its libraries


class Browser:
    """What the tests do with a page; a subclass knows how its browser is told."""

    def js(self, function, *values):
        """Return what a JavaScript function returns, or what its promise becomes."""
        raise NotImplementedError

    def act(self, *sources):
        """Do what pointer and keys of the standard's `actions` do."""
        raise NotImplementedError

    def wait(self, function, *values):
        """Wait until a JavaScript function returns something true, and return it."""
        until = time.monotonic() + PATIENCE
        while not (found := self.js(function, *values)):
            if time.monotonic() > until:
                raise TimeoutError(f"never true: {function}")
            time.sleep(0.05)
        return found

    def press(self, *keys):
        """Press keys, one after the other."""
        strokes = [
            {"type": kind, "value": KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        self.act({"type": "key", "id": "keys", "actions": strokes})

    def click(self, x, y):
        """Click on a place of the window."""
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self.act({"type": "pointer", "id": "mouse", "actions": [move, *press]})


class Firefox(Browser):
    """Firefox, without a window."""

    name, package, program = "Firefox", "firefox-esr", ("firefox-esr", "firefox")

    def __init__(self, stack):
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        program = next(filter(None, map(shutil.which, self.program)))
        command = [program, "--headless", "--profile", folder, "--remote-debugging-port=0"]
        stack.enter_context(running(command, stdout=DEVNULL, stderr=DEVNULL))
        told = json.loads(soon(Path(folder, "WebDriverBiDiServer.json").read_text))
        address = f"ws://{told['ws_host']}:{told['ws_port']}/session"
        self.socket = websocket.create_connection(address, PATIENCE, suppress_origin=True)
        stack.callback(self.socket.close)
        self.numbers = itertools.count()
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **parameters):
        """Send a command of WebDriver BiDi; returns its result."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self.socket.recv())).get("id") != number:
            pass  # an event that nobody has asked for
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['message']}")
        return answer["result"]

    def goto(self, url):
        """Open a page and wait until it is loaded."""
        self.call("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def js(self, function, *values):
        """Return what a JavaScript function returns, or what its promise becomes."""
        # as JSON: the standard's own form of values has a name for every type
        result = self.call(
            "script.callFunction",
            functionDeclaration="async function(text) {"
            f"return JSON.stringify(await ({function})(...JSON.parse(text)) ?? null) }}",
            arguments=[{"type": "string", "value": json.dumps(values)}],
            target={"context": self.context},
            awaitPromise=True,
        )
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    def act(self, *sources):
        """Do what pointer and keys of the standard's `actions` do."""
        self.call("input.performActions", context=self.context, actions=sources)

    def resize(self, width, height):
        """Give the page another size."""
        size = {"width": width, "height": height}
        self.call("browsingContext.setViewport", context=self.context, viewport=size)

    def screenshot(self):
        """Return a picture of what is seen, as base64."""
        return self.call("browsingContext.captureScreenshot", context=self.context)["data"]


class WebKit(Browser):
    """WebKitGTK's own small browser, on a screen that nobody sees."""

    name, package, program = "WebKit", "webkit2gtk-driver and xvfb", ("WebKitWebDriver",)

    def __init__(self, stack):
        display = stack.enter_context(screen())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = os.environ | {
            "DISPLAY": display,
            "GDK_BACKEND": "x11",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # only our own pages are opened
            "NO_AT_BRIDGE": "1",
        }
        command = ["WebKitWebDriver", f"--port={port}"]
        stack.enter_context(running(command, env=environment, stdout=DEVNULL, stderr=DEVNULL))
        soon(lambda: socket.create_connection(("127.0.0.1", port), 1)).close()
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": str(mini_browser()), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self.address += "/" + self.call("POST", "", capabilities=wanted)["sessionId"]
        patience = PATIENCE * 1000
        self.call("POST", "/timeouts", script=patience, pageLoad=patience)

    def call(self, verb, path, **values):
        """Send a command of WebDriver; returns its result."""
        body = {"json": values} if verb == "POST" else {}
        answer = requests.request(verb, self.address + path, timeout=PATIENCE + 5, **body)
        result = answer.json()["value"]
        if not answer.ok:
            raise RuntimeError(f"{path}: {result['error']}: {result['message']}")
        return result

    def goto(self, url):
        """Open a page and wait until it is loaded."""
        self.call("POST", "/url", url=url)

    def js(self, function, *values):
        """Return what a JavaScript function returns, or what its promise becomes."""
        script = f"""const done = arguments[arguments.length - 1];
          Promise.resolve([...arguments].slice(0, -1)).then(values => ({function})(...values)).then(
            value => done({{ value }}), error => done({{ error: `${{error}}` }}));"""
        result = self.call("POST", "/execute/async", script=script, args=values)
        if "error" in result:
            raise RuntimeError(result["error"])
        return result.get("value")

    def act(self, *sources):
        """Do what pointer and keys of the standard's `actions` do."""
        self.call("POST", "/actions", actions=sources)

    def resize(self, width, height):
        """Give the page another size; the frame of the window is not counted."""
        before, inner, frame = None, [0, 0], [0, 0]
        while before != inner != [width, height]:  # it will be no narrower than 447 pixels
            self.call("POST", "/window/rect", width=width + frame[0], height=height + frame[1])
            time.sleep(0.3)
            before, inner = inner, self.js("() => [innerWidth, innerHeight]")
            frame = [frame[0] + width - inner[0], frame[1] + height - inner[1]]

    def screenshot(self):
        """Return a picture of what is seen, as base64."""
        return self.call("GET", "/screenshot")


ENGINES = {"firefox": Firefox, "webkit": WebKit}


def missing(engine):
    """Return a sentence that says what is not installed, or nothing."""
    if not any(map(shutil.which, engine.program)) or (
        engine is WebKit and not (shutil.which("Xvfb") and mini_browser())
    ):
        return f"{engine.name} is not installed. Debian and Ubuntu: apt install {engine.package}"
    return ""


def mini_browser():
    """Return the path of WebKit's browser, or nothing."""
    return next(iter(sorted(Path("/usr").glob(f"lib*/*/{MINI_BROWSER}"))), None)


@contextlib.contextmanager
def opened(engine):
    """Open a browser, and close it with all that was started for it."""
    with contextlib.ExitStack() as stack:
        yield engine(stack)


@contextlib.contextmanager
def running(command, **options):
    """Run a program, and end it with all that it has started."""
    with Popen(command, start_new_session=True, **options) as process:
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def screen():
    """Run a screen that nobody sees; gives its name."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1300x24", "-nolisten", "tcp"]
    with running(command, pass_fds=[write], stderr=DEVNULL):
        os.close(write)
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"


def soon(attempt):
    """Return what an attempt gives as soon as it succeeds: a program takes its time to start."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
