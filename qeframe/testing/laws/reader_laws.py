"""The laws of what reads files and of files themselves: readers and profiles."""

from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import field, frozen

from qeframe.core.batch import Best
from qeframe.core.component import Component
from qeframe.core.errors import PluginError, QeframeError
from qeframe.core.profile_files import profile_from_toml
from qeframe.core.reader import Reader
from qeframe.core.reading import Reading
from qeframe.core.registry import Registry
from qeframe.core.resolve import resolve
from qeframe.data.align import align
from qeframe.data.reader_checks import read
from qeframe.kinds.registered import kind_of
from qeframe.testing.laws.any_component import image
from qeframe.testing.laws.law import BreachError, Law, having

_ABSENT = "no such file"
_BESTS: tuple[Best, ...] = ("low", "high")


@frozen(kw_only=True, repr=False)
class ProfileFile(Component):
    """A profile as a plugin brings it: a TOML file under a name.

    `registry`: with the components that the profile names, and the profiles that it extends.
    """

    file: Traversable
    registry: Registry = field(eq=False, repr=False)


# --- readers --------------------------------------------------------------------------------------------------------


def _known_kind(reader: Reader, _kind: Any) -> None:
    kind_of(reader.kind)


def _refuses_what_is_absent(reader: Reader, _kind: Any) -> None:
    """Read a path that does not exist, in a folder that does."""
    with TemporaryDirectory(prefix="qeframe-") as name:
        folder = Path(name)
        try:
            read(reader, folder / _ABSENT, "low")
        except PluginError:
            raise
        except QeframeError as error:
            if _ABSENT not in str(error):
                raise BreachError(f"the error does not name the path that was given: {error}") from None
            return
    raise BreachError("a path that does not exist is read without an error")


def _reads_its_example(reader: Reader, _kind: Any) -> None:
    with TemporaryDirectory(prefix="qeframe-") as name:
        folder = Path(name)
        path = reader.write_example(folder) or folder
        for best in _BESTS:
            once, again = read(reader, path, best), read(reader, path, best)
            if not once:
                raise BreachError("its example has no task")
            for reading in once:
                _check_task(reader, reading, folder)
            if image(once) != image(again):
                raise BreachError("its example, read twice, has two results")


def _check_task(reader: Reader, reading: Reading, folder: Path) -> None:
    """Check that a task has the kind of the reader and names the files it was read from, and that its sides fit."""
    if not issubclass(reading.kind, reader.kind):
        raise BreachError(f"task '{reading.name}' is of {reading.kind.__name__}, the reader of {reader.kind.__name__}")
    absent = [file.path for file in reading.inputs if not (folder / file.path).exists()]
    if absent or not reading.inputs:
        what = f"'{absent[0]}', which is not there" if absent else "no file"
        raise BreachError(f"task '{reading.name}' was read from {what}: inputs are paths relative to the path given")
    align(reading)


READER_LAWS: tuple[Law[Reader], ...] = (
    Law(name="kind", states="its kind of batch is registered", holds=_known_kind, exact=True),
    Law(
        name="absent",
        states="a path that does not exist is refused in one line that names it",
        holds=_refuses_what_is_absent,
        exact=True,
    ),
    Law(
        name="example",
        states="its example is read, twice the same, as tasks whose sides fit each other",
        holds=_reads_its_example,
        concerns=having("example"),
        exact=True,
    ),
)
"""The laws of readers."""


# --- profiles -------------------------------------------------------------------------------------------------------


def _resolved(profile: ProfileFile, _kind: Any = None) -> Any:
    """Read the file; its keys, their types, the names of components and how rules fit are checked on the way."""
    try:
        text = profile.file.read_text("utf-8")
        loaded = profile_from_toml(text, f"profile '{profile.name}'", profile.name, profile.registry)
        return resolve(loaded, profile.registry).profile
    except (QeframeError, OSError, UnicodeDecodeError) as error:
        raise BreachError(str(error)) from None


def _says_where_from(profile: ProfileFile, _kind: Any) -> None:
    loaded = _resolved(profile)
    told = {key for key, provenance in loaded.provenance.items() if provenance.source or provenance.note}
    unknown = sorted(set(loaded.stated) - told)
    if unknown:
        raise BreachError(f"no source and no note for {', '.join(unknown)}; state one in 'source' or [provenance]")


PROFILE_LAWS: tuple[Law[ProfileFile], ...] = (
    Law(
        name="resolves",
        states="every key is known, every name is registered, and the rules fit each other",
        holds=_resolved,
        exact=True,
        first=True,
    ),
    Law(name="provenance", states="every rule says where it is from", holds=_says_where_from, exact=True),
)
"""The laws of profiles."""
