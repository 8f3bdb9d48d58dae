"""The form of a phase."""

from __future__ import annotations

from django import forms

from campaigns.phases.services import MAX_ROUND, MAX_TEXT_LENGTH
from rosters.site.forms.reread import Reread


class PhaseForm(forms.Form):
    name = forms.CharField(max_length=60, help_text="The Spring Offensive, the group stage, the finals.")
    first_round = forms.IntegerField(
        min_value=1, max_value=MAX_ROUND, label="Begins with round", help_text="It lasts until the next one begins."
    )
    text = forms.CharField(
        max_length=MAX_TEXT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="What it is about",
        help_text="Everybody reads it on the campaign's page.",
    )


class PhaseChangeForm(Reread, PhaseForm):
    """The form of an existing phase."""
