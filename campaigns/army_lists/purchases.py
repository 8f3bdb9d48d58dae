"""Purchases for one match: support rolls, pilots, and units of the set-up.

A bought unit exists for its match only and never joins the company. Pilots hired for the match stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from django.utils import timezone

from battles.choices import forces_for
from battles.services.dice import dice_add_words, dice_open, dice_seal, dice_use
from campaigns.army_lists.handicaps import concession_of
from campaigns.army_lists.legality import best_legal_units
from campaigns.house_rules import round_house_rules
from campaigns.models import Campaign, Enrolment, Match, MatchPreparation, SupportRoll
from rosters.ledger.records import company_record
from rosters.models import Player
from rosters.services import RefusedError, pilot_hire
from rosters.services.base import clean_text
from rosters.services.companies import MAX_PILOTS
from rosters.services.units import describe_retired_parts
from systems import battle_rules, roster_rules, season_rules
from systems.documents import DocumentError
from systems.engine.dice import SeededDice
from systems.ledger import ACTIVE, WOUNDED, CompanyRecord, PilotRecord
from systems.legality import Check, Problem
from systems.roster import AnyRoster, CompanyMember, PilotSpec
from systems.scenarios import SIDES
from systems.season import StorylineBonus
from systems.setups import SIDE_LETTERS
from systems.text import pluralize, shorten_name

SUPPORT_DICE_PURPOSE = "support"


def seal_support_dice(match: Match) -> None:
    """Seal the dice of both sides' support rolls, so that their hashes are known before anybody rolls."""
    for side in range(2):
        get_or_create_preparation(match, side)


def get_or_create_preparation(match: Match, side: int) -> MatchPreparation:
    """Return the preparation of a side of a locked match; create it if nobody has begun one."""
    found = MatchPreparation.objects.select_related("dice").filter(match=match, side=side).first()
    return found or MatchPreparation.objects.create(match=match, side=side, dice=dice_seal())


def fit_pilots(record: CompanyRecord) -> list[PilotRecord]:
    """Return the pilots who could come, in roster order."""
    return [pilot for pilot in record.pilots.values() if pilot.status == ACTIVE and not pilot.lent]


def rank_pilots(system: str, pilots: Iterable[PilotRecord]) -> list[PilotRecord]:
    """Return the pilots who come if nobody chose, at most one per seat: the highest level first, then the "
    "most kills."""
    levels = list(roster_rules(system).level_names)
    ranked = sorted(pilots, key=lambda pilot: (-levels.index(pilot.experience), -pilot.kills, pilot.id))
    return ranked[: battle_rules(system).max_units]


def best_pilots(system: str, record: CompanyRecord) -> list[PilotRecord]:
    """Return the company's fit pilots who come if nobody chose."""
    return rank_pilots(system, fit_pilots(record))


def roll_for_support(
    match: Match, side: int, enrolment: Enrolment, pilots: Sequence[int], *, by: Player | None, words: str = ""
) -> MatchPreparation:
    """Roll for support and return the side's preparation, in a locked match. Once made, rolls and pilots are final."""
    row = get_or_create_preparation(match, side)
    if row.rolled_at is not None:
        return row
    system = battle_rules(match.round.campaign.system)
    crews = [crew_document(available_pilot(company_record(enrolment.company), pk)) for pk in pilots]
    if words:
        dice_add_words(dice=row.dice, who=SIDES[side], text=words)
    dice = SeededDice(dice_use(dice=row.dice, purpose=SUPPORT_DICE_PURPOSE))
    rolls = [system.roll_support(dice) for _ in range(count_rolls_allowed(match, side, crews))]
    rolled = system.roll_before([made.slug for made in rolls], round_house_rules(match.round), dice)
    row.pilots, row.rolled_by, row.rolled_at = list(pilots), by, timezone.now()
    row.rolls = [{"faces": list(made.faces), "result": made.slug} for made in rolls]
    row.rolled = {slug: list(faces) for slug, faces in rolled.items()}
    row.save(update_fields=["pilots", "rolled_by", "rolled_at", "rolls", "rolled"])
    return row


