"""Whether a campaign can be played as a war at all. Knows no service, so that those of campaigns can ask it."""

from __future__ import annotations

from campaigns.models import Campaign, Pairing
from rosters.services import RefusedError
from systems import battle_rules, roster_rules, season_rules
from systems.arcs import Arc
from systems.legality import join_words


def rules_needed(campaign: Campaign) -> Arc:
    """The war that the campaign plays; refused where it plays none."""
    rules = season_rules(campaign.system).arc
    if rules is None:
        raise RefusedError(
            "way", f"{roster_rules(campaign.system, campaign.catalogue_release).name} knows no war over its scenarios."
        )
    if campaign.pairing != Pairing.ARC:
        raise RefusedError("way", f"{campaign.name} is no war: its companies meet in another way.")
    return rules


def scenarios_there(campaign: Campaign) -> None:
    """Refuses a campaign whose war plays a scenario that it does not have."""
    known = [each["value"] for each in campaign.scenarios]
    missing = [slug for slug in rules_needed(campaign).scenarios if slug not in known]
    if missing:
        names = join_words([battle_rules(campaign.system).scenarios[slug] for slug in missing])
        raise RefusedError("scenarios", f"The war plays {names} too; choose all of its scenarios.")
