"""The documented module of errors has all of them."""

from qeframe import errors
from qeframe.errors import QeframeError


def tree(root):
    return [root, *(below for cls in root.__subclasses__() for below in tree(cls))]


def test_the_tree_drawn_in_the_public_module_is_the_tree():
    public = {name for name in errors.__all__ if name.endswith("Error")}
    drawn = {name for name in public if name in (errors.__doc__ or "")}
    here = {cls.__name__ for cls in tree(QeframeError) if cls.__module__ == QeframeError.__module__}
    assert drawn == public == here, "other modules may have errors of their own"
