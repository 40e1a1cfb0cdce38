"""The plugin of pytest: each marked test has a tape of its own."""

import importlib.metadata
import os

import pytest

from . import failure, tapes
from .engine import Server, TapedeckError
from .lane import Lane, Tape, rewrite_command
from .totals import Totals

MODES = ("none", "once", "new", "rewrite", "off")
# As the command line of Tapedeck calls them.
_ENGINE_MODES = {"replay": "none", "record": "rewrite", "auto": "new", "passthrough": "off"}
# Of pytest-recording and pytest-vcr.
_VCR_MODES = {"none": "none", "once": "once", "new_episodes": "new", "all": "rewrite", "rewrite": "rewrite"}
_RULES = ("mask", "match", "on_drift")


def _has_vcr_plugin():
    for name in ("pytest-recording", "pytest-vcr"):
        try:
            importlib.metadata.version(name)
            return True
        except importlib.metadata.PackageNotFoundError:
            pass
    return False


class _RecordingHooks:
    """Hooks of pytest-recording that a conftest.py may define. Nobody calls them: there is no vcrpy to configure."""

    def pytest_recording_configure(self, config, vcr):
        pass


def pytest_addhooks(pluginmanager):
    if not _has_vcr_plugin():
        pluginmanager.add_hookspecs(_RecordingHooks)


def pytest_addoption(parser):
    group = parser.getgroup("tapedeck")
    group.addoption(
        "--tapedeck",
        choices=MODES,
        default=None,
        help="none: replay; once: record tests without a tape (the default, but in CI: none); new: record what is new; rewrite: record again; off",
    )
    group.addoption("--tapedeck-unused", choices=("report", "fail"), default="report", help="What unused recordings do")
    parser.addini("tapedeck", "Which tests have a tape: marked (the default), or all", default="marked")
    if not _has_vcr_plugin():
        group.addoption("--record-mode", "--vcr-record", choices=tuple(_VCR_MODES), default=None, help="As --tapedeck")
        group.addoption("--block-network", action="store_true", help="Of pytest-recording: a replay reaches nobody")


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "tapedeck(tape=None, *, mask, match, on_drift): the test replays, or records, a tape of its own"
    )
    takes_vcr = not _has_vcr_plugin()
    if takes_vcr:
        for marker in ("vcr", "default_cassette", "block_network", "allowed_hosts"):
            config.addinivalue_line("markers", f"{marker}: of pytest-recording; its cassettes are tapes")
    mode = _mode(config)
    if mode == "off":
        return
    if config.getini("tapedeck") not in ("marked", "all"):
        raise pytest.UsageError(f"tapedeck must be marked or all, not {config.getini('tapedeck')}")
    config.pluginmanager.register(Session(config, mode, takes_vcr), "tapedeck-session")


def _mode(config):
    """As the command line wants it. In CI, nothing else can choose to record."""
    chosen = config.getoption("--tapedeck") or _VCR_MODES.get(config.getoption("--record-mode", None) or "")
    if chosen is not None:
        return chosen
    given = os.environ.get("TAPEDECK_MODE") or "once"
    mode = _ENGINE_MODES.get(given, given)
    if mode not in MODES:
        raise pytest.UsageError(f"TAPEDECK_MODE is not valid: {given}")
    return "none" if _is_ci() and mode != "off" else mode


def _is_ci():
    return os.environ.get("CI", "") not in ("", "0", "false")


