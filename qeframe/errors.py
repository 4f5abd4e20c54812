"""The errors and warnings of qeframe, for programs that catch or filter them.

::

    QeframeError
    |-- DataError (also a ValueError)        input that cannot be used: a file, a line, an argument
    |   `-- SubmissionsError                 several mistakes, in submissions or in one file, at once
    |-- PluginError                          a plugin that cannot be loaded, or that fails at work, named
    |-- ProfileError                         an invalid profile: every mistake of the file at once
    |-- OutputError                          a part of a result that could not be made or written
    |-- UnknownNameError (also a LookupError)  no component, profile or parameter of that name
    `-- CapabilityError (also a TypeError)   a metric lacks a capability that a test needs
"""

from qeframe.core.errors import (
    TRACEBACK,
    CapabilityError,
    DataError,
    FrameWarning,
    OutputError,
    PipeWarning,
    PluginError,
    PluginWarning,
    ProfileError,
    QeframeError,
    ResultWarning,
    SubmissionsError,
    UnknownNameError,
)

__all__ = [
    "TRACEBACK",
    "CapabilityError",
    "DataError",
    "FrameWarning",
    "OutputError",
    "PipeWarning",
    "PluginError",
    "PluginWarning",
    "ProfileError",
    "QeframeError",
    "ResultWarning",
    "SubmissionsError",
    "UnknownNameError",
]
