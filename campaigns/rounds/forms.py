"""Forms of rounds and pairings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypedDict

from django import forms
from django.utils import timezone

from campaigns.models import (
    Campaign,
    Enrolment,
    EnrolmentState,
    Match,
    Round,
    RoundState,
    Territory,
)
from campaigns.planning.draws import terrains_for
from campaigns.planning.selectors import MATCHES
from campaigns.planning.services import MatchSettings
from campaigns.standings.selectors import PLACES
from rosters.database.queries import PreparedQuery
from rosters.site.forms import EditConflictMixin, LocalTimeField, days_later
from systems import battle_rules, season_rules

TABLE = re.compile(r"m[0-9]{1,18}-attacker")
ACCEPTED = PreparedQuery(
    lambda campaign: Enrolment.objects.filter(campaign=campaign, state=EnrolmentState.ACCEPTED).select_related(
        "company"
    ),
    campaign=int,
)
FormData = Mapping[str, str] | None  # the submitted data of a form


class MatchFormChoices(TypedDict):
    """The choices shared by the forms of all matches of a round."""

    campaign: Campaign
    enrolments: Sequence[Enrolment]
    territories: Sequence[Territory]


class DeadlineForm(forms.Form):
    deadline = LocalTimeField(
        label="Deadline",
        help_text="In your time zone.",
    )
    is_finale = forms.BooleanField(
        required=False,
        label="Finale",
        help_text="Uses this game’s rules for the last battles of a campaign.",
    )


class MatchForm(forms.Form):
    """One match of a planned round. Its ground is a scenario of the campaign and a terrain that fits it."""

    attacker = forms.ChoiceField()
    defender = forms.ChoiceField(required=False)
    ground = forms.ChoiceField(label="Scenario")
    territory = forms.ChoiceField(required=False)

    def __init__(
        self,
        data: FormData,
        *,
        prefix: str,
        campaign: Campaign,
        enrolments: Sequence[Enrolment],
        territories: Sequence[Territory],
        match: Match | None = None,
    ) -> None:
        super().__init__(data, prefix=prefix, initial=_initial(campaign, match) if match is not None else None)
        self.enrolments = {str(each.pk): each for each in enrolments}
        self.territories = {str(each.pk): each for each in territories}
        companies = sorted(((pk, each.company.name) for pk, each in self.enrolments.items()), key=lambda pair: pair[1])
        system = battle_rules(campaign.system)
        grounds = [
            (f"{at}:{terrain}", ", ".join(filter(None, (each["name"], system.ground_name(terrain).lower()))))
            for at, each in enumerate(campaign.scenarios)
            for terrain in terrains_for(campaign, each["value"])
        ]
        self.fields["attacker"].choices = companies  # type: ignore[attr-defined]
        self.fields["defender"].choices = [("", "bye"), *companies]  # type: ignore[attr-defined]
        self.fields["ground"].choices = grounds  # type: ignore[attr-defined]
        places = [(pk, each.name) for pk, each in self.territories.items()]
        self.fields["territory"].choices = [("", "none"), *places]  # type: ignore[attr-defined]
        if not places:
            del self.fields["territory"]

    def chosen(self) -> MatchSettings:
        """Return the arguments for the services. Only for valid forms."""
        at, terrain = self.cleaned_data["ground"].split(":")
        return {
            "attacker": self.enrolments[self.cleaned_data["attacker"]],
            "defender": self.enrolments.get(self.cleaned_data["defender"]),
            "scenario": int(at),
            "terrain": terrain,
            "territory": self.territories.get(self.cleaned_data.get("territory", "")),
        }


class TableForm(EditConflictMixin, MatchForm):
    """A match that is already in the plan."""


class PairingsForm:
    """The form of a planned round: a part for each table, one to add a match, and the deadline."""

    def __init__(self, campaign: Campaign, row: Round, data: FormData = None) -> None:
        known: MatchFormChoices = {
            "campaign": campaign,
            "enrolments": ACCEPTED.rows(campaign=campaign.pk),
            "territories": PLACES.rows(campaign=campaign.pk),
        }
        matches = MATCHES.rows(round=row.pk) if row.state == RoundState.PLANNED else []
        act = data.get("act") if data is not None else None
        self.notes: list[str] = []  # matches added or removed after the page was rendered
        self.tables = [(each, self._table(each, data, known)) for each in matches]
        if data is not None:
            self._note_removed(data, known)
        self.add = MatchForm(data if act == "add" else None, prefix="add", **known)
        deadline = row.deadline or days_later(timezone.now(), campaign.pace_days)
        initial = {"deadline": timezone.localtime(deadline)}
        self.deadline = DeadlineForm(data if act == "open" else None, initial=initial)
        if row.state != RoundState.PLANNED or not season_rules(campaign.system).finale_options:
            del self.deadline.fields["is_finale"]

    def _table(self, match: Match, data: FormData, known: MatchFormChoices) -> TableForm:
        prefix = f"m{match.pk}"
        if data is not None and f"{prefix}-attacker" not in data:
            if data.get("act") != f"remove-{match.pk}":
                self.notes.append(f"Somebody added table {match.number} after you opened this page: {match}.")
            data = None
        return TableForm(data, match=match, prefix=prefix, **known)

    def _note_removed(self, data: Mapping[str, str], known: MatchFormChoices) -> None:
        companies = {str(each.pk): each.company.name for each in known["enrolments"]}
        there = {form.prefix for _, form in self.tables}
        for prefix in sorted({name.partition("-")[0] for name in data if TABLE.fullmatch(name)} - there):
            sides = [companies.get(data.get(f"{prefix}-{side}", ""), "nobody") for side in ("attacker", "defender")]
            self.notes.append(
                f"{' against '.join(sides)} was removed after you opened this page. Add it again if you want it."
            )

    def sides_of(self, match: Match) -> tuple[Enrolment | None, Enrolment | None]:
        """Return both sides of a table with their companies; None for a side that no longer takes part. No query."""
        known = self.add.enrolments
        return known.get(str(match.attacker_id)), known.get(str(match.defender_id))

    def is_overtaken(self) -> bool:
        """Return whether somebody else has changed the plan meanwhile. Call it after every part was validated."""
        return bool(self.notes) or any(form.is_bound and form.errors and form.is_overtaken for _, form in self.tables)

    def asked(self, act: str, leaving: int | None) -> list[forms.Form]:
        """Return the parts that must be valid for this act; the table being removed isn't one of them."""
        parts: list[forms.Form] = [form for match, form in self.tables if match.pk != leaving]
        more: dict[str, forms.Form] = {"add": self.add, "open": self.deadline}
        return [*parts, more[act]] if act in more else parts

    def wrong(self) -> list[forms.Form]:
        """Return the parts with errors."""
        parts: list[forms.Form] = [*(form for _, form in self.tables), self.add, self.deadline]
        return [form for form in parts if form.is_bound and form.errors]


def _initial(campaign: Campaign, match: Match) -> dict[str, object]:
    at = next((at for at, each in enumerate(campaign.scenarios) if each["value"] == match.scenario), None)
    if at is None:  # the scenario's terms were changed for this match
        at = next((at for at, each in enumerate(campaign.scenarios) if each["name"] == match.scenario_name), 0)
    return {
        "attacker": str(match.attacker_id),
        "defender": str(match.defender_id or ""),
        "ground": f"{at}:{match.terrain}",
        "territory": str(match.territory_id or ""),
    }
