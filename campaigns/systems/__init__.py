"""SYSTEMS: the rule systems that campaigns can be played in, one line each."""

from collections.abc import Mapping
from typing import Any

from .base import CampaignSystem
from .mech_campaign import SYSTEM as MECH_CAMPAIGN
from .meks_and_mercs import SYSTEM as MEKS_AND_MERCS

SYSTEMS: Mapping[str, CampaignSystem[Any]] = {
    "meks-and-mercs": MEKS_AND_MERCS,
    "mech-campaign": MECH_CAMPAIGN,
}


def get_system(slug: str) -> CampaignSystem[Any]:
    """The campaign rules of a system; raises KeyError."""
    return SYSTEMS[slug]
