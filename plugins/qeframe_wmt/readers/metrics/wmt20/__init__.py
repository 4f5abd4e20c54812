"""The metrics task of 2020: direct assessments and scores of metrics, from the repository as published or by pair.

`published_files` finds the files of both layouts, `score_lines` reads the scores of metrics. The readers are
`assessments` (relative rankings from assessments of segments) and `assessed_systems` (assessments of systems).
"""
