"""Equations as MathML, which browsers show without a script."""

import re
from html import unescape

from latex2mathml.converter import convert

ARITHMATEX = re.compile(
    r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>',
    re.DOTALL,
)


def with_equations(html: str) -> str:
    r"""The page with \(...\) and \[...\], as Arithmatex marks them, in MathML."""
    return ARITHMATEX.sub(_set, html)


def _set(match: re.Match[str]) -> str:
    tag, bracket, latex = match.groups()
    display = "block" if bracket == "[" else "inline"
    return f'<{tag} class="equation">{convert(unescape(latex.strip()), display=display)}</{tag}>'
