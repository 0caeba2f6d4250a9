"""Every error class of the project: a tree under GraphRingsError."""

from __future__ import annotations

from graphrings.printable import escaped

LONGEST, END = 1_500, 300  # characters of a message, and how many of them are its end


class GraphRingsError(Exception):
    """A mistake that its message explains in one line; the command line ends with status 2.

    Messages quote what was found. Whatever that is, the line stays one, ends somewhere, and tells a
    terminal nothing but text.
    """

    def __str__(self) -> str:
        return shortened(super().__str__())


def shortened(text: str) -> str:
    """Text without the middle of what is very long, as it can be printed."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - END]} ... {text[-END:]}"
    return escaped(text)


class DatasetError(GraphRingsError, ValueError):
    """Graphs that cannot be read as they stand."""


class ArchiveError(DatasetError):
    """An archive that is damaged, or that is not safe to open."""


class UnknownDatasetError(DatasetError):
    """A name that leads to no dataset."""


class FingerprintError(DatasetError):
    """A dataset that is not the one its name promises."""


class MissingLibraryError(GraphRingsError, ImportError):
    """A library that is not installed, with the command that installs it."""


class FetchError(GraphRingsError, OSError):
    """A download that did not arrive."""


class RadiusError(GraphRingsError, ValueError):
    """A radius that is not a whole number of at least zero."""


class LayerError(GraphRingsError, ValueError):
    """Rows or rings that a layer cannot compute with."""


class MemoryLimitError(GraphRingsError, MemoryError):
    """Work that would not fit into memory, refused before it starts."""


class DatasetNote(UserWarning):
    """What a reader repaired in the graphs; nothing is wrong with the result."""


class IgnoredNote(DatasetNote):
    """What a method does not see of the graphs; nothing is wrong with the result."""


class SizeNote(DatasetNote):
    """What a method does otherwise because there are so many graphs."""


class TimeNote(DatasetNote):
    """Work that will take more than a minute, with the estimate and what one may do instead."""


class UnseenLabelWarning(UserWarning):
    """Nodes or edges with a label that training never saw: how many, of what, and what is done."""

    place, count, what = "", 0, ""

    @classmethod
    def counted(cls, place: str, count: int, what: str) -> UnseenLabelWarning:
        """So many of a dataset; those of its parts can be added up."""
        warning = cls(f"{place}: {count:,} {what}")
        warning.place, warning.count, warning.what = place, count, what
        return warning


class InterruptedWarning(RuntimeWarning):
    """A training that Ctrl-C has ended early."""


class DamagedCellWarning(RuntimeWarning):
    """A cell of a store that cannot be read, and is left out."""


class ClusterNote(UserWarning):
    """A cluster that keeps a run waiting."""


class SettingError(GraphRingsError, ValueError):
    """A setting of a method that makes no sense."""


class DivergenceError(GraphRingsError, ArithmeticError):
    """A training whose loss is no longer a number."""


class ModelError(GraphRingsError, ValueError):
    """A model file that cannot be used."""


class ExperimentError(GraphRingsError, ValueError):
    """An experiment that cannot be run as it is written."""


class StoreError(GraphRingsError, OSError):
    """A store of results that cannot be read or written."""


class ClusterError(GraphRingsError, OSError):
    """A cluster that does not answer, or whose workers do not fit."""