def publish_rolls(row: MatchPreparation) -> None:
    """Publish a preparation's rolls, with the lists, and reveal its dice."""
    for number, made in enumerate(row.rolls, start=1):
        SupportRoll.objects.create(
            match=row.match, side=row.side, number=number, faces=made["faces"], result=made["result"]
        )
    dice_open(dice=row.dice)


def count_rolls_allowed(match: Match, side: int, crews: Sequence[dict[str, object] | None]) -> int:
    """Return how many support rolls a side with these pilots has, less those it gives up in a handicap."""
    system = battle_rules(match.round.campaign.system)
    if system.terms(match.scenario) is None:
        return 0
    return max(0, system.support_allowed(match.scenario, side, crews) - concession_of(match, side).fewer_rolls)


def remaining_support(
    match: Match, side: int, preparation: MatchPreparation, units: Sequence[Mapping[str, object]]
) -> tuple[list[str], dict[str, list[int]]]:
    """Return the support that a side with these units of a set-up may have, and its dice rolled before the purchase.

    If a pilot who earned a roll stays at home, the side loses its last roll.
    """
    crews = [dict(unit["pilot"]) for unit in units if isinstance(unit["pilot"], Mapping)]
    support = preparation.support[: count_rolls_allowed(match, side, crews)]
    return support, {slug: kept for slug, faces in preparation.rolled.items() if (kept := faces[: support.count(slug)])}


def crew_document(pilot: PilotRecord) -> dict[str, object]:
    """Return the pilot as set-ups take them."""
    return {"experience": pilot.experience, "skills": list(pilot.skills), "is_new": False}


def available_pilot(record: CompanyRecord, pk: int) -> PilotRecord:
    """Return the pilot. Raise RefusedError if they can't come."""
    pilot = record.pilots.get(pk)
    if pilot is None or pilot.lent or pilot.status not in (ACTIVE, WOUNDED):
        raise RefusedError("pilots", f"The company has no available pilot {pk}.")
    if pilot.status == WOUNDED:
        raise RefusedError("pilots", f"{pilot.name} is wounded and misses the next game.")
    return pilot


MAX_COPIES = 4  # of each published design that a company may take if nobody chose
MAX_NAME_LENGTH = 60


class Purchase(TypedDict):
    """A unit to be bought, and its pilot: one of the company, or one of that level who is hired for the match."""

    design: str | dict[str, object]
    name: str
    pilot: int | None
    hire: str  # the level; empty: see `pilot`
    called: str  # name of the hired pilot


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyingSide:
    """A side of a match that buys, with everything that its purchase is checked against."""

    match: Match
    side: int
    enrolment: Enrolment
    preparation: MatchPreparation | None  # None: not begun
    record: CompanyRecord
    rules: AnyRoster
    options: Mapping[str, object]
    scenario: str | Mapping[str, object]  # of the match, with the points left after a handicap
    most: int | None = None  # points left after a handicap; None: it has no such handicap

    @property
    def has_rolled(self) -> bool:
        return self.preparation is not None and self.preparation.rolled_at is not None

    @property
    def points(self) -> int | None:
        """Return the scenario's points, or the campaign's if the scenario has no terms; None if there is no limit."""
        campaign = self.match.round.campaign
        terms = battle_rules(campaign.system).terms(self.scenario)
        has = campaign.points if terms is None else terms.sides[self.side].points
        return has if self.most is None or has is None else min(has, self.most)

    def extra(self, units: Sequence[Mapping[str, object]]) -> int:
        """Return the points that its support adds with these units of a set-up."""
        system = battle_rules(self.match.round.campaign.system)
        if self.preparation is None:
            return 0
        return system.points_before(remaining_support(self.match, self.side, self.preparation, units)[1])


