"""The form that asks for the best build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from battles.builds.services import MAX_BUILD_POINTS
from battles.choices import GroupedChoices
from systems.engine.dice import MAX_SEED
from systems.lab.fill import LockablePart


class BestBuildQuestionForm(forms.Form):
    """Against which enemies, for how many points, and what of the build stays."""

    against = forms.ChoiceField(label="Against", choices=())
    points = forms.IntegerField(label="Points at most", min_value=1, max_value=MAX_BUILD_POINTS)
    seed = forms.IntegerField(
        label="Seed", min_value=0, max_value=MAX_SEED, help_text="The same seed finds the same again."
    )
    keep = forms.MultipleChoiceField(
        label="What must stay", required=False, widget=forms.CheckboxSelectMultiple, choices=()
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        points: int,
        held: Sequence[LockablePart],
        against: GroupedChoices | None = None,
    ) -> None:
        """Set up the fields. Without `against`, the enemy is the set-up's and isn't asked for."""
        super().__init__(data, initial={"points": points, "seed": 0}, prefix="best")
        keep = self.fields["keep"]
        assert isinstance(keep, forms.MultipleChoiceField)
        keep.choices = [(each.key, each.told) for each in held]
        if not against:
            del self.fields["against"]
            return
        field = self.fields["against"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = against
