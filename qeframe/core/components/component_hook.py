"""What brings a further class of components: its hook, for which plugins then bring values."""

from __future__ import annotations

import re

from attrs import field, frozen

from qeframe.core.components.component import Component
from qeframe.core.errors import DataError


@frozen(kw_only=True)
class ComponentHook:
    """A hook for components of a class that the core does not know.

    Parameters
    ----------
    hook : str
        The name of the hook, which begins with ``qeframe_``. A plugin has a function of that name, marked by
        `hookimpl`. It takes no arguments and returns a sequence of components, with or without parameters.
    kind : type
        The class of these components, a subclass of `Component`.
    summary : str
        What the hook returns, in one sentence.
    """

    hook: str = field()
    kind: type[Component]
    summary: str

    @hook.validator
    def _check_hook(self, _attribute: object, hook: str) -> None:
        if not re.fullmatch("qeframe_[a-z][a-z0-9_]*", hook):
            raise DataError(f"the hook '{hook}' does not begin with qeframe_, or is not lower case with underscores")
