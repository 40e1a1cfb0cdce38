"""What the tests of a session did with their tapes, counted: by the workers of xdist, and together."""


class Totals:
    _COUNTED = ("played", "recorded", "unused", "loose", "kept")

    def __init__(self):
        self.played = 0
        self.recorded = 0
        self.unused = 0
        # The tapes that have unused recordings.
        self.loose = 0
        # The recordings of failed tests.
        self.kept = 0
        self.without_test = set()

    def add(self, result, outcome):
        recorded = result["recorded"]
        if recorded == 0:
            self.played += result["requests"] > 0
        elif outcome == "passed":
            self.recorded += 1
        else:
            self.kept += 1
        if outcome == "passed" and result["unused"]:
            self.unused += len(result["unused"])
            self.loose += 1

    def state(self):
        """As what workers of xdist can send."""
        return {**{name: getattr(self, name) for name in self._COUNTED}, "without_test": sorted(self.without_test)}

    def add_state(self, state):
        for name in self._COUNTED:
            setattr(self, name, getattr(self, name) + state[name])
        self.without_test.update(state["without_test"])

    def lines(self):
        parts = []
        if self.played:
            parts.append(f"{_count(self.played, 'tape')} played")
        if self.recorded:
            parts.append(f"{self.recorded} recorded")
        if self.unused:
            parts.append(f"{_count(self.unused, 'unused recording')} in {_count(self.loose, 'tape')}")
        if self.without_test:
            names = sorted(self.without_test)
            few = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
            parts.append(f"{_count(len(names), 'tape')} without a test ({few})")
        lines = [f"tapedeck: {', '.join(parts)}"] if parts else []
        if self.kept:
            lines.append(
                f"tapedeck: {_count(self.kept, 'recording')} of failed tests kept, their tapes are unchanged: tapedeck recover"
            )
        return lines


def _count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"
