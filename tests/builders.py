"""Builders of test rows, made through the services, with automatic names."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Hashable
from typing import Any

from django.utils import timezone

from rosters.entries.company import Founded
from rosters.models import Company, LedgerEntry, Pilot, Player, Unit
from rosters.services import company_create, pilot_assign, pilot_hire, token_create, unit_buy

SYSTEM = "meks-and-mercs"
WASP = {"chassis": "light", "weapons": ["cannon", "ciws", "ciws"], "systems": ["jammer"]}
_numbers = itertools.count(1)
_outfits: dict[Hashable, tuple[list[Pilot], list[Unit], list[LedgerEntry]]] = {}


def a_player(username: str = "") -> Player:
    """Return a player who can sign in."""
    return Player.objects.create_user(username=username or f"player{next(_numbers)}", password="secret-sesame")


def a_token(player: Player, *scopes: str) -> str:
    """Return the player's API token, with all scopes by default."""
    return token_create(player=player, scopes=scopes or ("read", "companies", "club"))


def a_company(owner: Player | None = None, **fields: Any) -> Company:
    """Return a company with no units and 60 points."""
    return company_create(owner=owner or a_player(), **{"system": SYSTEM, "name": "Iron Hounds", **fields})


def a_unit(company: Company, published: str = "wasp", **fields: Any) -> Unit:
    """Return a unit of a published design, bought by the owner."""
    return unit_buy(company=company, by=company.owner, published=published, **fields)


def a_pilot(company: Company, name: str = "Ada", **fields: Any) -> Pilot:
    """Return a Green pilot, hired by the owner."""
    return pilot_hire(company=company, by=company.owner, name=name, **fields)


def a_crewed_unit(company: Company, published: str = "wasp", pilot: str = "Ada") -> tuple[Unit, Pilot]:
    """Return a unit with a Green pilot in it."""
    unit, hired = a_unit(company, published), a_pilot(company, pilot)
    pilot_assign(company=company, by=company.owner, unit=unit, pilot=hired)
    unit.refresh_from_db()
    return unit, hired


def outfit(company: Company, kind: Hashable, buy: Callable[[], object]) -> None:
    """Buy units and pilots for a new company: with `buy` the first time, as copies of the rows afterwards.

    Every second test uses such companies, and buying takes thirty queries a unit. Companies of one `kind` get the same.
    """
    if kind in _outfits:
        _copy(company, *_outfits[kind])
        return
    buy()
    ledger = company.ledger.exclude(kind=Founded.slug).order_by("pk")
    _outfits[kind] = list(company.pilots.order_by("pk")), list(company.units.order_by("pk")), list(ledger)


def _copy(company: Company, pilots: list[Pilot], units: list[Unit], ledger: list[LedgerEntry]) -> None:
    def copies(rows: list[Any], **fields: Callable[[Any], Any]) -> list[Any]:
        """Return copies of the rows for the company, in the same order."""
        model, made = type(rows[0]), []
        for row in rows:
            kept = {field.attname: getattr(row, field.attname) for field in row._meta.fields if not field.primary_key}
            made.append(model(**kept | {"company_id": company.pk} | {name: of(row) for name, of in fields.items()}))
        return model.objects.bulk_create(made)

    def numbers(rows: list[Any], written: list[Any]) -> dict[int | None, int | None]:
        return {None: None} | {row.pk: new.pk for row, new in zip(rows, written, strict=True)}

    pilot = numbers(pilots, copies(pilots)) if pilots else {None: None}
    unit = numbers(units, copies(units, pilot_id=lambda row: pilot[row.pilot_id]))
    acts = {row.act: uuid.uuid4() for row in ledger}
    copies(
        ledger,
        act=lambda row: acts[row.act],
        unit_id=lambda row: unit[row.unit_id],
        pilot_id=lambda row: pilot[row.pilot_id],
        created_by_id=lambda row: company.owner_id,
        created_at=lambda row: timezone.now(),
    )
