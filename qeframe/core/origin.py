"""Where a component comes from; it imports no numpy, since the list of commands names origins."""

import re

from attrs import frozen


@frozen
class Origin:
    """Where a component comes from."""

    plugin: str
    distribution: str
    version: str

    def has_name(self, name: str) -> bool:
        """Return whether a name means what comes from there: of an entry point, or of a distribution."""
        asked, own = (re.sub("[-_.]+", "-", each).lower() for each in (name, self.distribution))
        return name == self.plugin or asked == own

    def __str__(self) -> str:
        return f"plugin '{self.plugin}' of distribution '{f'{self.distribution} {self.version}'.strip()}'"
