"""Readers of human ratings: errors with severities, or scores, that raters gave to single translations.

Below are `qeframe_wmt.readers.wmt26`, which shares the files of campaigns, and `qeframe_wmt.formats`.
"""
