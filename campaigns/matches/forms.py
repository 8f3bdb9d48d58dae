"""The form of a friendly game. It parses text into values; services decide."""

from __future__ import annotations

from django import forms

from campaigns.army_lists.forms import FormData, ListForm


class FriendlyForm(ListForm):
    """A friendly game to announce: the company's units, the ground, and the ready-made force to play against."""

    ground = forms.ChoiceField(label="Scenario and terrain")
    opponent = forms.ChoiceField(label="Opponent")

    def __init__(
        self,
        data: FormData,
        *,
        grounds: list[str],
        opponents: list[tuple[str, str]],
        system: str,
        units: list[tuple[str, str]],
        initial: dict[str, object],
    ) -> None:
        super().__init__(data, system=system, units=units, initial=initial)
        self.fields["ground"].choices = [(str(at), each) for at, each in enumerate(grounds)]  # type: ignore[attr-defined]
        self.fields["opponent"].choices = opponents  # type: ignore[attr-defined]
        self.fields["doctrine"].help_text = "How your company plays."
