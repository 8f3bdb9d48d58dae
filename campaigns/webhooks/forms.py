"""Forms of webhooks. They turn text into values; services decide."""

from __future__ import annotations

from django import forms

from campaigns.models import Webhook
from campaigns.notifications.event_classes import public_title
from campaigns.notifications.event_types import EVENT_TYPES, WEBHOOK_EVENTS
from rosters.site.forms import EditConflictMixin

OCCASION_CHOICES = [(slug, public_title(EVENT_TYPES[slug])) for slug in WEBHOOK_EVENTS]


class WebhookForm(forms.Form):
    kind = forms.ChoiceField(
        choices=[(Webhook.Kind.JSON, "Signed JSON for a program"), (Webhook.Kind.DISCORD, "Discord channel")],
        help_text="For Discord, copy it from the channel's settings: Integrations, Webhooks.",
    )
    url = forms.CharField(
        max_length=500,
        label="Address",
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
    occasions = forms.MultipleChoiceField(
        choices=OCCASION_CHOICES,
        widget=forms.CheckboxSelectMultiple,
        initial=list(WEBHOOK_EVENTS),
        label="Events",
    )


class WebhookChangeForm(EditConflictMixin, forms.Form):
    """Change an existing webhook. Its address isn't shown: with Discord's, anybody could write to the channel."""

    url = forms.CharField(
        max_length=500,
        required=False,
        label="New address",
        help_text="Leave blank to keep the current one.",
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
    occasions = forms.MultipleChoiceField(choices=OCCASION_CHOICES, widget=forms.CheckboxSelectMultiple, label="Events")
    enabled = forms.BooleanField(required=False, label="Switched on")


def webhook_initial(row: Webhook) -> dict[str, object]:
    """Return the initial values of the settings form."""
    return {"occasions": row.occasions, "enabled": row.enabled}
