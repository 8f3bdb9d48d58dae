"""The form that asks for the best answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from battles.services.best_answers import ENEMY, MAX_FORCE_POINTS, PUBLISHED_FORCES


class BestAnswerForm(forms.Form):
    """In place of which side, for how many points, and against which enemy."""

    side = forms.TypedChoiceField(label="In place of", coerce=int)
    points = forms.IntegerField(min_value=1, max_value=MAX_FORCE_POINTS)
    against = forms.ChoiceField(
        required=False,
        choices=((ENEMY, "the enemy that stands there"), (PUBLISHED_FORCES, "the published forces of this game")),
        help_text="Against the published forces the mean counts: each of them is met as often.",
    )

    def __init__(self, data: Mapping[str, Any] | None, *, sides: Sequence[tuple[str, int]]) -> None:
        """Set up the fields. `sides`: the name of each and what it costs."""
        super().__init__(data, initial={"side": 1, "points": sides[1][1], "against": ENEMY})
        choices = [(at, f"{name}, {points} points now") for at, (name, points) in enumerate(sides)]
        self.fields["side"].choices = choices  # type: ignore[attr-defined]

    def clean_against(self) -> str:
        """Return the enemy of the set-up if nobody chose."""
        return str(self.cleaned_data["against"] or ENEMY)
