"""Estimators whose settings depend on a part that one of them names, such as a kernel."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

from graphrings.learning.estimator import GraphClassifier


class OpenSettings(GraphClassifier):
    """Beside its own settings it takes those of the part that the setting ``part`` names."""

    part: ClassVar[str]
    _settings: dict[str, Any]

    @abstractmethod
    def _defaults(self) -> dict[str, Any]:
        """The settings of the part that are not among the estimator's own; none if unknown."""

    @abstractmethod
    def check_part(self) -> None:
        """Refuse settings that the part does not have, or whose values make no sense to it."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All settings, also those of the part."""
        own: dict[str, Any] = super().get_params(deep)
        return {**own, **self._defaults(), **self._settings}

    def set_params(self, **settings: Any) -> Self:
        """Change settings; another part keeps those that it has as well."""
        own = super().get_params()
        for name in own.keys() & settings.keys():
            setattr(self, name, settings[name])
        if self.part in settings:
            known = self._defaults()
            self._settings = {k: v for k, v in self._settings.items() if k in known}
        self._settings = {**self._settings, **{k: settings[k] for k in settings if k not in own}}
        return self
