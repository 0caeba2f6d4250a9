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
    in the class itself. ``shared`` is a class whose methods, ``shared_members``, all of them have.
    ``returned`` are classes of what the functions return. ``shows_signatures`` of classes, where
    no table of parameters says the same.
    """

    path: str
    title: str
    words: str
    rooms: tuple[str, ...]
    members: tuple[str, ...] | None = None
    shared: str = ""
    shared_members: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    shows_signatures: bool = False


@dataclass(frozen=True)
class Name:
    """A public name: what a user writes, where it is defined, and what it names."""

    written: str
    path: str
    value: Any


PAGES = (
    ReferencePage(
        "reference/data.md",
        "Data",
        "Graphs in and out: [how-to](../data.md).",
        ("graphs", "errors"),
        returned=("graphs.read_table.TableRead", "graphs.statistics.Statistics"),
    ),
    ReferencePage(
        "reference/rings.md",
        "Rings and profiles",
        "Who is how far from whom, and what can be told apart: [background](../rings.md).",
        ("distances",),
        returned=("distances.audit.Audit",),
    ),
    ReferencePage(
        "reference/estimators.md",
        "Estimators",
        "All are scikit-learn estimators over graphs. `fit` takes a `Dataset`, or a list of graphs "
        "of any supported library with their targets. [Which method is which](methods.md).",
        ("learning", "committees"),
        ("predict_proba", "decision_function", "importances", "chosen_"),
        "learning.estimator.GraphEstimator",
        ("fit", "predict", "score", "save", "load", "described_settings", "domain_"),
    ),
    ReferencePage(
        "reference/experiments.md",
        "Fits, experiments, reports",
        "[`fit`](../fit.md) for one dataset, [the protocol](../protocol.md) for tables.",
        ("fit", "protocol", "report", "results", "prediction", "explanations", "explain"),
        returned=("fit.result.FitResult", "results.results.Results", "report.printed.Table"),
    ),
    ReferencePage(
        "reference/kernels.md",
        "Kernels",
        "All are in `gr.kernels`: [background](../kernels.md).",
        ("kernels",),
        (),
        "kernels.kernel.Kernel",
        ("fit", "transform", "fit_transform"),
        shows_signatures=True,
    ),
    ReferencePage(
        "reference/layers.md",
        "Layers",
        "Plain torch in `gr.layers`, and the paper's layer for PyTorch Geometric in `gr.pyg` "
        "([how-to](../pyg.md)).",
        ("layers", "pyg"),
        ("forward",),
        shows_signatures=True,
    ),
)


def name_pages() -> dict[str, str]:
    """The pages of the reference, as Markdown that mkdocstrings fills."""
    shown = {page.path: [f"# {page.title}\n\n{page.words}\n"] for page in PAGES}
    for name, room in sorted(_ROOMS.items(), key=lambda entry: entry[0].lower()):
        page = page_of(name, room)
        for public in public_names(name, room):
            check_documented(public)
            shown[page.path].append(_directive(public.path, public.written, page, page.members))
    for page in PAGES:
        if page.shared:
            title = "What all have in common"
            path = f"graphrings.{page.shared}"
            shown[page.path].insert(1, _directive(path, title, page, page.shared_members))
        shown[page.path].extend(
            _directive(f"graphrings.{path}", path.rpartition(".")[2], page, None)
            for path in page.returned
        )
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


def public_names(name: str, room: str) -> Iterator[Name]:
    """What a public name stands for: itself, or the names in it where it is a module."""
    module = import_module(f"graphrings.{room}")
    value = getattr(graphrings, name)
    if value is not module:
        yield Name(f"gr.{name}", f"graphrings.{room}.{name}", value)
        return
    for inner in getattr(module, "__all__", None) or shown_functions(module):
        value = getattr(module, inner)
        yield Name(f"gr.{name}.{inner}", f"{value.__module__}.{inner}", value)


def shown_functions(module: ModuleType) -> list[str]:
    """The public functions of a module: its own, and those that it imports under their own name."""
    names = []
    for name, value in inspect.getmembers(module, inspect.isfunction):
        again = f"import {name} as {name}" in inspect.getsource(module)
        if name[0] != "_" and (value.__module__ == module.__name__ or again):
            names.append(name)
    return names


def check_documented(public: Name) -> None:
    """Refuse a name without a docstring, and a class with a public method without one."""
    if not inspect.getdoc(public.value):
        raise PluginError(f"{public.written} has no docstring; a public name must have one")
    if not inspect.isclass(public.value):
        return
    for name, member in inspect.getmembers(public.value, inspect.isfunction):
        ours = member.__module__.startswith("graphrings")
        if ours and name[0] != "_" and not inspect.getdoc(member):
            raise PluginError(f"{public.written}.{name} has no docstring; a method must have one")


def _directive(
    path: str, heading: str, page: ReferencePage, members: tuple[str, ...] | None
) -> str:
    lines = [f"::: {path}", "    options:", "      heading_level: 2"]
    lines.append(f"      heading: {heading}")
    lines.append(f"      toc_label: {heading}")
    if page.shows_signatures:
        lines.append("      merge_init_into_class: true")
    if members:
        lines.append(f"      members: [{', '.join(members)}]")
        lines.append("      inherited_members: true")
    elif members is not None:
        lines.append("      members: false")
    return "\n".join(lines) + "\n"
