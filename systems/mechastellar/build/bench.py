"""The design lab's editor: a field for every figure of a profile, as written down from a player's own model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from systems.figures import MINUS, format_signed
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.catalogue.types import Weapon
from systems.roster import Bench, BenchChoice, BenchFigure, BenchPick, BenchSection, BenchText, BenchTick

from .datasheet import describe_tags
from .lab import CUSTOM_WEAPON, FIGURES, MARKS, MODE_FIGURES, NUMBERED, PLACES, weapon_field, weapon_fields
from .spec import UnitSpec, half_inches_to_inches, mode_json, spec_json

FRAME = ("frame_level", "performance", "size", "move_in", "sensors_in", "hp", "morale")
DEFENCE = (
    *("evade_dice", "evade_def", "evade_success", "melee_dice", "melee_def", "melee_success", "shield", "barrier"),
)
RESOURCES = ("boost", "power", "havoc", "catapult", "repair_hp")
SHOOTS = ("range_in", "rf_in", "rf_dice", "rf_hits")


def bench(spec: UnitSpec) -> Bench:
    """Return every kind, and every figure of this profile."""
    written = spec_json(spec) | {"move_in": half_inches_to_inches(spec.move_half)}
    figures = {name: written.get(name, getattr(spec, name, 0)) for name in FIGURES}
    return Bench(
        frames=tuple(
            BenchChoice(slug=kind.slug, name=kind.name, detail=kind.line, points=0) for kind in CATALOGUE.kinds.values()
        ),
        frame=spec.kind,
        groups=(),
        sections=(
            BenchSection(
                slug="frame",
                title="Frame and crew",
                fields=(*(_figure(name, figures[name]) for name in FRAME), _crew(spec), _role(spec)),
            ),
            BenchSection(
                slug="defence", title="Defence", fields=tuple(_figure(name, figures[name]) for name in DEFENCE)
            ),
            BenchSection(
                slug="resources",
                title="Boost, Power, Havoc, Catapult, Repair",
                fields=tuple(_figure(name, figures[name]) for name in RESOURCES),
                note="Each is for its kinds alone.",
            ),
            BenchSection(slug="traits", title="Traits", fields=tuple(_traits(spec))),
            _mode(spec),
            *(_place(spec, place) for place in range(1, PLACES + 1)),
        ),
    )


def _figure(name: str, value: object, field: str = "") -> BenchFigure:
    limit = CATALOGUE.limits["move_half" if name == "move_in" else name]
    half = name == "move_in"
    least, most = (half_inches_to_inches(each) if half else each for each in (limit.least, limit.most))
    written = f"{value:g}" if isinstance(value, int | float) else ""
    bounds = f"{least} to {most}".replace("-", MINUS)
    step = "0.5" if half else str(limit.step)
    return BenchFigure(
        slug=field or name, label=limit.name, value=written, bounds=bounds, step=step, least=least, most=most
    )


def _crew(spec: UnitSpec) -> BenchPick:
    crews = [each for each in CATALOGUE.crews.values() if each.kind == spec.unit_kind.crew]
    return BenchPick(
        slug="level",
        label="Crew",
        value=str(spec.level),
        empty="level 0",
        choices=tuple(BenchChoice(slug=str(each.level), name=each.name, detail="", points=0) for each in crews),
    )


def _role(spec: UnitSpec) -> BenchPick:
    roles = (("line", "Line", "deploys in the second row"), ("assault", "Assault", "deploys in front"))
    choices = tuple(BenchChoice(slug=slug, name=name, detail=detail, points=0) for slug, name, detail in roles)
    return BenchPick(slug="role", label="Role in fought battles", value=spec.role, choices=choices)


def _traits(spec: UnitSpec) -> Iterator[BenchTick]:
    for trait in CATALOGUE.traits.values():
        yield BenchTick(slug=f"trait-{trait.slug}", label=trait.name, is_set=spec.has(trait.slug), detail=trait.effect)
    yield BenchTick(slug="aboard", label="Begins on board", is_set=spec.aboard, detail="of a Warship of its side")


def _mode(spec: UnitSpec) -> BenchSection:
    written = mode_json(spec.alt_mode) if spec.alt_mode else {}
    return BenchSection(
        slug="mode",
        title=f"Mode B{', set' if written else ''}",
        fields=tuple(_figure(name, written.get(name), f"mode-{name}") for name in MODE_FIGURES),
        note="For a unit that transforms: what differs in its other mode. Leave empty what stays.",
        is_folded=True,
    )


def _place(spec: UnitSpec, place: int) -> BenchSection:
    weapon = spec.weapons[place - 1] if place <= len(spec.weapons) else None
    is_printed = weapon is not None and CATALOGUE.weapons.get(weapon.slug) == weapon
    chosen = "" if weapon is None else weapon.slug if is_printed else CUSTOM_WEAPON
    notes = {True: "As in the catalogue; choose “figures of its own” to change them.", False: ""}
    return BenchSection(
        slug=f"w{place}",
        title=f"Weapon {place}",
        fields=(_choice(place, chosen), *_weapon_section(place, weapon)),
        note=notes[is_printed],
        is_fixed=is_printed,
        is_folded=weapon is None and place > 1,
    )


def _choice(place: int, chosen: str) -> BenchPick:
    own = BenchChoice(slug=CUSTOM_WEAPON, name="figures of its own", detail="", points=0)
    printed = (
        BenchChoice(slug=each.slug, name=each.name, detail=_describe(each), points=0)
        for each in CATALOGUE.weapons.values()
    )
    return BenchPick(
        slug=weapon_field(place, ""), label="Weapon", value=chosen, empty="nothing", choices=(own, *printed)
    )


def _describe(weapon: Weapon) -> str:
    """Describe a weapon in one line."""
    reach = "melee" if weapon.is_melee else f'{weapon.range_in}"'
    parts = [f"{weapon.dice}d10 {format_signed(weapon.hits)}", reach, f"DMG {weapon.dmg}"]
    parts += [f"PEN {weapon.pen}{weapon.pen_tag}"] if weapon.pen is not None else []
    return ", ".join([*parts, *([describe_tags(weapon)] if weapon.tags else [])])


def _weapon_section(place: int, weapon: Weapon | None) -> Iterator[BenchText | BenchPick | BenchFigure | BenchTick]:
    has: Mapping[str, str] = weapon_fields(weapon) if weapon else {}

    def field(name: str) -> str:
        return weapon_field(place, name)

    yield BenchText(slug=field("name"), label="Name", value=has.get("name", ""), most=60)
    types = (BenchChoice(slug=slug, name=slug, detail="", points=0) for slug in ("shooting", "melee"))
    yield BenchPick(slug=field("type"), label="Type", value=has.get("type", "shooting"), choices=tuple(types))
    for name in ("dice", "hits", *SHOOTS, "dmg", "pen", "finisher"):
        value = getattr(weapon, name) if weapon else None
        is_said = value or name == "dice"
        yield _figure(name, value if is_said else None, field(name))
    letters = (("S", "S, stun"), ("P", "P, push or pull"))
    choices = tuple(BenchChoice(slug=slug, name=name, detail="", points=0) for slug, name in letters)
    letter = has.get("pen_tag", "")
    yield BenchPick(slug=field("pen_tag"), label="Letter of the PEN", value=letter, empty="none", choices=choices)
    for slug in NUMBERED:
        tag = CATALOGUE.tags[slug]
        yield BenchFigure(slug=field(f"tag-{slug}"), label=tag.name, value=has.get(f"tag-{slug}", ""))
    for slug in MARKS:
        tag = CATALOGUE.tags[slug]
        yield BenchTick(slug=field(f"tag-{slug}"), label=tag.name, is_set=f"tag-{slug}" in has, detail=tag.effect)
