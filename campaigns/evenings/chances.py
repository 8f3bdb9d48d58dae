"""The odds between two companies, each with the force its rules pick from its ready units."""

from __future__ import annotations

from collections.abc import Sequence

from campaigns.musters.fielding import best_force, member_of
from rosters.documents.snapshots import fielded, ready_units
from rosters.ledger.records import company_record
from rosters.models import Company
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import Setup
from systems.simulation.odds import tally

ODDS_BATTLES = 2_000  # enough to distinguish 45 % from 50 %
ODDS_SEED = 0
SIDE_NAMES = ("Attacker", "Defender")


def even_game_ground(system: str) -> tuple[str, str]:
    """Return the scenario and terrain of an even game: the game's plainest scenario, and its first possible terrain."""
    rules = battle_rules(system)
    return rules.plain_scenario, next(iter(rules.match_terrains(rules.plain_scenario)))


def build_setup(attacker: Company, defender: Company, names: Sequence[str] = ()) -> Setup:
    """Return the setup of an even game. Its sides are called `names`, by default the names of their companies.

    Raise RefusedError or DocumentError if one of them can field nothing legal.
    """
    scenario, terrain = even_game_ground(attacker.system)
    called = list(names) or [attacker.name, defender.name]
    if called[0] == called[1]:
        called[1] = f"{called[1][:57]} II"
    sides = [_side(company, at, called[at], scenario) for at, company in enumerate((attacker, defender))]
    return read_setup(
        {
            "muster": "setup/1",
            "release": max(attacker.catalogue_release, defender.catalogue_release, key=int),
            "system": attacker.system,
            "scenario": scenario,
            "terrain": terrain,
            "options": {},
            "sides": sides,
        }
    )


def win_chance(attacker: Company, defender: Company) -> float | None:
    """Return the attacker's chance to win, a draw counted as half; None if one of them can field nothing legal."""
    try:
        battle = tally(build_setup(attacker, defender, SIDE_NAMES), ODDS_SEED, 0, ODDS_BATTLES).battle
    except (RefusedError, DocumentError):
        return None
    drawn = ODDS_BATTLES - battle["attacker_wins"] - battle["defender_wins"]
    return float(battle["attacker_wins"] + drawn / 2) / ODDS_BATTLES


def _side(company: Company, at: int, name: str, scenario: str) -> dict[str, object]:
    rosters = roster_rules(company.system, company.catalogue_release)
    record, ready = company_record(company), ready_units(company)
    members = [member_of(rosters, record, record.units[pk]) for pk in ready]
    units = [ready[place] for place in best_force(company.system, scenario, members, {}, at)]
    counts_hiring = battle_rules(company.system).counts_hiring(scenario)
    documents = [
        unit.document() | ({"pilot": unit.crew | {"is_new": False}} if counts_hiring and unit.crew else {})
        for unit in fielded(company, units)
    ]
    doctrine = next(iter(battle_rules(company.system).doctrines))
    return {"name": name, "doctrine": doctrine, "support": [], "units": documents}
