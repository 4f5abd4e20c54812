"""The kernel: units, statistics, components, profiles and contests. It imports nothing else of qeframe.

It defines the hooks, and what plugins and layers bring comes in by them. Its modules are of one level; the page on the
architecture lists them in groups, from the bottom.
"""
