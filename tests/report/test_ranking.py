import pytest

from graphrings.report.ranking import Ranking, rank
from graphrings.report.tables import compare
from report.measured import card, records

NAMES = ("a", "b", "c")
SETS = tuple(f"set {i}" for i in range(6))


def ranking(*values: tuple[float | None, ...], score: str = "accuracy") -> Ranking:
    """Methods a, b, c with these values of a score, a tuple for each dataset."""
    datasets = SETS[: len(values)]
    held = records(
        {
            (name, dataset): [[value, value]]
            for dataset, row in zip(datasets, values, strict=True)
            for name, value in zip(NAMES, row, strict=True)
        },
        score=score,
    )
    return rank(compare(card(NAMES, datasets, repetitions=1), held, score=score))


def test_the_best_average_comes_first() -> None:
    ranked = ranking((0.1, 0.5, 0.9), (0.2, 0.6, 0.6))
    assert ranked.methods == ("c", "b", "a")
    assert ranked.ranks == ((1, 1.5), (2, 1.5), (3, 3))
    assert ranked.average == (1.25, 1.75, 3)


def test_tests_and_bars_of_six_datasets() -> None:
    ranked = ranking(*[(0.9, 0.5 + i / 100, 0.1 + i / 100) for i in range(6)])
    assert ranked.tests is not None
    assert ranked.tests.friedman is not None
    assert ranked.tests.friedman.chi2 == pytest.approx(12)
    assert ranked.tests.critical_difference == pytest.approx(2.343 * (12 / 36) ** 0.5, abs=0.001)
    assert ranked.tests.cliques == ((0, 1), (1, 2))
    assert [pair.p for pair in ranked.tests.pairs] == [0.03125] * 3


def test_too_few_datasets_are_noted() -> None:
    notes = " ".join(ranking((0.1, 0.5, 0.9), (0.2, 0.6, 0.6)).notes)
    assert "2 datasets: too few for tests over datasets" in notes
    assert "Wilcoxon's test over 2 datasets cannot reach 0.05" in notes


def test_a_dataset_that_somebody_lacks_is_left_out() -> None:
    ranked = ranking((0.1, 0.5, 0.9), (0.2, None, 0.6))
    assert ranked.datasets == ("set 0",)
    assert "left out, not complete for every method: set 1" in ranked.notes


def test_a_method_that_has_nothing_is_left_out() -> None:
    ranked = ranking((0.1, None, 0.9), (0.2, None, 0.6))
    assert (ranked.methods, ranked.datasets) == (("c", "a"), ("set 0", "set 1"))
    assert "not ranked, no dataset is complete: b" in ranked.notes


def test_nothing_to_rank_is_said() -> None:
    ranked = ranking((0.1, None, None))
    assert (ranked.methods, ranked.tests) == ((), None)
    assert any(note.startswith("nothing to rank") for note in ranked.notes)


def test_rows_of_the_paper_are_not_ranked() -> None:
    held = records({(name, "MUTAG"): [[0.5, 0.5]] for name in ("dgcnn", "wl")})
    mine = card(("dgcnn", "wl"), repetitions=1)
    assert rank(compare(mine, held, like="table2")).methods == ("wl", "dgcnn")


def test_of_a_score_that_is_better_low_the_lowest_comes_first() -> None:
    ranked = ranking((0.1, 0.5, 0.9), (0.2, 0.6, 0.6), score="log_loss")
    assert ranked.methods == ("a", "b", "c")


def test_two_methods_are_left_to_wilcoxon() -> None:
    held = records({(name, "MUTAG"): [[0.5, 0.5]] for name in ("dgcnn", "wl")})
    ranked = rank(compare(card(("dgcnn", "wl"), repetitions=1), held))
    assert ranked.tests is not None
    assert ranked.tests.friedman is None
    assert "1 dataset: too few for tests over datasets" in " ".join(ranked.notes)
