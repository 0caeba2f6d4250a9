"""The reference: every public name of graphrings, by the room it comes from.

A name of a room that no page has, or one without a docstring, ends the build.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from mkdocs.exceptions import PluginError

import graphrings
from graphrings import _ROOMS


@dataclass(frozen=True)
class ReferencePage:
    """A page of the reference: its path, title and first words, and the rooms that it shows.

    ``members`` are the methods of its classes that are shown; None shows all that are documented
    in the class itself.
    """

    path: str
    title: str
    words: str
    rooms: tuple[str, ...]
    members: tuple[str, ...] | None = None


ESTIMATOR_METHODS = (
    *("fit", "predict", "predict_proba", "decision_function", "score", "importances"),
    *("save", "load", "described_settings", "chosen_", "card_"),
)
PAGES = (
    ReferencePage(
        "reference/data.md",
        "Data",
        "Graphs in and out: [how-to](../data.md).",
        ("graphs", "errors"),
    ),
    ReferencePage(
        "reference/rings.md",
        "Rings and profiles",
        "Who is how far from whom, and what can be told apart: [background](../rings.md).",
        ("distances",),
    ),
    ReferencePage(
        "reference/estimators.md",
        "Estimators",
        "All are scikit-learn estimators over graphs. `fit` takes a `Dataset`, or a list of graphs "
        "of any supported library with their targets. [Which method is which](methods.md).",
        ("learning", "committees"),
        ESTIMATOR_METHODS,
    ),
    ReferencePage(
        "reference/experiments.md",
        "Fits, experiments, reports",
        "[`fit`](../fit.md) for one dataset, [the protocol](../protocol.md) for tables.",
        ("fit", "protocol", "report", "results", "prediction", "explanations", "explain"),
    ),
    ReferencePage(
        "reference/kernels.md",
        "Kernels",
        "All are in `gr.kernels`: [background](../kernels.md).",
        ("kernels",),
        ("fit", "transform", "fit_transform", "features"),
    ),
    ReferencePage(
        "reference/layers.md",
        "Layers",
        "Plain torch in `gr.layers`, and the paper's layer for PyTorch Geometric in `gr.pyg` "
        "([how-to](../pyg.md)).",
        ("layers", "pyg"),
        ("forward",),
    ),
)


def name_pages() -> dict[str, str]:
    """The pages of the reference, as Markdown that mkdocstrings fills."""
    shown = {page.path: [f"# {page.title}\n\n{page.words}\n"] for page in PAGES}
    for name, room in sorted(_ROOMS.items(), key=lambda entry: entry[0].lower()):
        page = page_of(name, room)
        for path, documented in documented_names(name, room):
            check_documented(path, documented)
            shown[page.path].append(_directive(path, page))
    return {path: "\n".join(parts) for path, parts in shown.items()}


def page_of(name: str, room: str) -> ReferencePage:
    """The page for a public name."""
    for page in PAGES:
        if room.partition(".")[0] in page.rooms:
            return page
    raise PluginError(
        f"graphrings.{name} comes from {room}, which no page of the reference shows; "
        "add the room to a page in docs/making/names.py"
    )


def documented_names(name: str, room: str) -> Iterator[tuple[str, Any]]:
    """The import path of a public name with what it names; of a module, those of its names."""
    module = import_module(f"graphrings.{room}")
    public = getattr(graphrings, name)
    if not isinstance(public, ModuleType) or public is not module:
        yield f"graphrings.{room}.{name}", public
        return
    for inner in getattr(module, "__all__", None) or shown_functions(module):
        documented = getattr(module, inner)
        yield f"{documented.__module__}.{inner}", documented


def shown_functions(module: ModuleType) -> list[str]:
    """The public functions of a module: its own, and those that it imports under their own name."""
    names = []
    for name, value in inspect.getmembers(module, inspect.isfunction):
        again = f"import {name} as {name}" in inspect.getsource(module)
        if name[0] != "_" and (value.__module__ == module.__name__ or again):
            names.append(name)
    return names


def check_documented(path: str, documented: Any) -> None:
    """Refuse a name without a docstring, and a class with a public method without one."""
    if not inspect.getdoc(documented):
        raise PluginError(f"{path} has no docstring; a public name must have one")
    if not inspect.isclass(documented):
        return
    for name, member in inspect.getmembers(documented, inspect.isfunction):
        ours = member.__module__.startswith("graphrings")
        if ours and name[0] != "_" and not inspect.getdoc(member):
            raise PluginError(f"{path}.{name} has no docstring; a public method must have one")


def _directive(path: str, page: ReferencePage) -> str:
    lines = [f"::: {path}", "    options:", "      heading_level: 2"]
    if page.members is not None:
        lines.append(f"      members: [{', '.join(page.members)}]")
        lines.append("      inherited_members: true")
    return "\n".join(lines) + "\n"
