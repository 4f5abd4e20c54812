"""The cells of a grid in pairs and in groups, and the scores of groups combined.

`pairing` compares the systems within each item, `groups` scores all cells, the cells of a system or the cells of an
item. Metrics do not belong here. Below are the tables of tie policies (`qeframe_agreement.tie_tables`).
"""
