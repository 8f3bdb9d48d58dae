"""Forms of campaigns. They parse text into values; services decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator

from battles.choices import doctrine_choices
from battles.forms.orders import HouseRulesForm
from campaigns.arbiters import pairing_method_own_case, refusal_of
from campaigns.campaign.phases import MAX_ROUND, MAX_TEXT_LENGTH, PhaseRow
from campaigns.campaign.services import (
    MAX_FRIENDLIES,
    MAX_PACE,
    MAX_SEATS,
    MIN_PACE,
    MIN_POINTS,
    MIN_SEATS,
    campaign_changeable,
    max_points_for,
)
from campaigns.models import AttackRule, Campaign, CampaignPairingMethod, CampaignState, TerritoryMap
from campaigns.scoring import CAMPAIGN_SCORING, form_fields
from campaigns.standings.selectors import PLACES
from campaigns.standings.table import tie_breakers_of
from campaigns.territories.services import format_yield_line
from rosters.models import Company, Player
from rosters.scenarios.selectors import playable_scenarios, scenario_value
from rosters.site.forms import EditConflictMixin
from systems import battle_rules, roster_rules, season_rules
from systems.season import AnySeason

MIN_TIE_FIELDS_SHOWN = 3
MAP_FIELDS = ("territories", "borders", "yields")  # text fields with one territory per line
YIELDS = "One territory per line: what it yields at the end of each round, such as Ford: 3 points."
YIELDS_WITH_BONUS = (
    "One territory per line: points at the end of each round, or a bonus in the next match. Ford: 3 points. "
    "Hill: 1 support roll, 5 bonus points."
)
FIELD_GROUPS = (  # each begins with the settings of `CAMPAIGN_SCORING` that name it
    ("Basics", ("name", "about", "is_public")),
    ("Companies", ("points", "seats", "fills_seats")),
    ("Matches", ("scenarios", "pairing", "pace_days", "seals_forces", "counts_odds", "handicaps", "friendlies")),
    ("Missed deadlines", ("confirms_by_deadline",)),
    ("Map", ("map_kind", "territories", "attack_rule", "borders", "yields")),
)


FormData = Mapping[str, object] | None  # the submitted data of a form


class CampaignForm(forms.Form):
    """All settings of a campaign except its house rules, which have a form of their own."""

    name = forms.CharField(max_length=60)
    about = forms.CharField(
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For example the story, or when and where you meet.",
    )
    points = forms.IntegerField(
        min_value=MIN_POINTS,
        label="Points per company",
        help_text="The most its units can be worth when it joins.",
    )
    scenarios = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="Each match uses one of these. Choose at least one before sign-ups open.",
    )
    pairing = forms.ChoiceField(
        choices=CampaignPairingMethod.choices, initial=CampaignPairingMethod.SWISS, label="Pairing"
    )
    pace_days = forms.IntegerField(
        min_value=MIN_PACE,
        max_value=MAX_PACE,
        initial=14,
        label="Days per round",
        help_text="Sets the default deadline.",
    )
    map_kind = forms.ChoiceField(choices=TerritoryMap.choices, initial=TerritoryMap.NONE, label="Campaign map")
    territories = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="Territories",
        help_text="One per line, in order round the ring. For nine zones, name all nine or leave it blank.",
    )
    attack_rule = forms.ChoiceField(
        choices=AttackRule.choices, initial=AttackRule.FREE, label="Territories a company can fight for"
    )
    borders = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="Neighbours",
        help_text="Leave blank to use the map’s shape, or list neighbours, one territory per line: Ford: Hill, Mill.",
    )
    yields = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="Territory yields",
    )
    vars().update(form_fields(CAMPAIGN_SCORING))
    confirms_by_deadline = forms.BooleanField(
        required=False, initial=True, label="If only one side has reported by the deadline, that report counts"
    )
    seals_forces = forms.BooleanField(
        required=False, initial=True, label="Lists stay hidden until both sides have submitted"
    )
    counts_odds = forms.BooleanField(
        required=False,
        initial=True,
        label="Publish the odds of each match",
        help_text="From 20,000 simulated battles, without autoplay orders. Ratings, luck and upsets need them.",
    )
    handicaps = forms.BooleanField(
        required=False,
        label="Allow handicaps in uneven matches",
        help_text="Either side can ask for one; it counts once both agree.",
    )
    seats = forms.IntegerField(min_value=MIN_SEATS, max_value=MAX_SEATS, initial=40, label="Maximum companies")
    fills_seats = forms.BooleanField(
        required=False,
        label="Free places go to the waiting list automatically",
        help_text="Otherwise you fill places yourself.",
    )
    friendlies = forms.IntegerField(
        min_value=0,
        max_value=MAX_FRIENDLIES,
        initial=0,
        label="Friendly games",
        help_text="How many extra games against ready-made lists each company can play per round. They are "
        "simulated and count in its ledger.",
    )
    is_public = forms.BooleanField(
        required=False, initial=True, label="Visible to everybody once it is no longer a draft"
    )

    def __init__(
        self,
        data: FormData,
        *,
        system: str,
        player: Player,
        campaign: Campaign | None = None,
        initial: dict[str, object] | None = None,
    ) -> None:
        super().__init__(data, initial={"points": roster_rules(system).founding_points, **(initial or {})})
        self.system, self.player, self.campaign = system, player, campaign
        points, most = self.fields["points"], max_points_for(system)
        points.validators.append(MaxValueValidator(most))
        points.widget.attrs["max"] = most
        if season_rules(system).storyline is None:
            ways = [way for way in CampaignPairingMethod.choices if way[0] != CampaignPairingMethod.STORYLINE]
            self.fields["pairing"].choices = ways  # type: ignore[attr-defined]
        brings = season_rules(system).has_bonuses
        self.fields["yields"].help_text = YIELDS_WITH_BONUS if brings else YIELDS
        names = battle_rules(system).scenarios
        published = [(slug, name) for slug, name in names.items()]
        playable = playable_scenarios(player, system=system)
        own = [(each.value, f"{each.name} (yours)") for each in playable if each.value not in names]
        self.kept = {
            f"kept-{at}": each
            for at, each in enumerate(campaign.scenarios if campaign else [])
            if not isinstance(each["value"], str)
        }
        kept = [(value, f"{each['name']} (as chosen before)") for value, each in self.kept.items()]
        self.fields["scenarios"].initial = [battle_rules(system).plain_scenario]
        self.fields["scenarios"].choices = [*published, *own, *kept]  # type: ignore[attr-defined]
        chosen = campaign.tie_breakers if campaign else list(season_rules(system).tie_breakers)
        words = tie_breakers_of(system)
        for place in range(1, len(words) + 1):
            self.fields[f"tie_{place}"] = forms.ChoiceField(
                choices=[("", "none" if place > 1 else "none"), *words.items()],
                required=False,
                label=f"{place}. {'First' if place == 1 else 'Then'}",
                initial=chosen[place - 1] if place <= len(chosen) else "",
            )
        if campaign is not None:
            self._disable_fixed_fields(campaign)

    def _disable_fixed_fields(self, campaign: Campaign) -> None:
        """Disable the fields that can't be changed any more."""
        free = campaign_changeable(campaign)
        for name, field in self.fields.items():
            setting = "tie_breakers" if name.startswith("tie_") else name
            if name in MAP_FIELDS:
                field.disabled = campaign.state not in (CampaignState.DRAFT, CampaignState.MUSTERING)
            else:
                field.disabled = setting not in free

    def clean(self) -> dict[str, object]:
        chosen: list[str] = []
        for name in self._ties():
            slug = self.cleaned_data.get(name)
            if slug and slug in chosen:
                self.add_error(name, "You have already chosen this one above.")
            elif slug:
                chosen.append(slug)
        return self.cleaned_data

    @property
    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """All fields except the tie-breakers, in the groups of the page."""
        scoring = {
            title: [each.name for each in CAMPAIGN_SCORING.values() if each.group == title] for title, _ in FIELD_GROUPS
        }
        return [(title, [self[name] for name in (*scoring[title], *names)]) for title, names in FIELD_GROUPS]

    @property
    def visible_tie_fields(self) -> list[forms.BoundField]:
        """The visible tie-breaker fields, most important first: three, or as far as they are used."""
        return [self[name] for name in self._ties()[: self._visible_tie_count()]]

    @property
    def tie_fields_more(self) -> list[forms.BoundField]:
        """The other tie-breaker fields, collapsed."""
        return [self[name] for name in self._ties()[self._visible_tie_count() :]]

    def _ties(self) -> list[str]:
        return [f"tie_{place}" for place in range(1, len(tie_breakers_of(self.system)) + 1)]

    def _visible_tie_count(self) -> int:
        used = [at for at, name in enumerate(self._ties(), start=1) if self[name].value()]
        return max(MIN_TIE_FIELDS_SHOWN, *used) if used else MIN_TIE_FIELDS_SHOWN

    def settings(self) -> dict[str, Any]:
        """Return the arguments for the services, without the territories. Only for valid forms."""
        clean = dict(self.cleaned_data)
        places = [clean.pop(name) for name in self._ties()]
        for name in MAP_FIELDS:
            clean.pop(name)
        clean["tie_breakers"] = [slug for slug in places if slug]
        clean["scenarios"] = [self._scenario(value) for value in clean["scenarios"]]
        return clean

    def territory_names(self) -> list[str]:
        """Return the names of the territories as entered, one per line; empty without a map."""
        if self.cleaned_data["map_kind"] == TerritoryMap.NONE:
            return []
        return [line.strip() for line in self.cleaned_data["territories"].splitlines() if line.strip()]

    def border_lines(self) -> list[str]:
        """Return the borders as entered, one line per territory."""
        return [line.strip() for line in self.cleaned_data["borders"].splitlines() if line.strip()]

    def yield_lines(self) -> list[str]:
        """Return what territories yield as entered, one line per territory."""
        return [line.strip() for line in self.cleaned_data["yields"].splitlines() if line.strip()]

    def _scenario(self, value: str) -> Mapping[str, object]:
        if value in self.kept:
            return dict(self.kept[value])
        published = battle_rules(self.system).scenarios
        if value in published:
            return {"value": value, "name": published[value]}
        given = scenario_value(value, self.player, system=self.system)
        assert not isinstance(given, str)
        return {"value": given, "name": given["name"]}


