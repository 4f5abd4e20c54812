"""System level: human scores of systems, mean scores of systems, and their comparison.

`human_scores` derives scores from comparisons and assessments, `means` compares mean scores on grids, `from_judgments`
derives human scores again under the weights of judgments. Below is `exchanges`.
"""
