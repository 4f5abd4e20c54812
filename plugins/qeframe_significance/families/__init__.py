"""Families of comparisons: claims about all ordered pairs that hold together.

Two corrections adjust p-values by the joint distribution of the differences, both by `step_down`: `romano_wolf` over
bootstrap draws, `max_t` over exchanges.
"""
