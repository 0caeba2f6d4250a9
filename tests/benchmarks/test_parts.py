import numpy as np
from benchmarks.parts import PARTS, timed

import graphrings as gr
from benchmarks import ours


def test_every_part_of_a_step_is_timed_and_left_as_it_was() -> None:
    """A pass that the step no longer takes would show nothing, and a row would be wrong."""
    dataset = gr.load("MUTAG")
    trained = ours.learner(ours.build(dataset, 2, 10, seed=0), dataset.n_classes)
    data = ours.prepare(dataset, 2)
    before = [getattr(*part) for part in PARTS.values()]
    with timed() as seconds:
        ours.step(trained, next(ours.batches(data, [np.arange(50)])))
    assert [getattr(*part) for part in PARTS.values()] == before
    assert all(seconds.values())
