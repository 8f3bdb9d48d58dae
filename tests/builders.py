"""Small builders of rows, made through the services, with names nobody has to think of."""

from __future__ import annotations

import itertools
from typing import Any

from rosters.models import Company, Pilot, Player, Unit
from rosters.services import company_found, pilot_assign, pilot_hire, token_create, unit_buy

SYSTEM = "meks-and-mercs"
WASP = {"chassis": "light", "weapons": ["cannon", "ciws", "ciws"], "systems": ["jammer"]}
_numbers = itertools.count(1)


def a_player(username: str = "") -> Player:
    """A player who can sign in."""
    return Player.objects.create_user(username=username or f"player{next(_numbers)}", password="secret-sesame")


def a_token(player: Player, *scopes: str) -> str:
    """A token of the player for the API, of all scopes if none are named."""
    return token_create(player=player, scopes=scopes or ("read", "companies", "club"))


def a_company(owner: Player | None = None, **fields: Any) -> Company:
    """A company with an empty hangar and 60 points."""
    return company_found(owner=owner or a_player(), **{"system": SYSTEM, "name": "Iron Hounds", **fields})


def a_unit(company: Company, published: str = "wasp", **fields: Any) -> Unit:
    """A unit of a published design, bought by the owner."""
    return unit_buy(company=company, by=company.owner, published=published, **fields)


def a_pilot(company: Company, name: str = "Ada", **fields: Any) -> Pilot:
    """A Green pilot, hired by the owner."""
    return pilot_hire(company=company, by=company.owner, name=name, **fields)


def a_crewed_unit(company: Company, published: str = "wasp", pilot: str = "Ada") -> tuple[Unit, Pilot]:
    """A unit with a Green pilot in it."""
    unit, hired = a_unit(company, published), a_pilot(company, pilot)
    return pilot_assign(company=company, by=company.owner, unit=unit, pilot=hired), hired
