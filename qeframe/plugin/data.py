"""Data: writers, where files are published, and published tables."""

from qeframe.extensions.published.data_source import DataSource, SourceFile, SourceUse, data_sources_from_toml
from qeframe.extensions.published.published_table import (
    KnownDifference,
    PublishedColumn,
    PublishedTable,
    published_tables_from_toml,
)
from qeframe.extensions.writer import Writer, Written

__all__ = [
    "DataSource",
    "KnownDifference",
    "PublishedColumn",
    "PublishedTable",
    "SourceFile",
    "SourceUse",
    "Writer",
    "Written",
    "data_sources_from_toml",
    "published_tables_from_toml",
]
