"""A pytest plugin in the place of pytest-vcr and pytest-recording: vcrpy is off, and `tapedeck serve` plays the cassettes.

The SDKs are led to the proxy by the variables that they read, as the manual tells its users. A client whose base URL stands in
the suite's code reads none: TAPEDECK_SUITE_HOSTS (`host=name,…`) leads its httpx transport there, as changing the code would.
All cassettes are served at one address, because a suite may make its clients before it opens a cassette.

TAPEDECK_ENGINE names the engine, TAPEDECK_SUITE_TAPE any tape, TAPEDECK_SUITE_OPTIONS more options of `serve`, and
TAPEDECK_SUITE_LOG a file that gets what each `serve` said, as JSON lines.
"""

import contextlib
import json
import os
import pathlib
import re
import shlex
import socket
import subprocess

import httpx
import pytest

TOKEN = "served-by-tapedeck"
HOSTS = dict(pair.split("=") for pair in os.environ.get("TAPEDECK_SUITE_HOSTS", "").split(",") if pair)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


PORT = str(free_port())


def start(cassette):
    """Starts `serve`, and returns it with the variables that it prints."""
    options = ["--on-drift", "warn", "--port", PORT, "--token", TOKEN, "--json"]
    serve = subprocess.Popen(
        ["node", os.environ["TAPEDECK_ENGINE"], "serve", "--tape", str(cassette), "--replay", *options]
        + shlex.split(os.environ.get("TAPEDECK_SUITE_OPTIONS", "")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    line = serve.stdout.readline()
    if not line:
        raise RuntimeError(f"serve did not start: {serve.stderr.read()}")
    return serve, json.loads(line)


def stop(serve, cassette, test):
    serve.terminate()
    _, said = serve.communicate(timeout=30)
    entry = {"test": test, "cassette": str(cassette), "status": serve.returncode, "said": said}
    with open(os.environ["TAPEDECK_SUITE_LOG"], "a", encoding="utf-8") as log:
        log.write(json.dumps(entry) + "\n")


def lead(request):
    """Sends a request for a host of TAPEDECK_SUITE_HOSTS to the proxy."""
    host = request.url.host if request.url.port is None else f"{request.url.host}:{request.url.port}"
    if name := HOSTS.get(host):
        request.url = httpx.URL(f"{os.environ['TAPEDECK_PROXY']}/{name}{request.url.raw_path.decode()}")
        request.headers["host"] = f"127.0.0.1:{PORT}"
    return request


def pytest_sessionstart(session):
    """Sets the variables before any module of the suite makes a client."""
    serve, variables = start(os.environ["TAPEDECK_SUITE_TAPE"])
    serve.terminate()
    serve.communicate(timeout=30)
    os.environ.update(variables)
    send, send_async = httpx.HTTPTransport.handle_request, httpx.AsyncHTTPTransport.handle_async_request
    httpx.HTTPTransport.handle_request = lambda self, request: send(self, lead(request))
    httpx.AsyncHTTPTransport.handle_async_request = lambda self, request: send_async(self, lead(request))


class HooksOfOthers:
    def pytest_recording_configure(self, config, vcr):
        """A suite may implement the hook of pytest-recording."""


def pytest_addhooks(pluginmanager):
    pluginmanager.add_hookspecs(HooksOfOthers)


def pytest_configure(config):
    config.addinivalue_line("markers", "vcr: the test plays a cassette")


class Served:
    """Stands for a VCR."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.test = ""

    def __getattr__(self, name):
        """A suite may register serializers, matchers, and the like, of which `serve` needs none."""
        if name.startswith("register_"):
            return lambda *_, **__: None
        raise AttributeError(name)

    @contextlib.contextmanager
    def use_cassette(self, name, **_):
        path = self.folder / name
        cassette = path if path.suffix in (".yaml", ".yml", ".json") else path.with_name(path.name + ".yaml")
        if not cassette.exists():  # The test makes no request.
            yield self
            return
        serve, _ = start(cassette)
        try:
            yield self
        finally:
            stop(serve, cassette, self.test)


def is_recording():
    return os.environ["TAPEDECK_SUITE_RECORDER"] == "recording"


@pytest.fixture(scope="module")
def vcr_cassette_dir(request):
    path = pathlib.Path(str(request.node.fspath))
    return str(path.parent / "cassettes" / path.stem if is_recording() else path.parent / "cassettes")


@pytest.fixture
def vcr_cassette_name(request):
    return f"{request.cls.__name__}.{request.node.name}" if request.cls else request.node.name


@pytest.fixture
def default_cassette_name(vcr_cassette_name):
    return re.sub(r"""[?<>:*|"'/\\]""", "-", vcr_cassette_name)


@pytest.fixture(scope="module")
def vcr(vcr_cassette_dir):
    return Served(vcr_cassette_dir)


@pytest.fixture
def vcr_cassette(request, vcr):
    name = request.getfixturevalue("default_cassette_name" if is_recording() else "vcr_cassette_name")
    with vcr.use_cassette(name) as cassette:
        yield cassette


@pytest.fixture(autouse=True)
def _served_cassette(request):
    marked = request.node.get_closest_marker("vcr")
    if marked or "vcr" in request.fixturenames:
        request.getfixturevalue("vcr").test = request.node.nodeid
    if marked:
        request.getfixturevalue("vcr_cassette")
