"""Repeated sampling: which metric tells word-level submissions apart with the fewest samples.

Algorithm 1 of Logacheva et al. (2016). `data_sets` draws data sets of stated quality and scores them. `least_samples`
finds the smallest samples that a metric needs, by the mean p-value of the test that compares two samples of scores.
"""
