"""PAPER: how each rule system's datasheet is put on a card and on a sheet, one line each."""

from collections.abc import Mapping

from rosters.printing.systems.base import SystemPaper
from rosters.printing.systems.mech_campaign import MechCampaignPaper
from rosters.printing.systems.meks_and_mercs import MeksAndMercsPaper

PAPER: Mapping[str, SystemPaper] = {
    "meks-and-mercs": MeksAndMercsPaper(),
    "mech-campaign": MechCampaignPaper(),
}
