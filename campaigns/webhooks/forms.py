"""Forms of webhooks. They read text into values; services decide."""

from __future__ import annotations

from django import forms

from campaigns.models import Webhook
from campaigns.occasions.declared import ALOUD, OCCASIONS
from rosters.site.forms.reread import Reread

TOLD = [(slug, OCCASIONS[slug].title) for slug in ALOUD]


class WebhookForm(forms.Form):
    kind = forms.ChoiceField(
        choices=[(Webhook.Kind.JSON, "Signed JSON, for a program"), (Webhook.Kind.DISCORD, "A Discord channel")],
        help_text="Discord: in the channel's settings, Integrations, Webhooks, copy the address.",
    )
    url = forms.CharField(
        max_length=500,
        label="Address",
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
    occasions = forms.MultipleChoiceField(
        choices=TOLD, widget=forms.CheckboxSelectMultiple, initial=list(ALOUD), label="It is told of"
    )


class WebhookChangeForm(Reread, forms.Form):
    """A webhook that is there. Its address is not shown again: of Discord's, whoever has it may write there."""

    url = forms.CharField(
        max_length=500,
        required=False,
        label="Another address",
        help_text="Empty: it stays as it is.",
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
    occasions = forms.MultipleChoiceField(choices=TOLD, widget=forms.CheckboxSelectMultiple, label="It is told of")
    is_on = forms.BooleanField(required=False, label="Switched on")


def webhook_initial(row: Webhook) -> dict[str, object]:
    """What the settings form shows first."""
    return {"occasions": row.occasions, "is_on": row.is_on}
