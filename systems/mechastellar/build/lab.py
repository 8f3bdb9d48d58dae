"""The design lab: editor of a profile, its address, and charts of its best attack's expected damage.

The address has one field per figure, and places for six weapons.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from systems.design_editor import (
    Chart,
    DesignEditor,
    EditorChoice,
    EditorFigure,
    EditorPick,
    EditorSection,
    EditorText,
    EditorTick,
    chart_series,
)
from systems.mechastellar.build.datasheet_lines import Blow, Pool, describe_tags, mean_damage
from systems.mechastellar.build.spec import (
    UnitSpec,
    half_inches_to_inches,
    mode_json,
    spec_json,
    weapon_json,
    weapon_slug,
)
from systems.mechastellar.catalogue import CATALOGUE, SUCCESS, Weapon
from systems.text import MINUS, format_signed

FIRST_KIND = "ms"
FIRST_WEAPONS = ("machine-gun", "heat-hatchet")
PLACES = CATALOGUE.limits["weapons"].most
CUSTOM_WEAPON = "own"  # in place of a catalogue weapon's slug: a weapon with its own figures
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
KEPT_FIELDS = ("crew", "orders")  # only in documents; the page has no fields for them
PLACE_FIELDS = (
    *("name", "type", *WEAPON_FIGURES, "pen_tag"),
    *(f"tag-{slug}" for slug in CATALOGUE.tags),
)


def weapon_field(place: int, name: str) -> str:
    """Return the name of a weapon's field, by place from 1; without `name`, the field for choosing it."""
    return f"w{place}-{name}" if name else f"w{place}"


LAB_FIELDS = (
    *("kind", *FIGURES, "role", "aboard", *(f"trait-{slug}" for slug in TRAITS)),
    *(f"mode-{name}" for name in MODE_FIGURES),
    *(weapon_field(place, name) for place in range(1, PLACES + 1) for name in ("", *PLACE_FIELDS)),
    *KEPT_FIELDS,
)


