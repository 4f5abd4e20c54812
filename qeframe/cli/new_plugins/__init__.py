"""What ``qeframe new-plugin`` writes: one folder of templates for each kind of plugin, and the code that fills them in.

A kind is a folder in ``templates`` and an entry of `kinds.KINDS`. Code that only the command needs belongs here; the
command itself is `qeframe.cli.commands.check_plugin`, above. The packages below are `qeframe.core` and
`qeframe.core.errors`.
"""
