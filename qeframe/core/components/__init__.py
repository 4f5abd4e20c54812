"""The classes of components, and the registry that finds them.

Here belong the classes of which plugins bring values (one module for each), what a component is given (`Contest`),
names with parameters, the hook specifications, and the loader of plugins. Rules of shared tasks do
not belong here: they are in plugins, and which of them an evaluation uses is in `qeframe.core.profiles`, the package
above. Below are `qeframe.core.resampling` and `qeframe.core.tasks`.
"""
