"""An experiment may grow under its name; it may not become another one."""

from typing import Any

import pytest

from graphrings.errors import StoreError
from graphrings.results.store import Store
from results.samples import card, dataset, method


def test_a_card_comes_back_as_it_was(store: Store) -> None:
    assert store.card("small") == card()


def test_the_same_again_changes_nothing(store: Store) -> None:
    store.register(card())
    assert store.card("small") == card()


def test_datasets_methods_and_repetitions_are_joined(store: Store) -> None:
    datasets, methods = (dataset("NCI1"), dataset("PTC")), (method("GIN"),)
    store.register(card(datasets=datasets, methods=methods, repetitions=10))
    store.register(card(repetitions=2))
    known = store.card("small")
    assert [part.name for part in known.datasets] == ["MUTAG", "PTC", "NCI1"]
    assert [part.name for part in known.methods] == ["PGC", "DGCNN", "GIN"]
    assert known.repetitions == 10


def test_what_is_no_part_of_a_cell_is_updated(store: Store) -> None:
    datasets, methods = (dataset("PTC", twin_share=0.5),), (method("PGC", citation="Another"),)
    store.register(card(datasets=datasets, methods=methods))
    known = store.card("small")
    assert known.datasets == (dataset("MUTAG"), *datasets)
    assert known.methods == (*methods, method("DGCNN"))


def test_lists_and_the_order_of_names_are_no_difference(store: Store) -> None:
    store.register(card(methods=(method("GIN", settings={"a": (1, 2), "b": 1}),)))
    store.register(card(methods=(method("GIN", settings={"b": 1, "a": [1, 2]}),)))
    assert store.card("small").methods[-1] == method("GIN", settings={"a": [1, 2], "b": 1})


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"task": "regression"}, "task: classification -> regression"),
        ({"seed": 8}, "seed: 7 -> 8"),
        ({"folds": "grouped"}, "folds: stratified -> grouped"),
        ({"n_folds": 10}, "n_folds: 3 -> 10"),
        (
            {"datasets": (dataset("PTC", fingerprint="f2"),)},
            "fingerprint of 'PTC': f-PTC -> f2",
        ),
        ({"methods": (method("PGC", method="gin"),)}, "method of 'PGC': pgc -> gin"),
        (
            {"methods": (method("PGC", settings={"rate": 0.2, "k": 3}),)},
            "k of 'PGC': none -> 3; rate of 'PGC': 0.1 -> 0.2",
        ),
        (
            {"methods": (method("PGC", grid={"radius": (1, 2, 3)}),)},
            "radius in the grid of 'PGC': [1, 2] -> [1, 2, 3]",
        ),
        ({"methods": (method("PGC", revision=2),)}, "revision of 'PGC': 1 -> 2"),
        ({"seed": 8, "n_folds": 5}, "seed: 7 -> 8; n_folds: 3 -> 5"),
    ],
)
def test_another_experiment_of_the_same_name_is_refused(
    store: Store, changes: dict[str, Any], told: str
) -> None:
    with pytest.raises(StoreError) as caught:
        store.register(card(**{"repetitions": 9} | changes))
    assert str(caught.value) == (
        f"{store.path}: experiment 'small' is another one there (held -> wanted): {told}; "
        "give it another name, use another store, or make one without old rows "
        "(`graphrings merge --without`)"
    )
    assert store.card("small") == card()
