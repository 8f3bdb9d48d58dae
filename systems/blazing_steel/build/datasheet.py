"""The datasheet and pocket card of a Warmech, with the exact chances of its dice as fractions. Ledger 7 and 9."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from systems.blazing_steel.build.drawing import Machine, machine_svg
from systems.blazing_steel.build.legality import points_sum
from systems.blazing_steel.build.spec import MAGAZINE, WEAPON_SLOTS, WarmechSpec, slot_mount, slot_name
from systems.blazing_steel.catalogue import (
    CATALOGUE,
    DODGE_DICE,
    HEAT_FACES,
    MELEE_WEAPON,
    Arc,
    Cripple,
    Locomotion,
    Peripheral,
)
from systems.blazing_steel.options import BY_THE_BOOK, Options
from systems.documents import Document, object_of, parse_document
from systems.roster import ServiceCard

FACES = range(1, 7)
NUMBERS = (6, 5, 4)  # the target numbers on sheets


def roll_total(faces: tuple[int, ...], number: int) -> int:
    """Return the total of these dice: the highest effective one, plus 1 for each other one. BS-091, BS-092."""
    effective = [face for face in faces if face <= number]
    return max(effective) + len(effective) - 1 if effective else 0


@lru_cache
def hit_chances(dice: int, number: int) -> Mapping[int, Fraction]:
    """Return the chance of each number of hits of an unanswered attack. BS-094, BS-095, BS-125."""
    chances = dict.fromkeys(range(dice + 1), Fraction(0))
    for faces in product(FACES, repeat=dice):
        chances[min(dice, roll_total(faces, number))] += Fraction(1, 6**dice)
    return chances


def expected_hits(dice: int, number: int) -> Fraction:
    """Return the expected hits of an unanswered attack."""
    return sum((hits * chance for hits, chance in hit_chances(dice, number).items()), Fraction(0))


def unsaved_chance(ap: int, armor: int) -> Fraction:
    """Return the chance that a damage die does damage. BS-151."""
    return Fraction(5, 6) if ap >= armor else Fraction(max(0, 6 - armor), 6)


UNCOUNTED = "any"  # shots of a weapon whose ammunition isn't counted
HEAT_WEIGHTS = tuple(2**at for at in range(HEAT_FACES))  # for the values 1 to 6, BS-105
TURNS = tuple((CATALOGUE.actions[slug].name, CATALOGUE.actions[slug].rotation) for slug in ("move", "sprint", "jump"))


class Condition(Document):
    """The condition of a Warmech before a battle; by default it is in order."""

    repair: bool = False  # it misses the battle. BS-C04


@dataclass(frozen=True, slots=True, kw_only=True)
class MountedLine:
    """A hardpoint of arms or core, and its option."""

    slot: str
    place: str
    name: str
    arcs: tuple[Arc, ...]
    mount: str  # its arcs, in words
    is_melee: bool = False
    range_in: int = 0
    rof: int = 0
    impact: int = 0
    damage: int = 0
    ap: int = 0
    ammo: int | None = None  # number of boxes; None: not counted
    traits: tuple[str, ...] = ()
    expected: tuple[tuple[int, Fraction], ...] = ()  # target number, and expected hits of an unanswered attack

    @property
    def ammo_text(self) -> str:
        return UNCOUNTED if self.ammo is None else str(self.ammo)

    @property
    def figures(self) -> tuple[str, ...]:
        """Range, ROF, Impact, Damage, AP and ammunition, as columns."""
        numbers = (self.rof, self.impact, self.damage, self.ap)
        return (f'{self.range_in}"', *(str(number) for number in numbers), self.ammo_text)

    @property
    def trait_names(self) -> str:
        return ", ".join(CATALOGUE.traits[slug].name for slug in self.traits)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeLine:
    dice: int
    ap: int
    damage: int
    melee_weapons: int

    def __str__(self) -> str:
        return f"{self.dice} {'die' if self.dice == 1 else 'dice'}, AP {self.ap}, Damage {self.damage}"


Figure = tuple[str, int, bool]  # name, value, whether it is in inches


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasheet:
    # identity
    name: str
    design_name: str
    company: str
    size: str  # slug of the chassis
    size_name: str
    weight: str
    locomotion: str  # slug; empty: none chosen
    locomotion_name: str
    locomotion_effect: str
    points: int
    points_sum: str
    service: ServiceCard | None
    in_repair: bool
    # numbers
    move_in: int
    sprint_in: int  # on top of Move
    jump_in: int
    dodge: int
    melee: int
    armor: int
    structure: int
    strike: StrikeLine
    base_in: int
    has_improved_sinks: bool
    can_fortify: bool
    # equipment
    lines: tuple[MountedLine, ...]
    empty: tuple[str, ...]  # hardpoints without an option
    peripheral: Peripheral | None
    magazine_on: str  # slot of the weapon that uses the magazine; empty: no magazine
    # boxes
    dodge_dice: int
    cripples: tuple[Cripple, ...]
    heat_weights: tuple[int, ...]
    turns: tuple[tuple[str, int | None], ...]

    @property
    def sprint_total_in(self) -> int:
        """The total length of a Sprint, which is Move plus Sprint. BS-041."""
        return self.move_in + self.sprint_in

    @property
    def rows(self) -> tuple[tuple[Figure, ...], ...]:
        """The movement figures, then those for rolls."""
        return (
            (("Move", self.move_in, True), ("Move + Sprint", self.sprint_total_in, True), ("Jump", self.jump_in, True)),
            (("Dodge", self.dodge, False), ("Melee", self.melee, False), ("Armor", self.armor, False)),
        )

    @property
    def figures(self) -> tuple[Figure, ...]:
        ways, values = self.rows
        return ("Points", self.points, False), *ways, *values, ("Structure", self.structure, False)

    @property
    def hits(self) -> int:
        return self.structure

    @property
    def hits_left(self) -> int:
        """Its full Structure, because no damage remains between battles. BS-C03."""
        return self.structure

    @property
    def guns(self) -> tuple[MountedLine, ...]:
        return tuple(line for line in self.lines if not line.is_melee)

    @property
    def peripheral_label(self) -> str:
        """Its peripheral's name, for an Extended Magazine with the slot that uses it."""
        if self.peripheral is None:
            return ""
        return f"{self.peripheral.name} (on {self.magazine_on})" if self.magazine_on else self.peripheral.name

    @property
    def kind(self) -> str:
        return f"{self.size_name}, {self.locomotion_name}" if self.locomotion_name else self.size_name

    @property
    def state(self) -> tuple[tuple[str, str], ...]:
        """Return the unit's problems apart from lost Structure. BS-C04."""
        return (("In repair", "misses the next battle"),) if self.in_repair else ()

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Return the columns of a table of designs."""
        return (
            ("Move", f'{self.move_in}"'),
            ("Move + Sprint", f'{self.sprint_total_in}"'),
            ("Dodge", str(self.dodge)),
            ("Melee", str(self.melee)),
        )

    @property
    def machine(self) -> Machine:
        """The data for the drawing of the Warmech."""
        held = {line.slot: line.name for line in self.lines} | (
            {"p1": self.peripheral_label} if self.peripheral else {}
        )
        arcs = {line.slot: line.arcs for line in self.guns}
        return Machine(slots=CATALOGUE.chassis[self.size].slots, held=held, arcs=arcs)

    @property
    def drawing(self) -> str:
        """The Warmech from above, as an SVG element for the screen."""
        return machine_svg(self.machine)

    @property
    def card(self) -> str:
        """The pocket card as text, with the card's lines."""
        return card_text(self)


