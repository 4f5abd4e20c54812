"""What an evaluation has besides scores, comparisons and ranks; it changes none of these.

`notices` says what a submission is, seen from its answers, `warnings_on_results` what limits results. `valid_clusters`
has the clusters by rules that control errors. `all_additions` adds them, and averages over the columns of a page.
"""
