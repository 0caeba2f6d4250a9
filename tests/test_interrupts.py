import os
import signal
import threading

import pytest

from graphrings.interrupts import interrupts_held_back


def test_ctrl_c_comes_after_the_block() -> None:
    reached_the_end = False
    with pytest.raises(KeyboardInterrupt), interrupts_held_back():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        reached_the_end = True
    assert reached_the_end


def test_blocks_inside_each_other_wait_for_the_outermost() -> None:
    steps = []
    with pytest.raises(KeyboardInterrupt), interrupts_held_back():  # noqa: PT012
        with interrupts_held_back():
            os.kill(os.getpid(), signal.SIGINT)
            steps.append("inner")
        steps.append("outer")
    assert steps == ["inner", "outer"]


def test_other_threads_have_nothing_to_hold_back() -> None:
    before, entered = signal.getsignal(signal.SIGINT), []

    def enter() -> None:
        with interrupts_held_back():
            entered.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert entered == [before]
