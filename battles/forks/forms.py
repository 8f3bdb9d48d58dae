"""The form that asks for a fork."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from battles.choices import doctrine_choices
from systems.engine.dice import MAX_SEED


class ForkForm(forms.Form):
    """From which round on, with which AI styles, on which dice."""

    round = forms.TypedChoiceField(label="From the start of", coerce=int)
    a = forms.ChoiceField()
    b = forms.ChoiceField()
    seed = forms.IntegerField(min_value=0, max_value=MAX_SEED, help_text="Of the dice from there on; any will do.")

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        system: str,
        rounds: Sequence[tuple[int, str]],
        sides: Sequence[tuple[str, str]],
        initial: Mapping[str, Any],
    ) -> None:
        """Set up the fields. `sides`: each side's name and its AI style in the battle; `initial`: other initial values."""
        super().__init__(data, initial={"a": sides[0][1], "b": sides[1][1], "seed": 0, **initial})
        self.fields["round"].choices = rounds  # type: ignore[attr-defined]
        for name, (side, _doctrine) in zip("ab", sides, strict=True):
            self.fields[name].label = f"Doctrine of {side} from there on"
            self.fields[name].choices = doctrine_choices(system)  # type: ignore[attr-defined]