class CampaignSettingsForm(EditConflictMixin, CampaignForm):
    """The settings of an existing campaign."""


class CampaignRulesForm(HouseRulesForm):
    """The house rules of a new campaign.

    Rules that every campaign of the game must set (`required_options`) are shown uncollapsed.
    """

    def __init__(
        self, data: FormData, *, prefix: str | None, system: str, initial: dict[str, object] | None = None
    ) -> None:
        season = season_rules(system)
        self.required_options = season.explicit_options
        super().__init__(data, prefix=prefix, system=system, initial={**self._unset_options(season), **(initial or {})})
        for slug in self.required_options:
            self.fields[slug].choices = roster_rules(system).house_rules[slug].choices  # type: ignore[attr-defined]
            self.fields[slug].help_text = season.option_help_texts.get(slug, self.fields[slug].help_text)

    def _unset_options(self, season: AnySeason) -> Mapping[str, object]:
        """Return the initial values of rules that aren't set."""
        return {**season.explicit_options, **season.new_options}

    @property
    def required_fields(self) -> list[forms.BoundField]:
        return [self[slug] for slug in self.required_options]

    @property
    def folded(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.required_options]

    @property
    def changed_count(self) -> int:
        return len(self.options_so_far.keys() - self.required_options.keys())

    def options(self) -> dict[str, object]:
        chosen = {slug: value for slug in self.required_options if (value := self.cleaned_data.get(slug))}
        return {**super().options(), **chosen}


