import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from graphrings.interrupts import from_interrupt, interrupts_held_back, interrupts_kept


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """A shell starts what runs in the background deaf to Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


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


class Lost:
    """Its end is a callback: an exception there is printed and dropped by Python."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


def test_ctrl_c_that_a_callback_lost_comes_again(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), interrupts_kept():  # noqa: PT012
        Lost()
        for _ in range(1000):  # one long sleep would end before it is looked for
            time.sleep(0.01)
    assert capsys.readouterr() == ("", "")


def test_ctrl_c_is_known_behind_what_python_made_of_it() -> None:
    class Named:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises((RuntimeError, KeyboardInterrupt)) as found:
        type("Owner", (), {"named": Named()})
    assert from_interrupt(found.value)


def test_other_errors_are_no_ctrl_c() -> None:
    error = ValueError()
    error.__context__ = LookupError()
    error.__context__.__context__ = error  # a ring, which must not be followed for ever
    assert not from_interrupt(error)