def buys_units_per_match(campaign: Campaign) -> bool:
    """Return whether companies of the campaign buy their units for each match."""
    return season_rules(campaign.system).builds_fresh(campaign.options)


def build_buying_side(match: Match, side: int, enrolment: Enrolment) -> BuyingSide:
    """Return the side as it is now; two queries, and a third if the match's handicap wasn't loaded with it."""
    buyer = BuyingSide(
        match=match,
        side=side,
        enrolment=enrolment,
        preparation=None if match.pk is None else match.preparations.filter(side=side).select_related("dice").first(),
        record=company_record(enrolment.company),
        rules=roster_rules(match.round.campaign.system, match.round.campaign.catalogue_release),
        options=round_house_rules(match.round),
        scenario=match.scenario,
    )
    most = concession_of(match, side).points
    return buyer if most is None else limit_points(buyer, most)


def limit_points(buyer: BuyingSide, most: int) -> BuyingSide:
    """Return the side limited to those points, as a handicap leaves it."""
    system = buyer.match.round.campaign.system
    terms = battle_rules(system).terms(buyer.scenario)
    has = None if terms is None else terms.sides[buyer.side].points
    if has is None or has <= most:
        return replace(buyer, most=most)
    gains = [StorylineBonus(points=most - has) if at == buyer.side else StorylineBonus() for at in (0, 1)]
    return replace(buyer, most=most, scenario=season_rules(system).changed(buyer.scenario, gains))


def parse_purchases(buyer: BuyingSide, given: Sequence[Mapping[str, object]]) -> list[Purchase]:
    """Return the purchases, with every unit named. Raise RefusedError for unknown designs or pilots."""
    if not given:
        raise RefusedError("buys", "Buy at least one unit.")
    most = battle_rules(buyer.rules.slug).max_units
    if len(given) > most:
        raise RefusedError("buys", f"A side can field at most {pluralize(most, 'units')}.")
    buys = [_parse_purchase(buyer, each) for each in given]
    seats = [buy["pilot"] for buy in buys if buy["pilot"] is not None]
    twice = next((pilot for pilot in seats if seats.count(pilot) > 1), None)
    if twice is not None:
        raise RefusedError("buys", f"{buyer.record.pilots[twice].name} can't pilot two units at once.")
    _number_duplicates(buys)
    return buys


def _parse_purchase(buyer: BuyingSide, given: Mapping[str, object]) -> Purchase:
    rules, pilot, hire = buyer.rules, given.get("pilot"), given.get("hire") or ""
    design, name = _parse_design(rules, given.get("design"))
    name = clean_text("buys", given.get("name") or "", longest=MAX_NAME_LENGTH, may_be_empty=True) or name
    called = clean_text("buys", given.get("called") or "", longest=MAX_NAME_LENGTH, may_be_empty=True)
    if isinstance(pilot, int) and not isinstance(pilot, bool) and not hire:
        return Purchase(design=design, name=name, pilot=available_pilot(buyer.record, pilot).id, hire="", called="")
    if pilot is not None or hire not in rules.hire_points:
        levels = ", ".join(rules.hire_points)
        raise RefusedError("buys", f"{name} needs one of the company's pilots, or a hired one: {levels}.")
    return Purchase(design=design, name=name, pilot=None, hire=str(hire), called=called)


def _parse_design(rules: AnyRoster, given: object) -> tuple[str | dict[str, object], str]:
    """Return a published design's slug or a spec, and the default name of such a unit."""
    if isinstance(given, str):
        if given not in rules.published:
            raise RefusedError("buys", f"There is no published design {ascii(given[:60])}.")
        return given, rules.published[given].name
    try:
        spec = rules.parse_spec(given, "design")
    except DocumentError as error:
        raise RefusedError("buys", str(error)) from None
    return rules.spec_json(spec), f"{rules.kind_name(spec)} {rules.unit_words[0]}".strip()


