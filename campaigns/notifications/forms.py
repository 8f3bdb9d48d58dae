"""The form of the notification settings. Forms parse text into values; services decide."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.models import Channel, NotificationPreferences
from campaigns.notifications.event_classes import CATEGORIES
from campaigns.notifications.services import HOURS, REMINDER_HOURS
from rosters.site.forms import EditConflictMixin

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class PreferencesForm(EditConflictMixin, forms.Form):
    """The notification settings: a channel for each category, and when the digest comes."""

    pushes = forms.MultipleChoiceField(
        choices=[(each.slug, each.name) for each in CATEGORIES],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Notifications on your devices",
        help_text="Shown at once in the browsers listed above.",
    )
    remind_hours = forms.TypedChoiceField(
        coerce=int,
        choices=[(hours, f"{hours} hours before" if hours else "never") for hours in REMINDER_HOURS],
        label="Reminder before a deadline",
        help_text="Only for things you still have to do. Sent the same way as “Your matches”.",
    )
    digest_frequency = forms.ChoiceField(choices=NotificationPreferences.DigestFrequency, label="Digest")
    weekday = forms.TypedChoiceField(
        coerce=int, choices=list(enumerate(DAYS)), label="On", help_text="For the weekly digest."
    )
    hour = forms.TypedChoiceField(
        coerce=int,
        choices=[(hour, f"{hour:02}:00") for hour in HOURS],
        label="At",
        help_text="In your time zone.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        channels = {
            f"way_{each.slug}": forms.ChoiceField(
                choices=Channel, label=each.name, help_text=f"{each.about}.".capitalize()
            )
            for each in CATEGORIES
        }
        self.fields = channels | self.fields

    @property
    def preferences(self) -> dict[str, Any]:
        """Return the choices, as the service takes them."""
        given = dict(self.cleaned_data)
        channels = {name.removeprefix("way_"): given.pop(name) for name in list(given) if name.startswith("way_")}
        return {"channels": channels, **given}


def preferences_initial(row: NotificationPreferences) -> dict[str, object]:
    """Return the form's initial values."""
    channels = {f"way_{each.slug}": row.channel_of(each.slug) for each in CATEGORIES}
    return {
        **channels,
        "pushes": row.pushes,
        "remind_hours": row.remind_hours,
        "digest_frequency": row.digest_frequency,
        "weekday": row.weekday,
        "hour": row.hour,
    }
