"""What the tests of a session did with their tapes: in one worker of xdist, and together."""


class Totals:
    """Tapes by what became of them; a test that is tried again counts once."""

    _SETS = ("played", "recorded", "kept", "without_test")

    def __init__(self):
        self.played = set()
        self.recorded = set()
        # Of tests that failed.
        self.kept = set()
        self.without_test = set()
        # How many recordings of a tape were not used.
        self.unused = {}

    def add(self, tape, result, outcome):
        if result["recorded"] == 0:
            # Only a tape that was opened.
            self.played.update([tape] if "mode" in result else [])
        elif outcome == "passed":
            self.recorded.add(tape)
            self.kept.discard(tape)
        else:
            self.kept.add(tape)
        if outcome == "passed" and result["unused"]:
            self.unused[tape] = len(result["unused"])

    def state(self):
        """In a form that xdist's workers can send."""
        return {**{name: sorted(getattr(self, name)) for name in self._SETS}, "unused": self.unused}

    def add_state(self, state):
        for name in self._SETS:
            getattr(self, name).update(state[name])
        self.unused.update(state["unused"])

    def lines(self):
        parts = []
        if self.played:
            parts.append(f"{_count(len(self.played), 'tape')} played")
        if self.recorded:
            parts.append(f"{len(self.recorded)} recorded")
        if self.unused:
            recordings = _count(sum(self.unused.values()), "unused recording")
            parts.append(f"{recordings} in {_count(len(self.unused), 'tape')}")
        if self.without_test:
            names = sorted(self.without_test)
            few = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
            parts.append(f"{_count(len(names), 'tape')} without a test ({few})")
        lines = [f"tapedeck: {', '.join(parts)}"] if parts else []
        if self.kept:
            recordings = _count(len(self.kept), "recording")
            lines.append(f"tapedeck: {recordings} of failed tests kept, their tapes are unchanged: tapedeck recover")
        return lines


def _count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"
