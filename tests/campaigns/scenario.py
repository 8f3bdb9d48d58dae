"""A match of a printed scenario, with support."""

from campaigns.models import Match
from campaigns.services.forces import forces_open
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment


def a_supported_match() -> Match:
    """Opening Shots with open forces: the attacker has an ambush, the defender a support roll made at the table."""
    campaign = a_campaign(options={})
    attacker, defender = (an_enrolment(campaign, a_mustered_company(None, "viper", "wasp", "wasp")) for _ in range(2))
    match = a_match(a_round(campaign), attacker, defender, scenario="opening-shots", terrain="printed")
    match = forces_open(match=match)
    assert match.setup is not None
    for side, support in zip(match.setup["sides"], ("ambush", "roll"), strict=True):
        side["support"] = [support]
    match.save()
    return match
