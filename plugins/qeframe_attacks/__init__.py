"""Strategies that raise a score without being better."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_NAMES = {
    "constant_and_random_tags": "all_bad all_good optimistic pessimistic random_tags",
    "corrections": "edit_one_segment rewrite_all unedited wrong_language",
    "grids": (
        "abstain_items add_item_means add_own_means add_system_means all_equal mix_means never_equal random_mix "
        "round_grid segment_means system_means untie_grid"
    ),
    "markings": (
        "both_severities every_character every_severity few_segments mark_grammar middle_span no_span one_span "
        "random_spans short_spans split_spans widened_spans"
    ),
    "numbers": (
        "best_of_scores constant_mean constant_median constant_quantile constant_tail continuous_answers "
        "random_scores reshape_scores reversed_ranking round_scores shift_and_scale shrink tie_scores"
    ),
    "pairs": "always_tie best_of_judgments break_ties never_tie tie_and_break tie_at_random tie_unsure",
    "preferences": (
        "break_pair_ties first_answer longer_answer one_order preference_grammar random_preference tie_every_pair"
    ),
    "tag_patterns": (
        "all_but_last best_of_tags block_tagging first_and_last last_token over_tagging tag_grammar whole_sentences"
    ),
    "two_classes": (
        "all_negative all_positive equal_token_scores later_tokens position_scores random_decisions random_token_scores"
    ),
    "words": (
        "drop_isolated edit_texts frequent_words no_word one_word pad pad_with_frequent whole_vocabulary word_list"
    ),
}
_ATTACKS = {module: names.split() for module, names in _NAMES.items()}
__getattr__, _names = lazy_names(__name__, {"constant_and_random_tags": _ATTACKS["constant_and_random_tags"]})
__all__ = [*_names(), "qeframe_attacks"]


@hookimpl
def qeframe_attacks() -> Sequence[str]:
    """Return the attacks on tags, spans, numbers, gold of two classes, judgments, grids, texts and so on."""
    return places(__name__, _ATTACKS)
