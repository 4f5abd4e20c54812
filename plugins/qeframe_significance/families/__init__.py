"""Families of comparisons: claims about all ordered pairs that hold together.

`step_down` adjusts p-values by the joint distribution of the differences, `joint_draws` studentizes these differences,
`romano_wolf` is the correction.
"""
