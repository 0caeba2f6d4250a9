from pathlib import Path

import pytest
import torch
from benchmarks.floor import n_multiplications, products_alone, recorded_products

from benchmarks import processor


def test_the_floor_is_made_of_the_products_forward_and_backward() -> None:
    """A linear map of two rows, and the gradient of its weights; the rows ask for none."""
    linear, rows = torch.nn.Linear(3, 5), torch.ones(2, 3)
    products = recorded_products(lambda: linear(rows).tanh().sum().backward())
    shapes = [tuple(side[0] for side in product) for product in products]
    assert shapes == [((2, 3), (3, 5)), ((5, 2), (2, 3))]
    assert n_multiplications(products) == 2 * 3 * 5 + 5 * 2 * 3
    assert recorded_products(products_alone(products)) == products


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "cpu family\t: 6\nmodel\t\t: 17\nmodel name\t: Some  CPU\n",
            "Some CPU (family 6, model 17)",
        ),
        ("model name\t: Some Processor\n", "Some Processor"),
    ],
)
def test_the_processor_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str
) -> None:
    (tmp_path / "cpuinfo").write_text(text)
    monkeypatch.setattr(processor, "CPU_INFO", tmp_path / "cpuinfo")
    assert processor.processor() == name
    monkeypatch.setattr(processor, "CPU_INFO", tmp_path / "missing")
    assert processor.processor()
