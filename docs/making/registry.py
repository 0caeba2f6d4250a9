"""The page of methods, from the registry: equation, picture, settings, citation of each."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from mkdocs.exceptions import PluginError

from graphrings.kernels.names import KERNELS
from graphrings.learning.training_settings import TRAINING
from graphrings.methods import METHODS, Method
from graphrings.tasks import CLASSIFICATION
from making.docstrings import equation
from making.sights import SIGHTS

PATH = "reference/methods.md"


@dataclass(frozen=True)
class Shown:
    """How a method is shown: the name of its picture, and where its equation stands.

    ``source`` is a class below graphrings whose docstring has the equation; without one
    ``equation`` is the equation itself. A kernel's stands in its own class.
    """

    sight: str
    source: str = ""
    equation: str = ""


SHOWN = {
    "pgc-dgcnn": Shown("rings", "layers.ring_conv.RingConv"),
    "dgcnn": Shown("together", "layers.sum_conv.SumConv"),
    "pgc-dgcnn-released": Shown(
        "together",
        equation=r"H'_j = f\bigl(\hat D_j^{-1} (\hat A_{\min(j, 1)} H_j W + b)\bigr), \quad "
        r"\hat A_0 = I, \quad \hat A_1 = A + I",
    ),
    "gcn": Shown("roots", "layers.gcn_conv.GCNConv"),
    "gnn": Shown("everything", "layers.gnn_conv.GNNConv"),
    "ggnn": Shown("steps", "layers.ggnn_conv.GGNNConv"),
    "fingerprint": Shown("steps", "networks.fingerprint.Fingerprint"),
    "gin": Shown("neighbours", "layers.gin_conv.GINConv"),
    "gat": Shown("neighbours", "layers.gat_conv.GATConv"),
    "ecc": Shown("edges", "layers.ecc_conv.ECCConv"),
    "patchy-san": Shown("field", "layers.field_conv.FieldConv"),
    "dcnn": Shown("diffusion", "layers.dcnn_conv.DiffusionConv"),
    "nn4g": Shown("steps", "layers.nn4g_conv.NN4GConv"),
    "walk-dgcnn": Shown("walks 2", equation=r"H' = \Vert_{j=0}^{r} \, (\hat D^j)^{-1} A^j H W^j"),
    "ring-fcn": Shown("rings", "layers.ring_conv.RingConv"),
    "pgc-sets": Shown(
        "rings", equation=r"\rho\Bigl(\sum_{v} \phi(h_v)\Bigr), \quad h_v \text{ by Eq. (10)}"
    ),
    "ring-forest": Shown("pairs", "distances.ring_profile.RingProfile"),
    "ring-boosting": Shown("pairs", "distances.ring_profile.RingProfile"),
    "committee": Shown("pairs", equation=r"p(G) = \sum_m w_m \, \mathrm{softmax}(z_m(G) / T_m)"),
    "baseline-labels": Shown("nothing", equation=r"\phi(G)_a = |\{v : l(v) = a\}|"),
    "wl": Shown("colours"),
    "wl-oa": Shown("colours"),
    "wwl": Shown("colours"),
    "ring-wl": Shown("ring colours"),
    "graphlet": Shown("graphlet"),
    "random-walk": Shown("walks 3"),
    "propagation": Shown("spread"),
    "shortest-path": Shown("pairs"),
    "ring-profile": Shown("pairs"),
    "nspdk": Shown("balls"),
    "odd-sth": Shown("dag"),
    "deep-wl": Shown("colours"),
    "deep-graphlet": Shown("graphlet"),
}


def method_pages() -> dict[str, str]:
    """The page, with a section per method."""
    words = (
        "# Methods, one by one\n\n"
        "All methods of the registry, as the code describes them: what a method computes, what it "
        "sees of a molecule (5-nitroindole), its own settings, and whom to cite. "
        "[Departures from the originals, and the settings that all networks "
        "share](../methods.md). Each is a row of an [experiment](../protocol.md), an estimator in "
        "[Python](estimators.md), and a name for `graphrings train --method`.\n"
    )
    return {PATH: "\n".join([words, *map(_section, METHODS.values())])}


def shown(method: Method) -> Shown:
    """How a method is shown; a method that nobody has thought of ends the build."""
    if method.name not in SHOWN:
        raise PluginError(
            f"the method {method.name} has no picture; say what it sees in SHOWN of "
            "docs/making/registry.py"
        )
    return SHOWN[method.name]


def method_equation(method: Method) -> str:
    """The equation of a method, in LaTeX."""
    how = shown(method)
    if how.equation:
        return how.equation
    path = f"kernels.{KERNELS[method.name].path}" if method.name in KERNELS else how.source
    module, _, name = path.rpartition(".")
    latex = equation(getattr(import_module(f"graphrings.{module}"), name).__doc__ or "")
    if latex is None:
        raise PluginError(f"{path} has no equation in its docstring; {method.name} needs one")
    return latex


def _section(method: Method) -> str:
    caption, sight = SIGHTS[shown(method).sight]
    cite = f"\n\n*{method.citation}*" if method.citation else ""
    estimator = method.estimator_class(CLASSIFICATION).__name__
    return (
        f"## {method.name} {{ #{method.name} }}\n\n"
        '<div class="method" markdown>\n<div markdown>\n\n'
        f"{method.summary[0].upper()}{method.summary[1:]}.{cite}\n\n"
        f"`gr.{estimator}`, tried: {_grid(method)}\n\n</div>\n"
        f"<figure>{sight().svg(caption)}<figcaption>{caption}</figcaption></figure>\n</div>\n\n"
        f"\\[{method_equation(method)}\\]\n\n"
        f"{_settings(method)}"
    )


def _grid(method: Method) -> str:
    tried = [
        f"`{name}` {', '.join(f'{v:g}' if isinstance(v, float) else str(v) for v in values)}"
        for name, values in method.grid.items()
    ]
    return "; ".join(tried) if tried else "its default settings"


def _settings(method: Method) -> str:
    defaults = method.parameters(CLASSIFICATION)
    rows = [
        f"    | `{name}` | `{defaults[name]!r}` | {setting.allowed} | {setting.meaning} |"
        for name, setting in method.described(CLASSIFICATION).items()
        if name not in TRAINING and defaults[name] != method.name
    ]
    if not rows:
        return ""
    head = '??? note "Settings of its own"\n\n    | setting | default | allowed | meaning |\n'
    return head + "    |---|---|---|---|\n" + "\n".join(rows) + "\n"
