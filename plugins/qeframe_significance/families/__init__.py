"""Families of comparisons: claims about all ordered pairs that hold together.

`step_down` adjusts p-values by the joint distribution of the differences; `romano_wolf` studentizes these differences
and is the correction.
"""
