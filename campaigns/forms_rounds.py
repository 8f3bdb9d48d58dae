"""Forms of rounds and pairings."""

from __future__ import annotations

from typing import Any

from django import forms

from battles.systems import get_system
from campaigns.models import Campaign, Enrolment, EnrolmentState, Match, Pairing, Territory
from campaigns.services.rounds import terrains_for


class PlanForm(forms.Form):
    way = forms.ChoiceField(choices=Pairing.choices, label="Who meets whom")


class DeadlineForm(forms.Form):
    deadline = forms.DateTimeField(
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        label="Deadline",
        help_text="In your time zone.",
    )


class MatchForm(forms.Form):
    """One match of a planned round. Ground is a scenario of the campaign and a terrain it can be fought on."""

    attacker = forms.ChoiceField()
    defender = forms.ChoiceField(required=False)
    ground = forms.ChoiceField(label="Scenario")
    territory = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, campaign: Campaign, match: Match | None = None, **kwargs: Any) -> None:
        if match is not None:
            kwargs.setdefault("initial", _initial(campaign, match))
        super().__init__(*args, **kwargs)
        accepted = campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).select_related("company")
        self.enrolments = {str(each.pk): each for each in accepted}
        self.territories = {str(each.pk): each for each in campaign.territories.all()}
        companies = sorted(((pk, each.company.name) for pk, each in self.enrolments.items()), key=lambda pair: pair[1])
        names = get_system(campaign.system).terrains
        grounds = [
            (f"{at}:{terrain}", each["name"] if terrain == "printed" else f"{each['name']}, {names[terrain].lower()}")
            for at, each in enumerate(campaign.scenarios)
            for terrain in terrains_for(campaign, each["value"])
        ]
        self.fields["attacker"].choices = companies  # type: ignore[attr-defined]
        self.fields["defender"].choices = [("", "nobody: a bye"), *companies]  # type: ignore[attr-defined]
        self.fields["ground"].choices = grounds  # type: ignore[attr-defined]
        places = [(pk, each.name) for pk, each in self.territories.items()]
        self.fields["territory"].choices = [("", "none"), *places]  # type: ignore[attr-defined]
        if not places:
            del self.fields["territory"]

    def chosen(self) -> dict[str, Any]:
        """What the services take. Of valid forms only."""
        at, terrain = self.cleaned_data["ground"].split(":")
        defender: Enrolment | None = self.enrolments.get(self.cleaned_data["defender"])
        territory: Territory | None = self.territories.get(self.cleaned_data.get("territory", ""))
        return {
            "attacker": self.enrolments[self.cleaned_data["attacker"]],
            "defender": defender,
            "scenario": int(at),
            "terrain": terrain,
            "territory": territory,
        }


def _initial(campaign: Campaign, match: Match) -> dict[str, str]:
    at = next((at for at, each in enumerate(campaign.scenarios) if each["value"] == match.scenario), 0)
    return {
        "attacker": str(match.attacker_id),
        "defender": str(match.defender_id or ""),
        "ground": f"{at}:{match.terrain}",
        "territory": str(match.territory_id or ""),
    }
