"""SYSTEMS: the rule systems whose battles can be fought, one line each."""

from collections.abc import Mapping

from battles.systems.base import BattleSystem
from battles.systems.mech_campaign import SYSTEM as MECH_CAMPAIGN
from battles.systems.meks_and_mercs import SYSTEM as MEKS_AND_MERCS
from rosters.systems import UnknownSystemError

SYSTEMS: Mapping[str, BattleSystem] = {
    "meks-and-mercs": MEKS_AND_MERCS,
    "mech-campaign": MECH_CAMPAIGN,
}


def get_system(slug: str) -> BattleSystem:
    """The rule system of that slug; raises UnknownSystemError."""
    try:
        return SYSTEMS[slug]
    except KeyError:
        raise UnknownSystemError(f"unknown rule system {ascii(slug[:60])}; there is {', '.join(SYSTEMS)}") from None
