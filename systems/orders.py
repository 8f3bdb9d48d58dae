"""Orders given before a battle: autoplay orders and starting places of units, orders for support.

A game declares the possible orders (`BattleSystem.autoplay_orders`); forms, documents, refusals and texts follow from
that. The AI decides everything else. Distances are whole numbers from the left end of a side's line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from systems.documents import DocumentError, kind_of, unknown_slug
from systems.setups import SetupSide

if TYPE_CHECKING:
    from systems.setups import Setup, SetupUnit


OrderValue = str | int
GivenOrders = Mapping[str, OrderValue]  # by the name of the order


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoplayOrder:
    """A possible order: a choice from a list, or a whole number if it has no choices."""

    name: str
    label: str
    phase: str  # phase of the game, in words; forms and pages group orders by it
    phrase: str  # what a unit with this order does, with its value: "keeps at {} if it can"
    rule: str
    choices: tuple[tuple[str, str], ...] = ()  # value and label
    most: int = 0  # maximum of a number; the minimum is 0
    about: str = ""
    zero: str = ""  # what the number 0 means, in words
    of_a_unit: bool = False  # can only be given to a unit, not to a whole side
    needs: str = ""  # the order without which it has no effect

    def limited(self, values: Iterable[str]) -> AutoplayOrder:
        """Return the order with only these choices."""
        kept = set(values)
        return replace(self, choices=tuple(each for each in self.choices if each[0] in kept))

    def words(self, value: OrderValue) -> str:
        """Describe the order with its value."""
        if value == 0 and self.zero:
            return self.zero
        named = dict(self.choices).get(str(value), str(value))
        return self.phrase.format(named[:1].lower() + named[1:])

    def objection(self, value: object) -> str:
        """Return what is wrong with a value; empty if it is fine."""
        if not self.choices:
            is_number = isinstance(value, int) and not isinstance(value, bool)
            return (
                ""
                if is_number and 0 <= int(str(value)) <= self.most
                else f"must be a whole number from 0 to {self.most}"
            )
        if not isinstance(value, str):
            return f"must be a text, not {kind_of(value)}"
        allowed = [choice for choice, _ in self.choices]
        return "" if value in allowed else f"must be one of {', '.join(allowed)}, not {value[:30]!r}"


MOVES = {"hold": 1, "close": 2, "keep-away": 3}  # codes in a game in inches or hexes
TARGETS = {"dearest": 1, "cheapest": 2, "weakest": 3, "toughest": 4, "nearest": 5}
SET_UP, MOVEMENT = "Set-up", "Movement"


def field_orders(
    rule: str,
    *,
    start_rule: str,
    clock: str,
    lasts: int,
    holds: str,
    closes: str,
    away: str,
    life: str,
    retreat: AutoplayOrder,
    preserve: AutoplayOrder,
) -> tuple[AutoplayOrder, ...]:
    """Return the orders for units on open ground: where they start and move, when they fall back, what they aim at.

    `clock`: what such a game is divided into, "round" or "turn"; `lasts`: the maximum number of them; `life`: what
    units lose.
    """
    moves = (("hold", holds), ("close", closes), ("keep-away", away))
    return (
        AutoplayOrder(
            name="start",
            label="Starts in",
            phase=SET_UP,
            phrase="starts in {}",
            rule=start_rule,
            choices=(("left", "The left third"), ("centre", "The middle third"), ("right", "The right third")),
            about="A third of its zone, as you face the enemy. If it's full: the nearest free place.",
        ),
        AutoplayOrder(name="move", label="Movement", phase=MOVEMENT, phrase="{}", rule=rule, choices=moves),
        AutoplayOrder(
            name="until",
            label=f"Until {clock}",
            phase=MOVEMENT,
            phrase=f"until {clock} {{}}",
            rule=rule,
            most=lasts,
            zero="until the end of the game",
            needs="move",
            about="0: until the end of the game.",
        ),
        AutoplayOrder(
            name="then",
            label="Movement afterwards",
            phase=MOVEMENT,
            phrase="then {}",
            rule=rule,
            choices=moves,
            needs="until",
            about="If blank, its AI style decides.",
        ),
        retreat,
        preserve,
        AutoplayOrder(
            name="target",
            label="Target",
            phase="Attack",
            phrase="aims at {}",
            rule=rule,
            choices=(
                ("dearest", "The most expensive"),
                ("cheapest", "The cheapest"),
                ("weakest", f"The one with the fewest {life} left"),
                ("toughest", f"The one with the most {life} left"),
                ("nearest", "The nearest"),
            ),
            about="Only enemies that it can attack.",
        ),
    )


class OrderedUnit(Protocol):
    """A unit of a battle state that takes field orders."""

    ordered_move: int
    ordered_until: int
    ordered_then: int
    ordered_retreat: int
    ordered_preserve: int
    ordered_target: int


def put_orders(setup: Setup, units: Sequence[OrderedUnit], keys: Sequence[str]) -> None:
    """Write a set-up's field orders into the units of its state; `keys` are the units' keys, in the same order."""
    if not is_ordered(setup):
        return
    for side in setup.sides:
        for each in side.units:
            given, unit = orders_of(side, each), units[keys.index(each.key)]
            unit.ordered_move = MOVES.get(str(given.get("move", "")), 0)
            unit.ordered_until = int(given.get("until", 0))
            unit.ordered_then = MOVES.get(str(given.get("then", "")), 0) if unit.ordered_until else 0
            unit.ordered_target = TARGETS.get(str(given.get("target", "")), 0)
            unit.ordered_retreat = int(given.get("retreat", 0))
            unit.ordered_preserve = int("preserve" in given)


@dataclass(frozen=True, slots=True)
class AutoplayOrderLine:
    """The autoplay orders of one side, or of one unit of it, in words."""

    side: int
    unit: str  # key of the unit; empty: the whole side
    descriptions: tuple[str, ...]


def orders_of(side: SetupSide, unit: SetupUnit) -> GivenOrders:
    """Return the orders of a unit: its own first, otherwise its side's."""
    return {**side.standing, **unit.standing} if side.standing or unit.standing else {}


