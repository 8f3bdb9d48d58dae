"""Export campaign stories as parts of a club's document, and import them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from campaigns.models import Arc, ArcRole, Campaign, Enrolment

if TYPE_CHECKING:
    from campaigns.archive.club_document import ClubArc


def arc_to_dict(campaign: Campaign, keys: Mapping[int, str]) -> dict[str, object]:
    """Return the settings of the campaign's story, or an empty dict if it wasn't set up."""
    arc = Arc.objects.filter(campaign=campaign).first()
    if arc is None:
        return {}
    roles = list(arc.roles.order_by("enrolment").values_list("enrolment", "attacks"))
    sides = {
        "attackers": [keys[pk] for pk, attacks in roles if attacks],
        "defenders": [keys[pk] for pk, attacks in roles if not attacks],
    }
    return {"arc": {"compensates": arc.compensates, **sides}}


def arc_import(campaign: Campaign, wanted: ClubArc | None, enrolments: Mapping[str, Enrolment]) -> Arc | None:
    """Create the story from the document, without its rounds."""
    if wanted is None:
        return None
    arc = Arc.objects.create(campaign=campaign, compensates=wanted.compensates)
    cast = [*((key, True) for key in wanted.attackers), *((key, False) for key in wanted.defenders)]
    ArcRole.objects.bulk_create(ArcRole(arc=arc, enrolment=enrolments[key], attacks=attacks) for key, attacks in cast)
    return arc
