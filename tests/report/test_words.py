import pytest

from graphrings.report.framing import unbroken
from graphrings.report.words import amount, decimals, explained, gap, listed, signed, titled
from graphrings.tasks.scores import SCORES


@pytest.mark.parametrize(
    ("score", "value", "shown", "size"),
    [
        ("accuracy", 85.04, "85.0 %", "85.0 points"),
        ("mcc", 0.5, "0.500", "0.500"),
        ("rmse", 1234.56, "1235", "1235"),
        ("rmse", 0.00012, "0.000120", "0.000120"),
        ("r2", -0.25, "-0.250", "0.250"),
    ],
)
def test_a_value_has_its_unit_and_enough_digits(
    score: str, value: float, shown: str, size: str
) -> None:
    assert amount(SCORES[score], value) == shown
    assert gap(SCORES[score], value) == size


def test_the_larger_of_mean_and_deviation_sets_the_decimals() -> None:
    assert decimals(SCORES["mcc"], 0.003, 0.2) == 3
    assert decimals(SCORES["mcc"], 0.0, None) == 3
    assert decimals(SCORES["accuracy"], 0.003) == 2


def test_a_score_is_introduced_with_unit_and_direction() -> None:
    assert [titled(SCORES[name]) for name in ("accuracy", "rmse")] == ["accuracy (%)", "RMSE"]
    assert explained(SCORES["ece"]) == "expected calibration error, percent, lower is better"
    assert explained(SCORES["mcc"]) == "MCC"


def test_there_is_no_negative_zero() -> None:
    assert signed(-0.001, 2) == "+0.00"


def test_a_note_names_the_first_of_many_places() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed([str(i) for i in range(1_010)], "; ") == "0; 1; 2; 3; 4; 5; 6; 7 and 1,002 more"


def test_no_line_breaks_between_a_number_and_its_percent_sign() -> None:
    assert unbroken("95 % of 3 %, % alone") == "95\u00a0% of 3\u00a0%, % alone"
