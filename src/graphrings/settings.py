"""Settings that make no sense are refused in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graphrings.errors import SettingError

Checks = Mapping[
    str, tuple[str, Callable[[Any], bool]]
]  # setting -> what is expected, whether it is


def check_settings(settings: Mapping[str, Any], checks: Checks) -> None:
    """Refuse the first setting whose check says no, or cannot make anything of the value."""
    for name, (wanted, check) in checks.items():
        if name not in settings:
            continue
        value = settings[name]
        try:
            good = check(value)
        except (TypeError, ValueError, AttributeError):
            good = False
        if not good:
            raise SettingError(f"{name} = {value!r}; expected {wanted}")
