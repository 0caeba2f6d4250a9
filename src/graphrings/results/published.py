"""The accuracies of the paper's Tables II and III, in percent, as printed.

All numbers but those of PGC-DGCNN itself also stand, digit for digit, in Tables 1 and 2 of the
DGCNN paper, where they come from. A dash of the paper is a dataset that the row does not name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphrings.results.record import MethodCard, Setting

ZHANG = "Zhang et al., AAAI 2018"
OWN = "the paper itself (10 repetitions of nested 10-fold cross-validation)"
REPEATED = f"{ZHANG} (10 repetitions of 10-fold cross-validation)"
SCORE_OF_THE_PAPER = "accuracy"
COPIED = "the best result of {}, as copied by " + ZHANG


@dataclass(frozen=True)
class Published:
    """A printed accuracy and its deviation; an entry without a number has a note that says why."""

    mean: float | None
    deviation: float | None = None
    note: str = ""


@dataclass(frozen=True)
class PublishedRow:
    """A row of the paper: its name there, the methods of ours that it speaks of, its numbers.

    ``settings`` are those that the row was made with and that a row of ours must allow.
    """

    name: str
    methods: tuple[str, ...]
    source: str
    values: Mapping[str, Published]
    settings: Setting = field(default_factory=dict)

    def speaks_of(self, card: MethodCard) -> bool:
        """Whether a row of an experiment is this method, with settings that allow this row's."""
        return card.method in self.methods and all(
            card.settings.get(name, value) == value and value in card.grid.get(name, (value,))
            for name, value in self.settings.items()
        )


@dataclass(frozen=True)
class PublishedTable:
    """A table of the paper: which datasets and rows, in which order."""

    number: str
    title: str
    datasets: tuple[str, ...]
    rows: tuple[PublishedRow, ...]


P = Published

GK = PublishedRow(
    "GK",
    ("graphlet",),
    REPEATED,
    {
        "MUTAG": P(81.39, 1.74),
        "PTC": P(55.65, 0.46),
        "NCI1": P(62.49, 0.27),
        "PROTEINS": P(71.39, 0.31),
        "DD": P(74.38, 0.69),
    },
)
RW = PublishedRow(
    "RW",
    ("random-walk",),
    REPEATED,
    {
        "MUTAG": P(79.17, 2.07),
        "PTC": P(55.91, 0.32),
        "NCI1": P(None, note="> 3 days"),
        "PROTEINS": P(59.57, 0.09),
        "DD": P(None, note="> 3 days"),
    },
)
PK = PublishedRow(
    "PK",
    ("propagation",),
    REPEATED,
    {
        "MUTAG": P(76.00, 2.69),
        "PTC": P(59.50, 2.44),
        "NCI1": P(82.54, 0.47),
        "PROTEINS": P(73.68, 0.68),
        "DD": P(78.25, 0.51),
    },
)
WL = PublishedRow(
    "WL",
    ("wl",),
    REPEATED,
    {
        "MUTAG": P(84.11, 1.91),
        "PTC": P(57.97, 2.49),
        "NCI1": P(84.46, 0.45),
        "PROTEINS": P(74.68, 0.49),
        "DD": P(78.34, 0.62),
    },
)
PSCN = PublishedRow(
    "PSCN",
    ("patchy-san",),
    COPIED.format("Niepert et al., ICML 2016"),
    {
        "NCI1": P(76.34, 1.68),
        "PROTEINS": P(75.00, 2.51),
        "DD": P(76.27, 2.64),
        "COLLAB": P(72.60, 2.15),
        "IMDB-BINARY": P(71.00, 2.29),
        "IMDB-MULTI": P(45.23, 2.84),
    },
)
DCNN = PublishedRow(
    "DCNN",
    ("dcnn",),
    REPEATED,
    {
        "NCI1": P(56.61, 1.04),
        "PROTEINS": P(61.29, 1.60),
        "DD": P(58.09, 0.53),
        "COLLAB": P(52.11, 0.71),
        "IMDB-BINARY": P(49.06, 1.37),
        "IMDB-MULTI": P(33.49, 1.42),
    },
)
ECC = PublishedRow(
    "ECC",
    ("ecc",),
    COPIED.format("Simonovsky and Komodakis, CVPR 2017"),
    {"NCI1": P(76.82), "DD": P(72.54)},
)
DGK = PublishedRow(
    "DGK",
    ("deep-graphlet",),
    COPIED.format("Yanardag and Vishwanathan, KDD 2015"),
    {
        "NCI1": P(62.48, 0.25),
        "PROTEINS": P(71.68, 0.50),
        "COLLAB": P(73.09, 0.25),
        "IMDB-BINARY": P(66.96, 0.56),
        "IMDB-MULTI": P(44.55, 0.52),
    },
)
DGCNN = PublishedRow(
    "DGCNN",
    ("dgcnn",),
    REPEATED,
    {
        "MUTAG": P(85.83, 1.66),
        "PTC": P(58.59, 2.47),
        "NCI1": P(74.44, 0.47),
        "PROTEINS": P(75.54, 0.94),
        "DD": P(79.37, 0.94),
        "COLLAB": P(73.76, 0.49),
        "IMDB-BINARY": P(70.03, 0.86),
        "IMDB-MULTI": P(47.83, 0.85),
    },
)
PGC_DGCNN = PublishedRow(
    "PGC-DGCNN (r=2)",
    ("pgc-dgcnn", "pgc-dgcnn-released"),
    OWN,
    {
        "MUTAG": P(87.22, 1.43),
        "PTC": P(61.06, 1.83),
        "NCI1": P(76.13, 0.73),
        "PROTEINS": P(76.45, 1.02),
        "DD": P(78.93, 0.91),
        "COLLAB": P(75.00, 0.58),
        "IMDB-BINARY": P(71.62, 1.22),
        "IMDB-MULTI": P(47.25, 1.44),
    },
    {"radius": 2},
)

TABLES = {
    "table2": PublishedTable(
        "II",
        "Comparison with graph kernels",
        ("MUTAG", "PTC", "NCI1", "PROTEINS", "DD"),
        (GK, RW, PK, WL, DGCNN, PGC_DGCNN),
    ),
    "table3": PublishedTable(
        "III",
        "Comparison with other deep learning approaches",
        ("NCI1", "PROTEINS", "DD", "COLLAB", "IMDB-BINARY", "IMDB-MULTI"),
        (PSCN, DCNN, ECC, DGK, DGCNN, PGC_DGCNN),
    ),
}
ROWS = (GK, RW, PK, WL, PSCN, DCNN, ECC, DGK, DGCNN, PGC_DGCNN)


def published_row(card: MethodCard) -> PublishedRow | None:
    """The row of the paper that a row of an experiment can be held against, if there is one."""
    return next((row for row in ROWS if row.speaks_of(card)), None)
