"""Write cups into a club's document and read them back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from campaigns.models import Campaign, Cup, CupPlace, Enrolment, Match

if TYPE_CHECKING:
    from campaigns.archive.club_document import ClubCup

SETTINGS = ("groups", "advance", "entrants", "seeding", "has_third_place", "since")


def cup_to_dict(campaign: Campaign, keys: Mapping[int, str]) -> dict[str, object]:
    """Return the campaign's cup; empty if it has none."""
    cup = Cup.objects.filter(campaign=campaign).first()
    if cup is None:
        return {}
    places = [{"company": keys[row.enrolment_id], "group": row.group} for row in cup.places.order_by("seed")]
    return {"cup": {**{field: getattr(cup, field) for field in SETTINGS}, "places": places}}


def tie_to_dict(match: Match) -> dict[str, object]:
    """Return the match's place in the bracket; empty if it has none."""
    tie = getattr(match, "tie", None)
    return {} if tie is None else {"tie": tie.place}


def cup_import(campaign: Campaign, wanted: ClubCup | None, enrolments: Mapping[str, Enrolment]) -> Cup | None:
    """Create the cup from its document, without its ties."""
    if wanted is None:
        return None
    cup = Cup.objects.create(campaign=campaign, **{field: getattr(wanted, field) for field in SETTINGS})
    CupPlace.objects.bulk_create(
        CupPlace(cup=cup, enrolment=enrolments[place.company], seed=at, group=place.group)
        for at, place in enumerate(wanted.places, start=1)
    )
    return cup
