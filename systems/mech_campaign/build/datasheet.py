"""A unit's datasheet and pocket card, with the exact chances of its dice as fractions."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import pydantic

from systems.documents import Document, DocumentError, object_of, parse_document
from systems.mech_campaign.build.spec import UnitSpec
from systems.mech_campaign.catalogue import (
    CATALOGUE,
    DAMAGE_THAT_STAYS,
    DAMAGE_TO_ELIMINATE,
    SHOOTING_RANGE_H,
    UnitKind,
)
from systems.roster import PilotCard, ServiceCard

FACES = range(1, 7)
RESOLVE_BONUS = 2  # by the book; can be changed by house rule resolve-bonus


def needed_number(kind: UnitKind, *, in_cover: bool = False, from_height: bool = False, is_locked: bool = False) -> int:
    """Return the number that such a unit needs on a D6 to hit. MC-073, MC-074."""
    number = CATALOGUE.rolls["shoot"].number
    assert number is not None
    applying = {"cover": in_cover, "higher-ground": from_height, "lock": is_locked}
    bonus = sum(CATALOGUE.modifiers[slug].to_hit for slug, applies in applying.items() if applies)
    return number - bonus - kind.to_hit


def hit_chance(number: int) -> Fraction:
    """Return the chance that a D6 shows `number` or more."""
    return Fraction(sum(face >= number for face in FACES), 6)


def retreat_chance(eliminated: int, bonus: int = RESOLVE_BONUS) -> Fraction:
    """Return the chance that a force retreats at its `eliminated`-th loss, if it has units left. MC-101, MC-102."""
    number = CATALOGUE.rolls["resolve"].number
    assert number is not None
    return Fraction(sum(face + bonus - eliminated < number for face in FACES), 6)


def action_points(active: int) -> tuple[int, Fraction, int]:
    """Return the lowest, average and highest action points of a side's turn. MC-033."""
    return active + FACES[0], active + Fraction(sum(FACES), 6), active + FACES[-1]


def count_actions(points: int) -> int:
    """Return how many actions one unit can take for these action points. MC-036, MC-037."""
    return sum(cost.total <= points for cost in CATALOGUE.action_costs.values())


COSTS = tuple(cost.cost for cost in CATALOGUE.action_costs.values())
COSTS_TEXT = "–".join(str(cost) for cost in COSTS)
SUPPRESSION_BOXES = CATALOGUE.markers["suppression"].most
LOCK_BOXES = CATALOGUE.markers["lock"].most
MAX_ACTIONS = len(COSTS)

Count = Annotated[int, pydantic.Field(ge=0, le=99)]


