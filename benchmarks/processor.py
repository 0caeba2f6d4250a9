"""The processor that a table was measured on, to be named with it."""

from graphrings.processor import processor


def print_processor() -> None:
    """One line above a table."""
    print(f"Processor: {processor()}\n")