def lab_spec(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields' spec as JSON values; texts that aren't numbers are left for `parse_spec` to refuse."""
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
    """Return the number, or the text itself if it isn't a number."""
    if re.fullmatch(r"[+-]?\d{1,6}", text):
        return int(text)
    return float(text) if re.fullmatch(r"[+-]?\d{1,6}\.\d{1,3}", text) else text


def _weapon_spec(place: int, given: Mapping[str, str], taken: Sequence[str]) -> object:
    """Return the weapon in that place: from the catalogue, with its own figures, or none."""
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
    tag_numbers = {slug: of[f"tag-{slug}"] for slug in CATALOGUE.tags if f"tag-{slug}" in of}
    tags = [f"{slug}:{number}" if CATALOGUE.tags[slug].takes_number else slug for slug, number in tag_numbers.items()]
    return weapon | ({"tags": tags} if tags else {})


def _own_slug(name: str, taken: Sequence[str]) -> str:
    """Return a slug that is neither in the catalogue nor in `taken`."""
    slug = weapon_slug(name)[:40].strip("-")
    if slug in CATALOGUE.weapons:
        slug = f"own-{slug}"
    same = sum(each == slug or each.rpartition("-")[0] == slug for each in taken)
    return f"{slug}-{same + 1}" if same else slug


def lab_address(spec: UnitSpec) -> dict[str, str]:
    """Return a profile's fields, without empty ones."""
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
    """Return a weapon's figures as the fields of its place."""
    fields = {"name": weapon.name, "type": weapon.type, "dice": str(weapon.dice)}
    for each in dataclasses.fields(Weapon):
        value = getattr(weapon, each.name)
        if each.name not in (*fields, "slug", "tags") and value != each.default:
            fields[each.name] = str(value)
    for tag in weapon.tags:
        slug, colon, number = tag.partition(":")
        fields[f"tag-{slug}"] = number if colon else "on"
    return fields


FRAME = ("frame_level", "performance", "size", "move_in", "sensors_in", "hp", "morale")
DEFENCE = (
    *("evade_dice", "evade_def", "evade_success", "melee_dice", "melee_def", "melee_success", "shield", "barrier"),
)
RESOURCES = ("boost", "power", "havoc", "catapult", "repair_hp")
SHOOTS = ("range_in", "rf_in", "rf_dice", "rf_hits")


def editor(spec: UnitSpec) -> DesignEditor:
    """Return every kind, and all of this profile's figures."""
    written = spec_json(spec) | {"move_in": half_inches_to_inches(spec.move_half)}
    figures = {name: written.get(name, getattr(spec, name, 0)) for name in FIGURES}
    return DesignEditor(
        frames=tuple(
            EditorChoice(slug=kind.slug, name=kind.name, detail=kind.line, points=0)
            for kind in CATALOGUE.kinds.values()
        ),
        frame=spec.kind,
        groups=(),
        sections=(
            EditorSection(
                slug="frame",
                title="Frame and crew",
                fields=(*(_figure(name, figures[name]) for name in FRAME), _crew(spec), _role(spec)),
            ),
            EditorSection(
                slug="defence", title="Defence", fields=tuple(_figure(name, figures[name]) for name in DEFENCE)
            ),
            EditorSection(
                slug="resources",
                title="Boost, Power, Havoc, Catapult, Repair",
                fields=tuple(_figure(name, figures[name]) for name in RESOURCES),
                note="Each is only for certain kinds.",
            ),
            EditorSection(slug="traits", title="Traits", fields=tuple(_traits(spec))),
            _mode(spec),
            *(_place(spec, place) for place in range(1, PLACES + 1)),
        ),
    )


def _figure(name: str, value: object, field: str = "") -> EditorFigure:
    limit = CATALOGUE.limits["move_half" if name == "move_in" else name]
    half = name == "move_in"
    least, most = (half_inches_to_inches(each) if half else each for each in (limit.least, limit.most))
    written = f"{value:g}" if isinstance(value, int | float) else ""
    bounds = f"{least} to {most}".replace("-", MINUS)
    step = "0.5" if half else str(limit.step)
    return EditorFigure(
        slug=field or name, label=limit.name, value=written, bounds=bounds, step=step, least=least, most=most
    )


def _crew(spec: UnitSpec) -> EditorPick:
    crews = [each for each in CATALOGUE.crews.values() if each.kind == spec.unit_kind.crew]
    return EditorPick(
        slug="level",
        label="Crew",
        value=str(spec.level),
        empty="level 0",
        choices=tuple(EditorChoice(slug=str(each.level), name=each.name, detail="", points=0) for each in crews),
    )


def _role(spec: UnitSpec) -> EditorPick:
    roles = (("line", "Line", "deploys in the second row"), ("assault", "Assault", "deploys in front"))
    choices = tuple(EditorChoice(slug=slug, name=name, detail=detail, points=0) for slug, name, detail in roles)
    return EditorPick(slug="role", label="Role in simulated battles", value=spec.role, choices=choices)


def _traits(spec: UnitSpec) -> Iterator[EditorTick]:
    for trait in CATALOGUE.traits.values():
        yield EditorTick(slug=f"trait-{trait.slug}", label=trait.name, is_set=spec.has(trait.slug), detail=trait.effect)
    yield EditorTick(slug="aboard", label="Starts on board", is_set=spec.aboard, detail="of a Warship of its side")


def _mode(spec: UnitSpec) -> EditorSection:
    written = mode_json(spec.alt_mode) if spec.alt_mode else {}
    return EditorSection(
        slug="mode",
        title=f"Mode B{', set' if written else ''}",
        fields=tuple(_figure(name, written.get(name), f"mode-{name}") for name in MODE_FIGURES),
        note="For units that transform: what changes in the other mode. Leave the rest blank.",
        is_folded=True,
    )


def _place(spec: UnitSpec, place: int) -> EditorSection:
    weapon = spec.weapons[place - 1] if place <= len(spec.weapons) else None
    is_printed = weapon is not None and CATALOGUE.weapons.get(weapon.slug) == weapon
    chosen = "" if weapon is None else weapon.slug if is_printed else CUSTOM_WEAPON
    notes = {True: "Catalogue values. Choose “custom” to change them.", False: ""}
    return EditorSection(
        slug=f"w{place}",
        title=f"Weapon {place}",
        fields=(_choice(place, chosen), *_weapon_section(place, weapon)),
        note=notes[is_printed],
        is_fixed=is_printed,
        is_folded=weapon is None and place > 1,
    )


def _choice(place: int, chosen: str) -> EditorPick:
    own = EditorChoice(slug=CUSTOM_WEAPON, name="custom", detail="", points=0)
    printed = (
        EditorChoice(slug=each.slug, name=each.name, detail=_describe(each), points=0)
        for each in CATALOGUE.weapons.values()
    )
    return EditorPick(
        slug=weapon_field(place, ""), label="Weapon", value=chosen, empty="nothing", choices=(own, *printed)
    )


def _describe(weapon: Weapon) -> str:
    """Describe a weapon in one line."""
    reach = "melee" if weapon.is_melee else f'{weapon.range_in}"'
    parts = [f"{weapon.dice}d10 {format_signed(weapon.hits)}", reach, f"DMG {weapon.dmg}"]
    parts += [f"PEN {weapon.pen}{weapon.pen_tag}"] if weapon.pen is not None else []
    return ", ".join([*parts, *([describe_tags(weapon)] if weapon.tags else [])])


def _weapon_section(place: int, weapon: Weapon | None) -> Iterator[EditorText | EditorPick | EditorFigure | EditorTick]:
    has: Mapping[str, str] = weapon_fields(weapon) if weapon else {}

    def field(name: str) -> str:
        return weapon_field(place, name)

    yield EditorText(slug=field("name"), label="Name", value=has.get("name", ""), most=60)
    types = (EditorChoice(slug=slug, name=slug, detail="", points=0) for slug in ("shooting", "melee"))
    yield EditorPick(slug=field("type"), label="Type", value=has.get("type", "shooting"), choices=tuple(types))
    for name in ("dice", "hits", *SHOOTS, "dmg", "pen", "finisher"):
        value = getattr(weapon, name) if weapon else None
        is_filled = value or name == "dice"
        yield _figure(name, value if is_filled else None, field(name))
    letters = (("S", "S, stun"), ("P", "P, push or pull"))
    choices = tuple(EditorChoice(slug=slug, name=name, detail="", points=0) for slug, name in letters)
    letter = has.get("pen_tag", "")
    yield EditorPick(slug=field("pen_tag"), label="Letter of the PEN", value=letter, empty="none", choices=choices)
    for slug in NUMBERED:
        tag = CATALOGUE.tags[slug]
        yield EditorFigure(slug=field(f"tag-{slug}"), label=tag.name, value=has.get(f"tag-{slug}", ""))
    for slug in MARKS:
        tag = CATALOGUE.tags[slug]
        yield EditorTick(slug=field(f"tag-{slug}"), label=tag.name, is_set=f"tag-{slug}" in has, detail=tag.effect)


DISTANCES_IN = (6, 12, 18, 24, 30, 36)
MELEE = "melee"
MAX_DRAWN = 10  # maximum dice in a pool. ST-112


def list_charts(spec: UnitSpec, targets: Sequence[tuple[str, UnitSpec]]) -> Iterator[Chart]:
    """Yield the chart of one attack without Focus, tags or orders. ST-112 to ST-115, ST-140 to ST-147."""
    yield Chart(
        slug="damage",
        title="Average damage of its best attack",
        across="Distance",
        at=(MELEE, *(f"{distance}″" for distance in DISTANCES_IN)),
        series=tuple(
            chart_series(name, [_melee(spec, target), *(_shot(spec, target, distance) for distance in DISTANCES_IN)])
            for name, target in targets
        ),
        note="One attack with the best weapon, without Focus, tags, orders and cover.",
    )


def _melee(spec: UnitSpec, target: UnitSpec) -> Fraction:
    guard = _pool(target.melee_dice, target.melee_def + max(target.shield, target.barrier), target.melee_success)
    blows = (weapon for weapon in spec.weapons if weapon.is_melee)
    return max((_mean(weapon, weapon.dice, weapon.hits, guard) for weapon in blows), default=Fraction(0))


def _shot(spec: UnitSpec, target: UnitSpec, distance: int) -> Fraction:
    flat = target.evade_def + max(target.shield, target.barrier)
    guard = replace(_pool(target.evade_dice, flat, target.evade_success), rerolls_ones=target.has("reroll-evade-1s"))
    found = Fraction(0)
    for weapon in spec.weapons:
        if not weapon.is_melee and distance <= weapon.range_in:
            is_near = distance <= weapon.rf_in
            dice = weapon.dice + (weapon.rf_dice if is_near else 0)
            hits = weapon.hits + (weapon.rf_hits if is_near else 0)
            found = max(found, _mean(weapon, dice, hits, guard))
    return found


def _pool(dice: int, flat: int, success: int = SUCCESS) -> Pool:
    return Pool(dice=min(MAX_DRAWN, max(0, dice)), flat=flat, success=success)


def _mean(weapon: Weapon, dice: int, hits: int, guard: Pool) -> Fraction:
    attack = _pool(dice, hits)
    pen = None if weapon.pen_tag else weapon.pen  # a PEN with a letter stuns or pushes
    return mean_damage(attack, guard, Blow(dmg=weapon.dmg, pen=pen, finisher=weapon.finisher))