def _number_duplicates(buys: list[Purchase]) -> None:
    """Number units that have the same name."""
    taken: set[str] = set()
    for buy in buys:
        wanted, number = buy["name"], 1
        while buy["name"] in taken:
            number += 1
            buy["name"] = f"{shorten_name(wanted, MAX_NAME_LENGTH - 3)} {number}"
        taken.add(buy["name"])


def check_purchases(buyer: BuyingSide, buys: Sequence[Purchase]) -> Check:
    """Return the points and all problems of a purchase, by its game's own check of a company in a scenario."""
    campaign, members = buyer.match.round.campaign, [_member(buyer, buy) for buy in buys]
    late = [
        Problem("", f"{buyer.record.pilots[buy['pilot']].name} wasn't among the pilots you chose before you "
        "rolled for support.", f"members[{at}]")
        for at, buy in enumerate(buys)
        if buy["pilot"] is not None and buyer.preparation and buyer.has_rolled and buy["pilot"] not in buyer.preparation.pilots
    ]  # fmt: skip
    retired = [describe_retired_parts(buyer.rules, member.spec) for member in members]
    late += [Problem("", reason, f"members[{at}]") for at, reason in enumerate(retired) if reason]
    late += _pilot_limit_problems(buyer, sum(buy["pilot"] is None for buy in buys))
    extra = buyer.extra(build_setup_units(buyer, buys))
    scenario = buyer.scenario
    if battle_rules(campaign.system).terms(scenario) is not None:
        side = SIDES[buyer.side]
        check = buyer.rules.check_company(scenario, members, buyer.options, side=side, extra_points=extra)
        return replace(check, problems=(*check.problems, *late))
    check = buyer.rules.check_company("", members, buyer.options)
    problems = [each for each in check.problems if each.place != "scenario"]
    limit = (buyer.points or 0) + extra
    if check.points > limit:
        who = campaign.name if buyer.most is None else "the handicap of this match"
        problems.append(Problem("", f"The list costs {check.points} points, but {who} allows {limit}."))
    return replace(check, problems=(*problems, *late))


def _pilot_limit_problems(buyer: BuyingSide, hired: int) -> list[Problem]:
    """Return the problem of too many hired pilots: they stay with the company, which has a maximum of pilots."""
    roll = sum(pilot.status in (ACTIVE, WOUNDED) for pilot in buyer.record.pilots.values())
    if not hired or roll + hired <= MAX_PILOTS:
        return []
    room = max(MAX_PILOTS - roll, 0)
    reason = f"A company can have at most {MAX_PILOTS} pilots. You can hire {room} more, but these units need {hired}."
    return [Problem("", f"{reason} Use pilots of the company, or retire some first.")]


def _member(buyer: BuyingSide, buy: Purchase) -> CompanyMember[object]:
    if buy["pilot"] is None:
        pilot = PilotSpec(buy["hire"])
    else:
        known = buyer.record.pilots[buy["pilot"]]
        pilot = PilotSpec(known.experience, known.skills)
    return CompanyMember(buy["name"], _spec(buyer.rules, buy["design"]), pilot, is_new_pilot=buy["pilot"] is None)


def build_setup_units(buyer: BuyingSide, buys: Sequence[Purchase]) -> list[dict[str, object]]:
    """Return the units of the set-up document; their keys are the side's letter and a number."""
    counts_hiring = battle_rules(buyer.match.round.campaign.system).counts_hiring(buyer.match.scenario)
    documents: list[dict[str, object]] = []
    for number, buy in enumerate(buys, start=1):
        crew: dict[str, object] = {"experience": buy["hire"], "skills": [], "is_new": True}
        if buy["pilot"] is not None:
            crew = crew_document(available_pilot(buyer.record, buy["pilot"]))
        if not counts_hiring:
            del crew["is_new"]
        key, design = f"{SIDE_LETTERS[buyer.side]}{number}", buy["design"]
        documents.append({"key": key, "name": buy["name"], "design": design, "pilot": crew})
    return documents


