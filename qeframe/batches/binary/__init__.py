"""Batches with a gold of two classes: a number for each unit (`Detections`), or for each token (`TokenScores`)."""
