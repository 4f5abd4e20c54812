"""Deliberate faults, each of one line, and what finds it: a law, or a golden case.

They are of the kinds that evaluation scripts of this field really had: a sign, > for >=, a forgotten cell or margin, a
missing + 1, an end of a span that is one off, a bootstrap that is not centered.
"""

from attrs import frozen

__all__ = ["FAULTS", "Case", "Fault", "Law"]


@frozen
class Law:
    """Found by a law of a component: its class, its name, the law's name."""

    kind: str
    component: str
    law: str


@frozen
class Case:
    """Found by a test of golden cases, or of numbers worked out by hand."""

    test: str


@frozen
class Fault:
    """A fault: the file, what stands there, what is put instead, and what finds it."""

    what: str
    file: str
    old: str
    new: str
    found_by: Law | Case


FAULTS = [
    Fault(
        "MCC with plus for minus",
        "plugins/qeframe_tagging/confusion_counts.py",
        "hits * gold.sum(axis=-1) - np.einsum",
        "hits * gold.sum(axis=-1) + np.einsum",
        Law("Metric", "mcc", "monotone"),
    ),
    Fault(
        "F1 forgets the gold tokens that were missed",
        "plugins/qeframe_tagging/confusion_counts.py",
        "in_gold, in_predicted = cells[..., self.code, :].sum(axis=-1)",
        "in_gold, in_predicted = hits",
        Case("tests/plugins/qeframe_tagging/test_golden_words.py::test_scores"),
    ),
    Fault(
        "kappa forgets chance",
        "plugins/qeframe_tagging/confusion_counts.py",
        "covariance, _pairs_apart(gold, predicted)), -1.0",
        "gold[..., 0] + covariance, _pairs_apart(gold, predicted)), -1.0",
        Law("Metric", "cohen_kappa", "blind_proof"),
    ),
    Fault(
        "a span of tags is not closed at the end of its sentence",
        "plugins/qeframe_tagging/confusion_counts.py",
        "changes[begins] = True",
        "changes[begins[:1]] = True",
        Law("Metric", "phrase_f1_bad", "shards"),
    ),
    Fault(
        "the end of a marked span is one off",
        "plugins/qeframe_tagging/spans/marked_characters.py",
        "positions += [start + shift, end + shift]",
        "positions += [start + shift, end + shift - 1]",
        Case("tests/plugins/qeframe_tagging/spans/test_marked_characters.py::test_checks_of_the_conventions"),
    ),
    Fault(
        "a matched span earns its share of the other span",
        "plugins/qeframe_tagging/spans/overlaps.py",
        "(overlap / (end - start), overlap / (gold_end - gold_start))",
        "(overlap / (gold_end - gold_start), overlap / (end - start))",
        Case("tests/plugins/qeframe_tagging/test_spans.py::test_the_macro_average_is_the_mean_of_segments"),
    ),
    Fault(
        "human ties are taken for losses",
        "plugins/qeframe_agreement/kendall_tau/tau_of_judgments.py",
        "cell = 4 - 3 * batch.human - batch.metric_relations(self.epsilon)",
        "cell = 4 - 3 * (batch.human - (batch.human == 0)) - batch.metric_relations(self.epsilon)",
        Case("tests/plugins/qeframe_agreement/test_kendall_tau.py::test_cells_against_a_loop"),
    ),
    Fault(
        "pairs that the metric ties are forgotten",
        "plugins/qeframe_ties/tie_policies.py",
        "table=((1.0, 0.0, -1.0), (None, None, None), (-1.0, 0.0, 1.0)),\n    claims",
        "table=((1.0, None, -1.0), (None, None, None), (-1.0, None, 1.0)),\n    claims",
        Law("TiePolicy", "wmt14", "tie_neutral"),
    ),
    Fault(
        "a tie within epsilon takes < for <=",
        "qeframe/kinds/judgments/batch.py",
        "(difference > epsilon).view(np.int8) - (difference < -epsilon).view(np.int8)",
        "(difference >= epsilon).view(np.int8) - (difference <= -epsilon).view(np.int8)",
        Case("tests/plugins/qeframe_ties/test_tie_policies.py::test_golden"),
    ),
    Fault(
        "one cell of a tie table has the wrong sign",
        "plugins/qeframe_ties/tie_policies.py",
        'table=((1.0, -1.0, -1.0), (None, None, None), (-1.0, -1.0, 1.0)),\n    claims=("right_is_best",),\n)\n\nwmt13',
        'table=((1.0, -1.0, -1.0), (None, None, None), (-1.0, 1.0, 1.0)),\n    claims=("right_is_best",),\n)\n\nwmt13',
        Law("TiePolicy", "wmt12", "mirrored"),
    ),
    Fault(
        "discordant pairs count as right",
        "plugins/qeframe_ties/tie_policies.py",
        "table=((1.0, None, -1.0), (None, None, None), (-1.0, None, 1.0))",
        "table=((-1.0, None, 1.0), (None, None, None), (1.0, None, -1.0))",
        Law("TiePolicy", "wmt13", "right_is_best"),
    ),
    Fault(
        "pairs that tau takes for discordant count as concordant",
        "plugins/qeframe_agreement/kendall_tau/concordance.py",
        "((a, b), (a, a), (b, b))",
        "((a, np.abs(b)), (a, a), (b, b))",
        Law("Metric", "tau_b(grouping=item)", "location_scale_invariant"),
    ),
    Fault(
        "Pearson's moments are not centered",
        "qeframe/statistics/correlation.py",
        "yy - y * y / n, xy - x * y / n",
        "yy - y * y / n, xy",
        Law("Metric", "pearson", "subset"),
    ),
    Fault(
        "Spearman ranks ties as they come",
        "plugins/qeframe_scoring/correlation.py",
        "bind=partial(_bind_ranks, apart=apart),",
        "bind=partial(_bind_ranks, apart=True),",
        Law("Metric", "spearman", "order"),
    ),
    Fault(
        "an error without its absolute value",
        "plugins/qeframe_scoring/mean_errors.py",
        "return np.abs(batch.predicted - batch.gold)",
        "return batch.predicted - batch.gold",
        Law("Metric", "mae", "bounds"),
    ),
    Fault(
        "DeltaAvg takes one quantile too many",
        "plugins/qeframe_scoring/delta_average.py",
        "quantiles = np.arange(2, units // 2 + 1)",
        "quantiles = np.arange(2, units // 2 + 2)",
        Case("tests/plugins/test_qeframe_scoring.py::test_sentence_level"),
    ),
    Fault(
        "DeltaAvg forgets to subtract the mean of all",
        "plugins/qeframe_scoring/delta_average.py",
        "np.where(units >= 4, totals",
        "np.where(units >= 400, totals",
        Law("Metric", "delta_avg", "subset"),
    ),
    Fault(
        "exchanges as extreme as the observation are not counted: > for >=",
        "plugins/qeframe_significance/p_values.py",
        "return ~(differences < observed - slack)",
        "return ~(differences <= observed + slack)",
        Law("SignificanceTest", "randomization", "super_uniform"),
    ),
    Fault(
        "p without + 1",
        "plugins/qeframe_significance/p_values.py",
        "(1 + counts) / (1 + total)",
        "counts / total",
        Law("SignificanceTest", "bootstrap", "never_zero"),
    ),
    Fault(
        "the two-sided count looks at one side",
        "plugins/qeframe_significance/p_values.py",
        'if sided == "two":',
        'if sided == "both":',
        Law("SignificanceTest", "randomization", "symmetry"),
    ),
    Fault(
        "a bootstrap that is not centered",
        "plugins/qeframe_significance/paired_bootstrap.py",
        "at_least(differences - center, observed",
        "at_least(differences, observed",
        Case("tests/plugins/qeframe_significance/test_golden_tests.py::test_bootstrap"),
    ),
    Fault(
        "one submission is resampled apart from the other",
        "qeframe/core/statistic_stack.py",
        "values = score(np.moveaxis(sums[index], 0, -1))\n                    scores[where]",
        "values = score(np.moveaxis(np.roll(sums, 1, axis=1)[index], 0, -1))\n                    scores[where]",
        Law("Metric", "mae", "stack"),
    ),
    Fault(
        "Williams' test with the sign of t turned",
        "plugins/qeframe_significance/p_values.py",
        'stdtr(freedom, -t) if sided == "one"',
        'stdtr(freedom, t) if sided == "one"',
        Case("tests/plugins/qeframe_significance/test_golden_tests.py::test_williams"),
    ),
    Fault(
        "Williams' test with n - 2 degrees of freedom",
        "plugins/qeframe_significance/correlations/williams_formula.py",
        'p_values(t, n - 3, sided="two")',
        'p_values(t, n - 2, sided="two")',
        Case("tests/plugins/qeframe_significance/test_golden_tests.py::test_williams"),
    ),
    Fault(
        "Williams' test looks at one tail twice",
        "plugins/qeframe_significance/p_values.py",
        "2 * stdtr(freedom, -np.abs(t))",
        "2 * stdtr(freedom, -t)",
        Law("SignificanceTest", "williams", "symmetry"),
    ),
    Fault(
        "a t-test that counts two degrees of freedom too many",
        "plugins/qeframe_significance/t_and_wilcoxon.py",
        "/ (n + m - 2) * (1 / n + 1 / m)",
        "/ (n + m) * (1 / n + 1 / m)",
        Case("tests/plugins/qeframe_significance/test_golden_tests.py::test_t_test"),
    ),
    Fault(
        "Bonferroni without its ceiling of 1",
        "plugins/qeframe_significance/corrections.py",
        "return np.minimum(values * len(values), 1.0)",
        "return values * len(values)",
        Law("Correction", "bonferroni", "no_smaller"),
    ),
    Fault(
        "Holm forgets that adjusted p never fall",
        "plugins/qeframe_significance/corrections.py",
        "np.maximum.accumulate(np.where(np.isnan(stepped), -np.inf, stepped))",
        "np.where(np.isnan(stepped), -np.inf, stepped)",
        Law("Correction", "holm", "monotone"),
    ),
    Fault(
        "Benjamini and Hochberg's steps are one off",
        "plugins/qeframe_significance/corrections.py",
        "len(values) / np.arange(1, len(values) + 1)",
        "len(values) / np.arange(2, len(values) + 2)",
        Law("Correction", "bh", "no_smaller"),
    ),
    Fault(
        "the exchanged units are not taken out",
        "qeframe/core/exchange.py",
        "kept = total - moved",
        "kept = total - 0 * moved",
        Law("Metric", "mae", "exchange"),
    ),
    Fault(
        "the jackknife leaves nothing out",
        "qeframe/core/statistic_stack.py",
        "rest = total - part",
        "rest = total - 0 * part",
        Law("Metric", "mae", "stack"),
    ),
    Fault(
        "the undefined are ranked first",
        "plugins/qeframe_rankings/ranking_rules.py",
        "np.isnan(oriented), -np.inf",
        "np.isnan(oriented), np.inf",
        Law("RankingRule", "clusters", "by_score"),
    ),
    Fault(
        "winners are those that outperform nobody",
        "plugins/qeframe_rankings/ranking_rules.py",
        "_winners(~given.better.any(axis=0))",
        "_winners(~given.better.any(axis=1))",
        Case("tests/plugins/test_qeframe_rankings.py::test_only_the_second_outperforms_the_third"),
    ),
    Fault(
        "the average rank of a task without a say counts",
        "plugins/qeframe_aggregations/aggregations.py",
        "return weighted_mean(numbers, weights, undefined=undefined)",
        "return numbers.mean(axis=-1)",
        Law("Aggregation", "average_rank", "zero_weight"),
    ),
    Fault(
        "a position-independent error rate by the shorter text",
        "plugins/qeframe_texts/word_error_rates.py",
        "return np.maximum(candidates.lengths, references.lengths)",
        "return np.minimum(candidates.lengths, references.lengths)",
        Case("tests/plugins/qeframe_texts/test_rates.py::test_small_cases"),
    ),
    Fault(
        "GTM divides by the length of one side",
        "plugins/qeframe_gtm/measures.py",
        "return _share(2 * sums[..., 0], sums[..., 1] + sums[..., 2])",
        "return _share(2 * sums[..., 0], 2 * sums[..., 2])",
        Case("tests/plugins/qeframe_gtm/test_golden_texts.py::test_every_number_of_every_case"),
    ),
    Fault(
        "a mean counts no unit, so that it is undefined everywhere",
        "plugins/qeframe_scoring/mean_errors.py",
        "return np.stack([np.ones_like(values), values], axis=1)",
        "return np.stack([np.zeros_like(values), values], axis=1)",
        Law("Metric", "mae", "defined"),
    ),
    Fault(
        "errors are written into the answers",
        "plugins/qeframe_scoring/mean_errors.py",
        "return np.abs(batch.predicted - batch.gold)",
        "return np.abs(np.subtract(batch.predicted, batch.gold, out=batch.predicted))",
        Law("Metric", "mae", "input"),
    ),
    Fault(
        "p-values are adjusted in place",
        "plugins/qeframe_significance/corrections.py",
        "return np.minimum(values * len(values), 1.0)",
        "return np.minimum(np.multiply(values, len(values), out=values), 1.0)",
        Law("Correction", "bonferroni", "input"),
    ),
    Fault(
        "ties of errors are broken at random",
        "plugins/qeframe_scoring/mean_errors.py",
        "return np.abs(batch.predicted - batch.gold)",
        "return np.abs(batch.predicted - batch.gold) + np.random.default_rng().random(len(batch))",
        Law("Metric", "mae", "determinism"),
    ),
    Fault(
        "one score for all draws",
        "plugins/qeframe_scoring/mean_errors.py",
        "return np.sqrt(mean_of_sums(sums))",
        "return np.sqrt(mean_of_sums(sums)).mean()",
        Law("Metric", "rmse", "shape"),
    ),
    Fault(
        "a correlation is declared to be a share",
        "plugins/qeframe_scoring/correlation.py",
        "vectors=_both,\n    bounds=(-1.0, 1.0)",
        "vectors=_both,\n    bounds=(0.0, 1.0)",
        Law("Metric", "pearson", "bounds"),
    ),
    Fault(
        "a tie policy that counts no pair",
        "plugins/qeframe_ties/tie_policies.py",
        "table=((1.0, None, -1.0), (None, None, None), (-1.0, None, 1.0))",
        "table=((None, None, None), (None, None, None), (None, None, None))",
        Law("TiePolicy", "wmt13", "defined"),
    ),
    Fault(
        "a name is free if only one plugin has it",
        "qeframe/testing/laws/free_name.py",
        "    if not rivals:",
        "    if len(rivals) < 2:",
        Case("tests/qeframe/testing/test_laws.py::test_the_name_of_a_metric_of_another_plugin_is_taken"),
    ),
    Fault(
        "rank assessments are not negated, so that the worst is the best",
        "plugins/qeframe_wmt/readers/metrics/wmt12_to_16_rankings.py",
        "values[row, column] = -ranks[row, position]",
        "values[row, column] = ranks[row, position]",
        Case(
            "tests/plugins/qeframe_wmt/readers/metrics/test_wmt12_to_16_rankings.py"
            "::test_ranks_are_assessments_of_which_the_higher_is_better"
        ),
    ),
    Fault(
        "several families count as one after more draws",
        "qeframe/core/comparison.py",
        "        rules, pairwise = more, run_on_pairs(contest, more)\n"
        "        adjusted = np.minimum(adjusted_pairs(contest, pairwise, rules) * families, 1.0)",
        "        rules, pairwise = more, run_on_pairs(contest, more)\n"
        "        adjusted = np.minimum(adjusted_pairs(contest, pairwise, rules), 1.0)",
        Case("tests/qeframe/core/evaluation/test_comparison.py::test_several_families_count_after_more_draws_too"),
    ),
    Fault(
        "the number of a Poisson draw is one off",
        "qeframe/core/draws.py",
        "np.arange(block.start + 1, block.start + block.draws + 1",
        "np.arange(block.start, block.start + block.draws",
        Case(
            "tests/qeframe/core/resampling/test_draws.py::test_the_first_poisson_draw_is_the_first_number_of_its_stream"
        ),
    ),
    Fault(
        "the factor of Meng, Rosenthal and Rubin without its bound",
        "plugins/qeframe_significance/correlations/dependent_correlations.py",
        "np.minimum((1 - ab) / (2 * (1 - square)), 1.0)",
        "(1 - ab) / (2 * (1 - square))",
        Case("tests/plugins/qeframe_significance/test_correlations.py::test_the_factor_of_meng_is_at_most_one"),
    ),
    Fault(
        "a row that is excluded in part is monotone where right is its best",
        "plugins/qeframe_agreement/kendall_tau/tau_of_judgments.py",
        "counts[right] and row[right] == highest",
        "counts[right] and row[right] == row[counts].max()",
        Case(
            "tests/laws/test_claims.py::test_a_row_that_is_excluded_in_part_is_monotone_where_right_counts_most_of_all"
        ),
    ),
]
