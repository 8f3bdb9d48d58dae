"""The seasons for the browser test, one for each rule system, with every number calculated by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Units = Mapping[str, Mapping[str, Any]]  # by company and unit: the values in the report's grid that aren't zero
Row = tuple[str, str, str, str, str]  # place, company, points, won-drawn-lost, units destroyed and lost
Pilots = Mapping[str, Mapping[str, Mapping[str, Any]]]  # by player and pilot

LOST = {"destroyed": True}
UNHARMED = {"hits_lost": 0, "destroyed": False}
ONE_KILL = {"kills": 1}
KILLED = {"status": "dead", "level": "green", "kills": 0, "games": 1, "points": 0, "skills": 0, "pending": 0}
REGULAR = {"status": "active", "level": "regular", "kills": 0, "games": 1, "points": 0, "skills": 0, "pending": 0}


@dataclass(frozen=True, kw_only=True)
class Season:
    """Four companies, two rounds and a correction.

    Ants beat Bees as both report; Cats beat Dogs by ruling; Cats forfeit to Ants; Bees and Dogs fight by orders. Then
    the first match is corrected: Bees beat Ants.
    """

    system: str
    system_name: str
    points: int
    scenario: str
    house_rules: Mapping[str, str] = field(default_factory=dict)
    secrets: Sequence[int]  # seeds of the matches' dice, round by round and table by table
    companies: Mapping[str, Sequence[str]]  # Cats are excused, Dinosaurs are not
    too_much: int  # points of the Dinosaurs
    hidden: str  # points of the Dinosaurs
    agreed: Units
    of_cats: Units
    of_dogs: Units
    differences: Sequence[str]
    table: Sequence[Row]
    pilots: Pilots
    right: Units  # what the correction changes in the grid
    changes: Sequence[str]  # in the standings, after the correction
    later: str  # what the correction does to the match of Bees and Dogs
    table_corrected: Sequence[Row]
    pilots_corrected: Pilots  # only the pilots that the correction changes
    headline: str  # in the first round's gazette, after the correction


MEKS = Season(
    system="meks-and-mercs",
    system_name="Meks & Mercs",
    points=30,
    scenario="Zone battle",
    house_rules={"season-mode": "standing-company"},
    secrets=(438, 2, 3, 4),
    companies={
        "Ants": ("viper", "wasp"),
        "Bees": ("wasp", "wasp"),
        "Cats": ("viper", "viper", "wasp"),  # 33 points
        "Dinosaurs": ("demon", "demon", "wasp"),
        "Dogs": ("wasp", "wasp"),
    },
    too_much=39,
    hidden="VIPER",
    agreed={"Ants_1": ONE_KILL, "Bees_2": LOST},
    of_cats={"Cats_1": ONE_KILL, "Dogs_2": LOST},
    of_dogs={"Dogs_1": ONE_KILL, "Cats_3": LOST},
    differences=[
        "Winner Cats Dogs",
        "VIPER: kills 1 0",
        "WASP of Cats: destroyed no yes",
        "WASP of Dogs: kills 0 1",
        "WASP 2: destroyed yes no",
    ],
    # Two rounds, 3 season points a win. Ants beat Bees and win a forfeit; Cats beat Dogs and forfeit; Dogs beat Bees.
    # Units destroyed less lost break the tie of Cats (1 - 0) and Dogs (1 - 1).
    table=[
        ("1", "Ants", "6", "2-0-0", "1, 0"),
        ("2", "Cats", "3", "1-0-1", "1, 0"),
        ("3", "Dogs", "3", "1-0-1", "1, 1"),
        ("4", "Bees", "0", "0-0-2", "0, 2"),
    ],
    # Pilots who survive a game become Regular and roll for their first skill: 5 or more. Dice in the order they are
    # rolled:
    # Ants against Bees 1, 6 for the Ants' skills; 6 for the fate of the second Bee, unhurt; 4, 3 for the Bees' skills.
    # Cats against Dogs 5, 6, 3 for the Cats' skills; 1 for the fate of the second Dog, killed; 3 for the first one's.
    # Bees against Dogs 6 for the fate of the first Bee, unhurt; 6 for their skill; 3 for that of the first Dog.
    pilots={
        "ann": {"Pilot 1": REGULAR | ONE_KILL, "Pilot 2": REGULAR | {"pending": 1}},
        "ben": {"Pilot 1": REGULAR | {"games": 2, "pending": 1}, "Pilot 2": REGULAR},
        "cay": {
            "Pilot 1": REGULAR | ONE_KILL | {"pending": 1},
            "Pilot 2": REGULAR | {"pending": 1},
            "Pilot 3": REGULAR,
        },
        "dan": {"Pilot 1": REGULAR | ONE_KILL | {"games": 2}, "Pilot 2": KILLED},
    },
    right={"Ants_1": {"kills": 0}, "Ants_2": LOST, "Bees_2": UNHARMED | ONE_KILL},
    changes=["Cats 2 → 1 3 → 3", "Bees 4 → 2 0 → 3", "Ants 1 → 4 6 → 3"],
    later="recalculated with the same result and dice",
    # Now Bees beat Ants. All have 3 points; Cats have 1 - 0 units, Bees and Dogs 1 - 1, Ants 0 - 1. Bees and Dogs have
    # each destroyed a WASP, so their names break the tie.
    table_corrected=[
        ("1", "Cats", "3", "1-0-1", "1, 0"),
        ("2", "Bees", "3", "1-0-1", "1, 1"),
        ("3", "Dogs", "3", "1-0-1", "1, 1"),
        ("4", "Ants", "3", "1-0-1", "0, 1"),
    ],
    # The same dice decide other things: 1 for the fate of the second Ant, killed; 6 for the skill of the first; 6, 4
    # for the Bees' skills. So the first Bee enters the second game with a skill (chosen by the rules, as nobody did),
    # and that game's 6 counts differently: with one skill the pilot needs a 1, and gets a second one.
    pilots_corrected={
        "ann": {"Pilot 1": REGULAR | {"pending": 1}, "Pilot 2": KILLED},
        "ben": {"Pilot 1": REGULAR | {"games": 2, "skills": 1, "pending": 1}, "Pilot 2": REGULAR | ONE_KILL},
    },
    headline="Bees beats Ants",  # against the odds
)

ROOKIE = REGULAR | {"level": "rookie", "points": 1}
TWO_GAMES = {"games": 2, "points": 2}
VICTOR = REGULAR | ONE_KILL | {"games": 2, "points": 3}
LANCE = ("heavy-mech", "heavy-mech", "light-mech", "light-mech", "track")  # 44 points

MECHS = Season(
    system="mech-campaign",
    system_name="Mech Campaign",
    points=44,
    scenario="Claim Dispute",
    secrets=(2, 11, 3, 17),
    companies={
        "Ants": ("heavy-mech", "heavy-mech", "light-mech", "light-mech", "drone"),
        "Bees": LANCE,
        "Cats": (*LANCE, "drone"),  # 49 points
        "Dinosaurs": ("heavy-mech", "heavy-mech", *["light-mech"] * 5),
        "Dogs": LANCE,
    },
    too_much=60,
    hidden="Drone",
    agreed={"Ants_1": ONE_KILL, "Bees_2": LOST},
    of_cats={"Cats_1": ONE_KILL, "Dogs_2": LOST},
    of_dogs={"Dogs_1": ONE_KILL, "Cats_3": LOST},
    differences=[
        "Winner Cats Dogs",
        "Heavy mech of Cats: units eliminated 1 0",
        "Light mech of Cats: eliminated no yes",
        "Heavy mech of Dogs: units eliminated 0 1",
        "Heavy mech 2 of Dogs: eliminated yes no",
    ],
    # Ants beat Bees and win a forfeit; Cats beat Dogs and forfeit. Bees and Dogs fight without their second heavy mechs:
    # time runs out, Bees have lost a heavy and two light mechs to the like of them, Dogs nothing. Units eliminated less
    # lost break the tie of Dogs (3 - 1) and Cats (1 - 0).
    table=[
        ("1", "Ants", "6", "2-0-0", "1, 0"),
        ("2", "Dogs", "3", "1-0-1", "3, 1"),
        ("3", "Cats", "3", "1-0-1", "1, 0"),
        ("4", "Bees", "0", "0-0-2", "0, 4"),
    ],
    # A battle survived is 1 experience, and each unit eliminated 1 more; 3 make a Regular. Dice in the order they are
    # rolled: Ants against Bees 3 for the second Bee, workshop. Cats against Dogs 1 for the second Dog, written off, 1 for
    # its pilot, killed. Bees against Dogs 3 for the first Bee, workshop; 2 for the third, written off, 6 for its pilot,
    # fit; 4 for the fourth, workshop.
    pilots={
        "ann": {"Pilot 1": ROOKIE | ONE_KILL | {"points": 2}, "Pilot 2": ROOKIE, "Pilot 3": ROOKIE, "Pilot 4": ROOKIE},
        "ben": {
            "Pilot 1": ROOKIE | TWO_GAMES,
            "Pilot 2": ROOKIE,
            "Pilot 3": ROOKIE | TWO_GAMES,
            "Pilot 4": ROOKIE | TWO_GAMES,
            "Pilot 5": ROOKIE | TWO_GAMES,
        },
        "cay": {
            "Pilot 1": ROOKIE | ONE_KILL | {"points": 2},
            "Pilot 2": ROOKIE,
            "Pilot 3": ROOKIE,
            "Pilot 4": ROOKIE,
            "Pilot 5": ROOKIE,
        },
        "dan": {
            "Pilot 1": VICTOR,
            "Pilot 2": KILLED | {"level": "rookie"},
            "Pilot 3": VICTOR,
            "Pilot 4": VICTOR,
            "Pilot 5": ROOKIE | TWO_GAMES,
        },
    },
    right={"Ants_1": {"kills": 0}, "Ants_2": LOST, "Bees_2": UNHARMED | ONE_KILL},
    changes=["Dogs 2 → 1 3 → 3", "Cats 3 → 2 3 → 3", "Ants 1 → 3 6 → 3", "Bees 4 → 4 0 → 3"],
    later="recalculated with the same result and dice",  # the second Bee doesn't leave the workshop
    # Now Bees beat Ants. All have 3 points; units less lost are 3 - 1, 1 - 0, 0 - 1 and 1 - 3.
    table_corrected=[
        ("1", "Dogs", "3", "1-0-1", "3, 1"),
        ("2", "Cats", "3", "1-0-1", "1, 0"),
        ("3", "Ants", "3", "1-0-1", "0, 1"),
        ("4", "Bees", "3", "1-0-1", "1, 3"),
    ],
    # The same 3 is the second Ant's; the second Bee has eliminated it.
    pilots_corrected={
        "ann": {"Pilot 1": ROOKIE, "Pilot 2": ROOKIE, "Pilot 3": ROOKIE, "Pilot 4": ROOKIE},
        "ben": {
            "Pilot 1": ROOKIE | TWO_GAMES,
            "Pilot 2": ROOKIE | ONE_KILL | {"points": 2},
            "Pilot 3": ROOKIE | TWO_GAMES,
            "Pilot 4": ROOKIE | TWO_GAMES,
            "Pilot 5": ROOKIE | TWO_GAMES,
        },
    },
    headline="Bees leads after round 1",
)

STEEL = Season(
    system="blazing-steel",
    system_name="Blazing Steel",
    points=21,
    scenario="Skirmish",
    secrets=(3, 2, 4, 5),
    companies={
        "Ants": ("bulwark", "darter"),  # 21 points
        "Bees": ("hawker", "skimmer"),  # 17
        "Cats": ("bulwark", "skimmer"),  # 22
        "Dinosaurs": ("colossus", "hawker"),
        "Dogs": ("hawker", "skimmer"),
    },
    too_much=33,
    hidden="Bulwark",
    agreed={"Ants_1": ONE_KILL, "Bees_2": LOST},
    of_cats={"Cats_1": ONE_KILL, "Dogs_2": LOST},
    of_dogs={"Dogs_1": ONE_KILL, "Cats_2": LOST},
    differences=[
        "Winner Cats Dogs",
        "Bulwark: kills 1 0",
        "Skimmer of Cats: destroyed or disabled no yes",
        "Hawker: kills 0 1",
        "Skimmer of Dogs: destroyed or disabled yes no",
    ],
    # A Skimmer is 7 of 17 points: 0.82 kill points of two. Ants beat Bees and win a forfeit; Cats beat Dogs and forfeit.
    # Dice: 3 for the second Bee, in repair; 5 for the second Dog, ready. Bees come to Dogs with a Hawker alone and lose it:
    # 2 kill points. So Dogs have 2.00 - 0.82, Cats 0.82 - 0.
    table=[
        ("1", "Ants", "6", "2-0-0", "1, 0"),
        ("2", "Dogs", "3", "1-0-1", "1, 1"),
        ("3", "Cats", "3", "1-0-1", "1, 0"),
        ("4", "Bees", "0", "0-0-2", "0, 2"),
    ],
    pilots={"ann": {}, "ben": {}, "cay": {}, "dan": {}},
    right={"Ants_1": {"kills": 0}, "Ants_2": LOST, "Bees_2": UNHARMED | ONE_KILL},
    changes=["Dogs 2 → 1 3 → 3", "Cats 3 → 2 3 → 3", "Ants 1 → 3 6 → 3", "Bees 4 → 4 0 → 3"],
    later="recalculated with the same result and dice",  # the second Bee doesn't leave repair
    # Now Bees beat Ants, who lose a Darter, 6 of 21 points. All have 3 points: 1.18, 0.82, -0.57 and 0.57 - 2.
    table_corrected=[
        ("1", "Dogs", "3", "1-0-1", "1, 1"),
        ("2", "Cats", "3", "1-0-1", "1, 0"),
        ("3", "Ants", "3", "1-0-1", "0, 1"),
        ("4", "Bees", "3", "1-0-1", "1, 1"),
    ],
    pilots_corrected={},
    headline="Bees beats Ants",  # against the odds
)

HUNTER = ROOKIE | ONE_KILL | {"points": 5}

HEXES = Season(
    system="hex-core",
    system_name="Hex Core",
    points=160,
    scenario="Elimination",
    secrets=(3, 2, 4, 5),
    companies={
        "Ants": ("mauler", "wisp"),  # 151 points
        "Bees": ("warden", "longbow"),  # 150
        "Cats": ("mauler", "warden"),  # 164
        "Dinosaurs": ("bastion", "bastion"),
        "Dogs": ("warden", "longbow"),
    },
    too_much=196,
    hidden="Mauler",
    agreed={"Ants_1": ONE_KILL | {"prey": 3}, "Bees_2": LOST},
    of_cats={"Cats_1": ONE_KILL | {"prey": 3}, "Dogs_2": LOST},
    of_dogs={"Dogs_1": ONE_KILL | {"prey": 3}, "Cats_2": LOST},
    differences=[
        "Winner Cats Dogs",
        "Mauler: units destroyed 1 0",
        "Mauler: Classes destroyed 3 0",
        "Warden of Cats: destroyed no yes",
        "Warden of Dogs: units destroyed 0 1",
        "Warden of Dogs: Classes destroyed 0 3",
        "Longbow: destroyed yes no",
    ],
    # Ants beat Bees and win a forfeit; Cats beat Dogs and forfeit. Both Longbows are salvaged and miss the next battle,
    # so Bees and Dogs meet with a Warden each, and the Dogs' Warden wins: 76 points destroyed, and 74 by the Cats.
    table=[
        ("1", "Ants", "6", "2-0-0", "1, 0"),
        ("2", "Dogs", "3", "1-0-1", "1, 1"),
        ("3", "Cats", "3", "1-0-1", "1, 0"),
        ("4", "Bees", "0", "0-0-2", "0, 2"),
    ],
    # 1 for taking part, the Class of what was destroyed, 1 for surviving a win.
    pilots={
        "ann": {"Pilot 1": HUNTER, "Pilot 2": ROOKIE | {"points": 2}},
        "ben": {"Pilot 1": ROOKIE | TWO_GAMES, "Pilot 2": ROOKIE},
        "cay": {"Pilot 1": HUNTER, "Pilot 2": ROOKIE | {"points": 2}},
        "dan": {"Pilot 1": HUNTER | {"games": 2, "points": 6}, "Pilot 2": ROOKIE},
    },
    right={"Ants_1": {"kills": 0, "prey": 0}, "Ants_2": LOST, "Bees_2": UNHARMED | ONE_KILL | {"prey": 2}},
    changes=["Dogs 2 → 1 3 → 3", "Cats 3 → 2 3 → 3", "Bees 4 → 3 0 → 3", "Ants 1 → 4 6 → 3"],
    later="recalculated with the same result and dice",  # the second Bee doesn't leave repair
    # Now Bees beat Ants, who lose a Wisp. All have 3 points: 76, 74, 63 and nothing destroyed.
    table_corrected=[
        ("1", "Dogs", "3", "1-0-1", "1, 1"),
        ("2", "Cats", "3", "1-0-1", "1, 0"),
        ("3", "Bees", "3", "1-0-1", "1, 1"),
        ("4", "Ants", "3", "1-0-1", "0, 1"),
    ],
    pilots_corrected={
        "ann": {"Pilot 1": ROOKIE, "Pilot 2": ROOKIE},
        "ben": {"Pilot 1": ROOKIE | {"games": 2, "points": 3}, "Pilot 2": ROOKIE | ONE_KILL | {"points": 4}},
    },
    headline="Cats leads after round 1",
)

CREW = ROOKIE | {"level": "basic"}
HERO = ONE_KILL | {"scored": 1}

STELLAR = Season(
    system="mechastellar",
    system_name="MechaStellar",
    points=370,
    scenario="Versus",
    secrets=(3, 2, 4, 5),
    companies={
        "Ants": ("white-asura", "green-viking"),  # 365 points
        "Bees": ("gamma-apollo", "green-viking"),  # 300
        "Cats": ("lunar-ravager", "gamma-apollo"),  # 375
        "Dinosaurs": ("trident-drake", "green-viking"),
        "Dogs": ("gamma-apollo", "green-viking"),
    },
    too_much=600,
    hidden="White Asura",
    agreed={"Ants_1": HERO, "Bees_2": LOST},
    of_cats={"Cats_1": HERO, "Dogs_2": LOST},
    of_dogs={"Dogs_1": ONE_KILL | {"scored": 4}, "Cats_2": LOST},
    differences=[
        "Winner Cats Dogs",
        "Lunar Ravager: kills 1 0",
        "Lunar Ravager: victory points 1 0",
        "Gamma Apollo of Cats: destroyed no yes",
        "Gamma Apollo of Dogs: kills 0 1",
        "Gamma Apollo of Dogs: victory points 0 4",
        "Green Viking: destroyed yes no",
    ],
    # A Green Viking is 1 VP, and losing one of two units costs 2. Ants beat Bees 1 to -2 and win a forfeit; Cats beat
    # Dogs 1 to -2 and forfeit. Both Green Vikings are struck off, so Bees and Dogs meet with a Gamma Apollo each, and
    # the Dogs' one destroys the Bees' Commander: 4 VP and the Round, against -2.
    table=[
        ("1", "Ants", "6", "2-0-0", "1, 0"),
        ("2", "Dogs", "3", "1-0-1", "1, 1"),
        ("3", "Cats", "3", "1-0-1", "1, 0"),
        ("4", "Bees", "0", "0-0-2", "0, 2"),
    ],
    # 1 for coming home, 1 for a kill, 1 more for a Commander, 1 for the win; the level of a White Asura stays with it.
    # Crews of destroyed units roll: both crews of a Green Viking are wounded and miss the second round, the Bee whose
    # machine was lost is safe.
    pilots={
        "ann": {"Pilot 1": CREW | ONE_KILL | {"points": 3}, "Pilot 2": CREW | {"points": 2}},
        "ben": {"Pilot 1": CREW | TWO_GAMES, "Pilot 2": CREW},
        "cay": {"Pilot 1": CREW | ONE_KILL | {"points": 3}, "Pilot 2": CREW | {"points": 2}},
        "dan": {"Pilot 1": CREW | ONE_KILL | {"games": 2, "points": 5}, "Pilot 2": CREW},
    },
    right={"Ants_1": {"kills": 0, "scored": 0}, "Ants_2": LOST, "Bees_2": UNHARMED | HERO},
    changes=["Dogs 2 → 1 3 → 3", "Cats 3 → 2 3 → 3", "Ants 1 → 3 6 → 3", "Bees 4 → 4 0 → 3"],
    later="recalculated with the same result and dice",
    # Now Bees beat Ants 1 to -2. All have 3 points; Bees have lost more to Dogs than Ants to them.
    table_corrected=[
        ("1", "Dogs", "3", "1-0-1", "1, 1"),
        ("2", "Cats", "3", "1-0-1", "1, 0"),
        ("3", "Ants", "3", "1-0-1", "0, 1"),
        ("4", "Bees", "3", "1-0-1", "1, 1"),
    ],
    # The die of the second Bee is the second Ant's, who is still wounded: Ants did not play again.
    pilots_corrected={
        "ann": {"Pilot 1": CREW | {"points": 1}, "Pilot 2": CREW | {"status": "wounded"}},
        "ben": {"Pilot 1": CREW | {"games": 2, "points": 3}, "Pilot 2": CREW | ONE_KILL | {"points": 3}},
    },
    headline="Bees beats Ants",  # against the odds
)

SEASONS = (MEKS, MECHS, STEEL, HEXES, STELLAR)