class Condition(Document):
    """A unit's condition before a battle; by default it is in order."""

    damage: Count = 0
    workshop: bool = False  # MC-204, MC-207

    @property
    def starting_damage(self) -> int:
        """The damage with which it starts a battle. MC-028, MC-207."""
        return max(self.damage, DAMAGE_THAT_STAYS if self.workshop else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HitLine:
    """The number that a unit needs to hit in a given situation."""

    slug: str
    name: str
    short: str
    number: int
    chance: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotLine:
    name: str  # with the callsign
    surname: str
    rank: str
    rank_name: str
    experience: int | None  # None: unknown
    kills: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PocketCard:
    """The card for the table."""

    name: str
    kind: str
    pilot: str
    base_vehicle: str
    move: str
    fire: str
    to_hit: tuple[HitLine, ...]
    can_lock: bool
    can_repair: bool
    can_special: bool
    damage_boxes: int
    damage: int
    suppression_boxes: int
    lock_boxes: int
    costs: str
    line: str

    def __str__(self) -> str:
        pilot = f" — {self.pilot}" if self.pilot else ""
        hits = " / ".join(f"{hit.short}{hit.number}+" for hit in self.to_hit)
        able = " ".join(f"{name} ●" for name, can in (("Lock", self.can_lock), ("Repair", self.can_repair)) if can)
        boxes = "☒" * self.damage + "☐" * (self.damage_boxes - self.damage)
        parts = [
            f"{self.name.upper()} — {self.kind.upper()}{pilot}",
            f"Move {self.move}",
            f"Fire {self.fire}",
            hits,
            *([able] if able else []),
            boxes,
            f"S {'☐' * self.suppression_boxes} L {'☐' * self.lock_boxes}",
            self.costs,
        ]
        return " | ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasheet:
    # identity
    name: str
    design_name: str
    design: str  # slug of the unit kind, which is also the published design's
    size: str
    size_name: str
    company: str
    points: int
    pilot: PilotLine | None
    is_piloted: bool
    base_vehicle: str  # empty except for drones
    armament: str
    service: ServiceCard | None
    # table
    hits: int  # damage that eliminates it
    hits_left: int
    damage: int
    in_workshop: bool
    suppression_boxes: int
    lock_boxes: int
    move: str
    fire: str
    to_hit: tuple[HitLine, ...]
    can_lock: bool
    can_repair: bool
    can_special: bool
    costs: str
    line: str
    # derived
    reach: tuple[tuple[int, str], ...]  # action points, and the farthest target they allow
    expected_damage: tuple[tuple[int, Fraction], ...]
    card: PocketCard

    @property
    def armor(self) -> None:
        """Always None; no unit has armor."""
        return None

    @property
    def state(self) -> tuple[tuple[str, str], ...]:
        """Everything wrong with the unit apart from damage. MC-204."""
        return (("Workshop", "misses a battle, or starts it with 1 damage"),) if self.in_workshop else ()

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """The columns of a table of designs."""
        return (("Move", self.move), ("Fire", self.fire), ("To hit", f"{self.to_hit[0].number}+"))


def parse_condition(data: object, path: str = "condition") -> Condition:
    """Return a unit's condition; raises DocumentError. Its damage is limited by the force check."""
    return parse_document(Condition, object_of(data, path), path)


def whole_condition(data: object, path: str = "condition") -> Condition:
    """Return the condition of a unit that isn't eliminated; raises DocumentError. MC-028, MC-100."""
    condition = parse_condition(data, path)
    if condition.damage >= DAMAGE_TO_ELIMINATE:
        raise DocumentError(f"{path}.damage", f"must be {DAMAGE_TO_ELIMINATE - 1} or less")
    return condition


def unit_datasheet(
    spec: UnitSpec,
    *,
    name: str,
    design_name: str,
    company: str,
    pilot: PilotCard | None,
    condition: Condition,
    service: ServiceCard | None,
) -> Datasheet:
    """Return all data for sheet and card."""
    kind = spec.unit_kind
    pilot_line = _pilot_line(pilot) if kind.is_piloted else None
    vehicle = (spec.base_vehicle or "without a name") if kind.has_base_vehicle else ""
    damage = condition.starting_damage
    return Datasheet(
        name=name,
        design_name=design_name,
        design=kind.slug,
        size=kind.slug,
        size_name=kind.name,
        company=company,
        points=kind.points,
        pilot=pilot_line,
        is_piloted=kind.is_piloted,
        base_vehicle=vehicle,
        armament=spec.armament,
        service=service,
        hits=DAMAGE_TO_ELIMINATE,
        hits_left=max(0, DAMAGE_TO_ELIMINATE - damage),
        damage=damage,
        in_workshop=condition.workshop,
        suppression_boxes=SUPPRESSION_BOXES,
        lock_boxes=LOCK_BOXES,
        move=move_text(kind),
        fire=fire_text(kind),
        to_hit=hit_lines(kind),
        can_lock=kind.can_lock,
        can_repair=kind.can_repair,
        can_special=kind.can_special,
        costs=COSTS_TEXT,
        line=kind.line,
        reach=tuple((points, reach_text(kind, points)) for points in _action_totals()),
        expected_damage=tuple((points, expected_damage(kind, points)) for points in _action_totals()[:2]),
        card=_pocket_card(kind, name, pilot_line, vehicle, damage),
    )


def _pocket_card(kind: UnitKind, name: str, pilot: PilotLine | None, vehicle: str, damage: int) -> PocketCard:
    return PocketCard(
        name=name,
        kind=kind.name,
        pilot=f"{pilot.surname} ({pilot.rank_name.lower()})" if pilot else "",
        base_vehicle=vehicle,
        move=move_text(kind),
        fire=fire_text(kind),
        to_hit=hit_lines(kind),
        can_lock=kind.can_lock,
        can_repair=kind.can_repair,
        can_special=kind.can_special,
        damage_boxes=DAMAGE_TO_ELIMINATE,
        damage=min(damage, DAMAGE_TO_ELIMINATE),
        suppression_boxes=SUPPRESSION_BOXES,
        lock_boxes=LOCK_BOXES,
        costs=COSTS_TEXT,
        line=kind.line,
    )


def hit_lines(kind: UnitKind) -> tuple[HitLine, ...]:
    """Return the numbers needed in the open, against cover, from height (except air units) and with a lock."""
    lines = [
        ("open", "In the open", "", needed_number(kind)),
        ("cover", "Target in cover", "cover ", needed_number(kind, in_cover=True)),
    ]
    if not kind.is_air:
        lines.append(("height", "From higher ground", "hill ", needed_number(kind, from_height=True)))
    lines.append(("lock", "With a friend's lock", "lock ", needed_number(kind, is_locked=True)))
    return tuple(
        HitLine(slug=slug, name=name, short=short, number=number, chance=hit_chance(number))
        for slug, name, short, number in lines
    )


def move_text(kind: UnitKind) -> str:
    """Return the length of a move and the moves per turn: `4" ×1`."""
    if kind.is_stationary:
        return "never"
    length = CATALOGUE.moves[kind.movement].length_h
    times = MAX_ACTIONS if kind.move_actions is None else kind.move_actions
    far = "any" if length is None else f'{length // 100}"'
    return f"{far} ×{times}"


def fire_text(kind: UnitKind) -> str:
    """Return the range of a shot and the shots per turn: `12" ×1`."""
    return f'{SHOOTING_RANGE_H // 100}" ×{kind.shooting_actions}'


def reach_hundredths(kind: UnitKind, points: int) -> int | None:
    """Return the distance of the farthest target that it can move to and fire at with these points; None: any."""
    moves = count_actions(points) - 1
    if kind.move_actions is not None:
        moves = min(moves, kind.move_actions)
    length = CATALOGUE.moves[kind.movement].length_h
    if length is None:
        return None if moves > 0 else 0  # it must move before firing, MC-056
    return SHOOTING_RANGE_H + max(0, moves) * length


def reach_text(kind: UnitKind, points: int) -> str:
    reach = reach_hundredths(kind, points)
    if reach is None:
        return "the whole table"
    return f"{reach / 100:g} in" if reach else "none"


def expected_damage(kind: UnitKind, points: int) -> Fraction:
    """Return the expected damage in the open if these action points are all spent on firing. MC-056, MC-072."""
    actions = count_actions(points) - CATALOGUE.moves[kind.movement].needs_move_first
    return hit_chance(needed_number(kind)) * max(0, min(actions, kind.shooting_actions))


def describe_condition(data: Mapping[str, object]) -> str:
    """Describe a unit's condition in a few words; empty if it is in order."""
    condition = parse_condition(data)
    damage = (f"{condition.damage} damage",) if condition.damage else ()
    return ", ".join(("in the workshop", *damage) if condition.workshop else damage)


def _pilot_line(pilot: PilotCard | None) -> PilotLine | None:
    if pilot is None:
        return None
    rank = CATALOGUE.ranks[pilot.experience]
    return PilotLine(
        name=pilot.full_name,
        surname=_surname(pilot.name),
        rank=rank.slug,
        rank_name=rank.name,
        experience=pilot.points,
        kills=pilot.kills,
        games=pilot.games,
    )


def _surname(name: str) -> str:
    """Return the last word of a name."""
    words = name.split()
    return words[-1] if words else name


def _action_totals() -> tuple[int, ...]:
    """Return the action points for one, two and three actions."""
    return tuple(cost.total for cost in CATALOGUE.action_costs.values())
