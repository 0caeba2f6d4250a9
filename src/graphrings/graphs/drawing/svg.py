"""A picture as SVG text that takes the colours of the page it stands on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphrings.whole_files import whole_file

XMLNS = "http://www.w3.org/2000/svg"


@dataclass(frozen=True)
class Svg:
    """A picture; notebooks show it, ``str`` is its text.

    Lines and words have the colour of the text around it, so that it can be read on light and on
    dark pages alike.
    """

    body: str
    width: float
    height: float
    title: str

    def __str__(self) -> str:
        return (
            f'<svg xmlns="{XMLNS}" viewBox="0 0 {self.width:.4g} {self.height:.4g}" '
            f'width="{self.width:.4g}" height="{self.height:.4g}" role="img" '
            f'style="max-width:100%;height:auto" font-family="sans-serif">'
            f"<title>{self.title}</title>{self.body}</svg>"
        )

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | Path) -> None:
        """Write the picture to a file of its own."""
        with whole_file(Path(path)) as place:
            place.write_text(str(self), encoding="utf-8")