class HouseRulesSettingsForm(EditConflictMixin, CampaignRulesForm):
    """The house rules of an existing campaign.

    A rule that isn't set keeps its old default, not the one for new campaigns.
    """

    def _unset_options(self, season: AnySeason) -> Mapping[str, object]:
        return season.explicit_options


def campaign_initial(campaign: Campaign) -> dict[str, object]:
    """Return the initial values of the settings form."""
    fields = [name for name in CampaignForm.base_fields if name not in ("scenarios", *MAP_FIELDS)]
    values = {name: getattr(campaign, name) for name in fields}
    chosen = [
        each["value"] if isinstance(each["value"], str) else f"kept-{at}" for at, each in enumerate(campaign.scenarios)
    ]
    rows = PLACES.rows(campaign=campaign.pk)
    names = {row.position: row.name for row in rows}
    borders = [f"{row.name}: {', '.join(names[each] for each in row.neighbours)}" for row in rows if row.neighbours]
    return {
        **values,
        "scenarios": chosen,
        "territories": "\n".join(names.values()),
        "borders": "\n".join(borders),
        "yields": "\n".join(line for row in rows if (line := format_yield_line(row))),
    }


class EnrolForm(forms.Form):
    company = forms.ChoiceField()
    doctrine = forms.ChoiceField(
        label="AI style", help_text="How your company plays if you can't come. You can change it any time."
    )

    def __init__(self, data: FormData, *, system: str, companies: list[Company]) -> None:
        super().__init__(data)
        self.fields["company"].choices = [(str(each.pk), each.name) for each in companies]  # type: ignore[attr-defined]
        self.fields["doctrine"].choices = doctrine_choices(system)  # type: ignore[attr-defined]


