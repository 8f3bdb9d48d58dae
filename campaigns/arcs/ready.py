"""Check whether a campaign can play a campaign story. Imports no services, so that services of campaigns can use it."""

from __future__ import annotations

from campaigns.models import Campaign, CampaignPairingMethod
from rosters.services import RefusedError
from systems import battle_rules, roster_rules, season_rules
from systems.arcs import Arc
from systems.legality import join_words


def require_arc_rules(campaign: Campaign) -> Arc:
    """Return the campaign story that the campaign plays. Raise RefusedError if it plays none."""
    rules = season_rules(campaign.system).arc
    if rules is None:
        raise RefusedError(
            "way", f"{roster_rules(campaign.system, campaign.catalogue_release).name} knows no war over its scenarios."
        )
    if campaign.pairing != CampaignPairingMethod.ARC:
        raise RefusedError("way", f"{campaign.name} is no war: its companies meet in another way.")
    return rules


def check_scenarios(campaign: Campaign) -> None:
    """Raise RefusedError if the campaign lacks a scenario of its story."""
    known = [each["value"] for each in campaign.scenarios]
    missing = [slug for slug in require_arc_rules(campaign).scenarios if slug not in known]
    if missing:
        names = join_words([battle_rules(campaign.system).scenarios[slug] for slug in missing])
        raise RefusedError("scenarios", f"The war plays {names} too; choose all of its scenarios.")
