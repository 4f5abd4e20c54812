"""Data sources: what their author writes, and what is refused."""

import zipfile

import pytest
from attrs import field, frozen

from qeframe import DataError, PluginError, UnknownNameError, load
from qeframe.data.published.beside_profiles import find_data_sources, find_published_tables, named
from qeframe.data.published.data_source import (
    DataSource,
    SourceFile,
    SourceUse,
    data_sources_from_toml,
    is_inside,
    made_of,
    toml_tables,
)
from qeframe.data.published.published_table import (
    KnownDifference,
    PublishedColumn,
    PublishedTable,
    published_tables_from_toml,
)
from tests.outcome import failure
from tests.qeframe.core.components.made_plugins import empty_but, plugin

DIGEST = "0" * 64
URL = "https://example.org/a.txt"
FILE = SourceFile(url=URL, path="a.txt", size=5, sha256=DIGEST)


def source(**given):
    return DataSource(**{"name": "made", "summary": "", "files": [FILE], **given})


def test_from_toml(tmp_path):
    (tmp_path / "made.sha256").write_text(f"{DIGEST}  b/c d.txt\n")
    (tmp_path / "made.toml").write_text(
        '[made]\nsummary = "s"\nlicense = "CC0"\nchecksums = "made.sha256"\n'
        'uses = [{ profile = "p", path = "b", settings = ["test="] }]\n'
        f'[[made.files]]\nurl = "{URL}"\nunpack = true\nstrip = 1\nonly = ["b"]\n'
    )
    (made,) = data_sources_from_toml(tmp_path, "made.toml")
    assert made.files == (SourceFile(url=URL, unpack=True, strip=1, only=("b",)),)
    assert made.uses == (SourceUse(profile="p", path="b", settings=("test=",)),)
    assert made.member_digests() == {"b/c d.txt": DIGEST}
    assert made.checked == "SHA-256 of 1 file"


def test_what_is_checked_in_words():
    other = SourceFile(url=URL, path="b.txt")
    assert source().checked == "SHA-256"
    assert source(files=[FILE, other]).checked == "SHA-256 of 1 file"
    assert source(files=[other]).checked == "not verified"
    assert (source().size, source(files=[FILE, other]).size) == (5, 0)
    assert source(revision="0123456789abcdef").folder == "made-0123456789ab"


@pytest.mark.parametrize("line", [f"{DIGEST} a", f"{'0' * 63}  a", f"{DIGEST}  ../a", "a"])
def test_checksums_of_another_form(tmp_path, line):
    (tmp_path / "sums").write_text(f"{DIGEST}  ok\n{line}\n")
    said = failure(DataError, source(checksums=tmp_path / "sums").member_digests)
    assert said == f"{tmp_path / 'sums'}:2: is not a line of sha256sum"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"url": "file:///etc/passwd", "path": "a"}, "does not begin with https://"),
        ({"url": "ftp://example.org/a", "path": "a"}, "does not begin with https://"),
        ({"url": URL, "path": "../a"}, "path '../a' is not inside the folder"),
        ({"url": URL, "path": "a", "sha256": DIGEST.replace("0", "A")}, "is not 64 digits"),
        ({"url": URL}, "a file has a path, and an archive to unpack has none"),
        ({"url": URL, "path": "a", "unpack": True}, "an archive to unpack has none"),
    ],
)
def test_a_file_that_is_refused(given, said):
    assert said in failure(DataError, SourceFile, **given)


def test_a_source_without_files_or_with_a_use_outside_is_refused():
    assert "has no files" in failure(DataError, source, files=[])
    assert "not inside" in failure(DataError, SourceUse, profile="p", path="/etc")
    assert "files: unknown key 'link'" in failure(DataError, source, files=[{"link": URL}])


@pytest.mark.parametrize("name", ["a", "a/b", "a/..b", "./a", "a.b"])
def test_inside(name):
    assert is_inside(name)


@pytest.mark.parametrize("name", ["", "/a", "a/..", "..", "\\a", "c:a", "a\0b"])
def test_not_inside(name):
    assert not is_inside(name)


TABLE = '[{name}]\nsummary = "s"\npaths = ["a"]\nprofile = "mine"\ncolumns = [{{ title = "r" }}]\n[{name}.rows]\n'
SOURCE = '[{name}]\nsummary = "s"\nfiles = [{{ url = "https://example.org/a", path = "a" }}]\n'


def beside(folder, **files):
    """Make a plugin with a profile in a folder, and TOML files beside it: ``sources_NAME`` in ``sources``."""
    for name, text in files.items():
        inside, _, stem = name.partition("_")
        (folder / inside).mkdir(parents=True, exist_ok=True)
        (folder / inside / f"{stem}.toml").write_text(text)
    return plugin(qeframe_profiles={f"of_{folder.name}": folder / "mine.toml"})


def test_what_is_beside_the_profiles_of_a_plugin_is_found(tmp_path):
    files = {"sources_b": SOURCE.format(name="two"), "sources_a": SOURCE.format(name="one")}
    own = beside(tmp_path, **files, published_a=TABLE.format(name="printed"))
    (tmp_path / "sources" / "one.sha256").write_text("")
    own.qeframe_profiles = plugin(qeframe_profiles={n: tmp_path / f"{n}.toml" for n in ("x", "y")}).qeframe_profiles
    registry = empty_but(own=own, other=plugin(qeframe_profiles={"z": tmp_path / "none" / "z.toml"}))
    sources, tables = find_data_sources(registry), find_published_tables(registry)
    assert (list(sources), list(tables)) == (["one", "two"], ["printed"])
    assert {str(each.origin) for each in (*sources.values(), *tables.values())} == {
        "plugin 'own' of distribution '(given)'"
    }


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"sources_a": "[one]\n"},
            "a.toml: one: the key 'summary' is missing; repair it, or start with QEFRAME_BLOCK=a",
        ),
        ({"published_a": "["}, "cannot be read as TOML"),
        (
            {"sources_a": SOURCE.format(name="One")},
            "plugin 'a' of distribution '(given)': the name 'One' cannot be read",
        ),
    ],
)
def test_a_file_that_is_not_right_names_its_plugin(tmp_path, files, said):
    registry = empty_but(a=beside(tmp_path, **files))
    find = find_data_sources if "sources_a" in files else find_published_tables
    line = failure(PluginError, find, registry)
    assert line.startswith("plugin 'a' of distribution '(given)': ")
    assert said in line


