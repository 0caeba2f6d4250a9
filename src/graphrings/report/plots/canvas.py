"""Figures without global state, and the small clean SVG that a page can hold inline.

Text stays text: it can be searched, read aloud and set in the font of the page. It is measured
in DejaVu Sans, which is wider than the fonts that pages use, so that labels have room everywhere.
Axes and text are drawn in ``INK``, which becomes the text colour of the page, and the colours of
``looks`` become variables of its style, so that a picture suits light, dark and print.
"""

from __future__ import annotations

import hashlib
import io
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from graphrings.report.plots.looks import COLOURS, variable

INK = "#010203"
UNIT = 72.0  # SVG units per inch
WIDTH = 340.0  # what a phone has room for, so that nothing has to shrink there
TEXT = 11  # the smallest text, in pixels
TIP = "tip:"  # an id that begins so is what a reader is told who points at the element
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
STYLE: dict[Any, Any] = {
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 12,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 12,
    "figure.facecolor": "none",
    "font.family": "DejaVu Sans",
    "font.size": TEXT,
    "grid.alpha": 0.15,
    "grid.color": INK,
    "grid.linewidth": 0.8,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": TEXT,
    "path.simplify": False,
    "savefig.facecolor": "none",
    "svg.fonttype": "none",
    "svg.hashsalt": "graphrings",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "xtick.labelsize": TEXT,
    "xtick.major.size": 0,
    "xtick.minor.size": 0,
    "ytick.color": INK,
    "ytick.labelsize": TEXT,
    "ytick.major.size": 0,
    "ytick.minor.size": 0,
}


def picture(
    draw: Callable[[Axes], None],
    height: float,
    title: str,
    width: float = WIDTH,
    clip: bool = False,
) -> str:
    """Let ``draw`` fill a figure of one pair of axes; sizes are in SVG units.

    ``clip`` says that something reaches over the axes and has to be cut off.
    """
    with quiet_defaults():
        figure = Figure(figsize=(width / UNIT, height / UNIT), dpi=UNIT, layout="constrained")
        draw(figure.add_subplot())
        text = io.StringIO()
        empty = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(text, format="svg", metadata=empty)
    return clean(text.getvalue(), title, clip)


@contextmanager
def quiet_defaults() -> Iterator[None]:
    """The style of this file instead of the user's, and no word on letters that a font lacks.

    A box plot reads all settings, and whoever reads the backend makes matplotlib look for a
    screen: it gets a name meanwhile, and what the user had afterwards.
    """
    settings = matplotlib.rcParams
    backend = dict.__getitem__(settings, "backend")
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        settings.update(STYLE)
        dict.__setitem__(settings, "backend", "svg")
        try:
            yield
        finally:
            dict.__setitem__(settings, "backend", backend)


def clean(text: str, title: str, clip: bool) -> str:
    """The SVG with what a page needs: words for it, ids of its own, and little else."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:7]
    root = ET.fromstring(text)  # noqa: S314, written by matplotlib a moment ago
    for element in list(root.iter()):
        _shorten(element)
        if not clip:
            element.attrib.pop("clip-path", None)
        if element.attrib.get("id", "").startswith(TIP):
            _tell(element)
    _rename_ids(root, f"g{digest}")
    _flatten(root)
    _join_grid(root)
    box = root.attrib["viewBox"]
    root.attrib = {
        "viewBox": box,
        "width": box.split()[2],
        "height": box.split()[3],
        "role": "img",
        "aria-label": printable(title),
        "fill": "currentColor",
        "font-family": "sans-serif",
        "font-size": str(TEXT),
        "stroke-linejoin": "round",
    }
    ET.register_namespace("", SVG[1:-1])
    return ET.tostring(root, encoding="unicode")


def _shorten(element: ET.Element) -> None:
    """Shorter numbers, the page's own font and colour, no space between elements."""
    attributes = element.attrib
    for key in ("d", "transform", "x", "y"):
        if key in attributes:
            attributes[key] = " ".join(re.sub(r"\d+\.\d+", _tenth, attributes[key]).split())
    if re.fullmatch(r"[ML\d. -]+", path := attributes.get("d", "")):
        attributes["d"] = path.replace(" L ", " ")  # what follows a point is a line to the next
    if attributes.get("transform", "").startswith("rotate(-0 "):
        del attributes["transform"]
    if "style" in attributes:
        style = attributes["style"].replace(INK, "currentColor")
        style = re.sub("|".join(COLOURS), lambda colour: variable(colour[0]), style)
        style = re.sub(r"font: ([\d.]+px)[^;]*", r"font-size: \1", style)
        style = re.sub(r"font-family: [^;]*(; |$)", "", style)
        if element.tag == f"{SVG}text":  # as the whole picture is
            style = re.sub(r"(font-size: 11px|fill: currentColor)(; |$)", "", style)
        attributes["style"] = style.replace(": ", ":").replace("; ", ";").strip("; ")
        if not attributes["style"]:
            del attributes["style"]
    element.tail = None
    if not (element.text or "").strip():
        element.text = None


