"""The Kendall family: tau over judgments by a tie policy, tau-b and tau-c on grids."""
