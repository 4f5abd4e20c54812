"""Data: where files are published, and published tables."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.extensions.published.data_source import DataSource, SourceFile, SourceUse, data_sources_from_toml
    from qeframe.extensions.published.published_table import (
        KnownDifference,
        PublishedColumn,
        PublishedTable,
        published_tables_from_toml,
    )

__all__ = [
    "DataSource",
    "KnownDifference",
    "PublishedColumn",
    "PublishedTable",
    "SourceFile",
    "SourceUse",
    "data_sources_from_toml",
    "published_tables_from_toml",
]

__getattr__, __dir__ = lazy_names(__name__)
