"""Forms for availability and for the date of a match."""

from __future__ import annotations

from datetime import date, datetime

from django import forms

from campaigns.availability.selectors import WEEKDAYS
from campaigns.models import Availability
from rosters.site.forms import EditConflictMixin, LocalTimeField

EXAMPLE = "2026-11-26"


class AvailabilityForm(EditConflictMixin, forms.Form):
    """Weekly evenings, extra days and times away, one per line."""

    weekdays = forms.MultipleChoiceField(
        choices=[(str(at), name) for at, name in enumerate(WEEKDAYS)],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="Every week",
    )
    days = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Also on",
        help_text=f"One day per line, such as {EXAMPLE}.",
    )
    away = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Away",
        help_text=f"One line each, such as {EXAMPLE} to 2026-12-03, or a single day.",
    )

    def clean_weekdays(self) -> list[int]:
        return [int(each) for each in self.cleaned_data["weekdays"]]

    def clean_days(self) -> list[date]:
        return [_day(line) for line in _lines(self.cleaned_data["days"])]

    def clean_away(self) -> list[tuple[date, date]]:
        found = []
        for line in _lines(self.cleaned_data["away"]):
            first, _, last = line.partition(" to ")
            found.append((_day(first), _day(last or first)))
        return found


def availability_initial(row: Availability | None) -> dict[str, object]:
    """Return the form's initial values."""
    if row is None:
        return {}
    return {
        "weekdays": [str(each) for each in row.weekdays],
        "days": "\n".join(row.days),
        "away": "\n".join(first if first == last else f"{first} to {last}" for first, last in row.away),
    }


class DateForm(forms.Form):
    """A date for a match, in the reader's time zone."""

    at = LocalTimeField(
        label="When",
        help_text="In your time zone.",
    )


class SeenDateForm(forms.Form):
    """The date the reader saw when they pressed the button."""

    at = forms.CharField(max_length=40)

    def clean_at(self) -> datetime:
        try:
            found = datetime.fromisoformat(self.cleaned_data["at"])
        except ValueError:
            raise forms.ValidationError("Enter a valid date.") from None
        if found.tzinfo is None:
            raise forms.ValidationError("Enter a date with a time zone.")
        return found


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise forms.ValidationError(f"“{text.strip()[:20]}” isn't a valid day. Write it like {EXAMPLE}.") from None