def parse_condition(data: object, path: str = "condition") -> Condition:
    """Return the condition of a Warmech; raises DocumentError."""
    return parse_document(Condition, object_of(data, path), path)


def describe_condition(data: Mapping[str, object]) -> str:
    """Describe a Warmech's damage and losses in a few words."""
    return "in repair" if parse_condition(data).repair else ""


def warmech_datasheet(
    spec: WarmechSpec,
    *,
    name: str,
    design_name: str,
    company: str = "",
    condition: Condition | None = None,
    service: ServiceCard | None = None,
    options: Options = BY_THE_BOOK,
) -> Datasheet:
    """Return all data for sheet and card; the build may have problems."""
    frame, drive = spec.frame, spec.drive
    return Datasheet(
        name=name,
        design_name=design_name,
        company=company,
        size=frame.slug,
        size_name=frame.name,
        weight=frame.weight,
        locomotion=spec.locomotion,
        locomotion_name=drive.name if drive else "",
        locomotion_effect=_effect_of(drive, options) if drive else "",
        points=spec.points,
        points_sum=points_sum(spec),
        service=service,
        in_repair=condition is not None and condition.repair,
        move_in=frame.move_in,
        sprint_in=spec.sprint_in,
        jump_in=spec.jump_in,
        dodge=spec.dodge,
        melee=spec.melee,
        armor=frame.armor,
        structure=frame.structure,
        strike=StrikeLine(
            dice=spec.strike_dice,
            ap=spec.strike_ap,
            damage=spec.strike_damage,
            melee_weapons=spec.melee_weapons,
        ),
        base_in=spec.base.across_in,
        has_improved_sinks=frame.has_improved_sinks,
        can_fortify=drive is not None and drive.can_fortify,
        lines=tuple(_lines(spec, options)),
        empty=tuple(slot_name(frame, slot, options) for slot in frame.slots if not spec.option(slot)),
        peripheral=spec.peripheral,
        magazine_on=spec.magazine_on if spec.p1 == MAGAZINE else "",
        dodge_dice=DODGE_DICE,
        cripples=tuple(CATALOGUE.cripples.values()),
        heat_weights=HEAT_WEIGHTS,
        turns=TURNS,
    )


