"""What happens to the scores of two grids that swap items, cells or systems.

`axes` serves any metric, `column_sums` metrics of sums over the column of each system. The exchanges of one metric
alone are beside that metric. Nothing of qeframe_agreement is below.
"""
