"""Where the tape of a test is."""

import hashlib
import re

# As pytest-recording names its cassettes.
_NOT_IN_NAMES = re.compile(r"[<>?%*:|\"'/\\]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
# In bytes: file systems take no more than 255.
_LONGEST = 200
ENDING = ".tape.jsonl"


def test_name(item):
    """The name of a test in its module, with its class and parameters."""
    return f"{item.cls.__name__}.{item.name}" if getattr(item, "cls", None) else item.name


def vcr_name(item):
    """The name of a test's cassette: the one that it is given by `default_cassette`, or its own."""
    mark = item.get_closest_marker("default_cassette")
    if mark is not None and mark.args:
        name = str(mark.args[0])
        return name if "." in name.rpartition("/")[2] else f"{name}.yaml"
    return _NOT_IN_NAMES.sub("-", test_name(item)) + ".yaml"


def folder_of(item):
    """The folder for the tapes of a test module."""
    return item.path.parent / "tapes" / item.path.stem


def tape_of(item, named=None, is_vcr=False):
    """A test's tape: the one it names, its cassette from pytest-recording or pytest-vcr, or its own."""
    beside = item.path.parent
    if named is not None:
        return beside / "tapes" / named
    cassettes = [beside / "cassettes" / item.path.stem / vcr_name(item), beside / "cassettes" / vcr_name(item)]
    for cassette in cassettes:
        for path in (cassette, cassette.with_suffix(".yml"), cassette.with_suffix(".json")):
            if path.exists():
                return path
    return cassettes[0] if is_vcr else folder_of(item) / (_file_name(test_name(item)) + ENDING)


def _file_name(name):
    """Two tests never share a file: a name that no file can have is changed, and gets a digest of the original."""
    plain = _CONTROLS.sub("-", _NOT_IN_NAMES.sub("-", name)).encode()[:_LONGEST].decode(errors="ignore")
    if plain == name and not plain.startswith("."):
        return plain
    return f"{plain.lstrip('.')}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def without_test(modules, used, root):
    """The tapes beside these modules that no test uses, from the root. `used`: those that tests may use."""
    found = []
    folders = {module.parent / "tapes" for module in modules}
    for folder in sorted(folders):
        for path in sorted(folder.glob(f"*/*{ENDING}")):
            module = folder.parent / f"{path.parent.name}.py"
            if (module in modules or not module.exists()) and path not in used:
                found.append(path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path))
    return found
