"""Formulas as MathML: browsers draw it themselves, so that pages need no script and no network."""

import re
from html import escape

from latex2mathml.converter import convert

__all__ = ["formula_block", "inline"]

_MARKED = re.compile(r"\$([^$]+)\$|`([^`]+)`")


def formula_block(formula: str, symbols: str) -> str:
    """Return formulas, one a line, and what their symbols mean, as a block of HTML; empty without a formula."""
    if not formula:
        return ""
    drawn = "\n".join(_line(line) for line in formula.splitlines() if line.strip())
    meaning = f'\n<p class="symbols">{inline(symbols)}</p>' if symbols else ""
    return f'<div class="formula">\n{drawn}{meaning}\n</div>'


def _line(line: str) -> str:
    """Return a line; what a wide space (qquad) separates may be one below the other on a narrow screen."""
    parts = [part.strip().rstrip(",") for part in line.split(r"\qquad")]
    return f'<div class="line">{"".join(_math(part, "block") for part in parts)}</div>'


def inline(text: str) -> str:
    """Return a text as HTML: LaTeX between dollar signs as MathML, text between back quotes as code."""
    parts, at = [], 0
    for match in _MARKED.finditer(text):
        parts += [escape(text[at : match.start()]), _math(match[1], "inline") if match[1] else _code(match[2])]
        at = match.end()
    return "".join([*parts, escape(text[at:])])


def _code(text: str) -> str:
    return f'<code class="docutils literal notranslate">{escape(text)}</code>'


def _math(latex: str, display: str) -> str:
    """Return MathML that can also be read as LaTeX, by programs that know no MathML."""
    drawn = convert(latex.strip(), display=display)
    return drawn.replace("<math ", f'<math alttext="{escape(latex.strip())}" ', 1)
