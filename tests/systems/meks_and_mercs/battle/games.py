"""Games on the map for tests: the ledger's companies (section 9.1), and small states for one step of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.meks_and_mercs.battle import SYSTEM
from systems.meks_and_mercs.battle.rules.zone_combat import make_contact, start_round
from systems.meks_and_mercs.battle.state import LONG, State, Unit
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.reading import read_setup
from systems.setups import Setup


def crew(
    design: str | dict[str, Any], experience: str = "regular", skills: Sequence[str] = (), **condition: object
) -> dict[str, Any]:
    """Return a Mek, published or by its spec, with its pilot."""
    return {"design": design, "pilot": {"experience": experience, "skills": list(skills)}, "condition": condition}


SCOUTS = [crew("viper"), crew("wasp", "green"), crew("wasp", "green")]
SIXTY = [crew("draken"), crew("saber"), crew("viper", "green")]
COMPANIES: Mapping[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "opening-shots": (SCOUTS, SCOUTS),
    "hot-gates": ([crew("draken"), crew("sagitarii")], [crew("draken"), crew("demon")]),
    "buying-time": (SIXTY, [crew("demon"), crew("wasp", "green")]),
    "breach": (SIXTY, SIXTY),
    "head-to-head": (SIXTY, SIXTY),
    "citadel": (
        [crew("thor"), crew("warthog"), crew("draken"), crew("wasp", "green")],
        [crew("odin"), crew("thor"), crew("draken")],
    ),
}
ROLLS = {slug: (1, 3 if slug == "hot-gates" else 1) for slug in COMPANIES}
AGGRESSIVE = ("aggressive", "aggressive")


def document(
    scenario: str,
    *,
    attackers: Sequence[dict[str, Any]] | None = None,
    defenders: Sequence[dict[str, Any]] | None = None,
    support: tuple[Sequence[str], Sequence[str]] = ((), ()),
    rolled: tuple[Mapping[str, Sequence[int]], Mapping[str, Sequence[int]]] = ({}, {}),
    doctrines: tuple[str, str] = AGGRESSIVE,
    options: Mapping[str, object] | None = None,
    terrain: str = "printed",
) -> dict[str, Any]:
    """Return a set-up document of a scenario, with the ledger's companies unless others are given."""
    forces = (attackers or COMPANIES[scenario][0], defenders or COMPANIES[scenario][1])
    sides = [
        {
            "name": name,
            "doctrine": doctrine,
            "support": list(results),
            **({"rolled": {slug: list(faces) for slug, faces in dice.items()}} if dice else {}),
            "units": [{"key": f"{letter}{place}", **unit} for place, unit in enumerate(units, start=1)],
        }
        for name, letter, doctrine, results, dice, units in zip(
            ("Attacker", "Defender"), "ad", doctrines, support, rolled, forces, strict=True
        )
    ]
    return {
        "muster": "setup/1",
        "system": "meks-and-mercs",
        "scenario": scenario,
        "terrain": terrain,
        "options": dict(options or {}),
        "sides": sides,
    }


def game(scenario: str, **given: Any) -> Setup:
    return read_setup(document(scenario, **given))


class Map:
    """A game before its first turn. Tests place units and run one step."""

    def __init__(self, scenario: str = "head-to-head", **given: Any) -> None:
        self.setup = game(scenario, **given)
        self.keys = [key for key, _side in SYSTEM.fielded(self.setup)]
        self.state: State = SYSTEM.prepare(self.setup)
        self.state.battle.turn = 1

    def at(self, key: str) -> int:
        return self.keys.index(key)

    def __getitem__(self, key: str) -> Unit:
        return self.state.units[self.at(key)]

    def put(self, **zones: int) -> Map:
        """Put these units in these zones, and take all others off the map."""
        for i, key in enumerate(self.keys):
            unit = self.state.units[i]
            unit.present, unit.zone = int(key in zones), zones.get(key, 0)
            unit.start_zone = unit.zone
        return self

    def play(
        self, step: Callable[..., object], faces: Iterable[int], *given: object, choices: Iterable[int] = ()
    ) -> list[Event]:
        """Run a step that rolls exactly these dice; return its events."""
        log: Log = []
        dice = ScriptedDice(faces, choices)
        step(self.state, *given, dice, log)
        assert not dice.faces, f"dice left over: {dice.faces}"
        assert not dice.choices
        return list(SYSTEM.events(self.setup, log))

    def run_step(self, step: Callable[..., object], *given: object) -> list[Event]:
        """Run a step that rolls no dice; return its events."""
        log: Log = []
        step(self.state, *given, log)
        return list(SYSTEM.events(self.setup, log))