def _tell(element: ET.Element) -> None:
    """Turn an id that holds words into what browsers show to whoever points at the element."""
    words = ET.Element(f"{SVG}title")
    words.text = element.attrib.pop("id").removeprefix(TIP)
    element.attrib["class"] = "t"
    element.insert(0, words)


def tell(artists: Iterable[Artist], words: str) -> None:
    """Say what artists show, for readers who point at them."""
    for artist in artists:
        artist.set_gid(f"{TIP}{printable(words)}")


def _tenth(match: re.Match[str]) -> str:
    return f"{float(match[0]):.1f}".removesuffix(".0")


def _rename_ids(root: ET.Element, prefix: str) -> None:
    """Ids that no other figure of a page has, and only where something refers to them."""
    names: dict[str, str] = {}

    def new(old: str) -> str:
        return names.setdefault(old, f"{prefix}-{len(names)}")

    for element in root.iter():
        if LINK in element.attrib:
            element.attrib["href"] = "#" + new(element.attrib.pop(LINK)[1:])
        if "clip-path" in element.attrib:
            element.attrib["clip-path"] = f"url(#{new(element.attrib['clip-path'][5:-1])})"
    for element in root.iter():
        if (old := element.attrib.pop("id", None)) in names:
            element.attrib["id"] = names[old]


def _flatten(parent: ET.Element) -> None:
    """Leave out what draws nothing, and groups that say nothing; say shared styles once."""
    children: list[ET.Element] = []
    for child in parent:
        _flatten(child)
        if child.tag == f"{SVG}g" and not child.attrib:
            children += child
        elif not _draws_nothing(child):
            children.append(child)
    parent[:] = children
    if parent.tag == f"{SVG}g" and "style" not in parent.attrib and len(parent) > 1:
        _say_once(parent)


def _say_once(parent: ET.Element) -> None:
    """Move the style that all of a group share to the group."""
    styles = {child.attrib.get("style", "") for child in parent}
    if len(styles) == 1 and styles != {""}:
        parent.attrib["style"] = styles.pop()
        for child in parent:
            del child.attrib["style"]


def _join_grid(root: ET.Element) -> None:
    """One path for all the lines of the grid: they are below everything else."""
    faint = f"stroke-opacity:{STYLE['grid.alpha']}"
    grids: dict[tuple[int, str], ET.Element] = {}
    for parent in [root, *root.iter(f"{SVG}g")]:
        for path in parent.findall(f"{SVG}path"):
            if faint in (style := path.attrib.get("style", "")):
                first = grids.setdefault((id(parent), style), path)
                if first is not path:
                    first.attrib["d"] += path.attrib["d"]
                    parent.remove(path)


def _draws_nothing(element: ET.Element) -> bool:
    empty = element.tag in (f"{SVG}g", f"{SVG}defs") and not len(element)
    cut = element.tag == f"{SVG}clipPath" and "id" not in element.attrib
    unseen = element.tag == f"{SVG}path" and element.attrib.get("style") == "fill:none"
    return empty or cut or unseen or element.tag in (f"{SVG}metadata", f"{SVG}style")


def label(text: object, limit: int = 24) -> str:
    """A name as a short line of text."""
    line = printable(text)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def printable(text: object) -> str:
    """A line without letters that XML cannot hold."""
    line = " ".join(str(text).split())
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cs", "Cn") else c for c in line)


def legend(axes: Axes, handles: list[Artist], names: list[str], n_columns: int) -> None:
    """A legend above the axes. A name that begins with an underscore would be left out of it."""
    shown = [f"\u200b{name}" if name.startswith("_") else name for name in names]
    axes.legend(
        handles,
        shown,
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=n_columns,
        borderaxespad=0.2,
        borderpad=0.2,
        columnspacing=1.2,
        handletextpad=0.5,
    )
