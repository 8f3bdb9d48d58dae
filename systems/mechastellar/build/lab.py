"""A profile in the design lab's address and back: a field for each figure, a place for each of six weapons."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.catalogue.types import Weapon

from .spec import UnitSpec, spec_json, weapon_json, weapon_slug

FIRST_KIND = "ms"
FIRST_WEAPONS = ("machine-gun", "heat-hatchet")
PLACES = CATALOGUE.limits["weapons"].most
CUSTOM_WEAPON = "own"  # instead of a catalogue weapon's slug: a weapon with its own figures
FIGURES = (
    *("frame_level", "performance", "size", "move_in", "sensors_in", "hp", "morale", "level"),
    *("evade_dice", "evade_def", "evade_success", "melee_dice", "melee_def", "melee_success", "shield", "barrier"),
    *("boost", "power", "havoc", "catapult", "repair_hp"),
)
MODE_FIGURES = (
    *("move_in", "sensors_in", "evade_dice", "evade_def", "evade_success"),
    *("melee_dice", "melee_def", "melee_success"),
)
WEAPON_FIGURES = ("dice", "hits", "range_in", "rf_in", "rf_dice", "rf_hits", "dmg", "pen", "finisher")
MARKS = tuple(slug for slug, tag in CATALOGUE.tags.items() if not tag.takes_number)
NUMBERED = tuple(slug for slug, tag in CATALOGUE.tags.items() if tag.takes_number)
TRAITS = tuple(CATALOGUE.traits)
KEPT_FIELDS = ("crew", "orders")  # in documents only; the page has no field for them
PLACE_FIELDS = (
    *("name", "type", *WEAPON_FIGURES, "pen_tag"),
    *(f"tag-{slug}" for slug in CATALOGUE.tags),
)


def weapon_field(place: int, name: str) -> str:
    """Return a field of a weapon's place, counted from 1; without a name the field of the choice."""
    return f"w{place}-{name}" if name else f"w{place}"


LAB_FIELDS = (
    *("kind", *FIGURES, "role", "aboard", *(f"trait-{slug}" for slug in TRAITS)),
    *(f"mode-{name}" for name in MODE_FIGURES),
    *(weapon_field(place, name) for place in range(1, PLACES + 1) for name in ("", *PLACE_FIELDS)),
    *KEPT_FIELDS,
)


def lab_spec(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the spec of the fields as JSON values; texts that aren't numbers stay for `parse_spec` to refuse."""
    given = {name: value.strip() for name, value in fields.items() if value and value.strip()}
    spec: dict[str, Any] = {"kind": given.get("kind") or FIRST_KIND}
    if not given:
        return spec | {"weapons": [weapon_json(CATALOGUE.weapons[slug]) for slug in FIRST_WEAPONS]}
    spec |= {name: read_number(given[name]) for name in FIGURES if name in given}
    spec |= {name: given[name] for name in ("role", "crew") if name in given}
    if "aboard" in given:
        spec["aboard"] = True
    if traits := [slug for slug in TRAITS if f"trait-{slug}" in given]:
        spec["traits"] = traits
    if "orders" in given:
        spec["orders"] = given["orders"].split(" ")
    if mode := {name: read_number(given[f"mode-{name}"]) for name in MODE_FIGURES if f"mode-{name}" in given}:
        spec["alt_mode"] = mode
    weapons: list[object] = []
    for place in range(1, PLACES + 1):
        if each := _weapon_spec(place, given, [_slug(weapon) for weapon in weapons]):
            weapons.append(each)
    return spec | {"weapons": weapons}


def _slug(weapon: object) -> str:
    return str(weapon["slug"]) if isinstance(weapon, dict) else ""


def read_number(text: str) -> object:
    """Return the number, or the text itself if it isn't one."""
    if re.fullmatch(r"[+-]?\d{1,6}", text):
        return int(text)
    return float(text) if re.fullmatch(r"[+-]?\d{1,6}\.\d{1,3}", text) else text


def _weapon_spec(place: int, given: Mapping[str, str], taken: Sequence[str]) -> object:
    """Return the weapon of that place: from the catalogue, with its own figures, or none."""
    chosen = given.get(weapon_field(place, ""), "")
    if chosen != CUSTOM_WEAPON:
        return weapon_json(CATALOGUE.weapons[chosen]) if chosen in CATALOGUE.weapons else chosen
    of = {name: given[key] for name in PLACE_FIELDS if (key := weapon_field(place, name)) in given}
    name = of.get("name", f"Weapon {place}")
    weapon: dict[str, Any] = {
        "slug": _own_slug(name, taken),
        "name": name,
        "type": of.get("type", "shooting"),
        "dice": 5,
    }
    weapon |= {name: read_number(of[name]) for name in WEAPON_FIGURES if name in of}
    if "pen_tag" in of:
        weapon["pen_tag"] = of["pen_tag"]
    said = {slug: of[f"tag-{slug}"] for slug in CATALOGUE.tags if f"tag-{slug}" in of}
    tags = [f"{slug}:{number}" if CATALOGUE.tags[slug].takes_number else slug for slug, number in said.items()]
    return weapon | ({"tags": tags} if tags else {})


def _own_slug(name: str, taken: Sequence[str]) -> str:
    """Return a slug that is neither in the catalogue nor in `taken`."""
    slug = weapon_slug(name)[:40].strip("-")
    if slug in CATALOGUE.weapons:
        slug = f"own-{slug}"
    same = sum(each == slug or each.rpartition("-")[0] == slug for each in taken)
    return f"{slug}-{same + 1}" if same else slug


def lab_address(spec: UnitSpec) -> dict[str, str]:
    """Return the fields of a profile, without empty ones."""
    written = spec_json(spec)
    fields = {name: f"{written[name]:g}" for name in FIGURES if name in written}
    fields |= {name: written[name] for name in ("crew", "role") if name in written}
    fields |= {f"trait-{slug}": "on" for slug in spec.traits}
    fields |= {f"mode-{name}": f"{value:g}" for name, value in written.get("alt_mode", {}).items()}
    if spec.aboard:
        fields["aboard"] = "on"
    if spec.orders:
        fields["orders"] = " ".join(spec.orders)
    for place, weapon in enumerate(spec.weapons[:PLACES], start=1):
        fields |= {weapon_field(place, name): value for name, value in _place_of(weapon).items()}
    return {"kind": spec.kind, **fields}


def _place_of(weapon: Weapon) -> dict[str, str]:
    if CATALOGUE.weapons.get(weapon.slug) == weapon:
        return {"": weapon.slug}
    return {"": CUSTOM_WEAPON, **weapon_fields(weapon)}


def weapon_fields(weapon: Weapon) -> dict[str, str]:
    """Return the figures of a weapon as the fields of its place."""
    fields = {"name": weapon.name, "type": weapon.type, "dice": str(weapon.dice)}
    for each in dataclasses.fields(Weapon):
        value = getattr(weapon, each.name)
        if each.name not in (*fields, "slug", "tags") and value != each.default:
            fields[each.name] = str(value)
    for tag in weapon.tags:
        slug, colon, number = tag.partition(":")
        fields[f"tag-{slug}"] = number if colon else "on"
    return fields