def is_ordered(setup: Setup) -> bool:
    """Return whether any side or unit of the battle has autoplay orders."""
    return any(side.standing or any(unit.standing for unit in side.units) for side in setup.sides)


def check_given_orders(
    known: Sequence[AutoplayOrder],
    opened: Sequence[AutoplayOrder],
    given: GivenOrders,
    *,
    path: str,
    beside: GivenOrders | None = None,
) -> None:
    """Raise DocumentError, naming field, reason and rule, for orders that can't be given.

    `known`: the game's orders; `opened`: those available to the side in the scenario. `beside`: the side's orders, if
    `given` are a unit's orders; None if `given` are a side's orders.
    """
    names = {order.name: order for order in known}
    open_now = {order.name: order for order in opened}
    for name, value in given.items():
        where = f"{path}.{name[:40]}"
        if not known:
            raise DocumentError(path, "this game takes no autoplay orders; leave it out")
        if name not in names:
            raise unknown_slug(path, "autoplay order", name, names)
        if name not in open_now:
            rule = names[name].rule
            raise DocumentError(where, f"can't be ordered in this scenario on this side ({rule})", rule)
        order = open_now[name]
        if beside is None and order.of_a_unit:
            raise DocumentError(where, f"is ordered of single units, not of a side ({order.rule})", order.rule)
        if reason := order.objection(value):
            raise DocumentError(where, f"{reason} ({order.rule})", order.rule)
        if order.needs and order.needs not in {**(beside or {}), **given}:
            need = names[order.needs].label
            raise DocumentError(
                where, f"goes with “{need}” ({order.needs}), which is not ordered ({order.rule})", order.rule
            )


def describe_orders(known: Sequence[AutoplayOrder], setup: Setup) -> tuple[AutoplayOrderLine, ...]:
    """Describe all autoplay orders of a battle, in the order of the set-up."""
    lines = []
    for at, side in enumerate(setup.sides):
        lines.append(AutoplayOrderLine(at, "", describe_given_orders(known, side.standing)))
        lines += [AutoplayOrderLine(at, unit.key, describe_given_orders(known, unit.standing)) for unit in side.units]
    return tuple(line for line in lines if line.descriptions)


def describe_given_orders(known: Sequence[AutoplayOrder], given: GivenOrders) -> tuple[str, ...]:
    """Describe orders in the order in which the game declares them."""
    return tuple(order.words(given[order.name]) for order in known if order.name in given)


SupportOrders = Mapping[str, Mapping[str, object]]  # by the result's slug: field -> value
MAX_TURN = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportOrderField:
    """One field of the orders for a support result."""

    name: str
    label: str
    kind: Literal["zone", "unit", "choice", "turn"]  # a unit belongs to the side itself and is named by its key
    choices: tuple[tuple[str, str], ...] = ()  # value and label, of zones and choices
    about: str = ""
    hides: bool = False  # nobody else sees this unit from then on


@dataclass(frozen=True, slots=True)
class SupportOrderNote:
    """The orders for one support result, as they would be written on a slip of paper."""

    text: str
    hides: str = ""  # the key of the unit that it hides


def describe_support_orders(
    known: Mapping[str, Sequence[SupportOrderField]],
    orders: SupportOrders,
    *,
    has: Collection[str],
    results: Mapping[str, str],
    units: Mapping[str, str],
) -> list[SupportOrderNote]:
    """Describe the orders, one note per result; `results` and `units` are the names of support results and of units.

    A unit is hidden only if the side `has` the result, because a roll may still bring something else.
    """
    notes = []
    for slug, given in orders.items():
        parts, hides = [], ""
        for field in known.get(slug, ()):
            if field.name not in given:
                continue
            value = str(given[field.name])
            names = units if field.kind == "unit" else dict(field.choices)
            parts.append(f"{field.label}: {names.get(value, value)}")
            hides = value if field.hides and slug in has else hides
        if parts:
            notes.append(SupportOrderNote(f"{results.get(slug, slug)}. {'. '.join(parts)}.", hides))
    return notes


