"""Archives whose bytes depend on their files alone: sorted names, one time stamp, equal permissions."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_PACKED = (".whl", ".zip", ".gz", ".png")
"""Endings of files that are compressed already."""


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of files by their paths, with slashes.

    Equal files give equal bytes, with one version of zlib.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)  # of 1980, the first year that the format has
            entry.create_system = 3  # Unix, on every machine
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return stream.getvalue()
