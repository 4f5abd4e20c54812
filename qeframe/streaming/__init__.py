"""Evaluations of more units than memory holds: files are read in chunks, scores are computed from sums over chunks.

A corpus is read twice. The first pass checks every line, counts the units and takes the means about which moments are
measured. The second pass adds up the rows of every metric, under weights of 1 and under the weights of every draw.
Memory depends on the number of submissions, metrics and draws, not on the number of units.
"""
