"""Fitting values for random API requests: they replace drawn values by those of existing rows."""

from __future__ import annotations

import random
from collections.abc import Callable

from campaigns.models import Enrolment, Match
from rosters.models import Company, Design, Pilot, Unit
from systems import roster_rules
from tests.battles.builders import duel
from tests.builders import SYSTEM, WASP
from tests.permissions.world import World

KNOWN = 0.85  # share of fields that get a fitting value, if there is one

Values = list[object]
Place = dict[str, object]  # arguments of a URL


class Knowledge:
    """The fitting values for fields of a body, by name, or by operation and name."""

    def __init__(self, world: World) -> None:
        rules = roster_rules(SYSTEM)
        scenario = rules.scenario_json(rules.scenarios["head-to-head"].spec)
        self.fields: dict[str, Values] = {
            "system": [SYSTEM],
            "company": list(Company.objects.values_list("pk", flat=True)),
            "doctrine": ["aggressive", "cautious"],
            "doctrines": [["aggressive", "cautious"], ["cautious", "cautious"]],
            "terrain": ["plain", "wood"],
            "enrolment": list(Enrolment.objects.values_list("pk", flat=True)),
            "opponent": sorted(_forces()),
            "ground": [0],
            "player": [player.get_username() for player in world.people.values() if player.pk],
            "role": ["player", "arbiter"],
            "days": [1, 90],
            "uses": [1, 5, None],
            "colour": ["#8a2b1d", "#0a0b0c"],
            "name": ["Grey Wardens", "Ödland", "\u7070\u72fc", "\u0631\u0645\u0627\u062f\u064a"],
            "callsign": ["", "Ash"],
            "experience": ["regular", "veteran"],
            "published": ["wasp", "draken"],
            "design": list(Design.objects.values_list("pk", flat=True)),
            "slug": ["head-to-head"],
            "setup": [duel(), duel("draken", "wasp", terrain="wood"), duel(doctrine="cautious")],
            "battles": [100],
            "half_width": [None],
            "seed": [None, 7, "seven"],
            "companies": [[], [None, None]],
            "change": [{"what": "level", "of": "a1", "to": "elite"}, {"what": "terrain", "to": "wood"}],
            "words": ["", "owl"],
            "reason": ["So be it.", "Moved house."],
            "matches_report units": [{}],
            "matches_report support": [{"attacker": [], "defender": []}],
            "designs_check spec": [WASP, WASP | {"weapons": []}],
            "designs_create spec": [WASP],
            "designs_update spec": [WASP],
            "scenarios_check spec": [scenario],
            "scenarios_create spec": [scenario],
            "scenarios_update spec": [scenario],
        }

    def fit(self, operation: str, body: dict[str, object], place: Place, chance: random.Random) -> dict[str, object]:
        """Return the body with fitting values in most of its fields; fields without any stay as drawn."""
        found = dict(body)
        for field in body:
            values = self._values(operation, field, place)
            if values and chance.random() < KNOWN:
                found[field] = chance.choice(values)
        return found

    def _values(self, operation: str, field: str, place: Place) -> Values:
        for name in (f"{operation} {field}", field):
            if name in OF_THE_PLACE:
                return OF_THE_PLACE[name](place)
            if name in self.fields:
                return self.fields[name]
        return []


def _forces() -> list[str]:
    from battles.choices import published_forces

    return list(published_forces(SYSTEM))


def _acts(place: Place) -> Values:
    """Return the last act of the company that isn't undone."""
    company = Company.objects.filter(pk=place["id"]).first()
    acts = company.ledger.filter(reverses=None, reversed_by=None).order_by("-pk") if company else ()
    return [str(entry.act) for entry in acts[:1]]


def _forces_of(companies: list[int]) -> Values:
    """Return for each company all its units, and one unit."""
    of_each = [list(Unit.objects.filter(company=pk).values_list("pk", flat=True)) for pk in companies]
    return [units[:most] for units in of_each for most in (40, 1)]


def _match_units(place: Place) -> Values:
    match = Match.objects.filter(key=place["key"]).first()
    sides = (match.attacker, match.defender) if match else ()
    return _forces_of([side.company_id for side in sides if side])


def _enrolled_units(place: Place) -> Values:
    return _forces_of(list(Enrolment.objects.filter(campaign=place["id"]).values_list("company", flat=True)))


def _reports(place: Place) -> Values:
    return [{"muster": "report/1", "winner": winner, "units": {}} for winner in ("attacker", "defender", "draw")]


def _report_ids(place: Place) -> Values:
    match = Match.objects.filter(key=place["key"]).first()
    return list(match.reports.values_list("pk", flat=True)) if match else []


def _pilots(place: Place) -> Values:
    return [*Pilot.objects.filter(company=place["id"]).values_list("pk", flat=True), None]


OF_THE_PLACE: dict[str, Callable[[Place], Values]] = {
    "companies_undo act": _acts,
    "units_assign pilot": _pilots,
    "army_lists_submit units": _match_units,
    "friendlies_create units": _enrolled_units,
    "matches_confirm report": _report_ids,
    "matches_rule report": _reports,
    "corrections_create report": _reports,
    "corrections_preview report": _reports,
}
