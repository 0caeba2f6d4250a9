"""The processor that a table was measured on, to be named with it."""

import platform
import re
from pathlib import Path

CPU_INFO = Path("/proc/cpuinfo")
KINDS = (("family", "cpu family"), ("model", "model"))


def processor() -> str:
    """Its name, with family and model where the system tells: clouds hide the rest."""
    try:
        lines = CPU_INFO.read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    told = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            told.setdefault(name.strip(), value.strip())
    numbers = [f"{kind} {told[key]}" for kind, key in KINDS if key in told]
    name = re.sub(r"\s+", " ", told.get("model name", platform.machine()))
    return f"{name} ({', '.join(numbers)})" if numbers else name


def print_processor() -> None:
    """One line above a table."""
    print(f"Processor: {processor()}\n")
