"""The state before a battle's first die, the AI styles, and the weights of unit kinds. Ledger 6.5, 6.6.

The AI styles are Muster's own, so they aren't in the catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.battle.state import Battle, Bearing, Disc, Mouth, Objective, Side, State, Unit
from systems.mech_campaign.build.scenario import BY_THE_BOOK, Ground
from systems.mech_campaign.catalogue import CATALOGUE, Scenario
from systems.mech_campaign.options import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The weights and thresholds of an AI style; `state.Side` explains each number."""

    title: str
    suppression: int
    exposure: int
    pull: int
    repair_at: int
    threshold: int
    drone_first: bool
    ambush: bool
    spot: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """The AI's weights for a kind of unit."""

    rank: int  # place in the activation order
    appeal: int  # K: value as a target
    worth: int  # W: value of suppressing it


PRESETS: Mapping[str, Preset] = {
    "aggressive": Preset(
        title="Aggressive",
        suppression=8,
        exposure=1,
        pull=10,
        repair_at=3,
        threshold=20,
        drone_first=False,
        ambush=True,
        spot=False,
    ),
    "cautious": Preset(
        title="Cautious",
        suppression=14,
        exposure=3,
        pull=10,
        repair_at=2,
        threshold=10,
        drone_first=True,
        ambush=False,
        spot=True,
    ),
}
WEIGHTS: Mapping[str, Weight] = {
    "heavy-mech": Weight(rank=0, appeal=4, worth=3),
    "light-mech": Weight(rank=2, appeal=2, worth=2),
    "track": Weight(rank=1, appeal=1, worth=2),
    "drone": Weight(rank=4, appeal=1, worth=1),
    "gun-sentry": Weight(rank=3, appeal=0, worth=1),
}
BEARINGS = (  # of side A, ledger 6.2
    (0, 400), (160, 360), (-160, 360), (280, 280), (-280, 280), (360, 160), (-360, 160), (400, 0),
    (-400, 0), (360, -160), (-360, -160), (280, -280), (-280, -280), (160, -360), (-160, -360), (0, -400),
)  # fmt: skip


KINDS = {
    "heavy-mech": codes.HEAVY,
    "light-mech": codes.LIGHT,
    "track": codes.TRACK,
    "drone": codes.DRONE,
    "gun-sentry": codes.SENTRY,
}
GOALS = {"claim": codes.CLAIM_DISPUTE, "beacons": codes.SURVEY_BEACONS, "drill": codes.SABOTAGE}
DISCS = {"rubble": codes.RUBBLE, "hill": codes.HILL, "works": codes.WORKS}
SIDES = {"A": codes.SIDE_A, "B": codes.SIDE_B}


@dataclass(frozen=True, slots=True)
class StartPosition:
    """A unit's starting place; lengths in hundredths of an inch."""

    status: int
    x: int
    y: int
    face_x: int
    face_y: int


@dataclass(frozen=True, slots=True)
class BattleUnit:
    """One unit of a battle. Without a post, the AI chooses its starting place."""

    kind: str
    damage: int = 0
    post: StartPosition | None = None


def state_unit(muster: BattleUnit, side: int) -> Unit:
    """Return the state of a unit as it enters the battle. MC-006 to MC-010, MC-028."""
    kind, weight = CATALOGUE.unit_kinds[muster.kind], WEIGHTS[muster.kind]
    unit = Unit(
        side=side,
        kind=KINDS[kind.slug],
        moves_allowed=codes.MAX_ACTIONS if kind.move_actions is None else kind.move_actions,
        shots_allowed=kind.shooting_actions,
        aim=kind.to_hit,
        can_lock=int(kind.can_lock),
        can_repair=int(kind.can_repair),
        can_special=int(kind.can_special),
        rank=weight.rank,
        appeal=weight.appeal,
        worth=weight.worth,
        cost=kind.points,
        start_damage=muster.damage,
        damage=muster.damage,
        face_y=1 if side == codes.SIDE_A else -1,
    )
    if muster.post is not None:
        unit.placed = 1
        unit.status = muster.post.status
        unit.x, unit.y = muster.post.x, muster.post.y
        unit.face_x, unit.face_y = muster.post.face_x, muster.post.face_y
    return unit


def state_side(preset: Preset) -> Side:
    """Return the state of a side with its AI style. Ledger 6.5."""
    return Side(
        suppression=preset.suppression,
        exposure=preset.exposure,
        pull=preset.pull,
        repair_at=preset.repair_at,
        threshold=preset.threshold,
        drone_first=int(preset.drone_first),
        ambush=int(preset.ambush),
        spot=int(preset.spot),
    )


def ground_discs(ground: Ground) -> list[Disc]:
    """Return the terrain that is on the table from the start."""
    return [Disc(DISCS[each.kind], each.x_h, each.y_h, each.radius_h) for each in ground.pieces]


def build_state(
    forces: Sequence[Sequence[BattleUnit]],
    doctrines: Sequence[str],
    terms: Scenario,
    options: Options,
    terrain: Sequence[Disc] | None = None,
    ground: Ground = BY_THE_BOOK,
) -> State:
    """Return the state before the first die, for scenario `terms` on `ground`. If `terrain` is None it is rolled."""
    given = [] if terrain is None else list(terrain)
    return State(
        battle=Battle(
            count_a=len(forces[0]),
            count_b=len(forces[1]),
            scenario=GOALS[terms.goal],
            turn_limit=terms.turn_limit,
            is_rolled=int(terrain is None),
            to_hit=int(options.rolled_suppression),
            short_locks=int(options.short_locks),
            resolve_bonus=options.resolve_bonus,
            objectives=len(terms.places_h),
            discs=len(given),
            table=ground.size_h,
            zone=ground.zone_h,
            first=SIDES[terms.first] if terms.first else codes.NOBODY,
        ),
        sides=[state_side(PRESETS[slug]) for slug in doctrines],
        units=[state_unit(unit, side) for side, force in enumerate(forces) for unit in force],
        discs=given + [Disc() for _ in range(codes.SECTORS - len(given))],
        objectives=[Objective(x, y) for x, y in terms.places_h] or [Objective()],
        bearings=[Bearing(x // codes.STEPS, y // codes.STEPS) for x, y in BEARINGS],
        mouths=[Mouth(x, y) for x, y in ground.mouths_h],
    )