def _effect_of(drive: Locomotion, options: Options) -> str:
    """Describe the effect of a locomotion under these house rules. BS-160."""
    if options.biped_stands:
        return drive.effect.replace("Disabled once both", "Can neither move nor dodge once both")
    return drive.effect


def _lines(spec: WarmechSpec, options: Options) -> Sequence[MountedLine]:
    lines = []
    for slot in WEAPON_SLOTS:
        mount, weapon = slot_mount(slot, options), spec.weapon(slot)
        assert mount is not None
        place = slot_name(spec.frame, slot, options)
        if spec.option(slot) == MELEE_WEAPON:
            name = CATALOGUE.melee[MELEE_WEAPON].name
            lines.append(MountedLine(slot=slot, place=place, name=name, arcs=(), mount="contact", is_melee=True))
        elif weapon is not None:
            lines.append(
                MountedLine(
                    slot=slot,
                    place=place,
                    name=weapon.name,
                    arcs=mount.arcs,
                    mount=mount.short,
                    range_in=weapon.range_in,
                    rof=weapon.rof,
                    impact=weapon.impact,
                    damage=weapon.damage,
                    ap=weapon.ap,
                    ammo=spec.ammo(slot),
                    traits=weapon.traits,
                    expected=tuple((number, expected_hits(weapon.rof, number)) for number in NUMBERS),
                )
            )
    return lines


def card_text(sheet: Datasheet) -> str:
    """Return the pocket card as in chapter 7 of the ledger."""
    turns = " / ".join(str(degrees) for _, degrees in sheet.turns)
    lines = [
        f"{sheet.name.upper()}  {sheet.kind}  {sheet.points_sum} points",
        f'Move {sheet.move_in}"  Sprint +{sheet.sprint_in}"  Jump {sheet.jump_in}"  turn {turns}  base {sheet.base_in}"',
        f"Dodge {sheet.dodge} {_boxes(sheet.dodge_dice)}  Melee {sheet.melee}  Armor {sheet.armor}  "
        f"Structure {_boxes(sheet.structure)}",
        f"Strike  {sheet.strike}",
        *(_line_text(line) for line in sheet.lines),
    ]
    if sheet.peripheral:
        lines.append(f"p1 {sheet.peripheral_label} [ ]")
    lines.append("Cripples  " + " ".join(f"{each.face} {each.name} [ ]" for each in sheet.cripples))
    sinks = "improved" if sheet.has_improved_sinks else "normal"
    faces = " ".join(f"{face}[ ]" for face in range(1, HEAT_FACES + 1))
    lines.append(f"Heat  {faces}  two 6s = overheat  heat sinks: {sinks}")
    lines.append("Cooling [ ]  Overheated [ ]  Sitting out [ ]")
    return "\n".join(lines)


def _line_text(line: MountedLine) -> str:
    if line.is_melee:
        return f"{line.slot} {line.name} [ ]"
    ammo = UNCOUNTED if line.ammo is None else _boxes(line.ammo)
    parts = [
        f'{line.slot} {line.name}  {line.range_in}"  ROF {line.rof}  I {line.impact}  D {line.damage}  AP {line.ap}'
    ]
    parts += [f"ammo {ammo}", *([line.trait_names] if line.traits else []), line.mount]
    return "  ".join(parts)


def _boxes(count: int) -> str:
    return "[ ]" * count
