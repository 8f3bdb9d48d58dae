"""The form for when a campaign changes to a catalogue version."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.releases.services import MAX_ROUND

NOW, ROUND, DAY = "now", "round", "day"
WHEN = [(NOW, "at once"), (ROUND, "before a round is opened"), (DAY, "on a day")]


class AdoptForm(forms.Form):
    when = forms.ChoiceField(
        choices=WHEN,
        widget=forms.RadioSelect,
        label="When",
    )
    from_round = forms.IntegerField(min_value=1, max_value=MAX_ROUND, required=False, label="Round")
    from_day = forms.DateField(required=False, label="Day", widget=forms.DateInput(attrs={"type": "date"}))
    release = forms.CharField(max_length=20, widget=forms.HiddenInput)
    token = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, is_open: bool = False, **kwargs: Any) -> None:
        """Remove the choice "at once" if `is_open`: a round is open."""
        super().__init__(*args, **kwargs)
        if is_open:
            self.fields["when"].choices = WHEN[1:]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, object]:
        given: dict[str, object] = super().clean() or self.cleaned_data
        for when, field, words in ((ROUND, "from_round", "Say which round."), (DAY, "from_day", "Say which day.")):
            if given.get("when") != when:
                given[field] = None
            elif given.get(field) is None and field not in self.errors:
                self.add_error(field, words)
        return given
