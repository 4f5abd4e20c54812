"""The hook specifications, the loader that imports the installed plugins, and the registry that it builds.

Here belongs what finds and names components; what a component is belongs to the package around.
"""
