"""Forms for a company's emblem, and for texts about a company, a unit or a pilot."""

from __future__ import annotations

from django import forms
from django.http import QueryDict

from rosters.appearance.selectors import VisibleTexts
from rosters.appearance.services import MAX_NOTES_LENGTH, MAX_STORY_LENGTH
from rosters.site.forms import EditConflictMixin


class DescriptionForm(EditConflictMixin, forms.Form):
    """An owner's texts about a company, a unit or a pilot."""

    story = forms.CharField(
        required=False,
        max_length=MAX_STORY_LENGTH,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="Anyone who can see the company can read it.",
    )
    notes = forms.CharField(
        required=False,
        max_length=MAX_NOTES_LENGTH,
        widget=forms.Textarea(attrs={"rows": 8}),
        label="Your notes",
        help_text="Only you can see them. They're never exported, printed or sent by the API.",
    )

    def __init__(self, data: QueryDict | None = None, *, texts: VisibleTexts) -> None:
        super().__init__(data, initial={"story": texts.story, "notes": texts.notes})


class EmblemForm(EditConflictMixin, forms.Form):
    """The form that saves the shown emblem."""

    emblem = forms.CharField(max_length=5, required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, *, emblem: str, description: str) -> None:
        super().__init__(data, initial={"emblem": emblem})
        self.fields["emblem"].choices = [(emblem, description)]  # type: ignore[attr-defined]  # describes an overtaken emblem
