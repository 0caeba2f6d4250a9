"""Datasets by name: what they are, where they come from, what to expect."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from graphrings.errors import FingerprintError, UnknownDatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.spelling import suggestion

TU = "TU collection"
DGCNN = "DGCNN text, from the DGCNN and PGC-DGCNN authors' repositories"
DEBNATH = "Debnath et al., J. Med. Chem. 34(2), 1991"
TOIVONEN = "Toivonen et al., Bioinformatics 19(10), 2003"
WALE = "Wale et al., Knowl. Inf. Syst. 14(3), 2008"
BORGWARDT = "Borgwardt et al., Bioinformatics 21, 2005; Dobson and Doig, J. Mol. Biol. 330(4), 2003"
SCHOMBURG = (
    "Borgwardt et al., Bioinformatics 21, 2005; Schomburg et al., Nucleic Acids Res. 32, 2004"
)
DOBSON = "Dobson and Doig, J. Mol. Biol. 330(4), 2003; Shervashidze et al., JMLR 12, 2011"
YANARDAG = "Yanardag and Vishwanathan, KDD 2015"
ATTRIBUTES = "-attributes"  # behind a name


@dataclass(frozen=True)
class Entry:
    """A dataset that is known by name; counts of 0 are not known beforehand.

    One content may come in several orders, hence several ``fingerprints``. ``classes`` says what
    the classes are and how many graphs each has, where that tells which number is which.

    A ``plain`` one has node labels alone, as papers compare methods on it, although files of it may
    bring attributes too. These are in the dataset whose name ends in ``-attributes``.
    """

    name: str
    aliases: tuple[str, ...] = ()
    title: str = ""
    citation: str = ""
    sources: tuple[str, ...] = (TU,)
    counts: dict[str, int] = field(default_factory=dict)
    fingerprints: tuple[str, ...] = ()
    classes: dict[str, int] = field(default_factory=dict)
    plain: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that it goes by."""
        return (self.name, *self.aliases)

    @property
    def has_attributes(self) -> bool:
        """Whether it is the form of a plain dataset that keeps the attributes."""
        return self.name.endswith(ATTRIBUTES)

    @property
    def files(self) -> tuple[str, ...]:
        """Every name that its files may have."""
        return tuple(name.removesuffix(ATTRIBUTES) for name in self.names)

    def with_attributes(self) -> Entry:
        """The form that keeps them: from the TU collection, since DGCNN text has none."""
        name, *aliases = (f"{name}{ATTRIBUTES}" for name in self.names)
        title = f"{self.title}; with node attributes"
        return replace(
            self, name=name, aliases=tuple(aliases), title=title, sources=(TU,), plain=False
        )


def _counts(graphs: int, nodes: int, edges: int, classes: int, labels: int) -> dict[str, int]:
    return {
        "graphs": graphs,
        "nodes": nodes,
        "edges": edges,
        "classes": classes,
        "node labels": labels,
    }


