"""Readers of the files of the WMT shared tasks, and the rules of each shared task as profiles.

`readers` has one module for each format, `formats` what several readers share, `profiles` the rules as TOML files. The
package below is `qeframe.plugin`.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from qeframe.plugin import Parametric, Reader, hookimpl
from qeframe_wmt.readers.metrics.judged_texts import assessed_texts
from qeframe_wmt.readers.metrics.wmt12_to_16_rankings import rankings
from qeframe_wmt.readers.metrics.wmt14_decided_pairs import decided_pairs
from qeframe_wmt.readers.metrics.wmt20_assessments import wmt20_darr
from qeframe_wmt.readers.metrics.wmt21_to_25_mtme import mtme
from qeframe_wmt.readers.sentence.graham_2015_table import graham_table
from qeframe_wmt.readers.sentence.wmt12_to_18_four_columns import qe_four_columns
from qeframe_wmt.readers.sentence.wmt19_numbers import qe_plain
from qeframe_wmt.readers.sentence.wmt20_to_24_columns import qe_sentence
from qeframe_wmt.readers.spans.wmt23_to_24_columns import spans_2023
from qeframe_wmt.readers.spans.wmt25_table import spans_2025
from qeframe_wmt.readers.word.wmt14_columns import word_columns_2014
from qeframe_wmt.readers.word.wmt15_to_17_columns import word_columns_2015
from qeframe_wmt.readers.word.wmt18_to_19_tag_lines import tag_lines
from qeframe_wmt.readers.word.wmt20_to_23_columns import word_columns_2020

__all__ = [
    "assessed_texts",
    "decided_pairs",
    "graham_table",
    "mtme",
    "qe_four_columns",
    "qe_plain",
    "qe_sentence",
    "qeframe_profiles",
    "qeframe_readers",
    "rankings",
    "spans_2023",
    "spans_2025",
    "tag_lines",
    "wmt20_darr",
    "word_columns_2014",
    "word_columns_2015",
    "word_columns_2020",
]


@hookimpl
def qeframe_readers() -> Sequence[Reader | Parametric[Reader]]:
    """Bring the readers."""
    words = (tag_lines, word_columns_2014, word_columns_2015, word_columns_2020)
    metrics = (decided_pairs, mtme, rankings, wmt20_darr)
    families = (graham_table, qe_four_columns, qe_sentence, *words, spans_2023, spans_2025, *metrics)
    return [assessed_texts, qe_plain, *(Parametric(build) for build in families)]


@hookimpl
def qeframe_profiles() -> Mapping[str, Traversable]:
    """Return the profiles of all folders, each under the name of its file."""
    folders = [folder for folder in files(__name__).joinpath("profiles").iterdir() if folder.is_dir()]
    profiles = [file for folder in folders for file in folder.iterdir() if file.name.endswith(".toml")]
    return {file.name.removesuffix(".toml"): file for file in profiles}
