"""Forms of the guest pages. They parse text into values; services decide."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from campaigns.models import Campaign
from systems import roster_rules

from .selectors import force_price, forces_within
from .services import DEFAULT_DAYS, MAX_DAYS, MIN_DAYS

DAYS_HELP = "You can renew it at any time."


class GuestForm(forms.Form):
    name = forms.CharField(
        max_length=60,
        label="Name",
        help_text="The name other players know them by.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(
        min_value=MIN_DAYS, max_value=MAX_DAYS, initial=DEFAULT_DAYS, label="Link valid for (days)", help_text=DAYS_HELP
    )


class LinkForm(forms.Form):
    days = forms.IntegerField(
        min_value=MIN_DAYS, max_value=MAX_DAYS, initial=DEFAULT_DAYS, label="Valid for (days)", help_text=DAYS_HELP
    )


class RenameForm(forms.Form):
    name = forms.CharField(max_length=60, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class CompanyForm(forms.Form):
    """A company for the guest: its campaign, its name and its first force."""

    name = forms.CharField(max_length=60, widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, data: QueryDict | None = None, *, campaigns: Sequence[Campaign]) -> None:
        super().__init__(data, auto_id="company_%s")
        self.by_id = {str(each.pk): each for each in campaigns}
        self.fields["campaign"] = forms.ChoiceField(choices=[(pk, each.name) for pk, each in self.by_id.items()])
        groups = [
            (
                roster_rules(system).name,
                [
                    (f"{system}/{force.slug}", f"{force.name} ({force_price(system, force)} points)")
                    for force in forces_within(system, max(each.points for each in campaigns if each.system == system))
                ],
            )
            for system in dict.fromkeys(each.system for each in campaigns)
        ]
        self.fields["force"] = forms.ChoiceField(
            choices=[("", "None: the guest buys their own"), *groups],
            required=False,
            label="Ready-made force",
            help_text="Bought with the campaign’s points, pilots included.",
        )
        self.order_fields(["campaign", "name", "force"])

    def clean(self) -> dict[str, object]:
        given: dict[str, object] = super().clean() or {}
        force, campaign = str(given.get("force") or ""), self.by_id.get(str(given.get("campaign")))
        if force and campaign is not None:
            system, _, slug = force.partition("/")
            if system != campaign.system:
                self.add_error("force", f"{campaign.name} is played in {roster_rules(campaign.system).name}.")
            given["force"] = slug
        return {**given, "campaign": campaign}