PLAIN_CATALOGUE = (
    Entry(
        "MUTAG",
        title="nitro compounds, mutagenic or not",
        citation=DEBNATH,
        sources=(TU, DGCNN),
        counts=_counts(188, 3371, 3721, 2, 7),
        # The two sources list the graphs in different orders.
        fingerprints=("3c36e20d932b319f86a64bad250d71c8", "5f764b3e1cbfd3a050ba8b395e60d952"),
        classes={"mutagenic": 125, "not mutagenic": 63},
    ),
    Entry(
        "PTC",
        title="compounds with explicit hydrogens, carcinogenic for rats or not",
        citation=TOIVONEN,
        sources=(DGCNN,),
        counts=_counts(344, 8792, 8931, 2, 19),
        fingerprints=("e5dbccaff8a26fdca1f0a99c038af658",),
        classes={"carcinogenic": 152, "not carcinogenic": 192},
    ),
    Entry(
        "PTC_MR",
        title="compounds without hydrogens, carcinogenic for male rats or not",
        citation=TOIVONEN,
        counts=_counts(344, 4915, 5054, 2, 18),
        fingerprints=("693a55dcf79fa6ca37e61dd48496acba",),
        classes={"carcinogenic": 152, "not carcinogenic": 192},
    ),
    Entry(
        "NCI1",
        title="compounds screened against lung cancer cells",
        citation=WALE,
        sources=(TU, DGCNN),
        counts=_counts(4110, 122747, 132753, 2, 37),
        fingerprints=("e386d8766d920ec3c0df02d5b46c2193",),
        classes={"active": 2057, "not active": 2053},
    ),
    Entry(
        "NCI109",
        title="compounds screened against ovarian cancer cells",
        citation=WALE,
    ),
    Entry(
        "PROTEINS",
        title="proteins as secondary structure elements, enzymes or not",
        citation=BORGWARDT,
        sources=(TU, DGCNN),
        counts=_counts(1113, 43471, 81044, 2, 3),
        fingerprints=("6a773ea94bd3aeac9640ca5c737a1dda",),
        classes={"enzyme": 663, "no enzyme": 450},
        plain=True,
    ),
    Entry(
        "ENZYMES",
        title="enzymes as secondary structure elements, by the reaction that they catalyse",
        citation=SCHOMBURG,
        plain=True,
    ),
    Entry(
        "DD",
        aliases=("D&D",),
        title="proteins as amino acids, enzymes or not",
        citation=DOBSON,
        sources=(TU, DGCNN),
        counts=_counts(1178, 334925, 843046, 2, 82),
        fingerprints=("710dfa81debe79a241c9f9dc257a18b7",),
        classes={"enzyme": 691, "no enzyme": 487},
    ),
    Entry(
        "COLLAB",
        title="researchers' collaborations by field",
        citation=YANARDAG,
        sources=(TU, DGCNN),
        counts=_counts(5000, 372474, 12286079, 3, 0),
        fingerprints=("1f61240c0a666f86ef2497e2b55c500e",),
    ),
    Entry(
        "IMDB-BINARY",
        aliases=("IMDBBINARY", "IMDB-B"),
        title="actors' collaborations, action or romance",
        citation=YANARDAG,
        sources=(TU, DGCNN),
        counts=_counts(1000, 19773, 96531, 2, 0),
        fingerprints=("0ec20b4b0142cd047d3584612af9d623",),
    ),
    Entry(
        "IMDB-MULTI",
        aliases=("IMDBMULTI", "IMDB-M"),
        title="actors' collaborations: comedy, romance or sci-fi",
        citation=YANARDAG,
        sources=(TU, DGCNN),
        counts=_counts(1500, 19502, 98903, 3, 0),
        fingerprints=("0991cb197a6eab857ee24a5251a5c650",),
    ),
)

CATALOGUE = tuple(
    form
    for entry in PLAIN_CATALOGUE
    for form in ((entry, entry.with_attributes()) if entry.plain else (entry,))
)
TU_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


def lookup(name: str) -> Entry:
    """The entry of a name, in upper or lower case; other TU names have no expectations."""
    for entry in CATALOGUE:
        if name.lower() in (known.lower() for known in entry.names):
            return entry
    if not TU_NAME.fullmatch(name):
        raise UnknownDatasetError(f"{name!r} is not a dataset name{hint(name)}")
    return Entry(name)


def hint(name: str, others: Iterable[str] = ()) -> str:
    """The end of a message about an unknown dataset: the nearest known one, or all of them."""
    all_of_them = ", ".join(entry.name for entry in CATALOGUE)
    return nearest(name, others) or f"; known names are {all_of_them}"


def nearest(name: str, others: Iterable[str] = ()) -> str:
    """The nearest known name, if one is near."""
    known = [*(known for entry in CATALOGUE for known in entry.names), *others]
    return suggestion(name, known)


def check_content(dataset: Dataset, entry: Entry, place: str) -> None:
    """Refuse a dataset that is not what its name promises, saying what differs."""
    if not entry.fingerprints or dataset.fingerprint in entry.fingerprints:
        return
    counts = _counts(
        len(dataset), dataset.n_nodes, dataset.n_edges, dataset.n_classes, dataset.n_labels
    )
    differ = [
        f"{count:,} {what} instead of {entry.counts[what]:,}"
        for what, count in counts.items()
        if count != entry.counts[what]
    ]
    if not differ:
        differ = [
            "the counts are right, but graphs, order, labels or targets differ (fingerprint "
            f"{dataset.fingerprint} instead of {' or '.join(entry.fingerprints)})"
        ]
    raise FingerprintError(
        f"{place}: not the {entry.name} that everyone means: {', '.join(differ)}; "
        "to use these graphs anyway, read them by their path"
    )