class Session:
    """The session of pytest, or the part of it that a worker of xdist has."""

    def __init__(self, config, mode, takes_vcr):
        self._config = config
        self._mode = mode
        self._takes_vcr = takes_vcr
        self._worker = getattr(config, "workerinput", None)
        self._server = None
        self._totals = Totals()
        self._count = 0
        # Of the test that runs.
        self._lane = None
        self._outcome = "skipped"
        self._result = None

    # The server

    def _the_server(self):
        if self._server is None and self._worker is not None:
            self._server = Server(self._worker["tapedeck"])
        elif self._server is None:
            self._server = Server.start(str(self._config.rootpath), self._mode == "none")
        return self._server

    def pytest_pycollect_makemodule(self, module_path):
        """Starts the server beside the import of the first module that seems to need it, which may take as long."""
        if self._server is not None or self._worker is not None or self._config.option.collectonly:
            return
        text = b"tapedeck" if self._config.getini("tapedeck") == "all" else module_path.read_bytes()
        if b"tapedeck" in text or (self._takes_vcr and b".vcr" in text):
            try:
                self._the_server()
            except TapedeckError:
                # Each test that needs it says so.
                pass

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        node.workerinput["tapedeck"] = self._the_server().variables

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        state = getattr(node, "workeroutput", {}).get("tapedeck")
        if state is not None:
            self._totals.add_state(state)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        if self._worker is not None:
            session.config.workeroutput["tapedeck"] = self._totals.state()

    def pytest_unconfigure(self, config):
        if self._server is not None:
            self._server.stop()

    def pytest_terminal_summary(self, terminalreporter):
        for line in self._totals.lines():
            terminalreporter.write_line(line)

    # Which tests have a tape

    def _mark(self, item):
        """The mark of a test that has a tape; None for any other."""
        own = item.get_closest_marker("tapedeck")
        if own is not None:
            return own
        vcr = item.get_closest_marker("vcr")
        if vcr is not None:
            return vcr if self._takes_vcr else None
        is_meant = self._config.getini("tapedeck") == "all" or "tapedeck" in getattr(item, "fixturenames", ())
        return pytest.mark.tapedeck.mark if is_meant else None

    def _tape(self, item, mark):
        named = mark.args[0] if mark.name == "tapedeck" and mark.args else mark.kwargs.get("tape")
        return tapes.tape_of(item, named, mark.name == "vcr")

    def pytest_collection_finish(self, session):
        """Looks for tapes without a test where all tests of their folders were collected."""
        option = self._config.option
        is_part = option.keyword or option.markexpr or any("::" in str(arg) for arg in self._config.args)
        if is_part or getattr(option, "lf", False) or getattr(option, "failedfirst", False):
            return
        items = getattr(session, "items", [])
        marked = [(item, self._mark(item)) for item in items]
        used = {self._tape(item, mark) for item, mark in marked if mark is not None}
        modules = {item.path for item in items}
        self._totals.without_test.update(tapes.without_test(modules, used, self._config.rootpath))

    # A test

    # Inside of what pytest itself sets up, which it takes down also where a lane cannot begin.
    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self, item):
        self._lane = self._result = None
        self._outcome = "skipped"
        mark = self._mark(item)
        if mark is not None:
            self._begin(item, mark)
        return (yield)

    def _begin(self, item, mark):
        self._count += 1
        name = f"{self._worker['workerid'] if self._worker else 't'}-{self._count}"
        rules = {rule: mark.kwargs[rule] for rule in _RULES if rule in mark.kwargs and mark.name == "tapedeck"}
        plan = {
            **rules,
            "mode": self._mode,
            "test": item.nodeid,
            "rerecord": f"Record it again: {rewrite_command(item.nodeid)}",
        }
        try:
            self._lane = Lane(self._the_server(), name, self._tape(item, mark), plan)
        except TapedeckError as error:
            pytest.fail(str(error), pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if self._lane is None or call.when == "teardown":
            return report
        is_expected = report.skipped and hasattr(report, "wasxfail")
        lines = self._explained(item) if report.failed or (call.when == "call" and report.passed) else []
        if lines:
            report.outcome = "failed"
            report.longrepr = failure.representation(lines, failure.summary_of(self._result, lines), call, item)
        self._outcome = "passed" if is_expected else report.outcome
        return report

    def _explained(self, item):
        self._result = self._lane.result()
        tape = self._lane.tape
        root = self._config.rootpath
        shown = tape.relative_to(root).as_posix() if tape.is_relative_to(root) else str(tape)
        is_strict = self._config.getoption("--tapedeck-unused") == "fail"
        return failure.explained(self._result, shown, rewrite_command(item.nodeid), is_strict)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item):
        try:
            returned = yield
        except BaseException:
            self._outcome = "failed"
            self._end()
            raise
        problem = self._end()
        if problem is not None:
            pytest.fail(problem, pytrace=False)
        return returned

    def _end(self):
        """Ends the test's lane. Returns a sentence about what went wrong since the test was called."""
        lane, self._lane = self._lane, None
        if lane is None:
            return None
        try:
            result = lane.end(self._outcome)
        except TapedeckError as error:
            return str(error)
        self._totals.add(str(lane.tape), result, self._outcome)
        known = len(self._result["failures"]) if self._result else 0
        return f"Tapedeck: {result['failures'][-1]['explanation']}" if len(result["failures"]) > known else None


@pytest.fixture
def tapedeck(request):
    """The tape of the test: `path`, `mode`, `requests`, `variables`, `base_url(api)`."""
    session = request.config.pluginmanager.get_plugin("tapedeck-session")
    if session is None or session._lane is None:
        pytest.skip("Tapedeck is off")
    return Tape(session._lane)
