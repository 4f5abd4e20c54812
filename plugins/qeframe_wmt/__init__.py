"""Readers of the files of the WMT shared tasks, and the rules of each shared task as profiles.

`readers` has one module for each format, `formats` what several readers share. Three folders of TOML files hold data:
`profiles` the rules, `sources` where the files of the tasks are published, `published` the values that tasks and papers
printed. The package below is `qeframe.plugin`.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from qeframe.plugin import Parametric, hookimpl
from qeframe.plugin.data import DataSource, PublishedTable, Writer, data_sources_from_toml, published_tables_from_toml
from qeframe.plugin.readers import Reader
from qeframe_wmt.readers.corrections.wmt25_table import corrections_2025
from qeframe_wmt.readers.detection.explanations import explained_sentences, explained_words
from qeframe_wmt.readers.detection.segment_classes import qe_detection
from qeframe_wmt.readers.metrics.aces import aces
from qeframe_wmt.readers.metrics.automatic_scores import automatic_scores
from qeframe_wmt.readers.metrics.challenge_pairs import wmt25_equal_pairs, wmt25_mslc_b
from qeframe_wmt.readers.metrics.challenge_sets import mslc, wmt25_challenge_sets
from qeframe_wmt.readers.metrics.human_scores import human_scores
from qeframe_wmt.readers.metrics.judged_texts import assessed_texts
from qeframe_wmt.readers.metrics.ratings.esa import esa_ratings
from qeframe_wmt.readers.metrics.ratings.mqm import mqm_ratings
from qeframe_wmt.readers.metrics.ratings.sqm import sqm_ratings
from qeframe_wmt.readers.metrics.wmt12_to_16_rankings import rankings
from qeframe_wmt.readers.metrics.wmt14_decided_pairs import decided_pairs
from qeframe_wmt.readers.metrics.wmt20.assessed_systems import wmt20_systems
from qeframe_wmt.readers.metrics.wmt20.assessments import wmt20_darr
from qeframe_wmt.readers.metrics.wmt21_to_25_mtme import mtme
from qeframe_wmt.readers.sentence.graham_2015_table import graham_table
from qeframe_wmt.readers.sentence.wmt12_to_18_four_columns import qe_four_columns
from qeframe_wmt.readers.sentence.wmt19_numbers import qe_plain
from qeframe_wmt.readers.sentence.wmt20_to_24_columns import qe_sentence
from qeframe_wmt.readers.spans.wmt19_to_20_annotations import document_annotations
from qeframe_wmt.readers.spans.wmt23_to_24_columns import spans_2023
from qeframe_wmt.readers.spans.wmt25_table import spans_2025
from qeframe_wmt.readers.wmt26.error_free import wmt26_error_free
from qeframe_wmt.readers.wmt26.scores import wmt26_scores
from qeframe_wmt.readers.wmt26.spans import wmt26_spans
from qeframe_wmt.readers.wmt26.systems import wmt26_systems
from qeframe_wmt.readers.word.wmt14_columns import word_columns_2014
from qeframe_wmt.readers.word.wmt15_to_17_columns import word_columns_2015
from qeframe_wmt.readers.word.wmt18_to_19_tag_lines import tag_lines
from qeframe_wmt.readers.word.wmt20_to_23_columns import word_columns_2020
from qeframe_wmt.system_means import system_means_of_2025
from qeframe_wmt.writers.mtme import mtme as mtme_writer

__all__ = [
    "aces",
    "assessed_texts",
    "automatic_scores",
    "corrections_2025",
    "decided_pairs",
    "document_annotations",
    "esa_ratings",
    "explained_sentences",
    "explained_words",
    "graham_table",
    "human_scores",
    "mqm_ratings",
    "mslc",
    "mtme",
    "mtme_writer",
    "qe_detection",
    "qe_four_columns",
    "qe_plain",
    "qe_sentence",
    "qeframe_data_sources",
    "qeframe_profiles",
    "qeframe_published_tables",
    "qeframe_readers",
    "qeframe_writers",
    "rankings",
    "spans_2023",
    "spans_2025",
    "sqm_ratings",
    "tag_lines",
    "wmt20_darr",
    "wmt20_systems",
    "wmt25_challenge_sets",
    "wmt25_equal_pairs",
    "wmt25_mslc_b",
    "wmt26_error_free",
    "wmt26_scores",
    "wmt26_spans",
    "wmt26_systems",
    "word_columns_2014",
    "word_columns_2015",
    "word_columns_2020",
]


@hookimpl
def qeframe_readers() -> Sequence[Reader | Parametric[Reader]]:
    """Bring the readers."""
    words = (tag_lines, word_columns_2014, word_columns_2015, word_columns_2020)
    classes = (explained_sentences, explained_words, qe_detection)
    of_systems = (automatic_scores, human_scores)
    pairwise = (aces, wmt25_equal_pairs, wmt25_mslc_b)
    metrics = (*pairwise, decided_pairs, mslc, rankings, wmt20_darr, wmt20_systems, wmt25_challenge_sets, *of_systems)
    spans = (corrections_2025, document_annotations, spans_2023, spans_2025)
    families = (graham_table, qe_four_columns, qe_plain, qe_sentence, *words, *classes, *spans, *metrics)
    scores = Parametric(mtme, former_parameters={"human": "gold"})
    of_2026 = (wmt26_error_free, wmt26_scores, wmt26_spans, wmt26_systems, esa_ratings, mqm_ratings, sqm_ratings)
    return [assessed_texts, scores, *(Parametric(build) for build in (*families, *of_2026))]


@hookimpl
def qeframe_writers() -> Sequence[Writer | Parametric[Writer]]:
    """Bring the writer of mt-metrics-eval."""
    return [Parametric(mtme_writer)]


@hookimpl
def qeframe_profiles() -> Mapping[str, Traversable]:
    """Return the profiles of all folders, each under the name of its file."""
    folders = [folder for folder in files(__name__).joinpath("profiles").iterdir() if folder.is_dir()]
    profiles = [file for folder in folders for file in folder.iterdir() if file.name.endswith(".toml")]
    return {file.name.removesuffix(".toml"): file for file in profiles}


@hookimpl
def qeframe_data_sources() -> Sequence[DataSource]:
    """Return where the files of the shared tasks are published."""
    return data_sources_from_toml(files(__name__).joinpath("sources"))


@hookimpl
def qeframe_published_tables() -> Sequence[PublishedTable]:
    """Return the values that shared tasks and papers printed."""
    folder = sorted(files(__name__).joinpath("published").iterdir(), key=lambda file: file.name)
    tables = [table for file in folder if file.name.endswith(".toml") for table in published_tables_from_toml(file)]
    return [*tables, system_means_of_2025()]
