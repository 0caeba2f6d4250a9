"""Tables, statistics, pictures and the page. ``gr.report(...)`` writes the page."""

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A package whose name is also that of a function: Python puts it in the function's place."""

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        from graphrings.report.written import report

        return report(*arguments, **more)


sys.modules[__name__].__class__ = _Callable
