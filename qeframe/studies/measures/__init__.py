"""Which measures can be trusted on given data.

`verdicts` tests all pairs of submissions until no draw matters, `row` measures one measure, `study` measures several on
one or more data sets, `values` are the results and their JSON.
"""
