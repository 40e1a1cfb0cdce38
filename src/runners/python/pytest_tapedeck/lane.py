"""The lane of a test, from its setup to its teardown."""

import os
import shlex
from urllib.parse import quote

from . import clients


class Lane:
    """Leads all that its test asks to a tape of its own."""

    def __init__(self, server, name, tape, plan):
        self.tape = tape
        self._server = server
        self._name = name
        begun = server.begin(name, {"tape": str(tape), **plan})
        self.mode = begun["mode"]
        self.variables = begun["variables"]
        self._before = {variable: os.environ.get(variable) for variable in self.variables}
        prefix = f"{server.base}/~"
        upstreams = [
            (before.rstrip("/"), self.variables[variable])
            for variable, before in self._before.items()
            if before and self.variables[variable].startswith(prefix) and not before.startswith(server.base)
        ]
        os.environ.update(self.variables)
        clients.lead(clients.Addresses(server.base, quote(name, safe=""), upstreams))

    def result(self):
        return self._server.result(self._name)

    def end(self, outcome):
        clients.lead(None)
        for variable, before in self._before.items():
            if before is None:
                os.environ.pop(variable, None)
            else:
                os.environ[variable] = before
        return self._server.end(self._name, outcome)


class Tape:
    """The tape of the running test: what the fixture `tapedeck` is."""

    def __init__(self, lane):
        self._lane = lane

    @property
    def path(self):
        return self._lane.tape

    @property
    def mode(self):
        """`replay`, `record`, or `auto`, which records what is new."""
        return self._lane.mode

    @property
    def requests(self):
        """How many requests the test has made."""
        return self._lane.result()["requests"]

    @property
    def variables(self):
        """The environment variables that lead a program to the tape."""
        return dict(self._lane.variables)

    def base_url(self, api):
        """The base URL of an API, such as `openai`."""
        return f"{self._lane._server.base}/~{quote(self._lane._name, safe='')}/{api}"


def rewrite_command(nodeid):
    return f"pytest --tapedeck=rewrite {shlex.quote(nodeid)}"
