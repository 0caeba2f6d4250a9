"""Unknown words in messages: the nearest known one."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the nearest known one, if one is near."""
    spelled = {other.lower(): other for other in known}
    begun = [other for other in spelled if word and other.startswith(word.lower())]
    nearest = difflib.get_close_matches(word.lower(), spelled, n=1) or begun
    return f"; did you mean {spelled[nearest[0]]!r}?" if nearest else ""


def unknown(owner: str, what: str, wanted: Iterable[str], known: Collection[str]) -> str:
    """A message about the first wanted name that an owner does not have; empty if it has all."""
    for name in wanted:
        if name not in known:
            expected = ", ".join(known)
            near = suggestion(name, known)
            return f"{owner} has no {what} {name!r}; expected one of {expected}{near}"
    return ""
