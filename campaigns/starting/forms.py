"""The three decisions for a new campaign: which game, what it is based on, and its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms

from campaigns.starting.selectors import CampaignModel


class StartForm(forms.Form):
    after = forms.ChoiceField(widget=forms.RadioSelect, label="What you play")
    name = forms.CharField(
        max_length=60, required=False, label="What it is called", help_text="Left empty, it is called as its model is."
    )

    def __init__(self, data: Mapping[str, str] | None, *, starts: Sequence[CampaignModel]) -> None:
        super().__init__(data, prefix="start", initial={"after": starts[0].value if starts else ""})
        self.starts = starts
        self.fields["after"].choices = [(each.value, each.name) for each in starts]  # type: ignore[attr-defined]

    @property
    def cards(self) -> list[tuple[CampaignModel, bool]]:
        """The choices, each with whether it is chosen."""
        chosen = self["after"].value()
        return [(each, each.value == chosen) for each in self.starts]
