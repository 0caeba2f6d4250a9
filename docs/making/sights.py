"""What every kind of method sees of a molecule, computed by the code that the methods use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

import graphrings as gr
from graphrings.distances.fields import fields
from graphrings.graphs.drawing.colours import BEYOND, CATEGORIES, RINGS, of_distances, of_values
from making.sketch import Sketch, elements, molecule, unseen

Sight = Callable[[], Sketch]

CENTRE = 3  # the carbon that carries the nitro group
FURTHEST = 9
OXYGEN, NITROGEN = "O", "N"


def distances() -> NDArray[np.int64]:
    """The distance of every atom from the centre."""
    near = gr.rings(molecule(), radius=FURTHEST)
    found = np.full(molecule().n_nodes, -1)
    for j in range(FURTHEST + 1):
        found[near.matrix(j)[[CENTRE]].indices] = j
    return found


def rings_up_to(radius: int) -> Sketch:
    """Every distance ring of an atom in a colour of its own."""
    shown = np.where(distances() <= radius, distances(), -1)
    return Sketch(of_distances(shown))


def together() -> Sketch:
    """An atom and its neighbours under one filter."""
    near = distances() <= 1
    return Sketch([RINGS[1] if is_near else BEYOND for is_near in near.tolist()])


def neighbours() -> Sketch:
    """An atom, and its neighbours added up."""
    return rings_up_to(1)


def symmetric_weights() -> Sketch:
    """What neighbours count for by the roots of both degrees, the atom itself included."""
    degrees = molecule().degrees + 1
    weights = 1 / np.sqrt(degrees * degrees[CENTRE])
    near = distances() <= 1
    texts = [f"{w:.2f}" if seen else "" for w, seen in zip(weights, near, strict=True)]
    return Sketch(together().fills, texts)


def steps(count: int) -> Sketch:
    """As far as that many rounds of messages reach, nearer atoms darker."""
    strengths = np.where(distances() <= count, count + 1 - distances(), 0)
    return Sketch(of_values(strengths.astype(np.float64)))


def walks(length: int) -> Sketch:
    """How many walks of a length end at every atom."""
    counts = gr.walk_rings(molecule(), radius=length).matrix(length)[[CENTRE]].toarray()[0]
    texts = [str(int(count)) if count else "" for count in counts]
    return Sketch(of_values(counts.astype(np.float64)), texts)


def diffusion(hops: int) -> Sketch:
    """The chance that a random walk of some steps ends at an atom."""
    hop = gr.rings(molecule(), radius=1).matrix(1).toarray()
    hop = hop / hop.sum(axis=1, keepdims=True)
    chances = np.linalg.matrix_power(hop, hops)[CENTRE]
    return Sketch(of_values(chances), [f"{c:.2f}"[1:] if c else "" for c in chances])


def spread_labels(hops: int) -> Sketch:
    """The share of nitrogen among the labels that have reached an atom."""
    hop = gr.rings(molecule(), radius=1).matrix(1).toarray()
    hop = hop / hop.sum(axis=1, keepdims=True)
    nitrogen = np.array([float(name == NITROGEN) for name in elements()])
    shares = np.linalg.matrix_power(hop, hops) @ nitrogen
    return Sketch(of_values(shares), [f"{s:.2f}"[1:] if s else "" for s in shares])


def refined(radius: int, rounds: int) -> Sketch:
    """Atoms that are alike after some rounds of refinement have one colour."""
    colours = gr.refine(gr.rings(molecule(), radius=radius), molecule().node_labels, rounds)
    first = {colour: k for k, colour in enumerate(dict.fromkeys(colours.tolist()))}
    numbers = [first[colour] for colour in colours.tolist()]
    shades = [CATEGORIES[k % len(CATEGORIES)] for k in numbers]
    return Sketch(shades, [str(k + 1) for k in numbers])


def field_of_nodes() -> Sketch:
    """The nearest atoms in their canonical order."""
    colours = gr.refine(gr.rings(molecule(), radius=1), molecule().node_labels)
    order = fields(molecule(), colours.astype(np.int32), 8)[CENTRE].tolist()
    texts = [str(order.index(v) + 1) if v in order else "" for v in range(molecule().n_nodes)]
    fills = [of_distances(distances())[v] if text else unseen()[v] for v, text in enumerate(texts)]
    return Sketch(fills, texts)


def edge_labels() -> Sketch:
    """The bonds of an atom, each kind with a filter of its own."""
    graph, bonds = molecule()[0], {}
    kinds = dict(zip(map(tuple, graph.edges.tolist()), graph.edge_labels.tolist(), strict=False))
    for u, v in kinds:
        if CENTRE in (u, v):
            bonds[min(u, v), max(u, v)] = CATEGORIES[kinds[u, v] % len(CATEGORIES)]
    return Sketch(together().fills, bonds=bonds)


def pairs_at(distance: int, one: str, other: str) -> Sketch:
    """All pairs of two elements at one distance, joined by lines."""
    names, far = elements(), gr.rings(molecule(), radius=distance).matrix(distance)
    lines = [
        (u, v)
        for u, v in np.argwhere(far.toarray()).tolist()
        if names[u] == one and names[v] == other
    ]
    ends = {v for line in lines for v in line}
    fills = [RINGS[0] if v in ends else fill for v, fill in enumerate(unseen())]
    return Sketch(fills, lines=lines)


def two_balls(distance: int) -> Sketch:
    """The neighbourhoods of two atoms at a distance."""
    near, away = gr.rings(molecule(), radius=1), distances()
    other = int(np.flatnonzero(away == distance)[-1])
    fills = unseen()
    for centre, colour in ((CENTRE, RINGS[0]), (other, RINGS[4])):
        for v in [centre, *near.matrix(1)[[centre]].indices.tolist()]:
            fills[v] = colour
    return Sketch(fills, lines=[(CENTRE, other)])


def one_graphlet() -> Sketch:
    """One induced subgraph of three atoms; all of them are counted."""
    around = molecule()[0].neighbours(CENTRE).tolist()
    inside = [around[0], CENTRE, around[1]]
    bonds = {(min(CENTRE, v), max(CENTRE, v)): RINGS[0] for v in around[:2]}
    fills = [RINGS[0] if v in inside else fill for v, fill in enumerate(unseen())]
    return Sketch(fills, bonds=bonds)


def breadth_first_dag() -> Sketch:
    """Bonds that lead away from an atom, as arrows."""
    away = distances()
    edges = molecule()[0].edges.tolist()
    arrows = [(u, v) for u, v in [*edges, *([v, u] for u, v in edges)] if away[u] < away[v]]
    return Sketch(of_distances(away), arrows=sorted(set(arrows)))


def no_structure() -> Sketch:
    """Atoms without their bonds."""
    kinds = sorted(set(elements()))
    fills = [CATEGORIES[kinds.index(name)] for name in elements()]
    return Sketch(fills, shows_bonds=False)


SIGHTS: dict[str, tuple[str, Sight]] = {
    "rings": ("ring 0, 1 and 2 of one atom, each averaged on its own", partial(rings_up_to, 2)),
    "together": ("an atom and its neighbours, averaged together", together),
    "roots": ("an atom and its neighbours, with what each counts for", symmetric_weights),
    "neighbours": ("an atom, and its neighbours", neighbours),
    "steps": ("as far as three rounds of messages reach", partial(steps, 3)),
    "everything": ("messages pass until nothing moves: all that is connected", partial(steps, 7)),
    "walks 2": ("walks of two steps: how many end where; they may turn back", partial(walks, 2)),
    "walks 3": ("walks of three steps: how many end where", partial(walks, 3)),
    "diffusion": ("where a random walk of two steps ends, as a chance", partial(diffusion, 2)),
    "spread": (
        "the share of nitrogen that reached every atom in two steps",
        partial(spread_labels, 2),
    ),
    "colours": ("atoms that are alike after two rounds share a colour", partial(refined, 1, 2)),
    "ring colours": ("the same by rings of radius 2, after one round", partial(refined, 2, 1)),
    "field": ("the eight nearest atoms, in a canonical order", field_of_nodes),
    "edges": ("an atom and its bonds, each kind with its own filter", edge_labels),
    "pairs": ("one column of the table: C-O at distance 3", partial(pairs_at, 3, "C", OXYGEN)),
    "balls": ("the neighbourhoods of two atoms at distance 4", partial(two_balls, 4)),
    "graphlet": ("one subgraph of three atoms; all are counted", one_graphlet),
    "dag": ("the bonds that lead away from an atom", breadth_first_dag),
    "nothing": ("atoms alone: bonds are out of sight", no_structure),
}
