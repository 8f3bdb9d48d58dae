"""The look of a unit: its kind, and the weapons named in its armament, or its kind's usual ones if it names none."""

from collections.abc import Mapping

from systems.body import Body, Frame, Mounted, Place, build_facts
from systems.paper.bodies.arms import RAISED, WORN
from systems.paper.bodies.named import kinds_named

from .spec import UnitSpec, spec_json

FRAMES: Mapping[str, tuple[Frame, float, float]] = {  # with bulk and speed
    "heavy-mech": ("walker", 0.78, 0.25),
    "light-mech": ("walker", 0.12, 0.9),
    "track": ("sapper", 0.6, 0.4),
    "drone": ("rotor", 0.3, 0.8),
    "gun-sentry": ("sentry", 0.4, 0.0),
}
ARMED: Mapping[str, tuple[str, ...]] = {
    "heavy-mech": ("cannon", "autocannon", "missile"),
    "light-mech": ("laser", "rotary"),
    "track": ("autocannon",),
    "drone": ("minigun",),
    "gun-sentry": ("autocannon",),
}
PLACES: tuple[Place, ...] = ("right-arm", "left-arm", "left-shoulder", "right-shoulder", "chest")
ON_SHOULDERS = frozenset({"missile", "swarm", "rocket-pod", "howitzer", "torpedo"})
MAX_WEAPONS = 5


def unit_body(spec: UnitSpec, condition: Mapping[str, object] = {}) -> Body:
    frame, bulk, speed = FRAMES[spec.kind]
    kinds = (kinds_named(spec.armament) or ARMED[spec.kind])[:MAX_WEAPONS]
    is_mech = spec.unit_kind.is_mech
    hurt = ("chest", "hull") if condition.get("damage") or condition.get("workshop") else ()
    return Body(
        frame=frame,
        bulk=bulk,
        speed=speed,
        plate=bulk,
        mounted=_mech_mounts(kinds) if is_mech else tuple(Mounted(kind, "turret") for kind in kinds),
        gear=("small-eye",) if spec.unit_kind.can_lock and is_mech else (),
        hurt=hurt,
        facts=build_facts(spec_json(spec)),
    )


def _mech_mounts(kinds: tuple[str, ...]) -> tuple[Mounted, ...]:
    """Mount launchers on the shoulders and other weapons in the arms, as long as there is room."""
    free = list(PLACES)
    mounted = []
    for kind in kinds:
        wishes = [place for place in free if place.endswith("shoulder") == (kind in ON_SHOULDERS)]
        if kind in WORN | RAISED:
            wishes = [place for place in wishes if place.endswith("arm")] or wishes
        place = (wishes or free)[0]
        free.remove(place)
        mounted.append(Mounted(kind, place))
    return tuple(mounted)
