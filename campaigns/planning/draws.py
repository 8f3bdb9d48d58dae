"""Turn a draw into matches: entrants, grounds and territories of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.crypto import salted_hmac

from campaigns.models import (
    Campaign,
    EnrolmentState,
    Match,
    MatchState,
    Round,
    Territory,
)
from campaigns.pairing import Draw, Entrant, Pair
from campaigns.standings.selectors import standings, territories
from campaigns.territories.services import reach_of
from systems import battle_rules, season_rules
from systems.engine.dice import SeededDice


class Ground(NamedTuple):
    """The ground of a match: a scenario of the campaign, as its slug or its name and spec, and a terrain."""

    value: str | dict[str, object]
    name: str
    terrain: str


def entrants_of(campaign: Campaign) -> list[Entrant]:
    """Return the accepted companies as entrants for pairing."""
    rows = {each.row.entrant: each.row for each in standings(campaign)}
    ids = list(campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).values_list("pk", flat=True))
    played = list(
        Match.objects.filter(round__campaign=campaign)
        .exclude(state=MatchState.VOID)
        .values_list("attacker_id", "defender_id")
    )
    return [
        Entrant(
            id=pk,
            score=rows[pk].points,
            place=rows[pk].place,
            attacks=sum(one == pk and two is not None for one, two in played),
            defences=sum(two == pk for _, two in played),
            byes=sum(one == pk and two is None for one, two in played),
        )
        for pk in ids
    ]


def pairs_met(campaign: Campaign) -> set[Pair]:
    """Return the pairs that have met or will meet."""
    rows = Match.objects.filter(round__campaign=campaign, state__in=MatchState.meetings(), defender__isnull=False)
    return {frozenset(pair) for pair in rows.values_list("attacker_id", "defender_id")}


def _create_matches(row: Round, draw: Draw, grounds: Sequence[Ground] = (), first: int = 1) -> None:
    """Create the matches of a draw, from table `first` on.

    Scenarios and terrains take turns, and territories are the defender's. Without `grounds`, all of the campaign's are
    used.
    """
    campaign = row.campaign
    held: dict[int, list[Territory]] = {}
    nobodys: list[Territory] = []
    places = {each.pk: each for each in campaign.territories.all()}
    taken = set(row.matches.values_list("territory", flat=True)) if first > 1 else set()
    for place in territories(campaign):
        if place.id in taken:
            continue
        (held.setdefault(place.holder, []) if place.holder else nobodys).append(places[place.id])
    grounds, reach = grounds or ground_choices(campaign), reach_of(campaign)
    for at, fixture in enumerate(draw.fixtures, start=first - 1):
        choice = grounds[(row.number - 1 + at) % len(grounds)]
        sides = (fixture.attacker, fixture.defender)
        territory, is_nobodys = None, False
        if fixture.defender is not None:
            known = [*nobodys, *held.get(fixture.defender, [])]
            territory = next((place for place in known if reach.allows(sides, place.position)), None)
        if territory is not None:
            is_nobodys = territory in nobodys
            (nobodys if is_nobodys else held[fixture.defender or 0]).remove(territory)
        attacker, defender = fixture.attacker, fixture.defender
        if territory is not None and defender is not None:
            attacker, defender, choice = _zone_battle(row, at + 1, (attacker, defender), not is_nobodys, choice)
        Match.objects.create(
            round=row,
            number=at + 1,
            attacker_id=attacker,
            defender_id=defender,
            scenario=choice.value,
            scenario_name=choice.name,
            terrain=choice.terrain,
            territory=territory,
        )


def _zone_battle(
    row: Round, number: int, sides: tuple[int, int], is_held: bool, choice: Ground
) -> tuple[int, int, Ground]:
    """Return attacker, defender and ground of a match for a territory held by the second side or by nobody.

    The system may roll for them, on dice that nobody can predict and that are the same whenever the round is drawn. If
    the campaign doesn't play the rolled scenario, the usual turn decides.
    """
    campaign = row.campaign
    seed = salted_hmac("campaigns.zones", f"{campaign.pk} {row.number} {number}", algorithm="sha256").hexdigest()[:16]
    rolled = season_rules(campaign.system).zone_battle((False, is_held), SeededDice(int(seed, 16)))
    if rolled is None:
        return *sides, choice
    played = (each for each in ground_choices(campaign) if each.value == rolled.scenario)
    return sides[rolled.attacker], sides[1 - rolled.attacker], next(played, choice)


def ground_choices(campaign: Campaign) -> list[Ground]:
    """Return the campaign's grounds: each scenario once for each of its terrains, or once if it has its own."""
    return [
        Ground(each["value"], each["name"], terrain)
        for each in campaign.scenarios
        for terrain in terrains_for(campaign, each["value"])
    ]


def terrains_for(campaign: Campaign, scenario: str | Mapping[str, object]) -> list[str]:
    """Return the terrains that a match of this scenario can be played on."""
    return list(battle_rules(campaign.system).match_terrains(scenario))