def hire_and_assign_pilots(buyer: BuyingSide, buys: Sequence[Purchase]) -> dict[str, dict[str, int | None]]:
    """Hire the new pilots. Return set-up key -> unit and pilot, for writing the battle's result to the ledger."""
    company, rows = buyer.enrolment.company, {}
    for number, buy in enumerate(buys, start=1):
        pilot = buy["pilot"]
        if pilot is None:
            name = buy["called"] or shorten_name(f"Pilot of {buy['name']}", MAX_NAME_LENGTH)
            where = f"{buyer.match.round}, {buyer.match}"
            hired = pilot_hire(company=company, by=company.owner, name=name, experience=buy["hire"], for_match=where)
            pilot = hired.pk
        rows[f"{SIDE_LETTERS[buyer.side]}{number}"] = {"unit": None, "pilot": pilot}
    return rows


def default_purchases(buyer: BuyingSide) -> list[Purchase]:
    """Return what a side buys if nobody chose.

    That is the most expensive ready-made list that is legal there, else the best that its game makes from published
    designs. The best pilots get the most expensive units, hired ones the rest.
    """
    for designs in _proposals(buyer):
        buys = assign_pilots(buyer, designs)
        if check_purchases(buyer, buys).legal:
            return buys
    scenario = buyer.match.scenario_name
    raise RefusedError("buys", f"No ready-made list is legal in {scenario}. Choose units yourself.")


def _proposals(buyer: BuyingSide) -> list[Sequence[Mapping[str, object]]]:
    system, rules, scenario = buyer.match.round.campaign.system, buyer.rules, buyer.scenario
    found: list[Sequence[Mapping[str, object]]] = [
        [{"design": unit.design, "name": unit.name} for unit in force.units]
        for force in forces_for(system, scenario, buyer.side)
        if all(not isinstance(unit.design, str) or unit.design in rules.published for unit in force.units)
    ]
    level = next(iter(rules.hire_points), "")
    stock = [slug for slug in rules.published for _ in range(MAX_COPIES)]
    members = [CompanyMember(slug, rules.published[slug].spec, PilotSpec(level)) for slug in stock]
    places = best_legal_units(system, scenario, members, buyer.options, buyer.side)
    return [*found, [{"design": stock[place]} for place in places]] if places else found


def assign_pilots(buyer: BuyingSide, designs: Sequence[Mapping[str, object]]) -> list[Purchase]:
    """Return these designs with pilots: the company's own, then hired ones of the best level that the points allow."""
    levels, known = list(buyer.rules.hire_points), {pilot.id for pilot in fit_pilots(buyer.record)}
    come = [pilot.id for pilot in best_pilots(buyer.match.round.campaign.system, buyer.record)]
    if buyer.preparation is not None and buyer.has_rolled:
        come = [pk for pk in buyer.preparation.pilots if pk in known]
    specs = [_spec(buyer.rules, _parse_design(buyer.rules, each["design"])[0]) for each in designs]
    worths = [buyer.rules.check_design(spec, buyer.options).points for spec in specs]
    order = sorted(range(len(designs)), key=lambda place: -worths[place])
    seats = dict(zip(order, come, strict=False))
    given: list[dict[str, object]] = [
        {**each, "pilot": seats[place]} if place in seats else {**each, "hire": levels[0]}
        for place, each in enumerate(designs)
    ]
    for place in order:
        for level in reversed(levels[1:]) if place not in seats else ():
            better = [*given[:place], {**given[place], "hire": level}, *given[place + 1 :]]
            if check_purchases(buyer, parse_purchases(buyer, better)).legal:
                given = better
                break
    return parse_purchases(buyer, given)


def _spec(rules: AnyRoster, design: object) -> object:
    return rules.published[design].spec if isinstance(design, str) else rules.parse_spec(design)
