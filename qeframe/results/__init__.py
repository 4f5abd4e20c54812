"""Results that were kept: read back, compared with later ones, and stored over runs and years.

Here belongs what works on the files of finished evaluations. `saved` reads ``evaluation.json``, `changes` finds what
differs between two evaluations and why, `gate` judges whether a submission became worse, and `store` keeps the scores
of many runs in one file. What an evaluation is, and how it is computed, belongs to
`qeframe.core.evaluation`.
"""
