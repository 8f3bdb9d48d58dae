"""Forms for a company's texts and emblem. They convert text to values; services check and act."""

from __future__ import annotations

from django import forms
from django.http import QueryDict

from rosters.livery.services import MAX_NOTES_LENGTH, MAX_STORY_LENGTH
from rosters.site.forms.reread import Reread


class WordsForm(Reread, forms.Form):
    """An owner's texts about a company, a unit or a pilot."""

    story = forms.CharField(
        required=False,
        max_length=MAX_STORY_LENGTH,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="Whoever sees the company reads it.",
    )
    notes = forms.CharField(
        required=False,
        max_length=MAX_NOTES_LENGTH,
        widget=forms.Textarea(attrs={"rows": 8}),
        label="Your notes",
        help_text="Nobody else reads them: they are in no export, no print and no answer of the API.",
    )


class EmblemForm(Reread, forms.Form):
    """The shown emblem, to be saved."""

    emblem = forms.CharField(max_length=5, required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, *, emblem: str, said: str) -> None:
        super().__init__(data, initial={"emblem": emblem})
        self.fields["emblem"].choices = [(emblem, said)]  # type: ignore[attr-defined]  # describes an overtaken emblem in words
