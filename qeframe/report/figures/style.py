"""What all figures share: colors, font sizes, and files that are identical whenever they are drawn.

Figures are `matplotlib.figure.Figure` objects; pyplot and its global state are not used. The colors (Okabe and Ito) can
be distinguished with every kind of color vision, and in a gray print.
"""

import importlib
import io
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox


Format = Literal["svg", "png"]

INK, GRAY, BLUE, GOLD = "#222222", "#8a8a8a", "#0072b2", "#e69f00"

_METADATA: dict[Format, dict[str, Any]] = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
_MARGIN = 0.08
"""White margin around a figure, in inches."""

_STYLE: dict[str, Any] = {
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "text.parse_math": False,
    "text.usetex": False,
    "axes.edgecolor": GRAY,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "svg.hashsalt": "qeframe",
    "svg.fonttype": "path",
}


def available() -> bool:
    """Return whether matplotlib can be imported."""
    try:
        importlib.import_module("matplotlib.figure")
    except ImportError:
        return False
    return True


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of qeframe within this context; the matplotlib settings of the user are restored at the end."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)  # type: ignore[arg-type]
        yield


def images(figure: "Figure", forms: Collection[Format] = ("svg", "png")) -> dict[Format, bytes]:
    """Return a figure as files of some formats, without date or program name; call it within `styled`."""
    frame = figure.get_tightbbox().padded(_MARGIN)
    return {form: _file(figure, form, frame, _METADATA[form]) for form in forms}


def _file(figure: "Figure", form: Format, frame: "Bbox", metadata: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, dpi=160, metadata=metadata, bbox_inches=frame)
    return buffer.getvalue()


def shortened(name: str, most: int) -> str:
    """Return a name of at most `most` characters; the middle is left out, since variants differ at their ends."""
    visible = "".join(c if c.isprintable() else "·" for c in name)
    if len(visible) <= most:
        return visible
    head = (most - 1) // 2
    return f"{visible[:head]}…{visible[len(visible) - (most - 1 - head) :]}"
