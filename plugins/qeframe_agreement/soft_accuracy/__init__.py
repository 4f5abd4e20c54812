"""Soft pairwise accuracy: the agreement of p-values, and its mean with acc_eq."""
