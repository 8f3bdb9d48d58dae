"""The question after the best answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from battles.services.best_answers import MOST_POINTS


class BestAnswerForm(forms.Form):
    """In whose place, and for how many points."""

    side = forms.TypedChoiceField(label="In place of", coerce=int)
    points = forms.IntegerField(min_value=1, max_value=MOST_POINTS)

    def __init__(self, data: Mapping[str, Any] | None, *, sides: Sequence[tuple[str, int]]) -> None:
        """`sides`: the name of each and what it costs."""
        super().__init__(data, initial={"side": 1, "points": sides[1][1]})
        choices = [(at, f"{name}, {points} points now") for at, (name, points) in enumerate(sides)]
        self.fields["side"].choices = choices  # type: ignore[attr-defined]
