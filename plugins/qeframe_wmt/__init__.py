"""Readers of the files of the WMT shared tasks, and the rules of each shared task as profiles.

`readers` has one module for each format, `formats` what several readers share. The folders of `profiles` hold the
rules; beside them, `sources` says where the files of the tasks are published, and `published` what tasks and papers
printed. All three are TOML. The package below is `qeframe.plugin`.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_READERS = {
    "any_table": ["table"],
    "detection.explanations": ["explained_sentences", "explained_words"],
    "detection.segment_classes": ["qe_detection"],
    "metrics.challenge_pairs": ["aces", "wmt25_equal_pairs", "wmt25_mslc_b"],
    "metrics.challenge_sets": ["mslc", "wmt25_challenge_sets"],
    "metrics.judged_texts": ["assessed_texts"],
    "metrics.ratings.campaigns": ["esa_ratings"],
    "metrics.ratings.mqm_and_sqm": ["mqm_ratings", "sqm_ratings"],
    "metrics.translation_systems": ["automatic_scores", "human_scores"],
    "metrics.wmt12_to_16_rankings": ["rankings"],
    "metrics.wmt14_decided_pairs": ["decided_pairs"],
    "metrics.wmt20_assessments": ["wmt20_darr", "wmt20_systems"],
    "metrics.wmt20_to_25_mtme": ["mtme"],
    "sentence.graham_2015_table": ["graham_table"],
    "sentence.wmt12_to_19": ["qe_four_columns", "qe_plain"],
    "sentence.wmt20_to_24_columns": ["qe_sentence"],
    "spans.wmt19_to_20_annotations": ["document_annotations"],
    "spans.wmt23_to_24_columns": ["spans_2023"],
    "wmt25_tables": ["corrections_2025", "spans_2025"],
    "wmt26.scores": ["wmt26_scores", "wmt26_systems"],
    "wmt26.single_translations": ["wmt26_error_free", "wmt26_spans"],
    "word.wmt14_to_19": ["tag_lines", "word_columns_2014", "word_columns_2015"],
    "word.wmt20_to_23_columns": ["word_columns_2020"],
}
_NAMES_OF = {f"readers.{module}": names for module, names in _READERS.items()}
__getattr__, _names = lazy_names(__name__, _NAMES_OF)
__all__ = [*_names(), "qeframe_profiles", "qeframe_readers"]


@hookimpl
def qeframe_readers() -> Sequence[str]:
    """Bring the readers."""
    return places(__name__, _NAMES_OF)


@hookimpl
def qeframe_profiles() -> Mapping[str, Traversable]:
    """Return the profiles of all folders, each under the name of its file."""
    folders = [folder for folder in files(__name__).joinpath("profiles").iterdir() if folder.is_dir()]
    profiles = [file for folder in folders for file in folder.iterdir() if file.name.endswith(".toml")]
    return {file.name.removesuffix(".toml"): file for file in profiles}
