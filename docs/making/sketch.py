"""A small drawing of one molecule: coloured atoms, texts in them, bonds and lines between atoms."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from html import escape

import numpy as np

import graphrings as gr
from graphrings.graphs.drawing.colours import BEYOND, text_on
from graphrings.graphs.drawing.layouts import Places, layout

SMILES = "O=[N+]([O-])c1ccc2[nH]ccc2c1"  # 5-nitroindole
SCALE, MARGIN, RADIUS = 34.0, 17.0, 11.5


@cache
def molecule() -> gr.Dataset:
    """The example that every sketch shows: atoms with their elements, bonds with their kinds."""
    return gr.from_smiles([SMILES], labels="element")


@cache
def places() -> Places:
    """Where its atoms are drawn."""
    return layout(molecule()[0]) * SCALE + MARGIN


def elements() -> list[str]:
    """The symbol of every atom."""
    graph = molecule()[0]
    return [str(graph.label_names[label]) for label in graph.node_labels.tolist()]


@dataclass(frozen=True)
class Sketch:
    """What is drawn: a colour per atom, a text per atom, colours of bonds, lines between atoms."""

    fills: list[str]
    texts: list[str] = field(default_factory=elements)
    bonds: dict[tuple[int, int], str] = field(default_factory=dict)
    lines: list[tuple[int, int]] = field(default_factory=list)
    arrows: list[tuple[int, int]] = field(default_factory=list)
    shows_bonds: bool = True

    def svg(self, title: str) -> str:
        """The drawing as SVG; lines have the colour of the text around it."""
        width, height = places().max(axis=0) + MARGIN
        parts = [*self._bonds(), *self._lines(), *self._arrows(), *self._atoms()]
        return (
            f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" class="sketch" '
            f'style="max-width:{width:.0f}px" font-family="sans-serif">'
            f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
        )

    def _bonds(self) -> list[str]:
        if not self.shows_bonds:
            return []
        edges = [tuple(edge) for edge in molecule()[0].edges.tolist() if edge[0] < edge[1]]
        return [
            _line(
                u, v, self.bonds.get((u, v), "currentColor"), 4.5 if (u, v) in self.bonds else 1.5
            )
            for u, v in edges
            if (u, v) not in self.arrows and (v, u) not in self.arrows
        ]

    def _lines(self) -> list[str]:
        return [_line(u, v, "#e64980", 1.6, "4 3") for u, v in self.lines]

    def _arrows(self) -> list[str]:
        parts = []
        for u, v in self.arrows:
            start, end = places()[u], places()[v]
            along = (end - start) / np.linalg.norm(end - start)
            tip, across = end - along * (RADIUS + 1), np.array([-along[1], along[0]])
            left, right = tip - 7 * along + 4 * across, tip - 7 * along - 4 * across
            corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, left, right))
            parts.append(_line(u, v, "currentColor", 1.5))
            parts.append(f'<polygon points="{corners}" fill="currentColor"/>')
        return parts

    def _atoms(self) -> list[str]:
        parts = []
        for (x, y), fill, text in zip(places().tolist(), self.fills, self.texts, strict=True):
            size = 12 if len(text) < 3 else 9
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{fill}" '
                'stroke="currentColor" stroke-opacity=".45" stroke-width=".8"/>'
                f'<text x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size}" '
                f'text-anchor="middle" fill="{text_on(fill)}">{escape(text)}</text>'
            )
        return parts


def _line(u: int, v: int, colour: str, width: float, dashes: str = "") -> str:
    (x1, y1), (x2, y2) = places()[u], places()[v]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width}"{dashed}/>'
    )


def unseen() -> list[str]:
    """The colour of atoms that are out of sight, for every atom."""
    return [BEYOND] * molecule().n_nodes