class OrdersForm(EditConflictMixin, forms.Form):
    """How a company plays when its player makes no choice."""

    doctrine = forms.ChoiceField(label="AI style", help_text="How your company plays if you can't come.")

    def __init__(self, data: FormData, *, system: str, initial: dict[str, object]) -> None:
        super().__init__(data, initial=initial)
        self.fields["doctrine"].choices = doctrine_choices(system)  # type: ignore[attr-defined]


class ReasonForm(forms.Form):
    reason = forms.CharField(max_length=300, widget=forms.Textarea(attrs={"rows": 2}))


class PhaseForm(forms.Form):
    name = forms.CharField(max_length=60, help_text="For example: Spring Offensive, group stage, finals.")
    first_round = forms.IntegerField(
        min_value=1, max_value=MAX_ROUND, label="First round", help_text="It lasts until the next one begins."
    )
    text = forms.CharField(
        max_length=MAX_TEXT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="Description",
        help_text="Shown on the campaign's page.",
    )


class PhaseChangeForm(EditConflictMixin, PhaseForm):
    """The form of an existing phase. A page may have several."""

    def __init__(self, data: FormData, *, phase: PhaseRow) -> None:
        initial = {"name": phase.name, "first_round": phase.first, "text": phase.text}
        super().__init__(data, initial=initial, auto_id=f"id_phase_{phase.id}_%s")


class PlanForm(forms.Form):
    way = forms.ChoiceField(label="Pairing")

    def __init__(self, data: FormData, *, campaign: Campaign, by: Player | None = None) -> None:
        """Build the form. With `by`, offer only the pairing methods that this organiser may choose."""
        super().__init__(data, initial={"way": campaign.pairing})
        is_war = campaign.pairing == CampaignPairingMethod.STORYLINE
        ways = [way for way in CampaignPairingMethod.choices if is_war or way[0] != CampaignPairingMethod.STORYLINE]
        if by is not None and refusal_of(lambda: pairing_method_own_case(campaign, "", by)):
            ways = [way for way in ways if way[0] in (campaign.pairing, CampaignPairingMethod.BY_HAND)]
        self.fields["way"].choices = ways  # type: ignore[attr-defined]
