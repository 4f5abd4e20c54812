"""The table of data sources."""

from qeframe.extensions.published.data_source import DataSource, SourceFile
from qeframe_fetch.source_table import data_source_table, size_in_words
from tests.qeframe.report.test_tables import whole


def test_data_sources(snapshot):
    file = SourceFile(url="https://example.org/a", path="a")
    sources = [DataSource(name="made", summary="task 1", source="example.org", files=[file])]
    snapshot("data_sources.txt", whole({"what is not known of data": data_source_table(sources)}))


def test_sizes_in_words():
    sizes = {0: "not stated", 999: "999 bytes", 95_685: "95.7 kB", 123_456_789: "123 MB", 2_000_000_000: "2.0 GB"}
    assert {size: size_in_words(size) for size in sizes} == sizes
