"""SDF: blocks of atoms and bonds with data items; a record is its molecule as SMILES and these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from graphrings.errors import DatasetError
from graphrings.graphs.smiles import fault_of, rdkit, silent
from graphrings.graphs.tables.source import Source
from graphrings.graphs.tables.table import Record, Table

SMILES_NAMES = ("smiles", "structure_smiles")  # of the column with the molecule
TITLE_NAMES = ("name", "title", "record_name")  # of the column with the first line
END, MOLECULE_END = "$$$$", "M  END"
N_SAMPLED = 100  # records whose data items become columns
MOST_LINES = 1_000_000  # of one record


class _Block(NamedTuple):
    """A record as it stands in the file; ``items`` are its data by name."""

    line: int
    molecule: str
    title: str
    items: dict[str, str]


def open_sdf(source: Source) -> Table:
    """Open an SDF file; its columns are ``smiles``, ``name`` and the data items."""
    rdkit("Chem")
    blocks = _blocks(source.lines(), source.place)
    sample = list(islice(blocks, N_SAMPLED))
    if not sample:
        raise DatasetError(f"{source.place}: the file is empty")
    items = tuple(dict.fromkeys(name for block in sample for name in block.items))
    smiles, title = _free(SMILES_NAMES, items), _free(TITLE_NAMES, items)
    records = (_record(block, items) for block in chain(sample, blocks))
    return Table(source.place, (smiles, title, *items), records, source.close, molecules=smiles)


def _free(names: Iterable[str], taken: Iterable[str]) -> str:
    used = {name.strip().lower() for name in taken}
    return next(name for name in names if name not in used)


def _blocks(lines: Iterator[str], place: str) -> Iterator[_Block]:
    block: list[str] = []
    first = 1
    for number, line in enumerate(chain(lines, [END]), start=1):
        if not line.startswith(END):
            block.append(line.rstrip("\r\n"))
            if len(block) > MOST_LINES:
                raise DatasetError(
                    f"{place}:{first}: a record of more than {MOST_LINES:,} lines; expected "
                    f"{END} after every record"
                )
            continue
        if any(map(str.strip, block)):
            yield _parted(first, block)
        block, first = [], number + 1


def _parted(line: int, block: list[str]) -> _Block:
    ends = (i + 1 for i, text in enumerate(block) if text.startswith(MOLECULE_END))
    end = next(ends, len(block))
    return _Block(line, "\n".join(block[:end]), block[0].strip(), dict(_items(block[end:])))


def _items(lines: list[str]) -> Iterator[tuple[str, str]]:
    """The data items: a line ``> <NAME>`` and the lines up to a blank one."""
    name, value = None, list[str]()
    for line in [*lines, ""]:
        if name is not None and not line.strip():
            yield name, "\n".join(value)
            name = None
        elif name is not None:
            value.append(line)
        elif line.startswith(">") and "<" in line:
            name, value = line[line.index("<") + 1 : line.rindex(">")], []


def _record(block: _Block, items: tuple[str, ...]) -> Record:
    chem = rdkit("Chem")
    with silent():
        mol = chem.MolFromMolBlock(block.molecule)
        fault = ""
        if mol is None:
            reason = fault_of(lambda: chem.MolFromMolBlock(block.molecule))
            fault = f"does not parse: {reason}"
        smiles = "" if mol is None else chem.MolToSmiles(mol)
    values = (block.items.get(name, "") for name in items)
    return Record(block.line, (smiles, block.title, *values), fault)
