"""Services that found, change, clone and disband companies, and hire, rename and retire pilots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from rosters.entries.company import Changed, Disbanded, Founded, Renamed
from rosters.entries.units_and_pilots import Hired
from rosters.ledger.records import company_balance, company_record
from rosters.models import Company, Pilot, PilotStatus, Player, Unit, UnitStatus, Visibility
from rosters.services.base import Act, clean_text, company_lock, copy_name, own, release_of, rules_of, spend, system_of
from rosters.site.exceptions import RefusedError
from systems.catalogue import FIRST_RELEASE
from systems.emblems import EmblemError, random_emblem, read_emblem
from systems.pilots import PILOT_TEXTS, texts_of_pilot
from systems.text import UNNAMED, shorten_name

from .units import empty_seat, off_the_roll, pilot_assign, refuse_leaving, seat_in, unit_buy_spec, unit_price

MIN_POINTS = 1
MAX_COMPANIES = 200  # per player, without disbanded ones
MAX_GUESTS = 5  # the same per guest
COLOUR = re.compile(r"#[0-9a-f]{6}")
SETTINGS = ("name", "motto", "colour", "emblem", "visibility")


@transaction.atomic
def company_create(
    *,
    owner: Player,
    system: str,
    name: str,
    points: int | None = None,
    motto: str = "",
    colour: str = "#8a2b1d",
    emblem: str = "",
    visibility: str = Visibility.PRIVATE,
    by: Player | None = None,
    release: str = "",
) -> Company:
    """Found a company. Its points, by default those of a standing company, are the first entry of its ledger.

    `release` is its catalogue version, by default the newest. `by` is the founder, by default the owner.
    """
    rules = release_of(system_of(system), release)
    points = rules.founding_points if points is None else points
    if isinstance(points, bool) or not isinstance(points, int) or not MIN_POINTS <= points <= rules.founding_most:
        raise RefusedError("points", f"must be a whole number from {MIN_POINTS} to {rules.founding_most}.")
    most, who = (MAX_GUESTS, "guest") if owner.is_guest else (MAX_COMPANIES, "player")
    if Company.objects.filter(owner=owner, disbanded_at=None).count() >= most:
        raise RefusedError("name", f"A {who} can have {most} companies at most. Disband one first.")
    settings = _settings({"name": name, "motto": motto, "colour": colour, "visibility": visibility})
    if emblem:
        settings |= _settings({"emblem": emblem})
    company = Company.objects.create(
        owner=owner, system=rules.slug, catalogue_release=rules.catalogue_release, **settings
    )
    stands = {} if rules.catalogue_release == FIRST_RELEASE else {"release": rules.catalogue_release}
    Act(company, by or owner).write(Founded, points=points, facts={"to": settings, **stands})
    return company


@transaction.atomic
def company_change(*, company: Company, by: Player, **changes: str) -> Company:
    """Change the given settings: name, motto, colour, emblem, visibility.

    If the emblem was derived from the name, it stays the same when the name changes.
    """
    locked = company_lock(company)
    settings = _settings(changes, locked)
    new = {key: value for key, value in settings.items() if getattr(locked, key) != value}
    if "name" in new and "emblem" not in settings and not locked.emblem:
        new["emblem"] = random_emblem(locked.name).code
    if new:
        old = {key: getattr(locked, key) for key in new}
        for key, value in new.items():
            setattr(locked, key, value)
        locked.save(update_fields=list(new))
        Act(locked, by).write(Changed, facts={"from": old, "to": new})
    return locked


@transaction.atomic
def company_disband(*, company: Company, by: Player) -> Company:
    """Disband the company. It disappears from all lists; its ledger stays, and the act can be undone."""
    locked = company_lock(company)
    locked.disbanded_at = timezone.now()
    locked.save(update_fields=["disbanded_at"])
    Act(locked, by).write(Disbanded)
    return locked


@transaction.atomic
def company_clone(*, company: Company, owner: Player, name: str = "") -> Company:
    """Create a new private company with the same units, fully repaired, and the same pilots, as they were hired.

    It gets the founding points of the original, or the current price of its units and pilots if that is higher.
    """
    record = company_record(company)
    rules = rules_of(company)
    rows = Unit.objects.filter(company=company, status=UnitStatus.READY)
    units = [unit for unit in rows if not record.units[unit.pk].lent]
    crew = Pilot.objects.filter(company=company, status__in=(PilotStatus.ACTIVE, PilotStatus.WOUNDED))
    pilots = [pilot for pilot in crew if not record.pilots[pilot.pk].lent]
    hired_as = {pilot.pk: rules.hired_as(record.pilots[pilot.pk].experience) for pilot in pilots}
    cost = sum(unit_price(rules, unit.spec) for unit in units)
    cost += sum(rules.hire_points[experience] for experience in hired_as.values())
    if cost > rules.founding_most:
        raise RefusedError(
            "company",
            f"Its units and pilots cost {cost} points, but a company can start with {rules.founding_most} at most.",
        )
    clone = company_create(
        owner=owner,
        system=company.system,
        name=name or copy_name(company.name),
        points=max(record.granted, cost),
        motto=company.motto,
        colour=company.colour,
        release=company.catalogue_release,
    )
    copies: dict[int, Pilot] = {}
    for pilot in pilots:
        copies[pilot.pk] = pilot_hire(
            company=clone,
            by=owner,
            **_shortened_texts(pilot),
            experience=hired_as[pilot.pk],
        )
    for unit in units:
        name = shorten_name(unit.name, 60)
        copy = unit_buy_spec(company=clone, by=owner, design_name=unit.design_name, spec=unit.spec, name=name)
        if unit.pilot_id in copies:
            pilot_assign(company=clone, by=owner, unit=copy, pilot=copies[unit.pilot_id])
    assert company_balance(clone) >= 0
    return clone


def _shortened_texts(pilot: Pilot) -> dict[str, Any]:
    return {
        name: shorten_name(getattr(pilot, name), text.max_length, nothing=UNNAMED if text.is_required else "")
        for name, text in PILOT_TEXTS.items()
    }


def _settings(given: Mapping[str, object], now: Company | None = None) -> dict[str, str]:
    if unknown := set(given) - set(SETTINGS):
        raise RefusedError(min(unknown), "is not a setting of a company.")
    return {field: _setting(field, value, getattr(now, field, None)) for field, value in given.items()}


def _setting(field: str, value: object, now: str | None) -> str:
    if field == "visibility":
        if value not in Visibility.values:
            raise RefusedError("visibility", f"must be one of {', '.join(Visibility.values)}.")
        return str(value)
    if field == "colour":
        colour = clean_text("colour", value, longest=7).lower()
        if not COLOUR.fullmatch(colour):
            raise RefusedError("colour", "must be a # and six hexadecimal digits, such as #8a2b1d.")
        return colour
    if field == "emblem":
        return _emblem(value)
    return clean_text(field, value, longest=120 if field == "motto" else 60, may_be_empty=field == "motto", now=now)


def _emblem(value: object) -> str:
    code = clean_text("emblem", value, longest=5, may_be_empty=True)
    try:
        return read_emblem(code).code if code else ""
    except EmblemError as error:
        raise RefusedError("emblem", str(error)) from None


MAX_PILOTS = 120  # active and wounded pilots of a company


@transaction.atomic
def pilot_hire(
    *,
    company: Company,
    by: Player,
    name: str,
    experience: str = "",
    lent: bool = False,
    unit: Unit | None = None,
    for_match: str = "",
    **texts: str,
) -> Pilot:
    """Hire a new pilot at a level that can be hired, by default the game's first, for the price of that level.

    A lent pilot is free and leaves after a game. If `unit` is given, the pilot is assigned to it in the same act. A
    pilot who is hired for a match is paid from the scenario's points, and stays. `texts`: the optional ones of a pilot.
    """
    locked = company_lock(company)
    rules = rules_of(locked)
    if not rules.hire_points:
        raise RefusedError("experience", f"{rules.name} has no pilots to hire.")
    experience = experience or next(iter(rules.hire_points))
    if experience not in rules.hire_points:
        raise RefusedError("experience", f"Choose one of these levels: {', '.join(rules.hire_points)}.")
    price = 0 if lent or for_match else rules.hire_points[experience]
    texts = _clean_texts({"name": name, **texts})
    if locked.pilots.filter(status__in=(PilotStatus.ACTIVE, PilotStatus.WOUNDED)).count() >= MAX_PILOTS:
        raise RefusedError("name", f"A company can have {MAX_PILOTS} pilots at most. Retire one first.")
    spend(locked, price, texts["name"])
    pilot = Pilot.objects.create(company=locked, **texts)
    facts: dict[str, object] = {
        **texts,
        "experience": experience,
        **({"lent": True} if lent else {}),
    }
    if for_match:
        facts["for"] = for_match
    act = Act(locked, by)
    act.write(Hired, pilot=pilot, points=-price, facts=facts)
    if unit is not None:
        seat_in(act, unit, pilot)
    return pilot


@transaction.atomic
def pilot_edit(*, company: Company, by: Player, pilot: Pilot, **texts: str) -> Pilot:
    """Change texts of the pilot; omitted ones stay as they are."""
    locked = company_lock(company)
    pilot = _on_roll(locked, pilot)
    old = texts_of_pilot(pilot)
    new = _clean_texts({**old, **texts}, old)
    if new != old:
        Act(locked, by).write(Renamed, pilot=pilot, facts={"from": old, "to": new})
        for name, text in new.items():
            setattr(pilot, name, text)
        pilot.save(update_fields=[*new])
    return pilot


@transaction.atomic
def pilot_retire(*, company: Company, by: Player, pilot: Pilot) -> Pilot:
    """Retire the pilot, and remove them from their unit."""
    locked = company_lock(company)
    pilot = _on_roll(locked, pilot)
    refuse_leaving(locked, pilot)
    act = Act(locked, by)
    for unit in Unit.objects.filter(pilot=pilot):
        empty_seat(act, unit)
    off_the_roll(act, pilot)
    return pilot


def _clean_texts(given: Mapping[str, str], now: Mapping[str, str] = {}) -> dict[str, str]:
    """Return all texts of a pilot, the omitted ones empty; refuse those that don't fit, except as they are now."""
    if unknown := set(given) - set(PILOT_TEXTS):
        raise TypeError(f"pilots have no {min(unknown)}")
    return {
        name: clean_text(
            name,
            given.get(name, ""),
            longest=text.max_length,
            may_be_empty=not text.is_required,
            now=now.get(name),
        )
        for name, text in PILOT_TEXTS.items()
    }


def _on_roll(company: Company, pilot: Pilot) -> Pilot:
    own(company, pilot, "pilot")
    pilot = Pilot.objects.get(pk=pilot.pk)
    if pilot.status not in (PilotStatus.ACTIVE, PilotStatus.WOUNDED):
        raise RefusedError("pilot", f"{pilot.name} is {pilot.get_status_display().lower()}.")
    return pilot