def check_support_orders(
    known: Mapping[str, Sequence[SupportOrderField]],
    orders: SupportOrders,
    *,
    has: Collection[str] | None,
    units: Collection[str],
    rules: Mapping[str, str],
    path: str,
) -> None:
    """Raise DocumentError, naming field, reason and rule, for orders that can't be given.

    `has`: the side's results, None if they haven't been rolled; `units`: the keys of its units.
    """
    for slug, given in orders.items():
        where = f"{path}.{slug[:40]}"
        if slug not in known:
            raise unknown_slug(path, "support result that takes orders", slug, known)
        if has is not None and slug not in has:
            raise DocumentError(where, f"this side has no such support to order ({rules[slug]})", rules[slug])
        fields = {field.name: field for field in known[slug]}
        for name, value in given.items():
            if name not in fields:
                raise unknown_slug(where, "order", name, fields)
            if reason := _support_order_problem(fields[name], value, units):
                raise DocumentError(f"{where}.{name}", f"{reason} ({rules[slug]})", rules[slug])


def _support_order_problem(field: SupportOrderField, value: object, units: Collection[str]) -> str:
    """Return what is wrong with the value; empty if it is fine."""
    if field.kind in ("zone", "turn"):
        most = len(field.choices) if field.kind == "zone" else MAX_TURN
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return "" if is_number and 1 <= int(str(value)) <= most else f"must be a whole number from 1 to {most}"
    if not isinstance(value, str):
        return f"must be a text, not {kind_of(value)}"
    if field.kind == "unit":
        return "" if value in units else f"{value[:30]!r} is none of this side's units"
    allowed = [choice for choice, _ in field.choices]
    return "" if value in allowed else f"must be one of {', '.join(allowed)}"


THIRDS = ("left", "centre", "right")  # as seen by the side, facing the enemy


@dataclass(frozen=True, slots=True)
class Starter:
    """A unit that starts on the line."""

    third: str  # one of THIRDS; empty: no order
    usual: int  # its place by AI style
    room: int = 0  # from its centre to its edge


def ordered_thirds(side: SetupSide) -> list[str]:
    """Return the third that each unit of a side is ordered to; empty: none."""
    return [str(orders_of(side, unit).get("start", "")) for unit in side.units]


def places_in_thirds(thirds: Sequence[str], low: int, high: int) -> dict[int, int]:
    """Return the places of units ordered to a third of a line, spread over that third, by index in `thirds`."""
    found = {}
    for at, third in enumerate(THIRDS):
        there = [place for place, each in enumerate(thirds) if each == third]
        for nth, place in enumerate(there):
            found[place] = low + (high - low) * (2 * len(there) * at + 2 * nth + 1) // (6 * len(there))
    return found


def start_places(line: Sequence[Starter], low: int, high: int) -> list[int]:
    """Return where each unit stands between the ends of the line.

    Units ordered to the same third spread out over it; all others keep their usual place. A unit without room stands as
    near to its place as it can; units with orders go first.
    """
    ordered = places_in_thirds([each.third for each in line], low, high)
    wanted = [
        min(max(ordered.get(place, each.usual), low + each.room), high - each.room) for place, each in enumerate(line)
    ]
    found: dict[int, int] = {}
    for place in sorted(range(len(line)), key=lambda place: not line[place].third):
        taken = [(found[other], line[place].room + line[other].room) for other in found]
        ends = [at + sign * apart for at, apart in taken for sign in (-1, 1)]
        free = [
            at
            for at in (wanted[place], *ends)
            if low + line[place].room <= at <= high - line[place].room
            and all(abs(at - other) >= apart for other, apart in taken)
        ]
        if not free:
            return _pack_line(line, wanted, high)
        found[place] = min(free, key=lambda at: (abs(at - wanted[place]), at))
    return [found[place] for place in range(len(line))]


def _pack_line(line: Sequence[Starter], wanted: Sequence[int], high: int) -> list[int]:
    """Return places for all units without overlaps, keeping the order of their wanted places.

    Units are pushed to the right, and back from the line's end.
    """
    order = sorted(range(len(line)), key=lambda place: (wanted[place], place))
    found = list(wanted)
    for before, place in zip(order, order[1:], strict=False):
        found[place] = max(found[place], found[before] + line[before].room + line[place].room)
    end = high
    for place in reversed(order):
        found[place] = min(found[place], end - line[place].room)
        end = found[place] - line[place].room
    return found
