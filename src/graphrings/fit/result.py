"""What a fit hands over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from graphrings.fit.card import model_card
from graphrings.fit.final import holds_out, refit
from graphrings.fit.findings import Findings
from graphrings.fit.judgement import Judgement, Winner
from graphrings.fit.sheets import score_rows
from graphrings.fit.verdict import procedure_words, verdict
from graphrings.whole_files import whole_file


@dataclass(frozen=True, eq=False)
class FitResult:
    """A model that was fitted on all graphs, and all that is known of how it was made.

    ``model`` is a fitted estimator, ``verdict`` says in words what to expect of it, and ``card``
    holds the same as plain data; ``save`` writes it into the model's file. ``findings`` is the
    audit of the data, ``judgement`` the cross-validation behind the numbers.
    """

    model: Any
    winner: Winner
    judgement: Judgement
    findings: Findings

    @property
    def verdict(self) -> str:
        """What to expect of the model, a paragraph per line."""
        return "\n".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict, one by one."""
        return verdict(self.judgement, self.findings, self.winner, holds_out(self.model))

    @cached_property
    def card(self) -> dict[str, Any]:
        """What stands in the model's file beside its weights."""
        parts = self.judgement, self.findings, self.winner, self.sentences
        return model_card(self.model, *parts)

    @property
    def scores(self) -> Any:
        """A row for the procedure and one per method: a pandas frame, or else a list of rows."""
        rows = score_rows(self.judgement)
        try:
            import pandas  # type: ignore[import-untyped]
        except ImportError:
            return rows
        return pandas.DataFrame(rows).set_index("method")

    def save(self, path: str | Path) -> None:
        """Write the model with its card."""
        self.model.save(path, card=self.card)

    def report(self, path: str | Path, command: Sequence[str] = ()) -> None:
        """Write the page that tells the story with pictures; ``command`` made the fit."""
        from graphrings.fit.story import story_page

        text = story_page(self, command)
        with whole_file(Path(path)) as place:
            place.write_text(text, encoding="utf-8")

    def __repr__(self) -> str:
        return f"FitResult({self.winner.method}: {procedure_words(self.judgement)})"


def finish(judgement: Judgement, findings: Findings) -> FitResult:
    """Choose the winner and fit it on all graphs."""
    winner = judgement.winner()
    return FitResult(refit(judgement.plan, winner), winner, judgement, findings)
