"""FACTS: every kind of battle event, one row each; and the changes of Warmechs that spectators see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from systems.battle_display import Situation
from systems.blazing_steel.battle import state as codes
from systems.blazing_steel.battle.state import DODGE_DICE
from systems.blazing_steel.catalogue import CATALOGUE
from systems.engine.events import Event, EventWords, Fact, Facts, alters, part, shows
from systems.spaces import Stand, TableView
from systems.text import format_decimal

CRIPPLES = {entry.face: entry.name for entry in CATALOGUE.cripples.values()}


def heat_dice(weight: int) -> tuple[int, ...]:
    """Return the heat dice for a weight, lowest first: its binary digits; 64 and more are all sixes. BS-105."""
    low = tuple(value for value in range(1, 6) if weight & (1 << (value - 1)))
    return (*low, *(6 for _ in range(weight // 32)))


@dataclass(frozen=True, slots=True)
class SteelView(TableView):
    """A Warmech with its heat, cripples and losses."""

    heat: tuple[int, ...] = ()  # values of its heat dice
    dodge_dice: int = DODGE_DICE
    order: str = ""  # "leads" or "follows" while it is active, by its side's role
    is_cooling: bool = False
    is_overheated: bool = False
    sits_out: bool = False
    is_fortified: bool = False
    in_smoke: bool = False
    cripples: tuple[int, ...] = ()
    weapons_lost: tuple[int, ...] = ()  # slot numbers
    peripheral_lost: bool = False
    held: int = 0  # victory points scored
    carries: tuple[str, ...] = ()  # names of its weapons by slot; empty for none
    peripheral: str = ""  # name of its peripheral

    @property
    def lost_parts(self) -> tuple[str, ...]:
        lost = [self.carries[slot] for slot in self.weapons_lost]
        return (*lost, self.peripheral) if self.peripheral_lost else tuple(lost)

    @property
    def struck(self) -> int:
        return len(self.lost_parts) + len(self.cripples)

    @property
    def dice(self) -> tuple[int, ...]:
        return () if self.destroyed else self.heat

    @property
    def marks(self) -> tuple[str, ...]:
        return tuple(state for state in self.states if state in ("leads", "follows", "overheated"))

    @property
    def states(self) -> tuple[str, ...]:
        """Return its states other than structure and place."""
        if self.destroyed:
            return ()
        flags: Mapping[str, object] = {
            "leads": self.order == "leads",
            "follows": self.order == "follows",
            "cooling": self.is_cooling,
            "overheated": self.is_overheated,
            "sits out": self.sits_out,
            "fortified": self.is_fortified,
            "in smoke": self.in_smoke,
        }
        heat = (f"heat {' '.join(map(str, self.heat))}",) if self.heat else ()
        cripples = (f"crippled: {CRIPPLES[result]}" for result in self.cripples)
        return (*heat, *(word for word, holds in flags.items() if holds), *cripples)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.states


ORDERS = ("leads", "follows")


def stood(unit: SteelView, event: Event) -> SteelView:
    """Return the Warmech at its new place; after moving it is no longer fortified. BS-058."""
    stand = Stand(*(event.number(name) for name in ("x", "y", "ahead_x", "ahead_y")))
    is_same = unit.stand is not None and (unit.stand.x, unit.stand.y) == (stand.x, stand.y)
    return replace(unit, stand=stand, is_fortified=unit.is_fortified and is_same)


def ordered(unit: SteelView, event: Event) -> SteelView:
    return replace(unit, order=ORDERS[event.number("role")])


def heated(unit: SteelView, event: Event) -> SteelView:
    return replace(unit, heat=heat_dice(event.number("heat")), is_overheated=bool(event.result["overheats"]))


def crippled(unit: SteelView, event: Event) -> SteelView:
    lost = (event.number("slot"),) if event.number("slot") >= 0 else ()
    return replace(
        unit,
        cripples=tuple(sorted((*unit.cripples, event.number("cripple")))),
        weapons_lost=(*unit.weapons_lost, *lost),
    )


def scored(unit: SteelView, event: Event) -> SteelView:
    return replace(unit, held=unit.held + 1)


def removed(situation: Situation, event: Event) -> Situation:
    """Remove a Warmech, and credit the kill to the Warmech that destroyed it."""
    gone = shows(destroyed=True, stand=None, order="")(situation, event)
    return gone.changed(str(event.result["by"]), lambda unit: replace(unit, kills=unit.kills + 1))


def _at_rest(unit: SteelView) -> SteelView:
    return replace(unit, order="", in_smoke=False)


def _refreshed(unit: SteelView) -> SteelView:
    return replace(
        _at_rest(unit),
        heat=(),
        dodge_dice=DODGE_DICE,
        is_cooling=False,
        sits_out=unit.is_overheated,
        is_overheated=False,
    )


def turn_began(situation: Situation, event: Event) -> Situation:
    """Start a turn without an active Warmech."""
    return replace(situation, units=tuple(_at_rest(unit) for unit in situation.units if isinstance(unit, SteelView)))


def round_ended(situation: Situation, event: Event) -> Situation:
    """Reset everything for the start of a round. BS-038."""
    return replace(situation, units=tuple(_refreshed(unit) for unit in situation.units if isinstance(unit, SteelView)))


goes = alters(stood)


STEPS = {
    "set-up": "Set-up",
    "start": "The round begins",
    "turn": "Turn",
    "orders": "Orders",
    "action": "Both actions, at once",
    "heat": "Heat",
    "end-phase": "End Phase",
    "end": "End of the battle",
}
ACTIONS = {
    codes.MOVE: "move",
    codes.SPRINT: "sprint",
    codes.JUMP: "jump",
    codes.SHOOT: "shoot",
    codes.RELOAD: "reload",
    codes.CHARGE: "charge",
    codes.STRIKE: "strike",
    codes.COOL: "cool",
    codes.FORTIFY: "fortify",
    codes.FLAK: "flak",
    codes.SMOKE: "smoke",
}
REASONS = {codes.ANNIHILATION: "annihilation", codes.LAST_ROUND: "rounds"}
END_TEXTS = {"annihilation": "one side has nobody left", "rounds": "the last round is over"}
_PATH = "from_x from_y x y ahead_x ahead_y"
_SHOT_PARTS = {
    "cover": ("cover", "BS-122"),
    "beyond": ("beyond ideal range", "BS-122"),
    "camo": ("Optical Camo", "BS-176"),
    "scope": ("Targeting Scope", "BS-171"),
    "impact": ("Impact", "BS-123"),
    "targeting": ("Targeting crippled", "BS-154"),
}
_STRIKE_PARTS = {name: _SHOT_PARTS[name] for name in ("impact", "targeting")}


def inches(hundredths: int) -> str:
    """Return a length in inches, in the shortest exact form."""
    return f"{hundredths / 100:g}"


def event_parts(weapons: Mapping[str, Mapping[int, str]]) -> Callable[[Event], Mapping[str, str]]:
    """Return a function that names the weapon, place and heat dice of an event."""

    def of(event: Event) -> Mapping[str, str]:
        found = {}
        if "x" in event.result:
            found["spot"] = f"({inches(event.number('x'))}, {inches(event.number('y'))})"
        if event.number("slot") >= 0 if "slot" in event.result else False:
            found["weapon"] = weapons[event.unit or ""][event.number("slot")]
        return found

    return of


def _first(words: EventWords) -> str:
    first = words.number("first")
    if first == codes.NOBODY:
        return "The roll for the lead is tied: both roll again."
    return f"{words.sides[first]} leads the first turn and places first."


def _turn(words: EventWords) -> str:
    alone = " alone, because the other side has nobody to activate" if words.number("alone") else ""
    return f"Turn {words['turn']}: {words['side']} leads{alone}."


def _activated(words: EventWords) -> str:
    must = " and must cool" if words.event.result["must_cool"] else ""
    times = words.number("activations")
    return f"{words['unit']} is activated for the {_ordinal(times)} time this round{must}."


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")


def _declared(words: EventWords) -> str:
    name = CATALOGUE.actions[ACTIONS[words.number("action")]].name
    who = words["unit"]
    if words.number("action") == codes.SHOOT:
        return f"{who} declares a shot at {words['target']} with its {words['weapon']}."
    if words.event.target:
        return f"{who} declares {name} against {words['target']}."
    return f"{who} declares {name}."


def _went(goes: str, stays: str) -> Callable[[EventWords], str]:
    def tell(words: EventWords) -> str:
        before, now = [(words.number(f"{which}x"), words.number(f"{which}y")) for which in ("from_", "")]
        return f"{words['unit']} {stays}." if before == now else f"{words['unit']} {goes} {words['spot']}."

    return tell


def _charged(words: EventWords) -> str:
    before, now = [(words.number(f"{which}x"), words.number(f"{which}y")) for which in ("from_", "")]
    if before == now:
        return f"{words['unit']} turns to meet {words['target']}."
    return f"{words['unit']} charges {words['target']} and ends at {words['spot']}."


def _rolled(what: str) -> Callable[[EventWords], str]:
    def tell(words: EventWords) -> str:
        total, effective = words.number("total"), words["effective"]
        came = f"{effective:effective die}, total {total}" if total else "no effective die"
        return f"{words['unit']} {what.format_map(words)}: TN {words['tn']}, {came}."

    return tell


def _dodged(words: EventWords) -> str:
    rolled, lost = _rolled("dodges {target}")(words), words["lost"]
    if not lost:
        return rolled
    are = "is" if lost == 1 else "are"
    return f"{rolled.removesuffix('.')}; {lost:dodge die} {are} lost for the round, {words['left'] or 'none'} left."


def _settled(words: EventWords) -> str:
    total, against, hits = words.number("total"), words.number("against"), words["hits"]
    who, target, answer = words["unit"], words["target"], words.number("answer")
    scored = f"{hits:hit}" if hits else "no hit"
    if answer == codes.UNANSWERED:
        return f"{who} is unopposed: {scored} on {target}."
    if total == against:
        return f"{who} and {target} tie at {total}: {scored} on {target}."
    if total < against:
        return f"{who} is beaten {total} to {against}: {scored} on {target}."
    return f"{who} wins {total} to {against}: {scored} on {target}."


def _armored(words: EventWords) -> str:
    armor = words.number("armor") + sum(each.value for each in words.event.modifiers)
    saves = "only a 1 saves" if words.number("ap") >= armor else f"{armor} or less saves"
    through = words["through"]
    return f"Damage dice on {words['unit']}, AP {words['ap']} against Armor {armor} ({saves}): {through} through."


def _hurt(words: EventWords) -> str:
    if not words.number("through"):
        return f"Nothing gets through to {words['unit']}."
    left = words.number("left")
    rest = f"{left} Structure left" if left else "no Structure left"
    return f"{words['unit']} takes {words['through']} damage from {words['target']}: {rest}."


def _crippled(words: EventWords) -> str:
    name = CRIPPLES[words.number("cripple")]
    lost = f" and loses its {words['weapon']}" if words.number("slot") >= 0 else ""
    return f"{words['unit']} is crippled{lost}: {name}."


def _heated(words: EventWords) -> str:
    dice = " ".join(map(str, heat_dice(words.number("heat")))) or "none"
    removed = f" ({words['removed']} removed by the heat sinks)" if words["removed"] else ""
    over = ": it overheats" if words.event.result["overheats"] else ""
    return f"{words['unit']} has heat dice {dice}{removed}{over}."


def _ended(words: EventWords) -> str:
    winner = words.number("winner")
    points = [
        format_decimal(Fraction(words.number(f"points_{letter}"), words.number(f"of_{letter}"))) for letter in "ab"
    ]
    score = f"Victory points: {words.sides[0]} {points[0]}, {words.sides[1]} {points[1]}"
    who = "A draw" if winner == codes.NOBODY else f"{words.sides[winner]} wins"
    why = END_TEXTS[REASONS[words.number("reason")]]
    return f"{who} after {words['turns']:turn}: {why}. {score}."


FACTS = Facts(
    Fact("lead-rolled", "BS-028", "set-up", "face1 face2 first", _first),
    Fact(
        "unit-deployed", "BS-185", "set-up", "unit x y ahead_x ahead_y", "{unit} is placed at {spot}.",
        effect=goes,
    ),
    Fact(
        "unit-advanced", "BS-186", "set-up", f"unit {_PATH}", "{unit} moves up to {spot}.", effect=goes,
    ),
    Fact("round-began", "BS-020", "start", "number", "Round {number}."),
    Fact("turn-began", "BS-027", "turn", "turn side alone?", _turn, rules={"alone": "BS-029"}, effect=turn_began),
    Fact(
        "unit-activated", "BS-023", "orders", "unit role activations must_cool?", _activated,
        rules={"must_cool": "BS-037"}, effect=alters(ordered),
    ),
    Fact("action-declared", "BS-032", "orders", "unit target action slot", _declared),
    Fact("unit-cooled", "BS-052", "action", "unit heat", "{unit} cools.", effect=shows(is_cooling=True)),
    Fact("unit-fortified", "BS-058", "action", "unit", "{unit} digs in.", effect=shows(is_fortified=True)),
    Fact("smoke-thrown", "BS-175", "action", "unit", "{unit} throws smoke.", effect=shows(in_smoke=True)),
    Fact("flak-readied", "BS-128", "action", "unit", "{unit} is ready with flak."),
    Fact("unit-charged", "BS-047", "action", f"unit target {_PATH}", _charged, effect=goes),
    Fact(
        "unit-moved", "BS-040", "action", f"unit {_PATH}", _went("moves to", "stays where it is"), effect=goes,
    ),
    Fact(
        "unit-sprinted", "BS-041", "action", f"unit {_PATH}", _went("sprints to", "sprints on the spot"),
        effect=goes,
    ),
    Fact(
        "unit-jumped", "BS-042", "action", f"unit {_PATH}", _went("jumps to", "jumps on the spot"), effect=goes,
    ),
    Fact(
        "shot-rolled", "BS-120", "action",
        "unit target slot faces number cover beyond camo scope impact targeting tn effective total ammo",
        _rolled("fires its {weapon} at {target}"), modifiers=_SHOT_PARTS,
    ),
    Fact(
        "smoke-rerolled", "BS-175", "action", "unit target faces tn effective total",
        _rolled("fires through smoke at {target} and rerolls its effective dice"),
    ),
    Fact(
        "strike-rolled", "BS-135", "action", "unit target faces number impact targeting tn effective total",
        _rolled("strikes at {target}"), modifiers=_STRIKE_PARTS,
    ),
    Fact(
        "dodge-rolled", "BS-140", "action", "unit target faces tn effective total lost left",
        _dodged, effect=shows(dodge_dice=part("left")),
    ),
    Fact(
        "flak-rolled", "BS-128", "action", "unit target faces tn effective total",
        _rolled("throws flak against {target}"),
    ),
    Fact(
        "attack-settled", "BS-094", "action", "unit target answer total against hits lands?", _settled,
        rules={"answer": "BS-093"}, decided="lands",
    ),
    Fact(
        "overcharge-used", "BS-131", "action", "unit target slot",
        "{unit}’s {weapon} is overcharged by a heat die at 6: each hit does 1 more damage.",
    ),
    Fact(
        "damage-rolled", "BS-151", "action",
        "unit target faces armor flank ap through",
        _armored, modifiers={"flank": ("flank", "BS-163")},
    ),
    Fact(
        "damage-taken", "BS-152", "action", "unit target through left", _hurt,
        look="hit", effect=shows(hits=part("left")),
    ),
    Fact(
        "peripheral-lost", "BS-157", "action", "unit cripple",
        "{unit} gives up its peripheral instead of a crippling result: {cripple}.",
        words={"cripple": CRIPPLES}, look="crit", effect=shows(peripheral_lost=True), mark="critical",
    ),
    Fact(
        "cripple-repeated", "BS-158", "action", "unit target cripple left",
        "{unit} takes 1 more damage instead of another crippling result ({cripple}): {left} Structure left.",
        words={"cripple": CRIPPLES}, look="crit", effect=shows(hits=part("left")),
    ),
    Fact(
        "unit-crippled", "BS-153", "action", "unit target cripple slot", _crippled,
        look="crit", effect=alters(crippled), mark="critical",
    ),
    Fact("unit-destroyed", "BS-152", "action", "unit by", "{unit} is destroyed by {by}.", look="crit", effect=removed, mark="kill"),
    Fact(
        "unit-disabled", "BS-160", "action", "unit by", "{unit} has lost both legs to {by} and is out of action.",
        look="crit", effect=removed, mark="kill",
    ),
    Fact("unit-reloaded", "BS-051", "action", "unit", "{unit} reloads."),
    Fact(
        "rods-used", "BS-174", "heat", "unit heat",
        "{unit} uses its Coolant Rods and loses this turn’s heat ({heat}).",
    ),
    Fact(
        "heat-rolled", "BS-102", "heat", "unit faces removed heat overheats?", _heated,
        rules={"overheats": "BS-103"}, effect=alters(heated), mark="heat", when="overheats",
    ),
    Fact(
        "zone-scored", "BS-193", "end-phase", "unit side", "{unit} is in the enemy's deployment zone: 1 victory point for {side}.",
        effect=alters(scored), mark="objective",
    ),
    Fact(
        "hill-held", "BS-194", "end-phase", "unit side", "{side} alone holds the hill, with {unit}: 1 victory point.",
        effect=alters(scored), mark="objective",
    ),
    Fact(
        "round-ended", "BS-038", "end-phase", "number", "The round ends: all heat is gone, and all weapons are loaded.",
        effect=round_ended,
    ),
    Fact(
        "battle-ended", "BS-197", "end", "winner reason rounds turns points_a of_a points_b of_b", _ended,
    ),
)  # fmt: skip