def test_neither_a_source_nor_a_table_can_be_replaced(tmp_path):
    mine = beside(
        tmp_path, sources_a=SOURCE.format(name="wmt20_qe"), published_a=TABLE.format(name="wmt12_metrics_pairs")
    )
    registry = load(extra={"mine": mine})
    assert "the data source 'wmt20_qe' is brought twice: by plugin 'qeframe_wmt'" in failure(
        PluginError, find_data_sources, registry
    )
    assert "the published table 'wmt12_metrics_pairs' is brought twice" in failure(
        PluginError, find_published_tables, registry
    )


def test_a_profile_in_an_archive_has_its_files_beside_it(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("p/mine.toml", "")
        archive.writestr("p/sources/a.toml", SOURCE.format(name="one"))
    profile = zipfile.Path(tmp_path / "a.zip") / "p" / "mine.toml"
    assert list(find_data_sources(empty_but(own=plugin(qeframe_profiles={"mine": profile})))) == ["one"]


def test_an_unknown_name_lists_those_that_are_known(registry):
    said = failure(UnknownNameError, named, "zzz", find_data_sources(registry), "data source", registry)
    assert said.startswith("unknown data source 'zzz'; known: gtm_wmt16, ")
    assert (
        failure(UnknownNameError, named, "a", {}, "data source", registry) == "unknown data source 'a'; there are none"
    )


COLUMNS = [{"title": "r", "metric": "pearson"}, {"title": "MAE", "metric": "mae"}]


def table(**given):
    base = {"name": "made", "summary": "", "paths": ["."], "columns": COLUMNS, "rows": {"A": [".5", ""]}}
    return PublishedTable(**{**base, "profile": "p", **given})


def test_published_table_from_toml(tmp_path):
    (tmp_path / "made.toml").write_text(
        '[made]\nsummary = "s"\nsource = "paper"\ndata = "d"\npaths = ["a", "b"]\nprofile = "p"\n'
        'columns = [{ title = "r", metric = "pearson", task = "en-de" }]\nknown = [{ reason = "why", row = "A" }]\n'
        '[made.names]\nA = "a"\n[made.rows]\nA = [".550"]\n'
    )
    (made,) = published_tables_from_toml(tmp_path, "made.toml")
    assert made.columns == (PublishedColumn(title="r", metric="pearson", task="en-de"),)
    assert made.rows == {"A": (".550",)}
    assert made.known == (KnownDifference(reason="why", row="A"),)


def test_a_reason_is_of_a_cell_a_row_a_column_or_the_table():
    made = table(known=[{"reason": "cell", "row": "A", "column": "r"}, {"reason": "column", "column": "MAE"}])
    found = [made.known_difference(row, column) for row, column in (("A", "r"), ("B", "r"), ("B", "MAE"))]
    assert [known and known.reason for known in found] == ["cell", None, "column"]
    assert table(known=[{"reason": "all"}]).known_difference("B", "r") == KnownDifference(reason="all")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rows": {"A": [".5"]}}, "row 'A' of 'made' has 1 values for 2 columns"),
        ({"rows": {"A": [".5", "five"]}}, "'five' is not a number in quotes"),
        ({"rows": {"A": [".5", 0.5]}}, "'0.5' is not a number in quotes"),
        ({"columns": [COLUMNS[0], COLUMNS[0]]}, "two columns of 'made' have one title"),
        ({"columns": [{"name": "r"}]}, "columns: unknown key 'name'"),
    ],
)
def test_a_table_that_is_refused(given, said):
    assert said in failure(DataError, table, **given)


@frozen
class Thing:
    name: str
    size: int = 0
    parts: tuple[str, ...] = field(default=(), converter=tuple)


@pytest.mark.parametrize(
    ("text", "said"),
    [("a = 1", "'a' is not a table"), ("[a", "cannot be read as TOML"), ("\udcff", "cannot be read as TOML")],
)
def test_a_file_that_is_no_tables(tmp_path, text, said):
    file = tmp_path / "made.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    line = failure(DataError, toml_tables, file)
    assert line.startswith(str(file))
    assert said in line


def test_a_missing_file(tmp_path):
    assert "cannot be read" in failure(DataError, toml_tables, tmp_path / "none.toml")


def test_tables_become_values(tmp_path):
    (tmp_path / "made.toml").write_text('[one]\nsize = 2\nparts = ["a"]\n')
    ((name, table),) = toml_tables(tmp_path / "made.toml").items()
    assert made_of(Thing, {"name": name, **table}, "made.toml: one") == Thing("one", 2, ("a",))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"name": "a", "sizes": 1}, "unknown key 'sizes', did you mean 'size'?"),
        ({"size": 1}, "the key 'name' is missing"),
        ({"name": "a", "parts": 1}, "'int' object is not iterable"),
    ],
)
def test_a_table_that_is_no_value(table, said):
    assert failure(DataError, made_of, Thing, table, "here") == f"here: {said}"
