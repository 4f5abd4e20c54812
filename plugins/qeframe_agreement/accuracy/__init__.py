"""Pairwise accuracy with ties within items (acc_eq), and the calibration of its threshold of ties."""
