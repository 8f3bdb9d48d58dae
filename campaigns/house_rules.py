"""The house rules that a company plays by: its campaign's, and in a finale also the game's rules for that."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet

from campaigns import policy
from campaigns.models import Campaign, CampaignState, Enrolment, EnrolmentState, Round
from rosters.database.queries import PreparedQuery
from rosters.models import Company, Player
from systems import roster_rules, season_rules
from systems.reading import describe_house_rules
from systems.rulebook import HouseRuleLine


def company_house_rules(company: Company, reader: policy.Reader) -> Mapping[str, object] | None:
    """Return the options of the company's newest campaign that the reader may see; None if there is none. One query."""
    if isinstance(reader, Player):
        found = OF_A_PLAYER.row(company=company.pk, reader=reader.pk)
    else:
        found = OF_A_VISITOR.row(company=company.pk)
    return dict(found[0]) if found is not None else None


def round_house_rules(round_: Round) -> dict[str, object]:
    """Return the options for the battles of a round."""
    campaign = round_.campaign
    return {**campaign.options, **(season_rules(campaign.system).finale_options if round_.is_finale else {})}


def describe_campaign_house_rules(campaign: Campaign) -> tuple[HouseRuleLine, ...]:
    """Return a campaign's house rules in words: those not at their default, and those that its game always states."""
    rules = roster_rules(campaign.system, campaign.catalogue_release).house_rules
    stated = [
        HouseRuleLine(rules[slug].name, rules[slug].label_of(campaign.options[slug]), rules[slug].effect)
        for slug in season_rules(campaign.system).explicit_options
        if slug in campaign.options and campaign.options[slug] == rules[slug].default
    ]
    return (*stated, *describe_house_rules(campaign.system, campaign.options))


def _options(company: int, reader: int | None) -> QuerySet[Enrolment, tuple[Mapping[str, object]]]:
    seen = Campaign.objects.filter(policy.campaigns_visible_to(reader)).values("pk")
    rows = Enrolment.objects.filter(company=company, state=EnrolmentState.ACCEPTED, campaign__in=seen)
    rows = rows.exclude(campaign__state=CampaignState.FINISHED)
    return rows.order_by("-campaign").values_list("campaign__options")[:1]


OF_A_PLAYER = PreparedQuery(_options, company=int, reader=int)
OF_A_VISITOR = PreparedQuery(lambda company: _options(company, None), company=int)
