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
    is_block = bracket == "["
    mathml = convert(unescape(latex.strip()), display="block" if is_block else "inline")
    reached = ' tabindex="0"' if is_block else ""  # by the keyboard, to scroll a wide one
    return f'<{tag} class="equation"{reached}>{mathml}</{tag}>'
