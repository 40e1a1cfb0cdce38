"""The report of a failed test: how it differs from its tape, then its traceback without the frames of SDKs."""

from _pytest._code.code import ReprEntryNative, ReprExceptionInfo, ReprFileLocation, ReprTraceback

_OF_OTHERS = ("site-packages", "dist-packages", "pytest_tapedeck")
_LONGEST_ERROR = 200


def explained(result, tape, rerecord, unused_fails):
    """The lines about what a lane did that its tape does not have; empty if there is nothing of the kind."""
    failures = result["failures"]
    if failures:
        first = failures[0]
        lines = [f"Tapedeck: {_headline(first, tape)}"]
        lines += [f"  {line.strip()}" for line in first["explanation"].splitlines()[1:]]
        if len(failures) > 1:
            lines.append(f"  {len(failures) - 1} more of its requests failed.")
        if len(lines) == 1 and first["verdict"] != "unreachable":
            lines.append(f"  Record it again: {rerecord}")
        return lines
    if unused_fails and result["unused"]:
        numbers = ", ".join(str(number) for number in result["unused"])
        return [f"Tapedeck: the test did not use all of {tape}: {numbers}", f"  Record it again: {rerecord}"]
    return []


def _headline(failure, tape):
    if "line" in failure:
        return f"the request is not on {tape}"
    return failure["explanation"].splitlines()[0]


def summary_of(result, lines):
    """One line for the list of failed tests."""
    line = result["failures"][0].get("line") if result["failures"] else None
    return f"Tapedeck: {line}" if line else lines[0]


def representation(lines, summary, call, item):
    """What pytest shows of the failure."""
    path, line_number, _ = item.reportinfo()
    native = [f"{line}\n" for line in lines]
    place = ReprFileLocation(str(path), (line_number or 0) + 1, summary)
    if call.excinfo is None:
        native.append("The test itself passed.\n")
        return ReprExceptionInfo(ReprTraceback([ReprEntryNative(native)], None, "native"), place)
    shown = item.repr_failure(call.excinfo)
    is_ours = any("Tapedeck" in str(error) for error in _chain(call.excinfo.value))
    if item.config.option.fulltrace or not is_ours:
        traceback = getattr(shown, "reprtraceback", None)
        entries = list(traceback.reprentries) if traceback else [ReprEntryNative([f"{shown}\n"])]
        style = traceback.style if traceback else "native"
        return ReprExceptionInfo(ReprTraceback([ReprEntryNative([*native, "\n"]), *entries], None, style), place)
    native += [*_own_frames(call.excinfo, item), f"{_short(call.excinfo.value)}\n"]
    return ReprExceptionInfo(ReprTraceback([ReprEntryNative(native)], None, "native"), place)


def _chain(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _own_frames(excinfo, item):
    root = item.config.rootpath
    for entry in excinfo.traceback:
        path = str(entry.path)
        if not path.startswith(str(root)) or any(part in path for part in _OF_OTHERS):
            continue
        relative = path[len(str(root)) + 1 :]
        code = str(entry.statement).strip()
        yield f"{relative}:{entry.lineno + 1}: in {entry.name}\n    {code}\n"


def _short(error):
    first = str(error).splitlines()[0] if str(error) else ""
    text = f"{type(error).__module__}.{type(error).__qualname__}: {first}"
    return text if len(text) <= _LONGEST_ERROR else f"{text[:_LONGEST_ERROR]}…"
