"""Strategies that raise a score without being better."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_ATTACKS = {
    "constant_and_random_tags": ["all_bad", "all_good", "optimistic", "pessimistic", "random_tags"],
    "corrections": ["edit_one_segment", "rewrite_all", "unedited", "wrong_language"],
    "grids": ["abstain_items", "all_equal", "never_equal", "round_grid", "segment_means", "system_means", "untie_grid"],
    "markings": [
        "both_severities",
        "every_character",
        "every_severity",
        "few_segments",
        "middle_span",
        "no_span",
        "one_span",
        "random_spans",
        "short_spans",
        "split_spans",
        "widened_spans",
    ],
    "number_spaces": ["constant_quantile", "position_scores", "reshape_scores", "tie_and_break", "tie_at_random"],
    "numbers": [
        "best_of_scores",
        "constant_mean",
        "constant_median",
        "constant_tail",
        "continuous_answers",
        "random_scores",
        "reversed_ranking",
        "round_scores",
        "shift_and_scale",
        "shrink",
        "tie_scores",
    ],
    "own_means": ["add_item_means", "add_own_means", "add_system_means", "mix_means", "random_mix"],
    "pairs": ["always_tie", "best_of_judgments", "break_ties", "never_tie", "tie_unsure"],
    "preferences": [
        "break_pair_ties",
        "first_answer",
        "longer_answer",
        "one_order",
        "random_preference",
        "tie_every_pair",
    ],
    "sentence_patterns": ["all_but_last", "first_and_last", "last_token", "tag_grammar", "whole_sentences"],
    "tag_patterns": ["best_of_tags", "block_tagging", "over_tagging"],
    "text_spaces": ["edit_texts", "mark_grammar", "preference_grammar", "word_list"],
    "two_classes": [
        "all_negative",
        "all_positive",
        "equal_token_scores",
        "later_tokens",
        "random_decisions",
        "random_token_scores",
    ],
    "words": ["drop_isolated", "frequent_words", "no_word", "one_word", "pad", "pad_with_frequent", "whole_vocabulary"],
}
__getattr__, _names = lazy_names(__name__, {"constant_and_random_tags": _ATTACKS["constant_and_random_tags"]})
__all__ = [*_names(), "qeframe_attacks"]


@hookimpl
def qeframe_attacks() -> Sequence[str]:
    """Return the attacks on tags, spans, numbers, gold of two classes, judgments, grids, texts and so on."""
    return places(__name__, _ATTACKS)
