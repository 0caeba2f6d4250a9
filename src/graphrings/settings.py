"""Settings as data: what each means, which values it takes, and how a wrong one is refused."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graphrings.errors import SettingError

LARGEST = 2**32 - 1  # whole number, as seeds have it; compiled code counts further
LONGEST = 1_000  # list of numbers
FAR = 1_000  # what is repeated so often, or looks so far, ends; beyond it nothing changes


@dataclass(frozen=True)
class Setting:
    """One setting: ``allowed`` says in words what ``check`` accepts.

    ``default`` and ``type`` stand here where no signature says them. ``words`` are the values of a
    setting that takes some words only. ``most`` is the end of a whole number, which is far out.
    """

    meaning: str
    allowed: str
    check: Callable[[Any], bool]
    default: Any = None
    type: Any = Any
    words: tuple[str, ...] = ()
    most: int | None = None


Settings = Mapping[str, Setting]


def check_settings(values: Mapping[str, Any], settings: Settings) -> None:
    """Refuse the first value whose check says no, or cannot make anything of it."""
    for name, setting in settings.items():
        if name not in values:
            continue
        value = values[name]
        try:
            good = setting.check(value)
        except (TypeError, ValueError, AttributeError):
            good = False
        if not good:
            raise SettingError(f"{name} = {value!r}; expected {setting.allowed}")
        if setting.most is not None and value is not None and value > setting.most:
            raise SettingError(f"{name} = {value}; expected no more than {setting.most:,}")


def whole(meaning: str, least: int = 1, most: int = LARGEST, **more: Any) -> Setting:
    """A whole number, ``least`` or larger, and no larger than ``most``."""
    allowed = "a whole number above 0" if least == 1 else f"a whole number, {least} or larger"
    return Setting(
        meaning, allowed, lambda v: is_whole(v, least), **{"type": int, "most": most, **more}
    )


def whole_or_none(meaning: str, least: int = 0, most: int = LARGEST, **more: Any) -> Setting:
    """None, or a whole number."""
    allowed = f"None, or a whole number, {least} or larger"
    return Setting(
        meaning, allowed, lambda v: v is None or is_whole(v, least), **{"most": most, **more}
    )


def wholes(meaning: str, count: int | None = None, **more: Any) -> Setting:
    """A list of whole numbers above 0, one or more, or as many as ``count`` says."""
    many = "one or more" if count is None else {2: "two"}.get(count, str(count))
    return Setting(
        meaning,
        f"{many} whole numbers above 0",
        lambda v: (
            (len(v) == count if count else 0 < len(v) <= LONGEST)
            and all(is_whole(n) and n <= LARGEST for n in v)
        ),
        **more,
    )


def positive(meaning: str, **more: Any) -> Setting:
    """A finite number above 0."""
    return Setting(
        meaning, "a number above 0", lambda v: 0 < v < math.inf, **{"type": float, **more}
    )


def share(meaning: str, **more: Any) -> Setting:
    """A number from 0 to below 1."""
    return Setting(
        meaning, "a number from 0 to below 1", lambda v: 0 <= v < 1, **{"type": float, **more}
    )


def one_of(meaning: str, values: Iterable[str], **more: Any) -> Setting:
    """One of some words."""
    words = tuple(values)
    allowed = " or ".join(words) if len(words) < 3 else f"one of {', '.join(words)}"
    return Setting(
        meaning,
        allowed,
        lambda v: isinstance(v, str) and v in words,
        **{"type": str, "words": words, **more},
    )


def text_or_none(meaning: str, allowed: str, **more: Any) -> Setting:
    """None, or some text."""
    return Setting(
        meaning,
        f"None, or {allowed}",
        lambda v: v is None or isinstance(v, str),
        **{"type": str, **more},
    )


def switch(meaning: str, **more: Any) -> Setting:
    """True or False."""
    return Setting(
        meaning, "True or False", lambda v: isinstance(v, bool), **{"type": bool, **more}
    )


def is_whole(value: Any, least: int = 1) -> bool:
    """Whether a value is a whole number that is not too small; True is none."""
    return not isinstance(value, bool) and operator.index(value) >= least