def in_fight(table: Map, zone: int, band: int = LONG) -> Map:
    """Put all units in the zone in contact at a band, at the start of a round."""
    make_contact(table.state, zone, [])
    for pair in table.state.pairs:
        pair.band = band
    start_round(table.state, zone)
    return table


def kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


@st.composite
def games(draw: st.DrawFn) -> Setup:
    """A game of the ledger's companies with any AI styles, house rules and support."""
    scenario = draw(st.sampled_from(sorted(COMPANIES)))
    results = st.sampled_from(["roll", "roll", *CATALOGUE.support])
    support = tuple(draw(st.lists(results, max_size=most)) for most in ROLLS[scenario])
    doctrine = st.sampled_from(["aggressive", "cautious"])
    options = {
        "diagonal-moves": draw(st.booleans()),
        "random-terrain": draw(st.booleans()),
        "tzc-rounds": draw(st.sampled_from([1, 3, 12])),
    }
    return game(scenario, support=support, doctrines=(draw(doctrine), draw(doctrine)), options=options)


def mek_of(chassis: str, *weapons: str, systems: Sequence[str] = ()) -> dict[str, Any]:
    return {"chassis": chassis, "weapons": list(weapons), "systems": list(systems)}


LIGHTS = {4: mek_of("light"), 5: mek_of("light", "cannon"), 7: mek_of("light", "rail-cannon")}  # by points
ANY_SIZE = {
    9: "wasp",
    13: mek_of("medium", "rail-cannon", systems=["masking"]),
    15: mek_of("heavy", "missile", systems=["data-link"]),
    17: mek_of("heavy", "ppc", systems=["sensor-advanced"]),
}
HELP = [
    "commandos",
    "commandos",
    "decoy",
    "decoy",
    "support-fire",
    "air-strike",
    "mech-infantry",
    "mech-infantry",
    "roll",
]


@st.composite
def crowded_games(draw: st.DrawFn) -> Setup:
    """A game with much support: commandos, decoys, off-board fire, infantry.

    Every third side has as many Lights as it can pay for.
    """
    scenario = draw(st.sampled_from(["hot-gates", "hot-gates", "breach", "head-to-head", "citadel"]))
    forces, support = [], []
    for side, rolls in zip(("attacker", "defender"), ROLLS[scenario], strict=True):
        left = getattr(CATALOGUE.scenarios[scenario], side).points
        designs: list[Any] = []
        pool = ANY_SIZE
        if draw(st.integers(0, 2)) == 0:
            price = draw(st.sampled_from(sorted(LIGHTS)))
            pool = {price: LIGHTS[price]}
        while affordable := [price for price in pool if price <= left]:
            price = draw(st.sampled_from(affordable)) if len(affordable) > 1 else affordable[0]
            designs.append(pool[price])
            left -= price
        heroes = min(len(designs), draw(st.integers(0, 3)))
        forces.append([crew(each, "veteran", ["log-hero"] * (at < heroes)) for at, each in enumerate(designs)])
        support.append(draw(st.lists(st.sampled_from(HELP), min_size=1, max_size=rolls + heroes)))
    doctrine = st.sampled_from(["aggressive", "cautious"])
    attackers, defenders = forces
    return game(
        scenario,
        attackers=attackers,
        defenders=defenders,
        support=(support[0], support[1]),
        doctrines=(draw(doctrine), draw(doctrine)),
    )
