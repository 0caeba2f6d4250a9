"""Several stores and exports of the same experiments made into one store."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from graphrings.errors import StoreError
from graphrings.results.database import lock_path
from graphrings.results.differences import differences
from graphrings.results.encoding import sorted_json
from graphrings.results.json_lines import Entry, read_json_lines
from graphrings.results.record import Cell, Curve, ExperimentCard, Failure, Record, Trial
from graphrings.results.store import Store
from graphrings.whole_files import whole_file

SQLITE, GZIP = b"SQLite format 3\0", b"\x1f\x8b"
ROUNDING = 1e-6
MOST_NAMED = 5  # cells of a message


def merge(sources: Sequence[str | Path], output: str | Path, without: Collection[str] = ()) -> None:
    """Make a new store of all that some stores and JSON-lines exports hold.

    Experiments of one name must mean the same cells. A cell that several hold must be the same in
    all of them, but for times and versions; the fullest record of it is kept. Rows named in
    ``without`` are left out of all sources.
    """
    output = Path(output)
    if output.exists():
        raise StoreError(f"{output}: exists already; expected the name of a new store")
    if not output.parent.is_dir():
        raise StoreError(f"{output}: no such folder {output.parent}")
    with whole_file(output) as place:
        try:
            with Store.write(place) as store, store.together():
                seen = {
                    name for source in map(Path, sources) for name in _add(store, source, without)
                }
                if strange := [name for name in without if name not in seen]:
                    raise StoreError(
                        f"no row {strange[0]!r} to leave out; the files have "
                        f"{', '.join(map(repr, sorted(seen)))}"
                    )
        finally:
            lock_path(place).unlink(missing_ok=True)


def agree(one: Record, other: Record) -> bool:
    """Whether two records of a cell say the same, as far as both say it; times do not count."""
    same = ("cell", "fingerprint", "n_training", "n_validation", "n_test", "setting")
    trials = {sorted_json(trial.setting): trial for trial in other.trials}
    pairs = [(trial, trials.get(sorted_json(trial.setting), trial)) for trial in one.trials]
    return (
        all(getattr(one, name) == getattr(other, name) for name in same)
        and _agree_scores(one.scores, other.scores)
        and _agree_where_known(one.test, other.test)
        and _agree_where_known(one.validation, other.validation)
        and all(_agree_trials(trial, its_other) for trial, its_other in pairs)
    )


def _agree_trials(one: Trial, other: Trial) -> bool:
    same = ("seed", "epochs", "best_epoch")
    return (
        all(getattr(one, name) == getattr(other, name) for name in same)
        and _agree_scores(one.scores, other.scores)
        and _agree_where_known(one.curve, other.curve)
    )


def _agree_scores(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    """Up to rounding: probabilities are kept in single precision. NaN is the same as NaN."""
    pairs = [(one[name], other[name]) for name in one.keys() & other.keys()]
    return all(math.isclose(a, b, rel_tol=ROUNDING) or (a != a and b != b) for a, b in pairs)


def _agree_where_known(one: object, other: object) -> bool:
    if isinstance(one, Curve):
        one, other = repr(one), other and repr(other)
    return one is None or other is None or one == other


def _fullness(record: Record) -> tuple[int, ...]:
    """How much a record knows; the same record from elsewhere may know more."""
    n_curves = sum(trial.curve is not None for trial in record.trials)
    return record.test is not None, len(record.trials), n_curves, record.finished != ""


def _add(store: Store, source: Path, without: Collection[str]) -> set[str]:
    """Add all that a source holds to a store, but for some rows; the names of all its rows."""
    unequal: dict[str, list[Cell]] = {}
    rows: set[str] = set()
    for entry in _entries(source):
        if isinstance(entry, ExperimentCard):
            rows |= {card.name for card in entry.methods}
            kept = tuple(card for card in entry.methods if card.name not in without)
            _register(store, replace(entry, methods=kept), source)
            continue
        experiment, outcome = entry
        if outcome.cell.method in without:
            continue
        if isinstance(outcome, Failure):
            store.fail(experiment, outcome)
        elif (held := store.record(experiment, outcome.cell)) is None:
            store.add(experiment, outcome)
        elif not agree(held, outcome):
            unequal.setdefault(experiment, []).append(outcome.cell)
        elif _fullness(outcome) > _fullness(held):
            store.add(experiment, outcome, replace=True)
    for experiment, cells in unequal.items():
        named = "; ".join(map(str, cells[:MOST_NAMED]))
        more = f"; and {len(cells) - MOST_NAMED} more" if len(cells) > MOST_NAMED else ""
        raise StoreError(
            f"{source}: cells of {experiment!r} are not the same as in the files before it: "
            f"{named}{more}"
        )
    return rows


def _register(store: Store, card: ExperimentCard, source: Path) -> None:
    if card.name in store.experiments() and (changes := differences(store.card(card.name), card)):
        raise StoreError(
            f"{source}: experiment {card.name!r} is not the same as in the files before it "
            f"(there -> here): {'; '.join(changes)}"
        )
    store.register(card)


def _entries(source: Path) -> Iterator[Entry]:
    """The cards, and after each of them its cells."""
    try:
        with source.open("rb") as file:
            start = file.read(len(SQLITE))
    except OSError as error:
        raise StoreError(f"{source}: {(error.strerror or str(error)).lower()}") from error
    if start in (SQLITE, b""):
        with Store.read(source) as store:
            for name in store.experiments():
                yield store.card(name)
                yield from ((name, record) for record in store.each_record(name))
                yield from ((name, failure) for failure in store.failures(name))
        return
    opened = gzip.open if start.startswith(GZIP) else open
    try:
        with opened(source, "rt", encoding="utf-8") as lines:
            yield from read_json_lines(lines, str(source))
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise StoreError(f"{source}: a damaged gzip file ({error})") from error
    except UnicodeDecodeError as error:
        raise StoreError(f"{source}: neither a store of results nor an export of one") from error
