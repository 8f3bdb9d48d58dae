"""The aftermath of a match for its companies, and their players' choices: skills and loans."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.crypto import salted_hmac

from battles.hooks import Logged
from battles.models import Battle, BattleSide
from battles.selectors.battle import cause_of
from battles.services.dice import dice_use
from campaigns.notifications import notify
from campaigns.standings.table import SCORE_TIE_BREAKERS
from rosters.ledger.records import company_record
from rosters.models import Company, Player, Unit
from rosters.selectors import CompanySheet, PilotRow
from rosters.services import Aftermath, RefusedError, UnitResult, company_apply_aftermath, pilot_assign, pilot_hire
from rosters.services.units import unit_buy_spec
from rosters.unit_cache import reading_of
from systems import SEASONS, battle_rules, roster_rules, season_rules
from systems.engine.dice import SeededDice
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord, PilotRecord, UnitRecord
from systems.reading import read_setup, spec_of, stored_setup
from systems.report_fields import UnitFate
from systems.roster import CompanyMember
from systems.season import Career, Flight, Fought, GameSide, Result, UnitBefore
from systems.setups import Setup, SetupSide, SetupUnit


@dataclass(frozen=True, slots=True)
class LoanTerms:
    """The terms of a house loan: a number of units, each for a price in points of later income."""

    units: int
    price: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyPart:
    """One company's part in a game: its side, its units, and its record including the game's result."""

    side: BattleSide
    units: tuple[UnitResult, ...]
    record: CompanyRecord


@transaction.atomic
def aftermath_write(battle: Battle, actor: Player | None, logged: Sequence[Logged]) -> None:
    """Write the aftermath of a battle to the companies it was just logged to.

    The dice are the server's: the same for the same battle, however often it is taken back and logged again.
    """
    if battle.system not in SEASONS:
        return
    parts = [CompanyPart(side=each.side, units=each.units, record=company_record(each.company)) for each in logged]
    for each, aftermath in zip(logged, aftermath_of(battle, dice_seed(battle), parts), strict=True):
        company_apply_aftermath(
            company=each.company,
            act=each.act,
            cause_ref=str(battle.key),
            cause=cause_of(battle),
            by=actor,
            title=battle.title,
            aftermath=aftermath,
        )
        notify.levels_up(each.company, each.act, actor)


def aftermath_of(battle: Battle, seed: int, parts: Sequence[CompanyPart]) -> list[Aftermath]:
    """Calculate what a battle with a result does to these companies, part by part; change nothing.

    The battle need not be saved: a correction asks what another result would have done.
    """
    rules = SEASONS[battle.system]
    setup = read_setup(battle.setup)
    standing = roster_rules(battle.system).is_standing(setup.options)
    sides = [_side(battle, setup, part) for part in parts]
    results = rules.aftermath(sides, SeededDice(seed), standing=standing)
    return [
        Aftermath(
            before=side,
            after=after,
            took_part=tuple(unit.pilot for unit in part.units if unit.pilot is not None),
            seed=seed,
            facts={"standing": standing, **_game_facts(battle, setup, part)},
        )
        for part, side, after in zip(parts, sides, results, strict=True)
    ]


@transaction.atomic
def take_loan(*, company: Company, by: Player) -> list[Unit]:
    """Lend the company the house's units, each with a new pilot if the game has pilots; return the units.

    Raises RefusedError if the company needs no loan.
    """
    terms = loan_terms(company_record(company), company.system)
    rosters = roster_rules(company.system, company.catalogue_release)
    if terms is None:
        word = rosters.unit_words[0]
        able = "a legal list" if SEASONS[company.system].lends_for_a_game else f"a {word} or buy one"
        raise RefusedError("company", f"{company.name} can field {able}, so it can't borrow.")
    design = rosters.published[SEASONS[company.system].loan_design]
    lent_only = SEASONS[company.system].lends_for_a_game
    lent = []
    for _ in range(terms.units):
        unit = unit_buy_spec(
            company=company, by=by, design_name=design.name, spec=rosters.spec_json(design.spec),
            on_loan=not lent_only, lent=lent_only,
        )  # fmt: skip
        if SEASONS[company.system].loan_pilot is not None:
            pilot = pilot_hire(company=company, by=by, name=f"Pilot of {unit.name}"[:60], lent=lent_only)
            pilot_assign(company=company, by=by, unit=unit, pilot=pilot)
            unit.refresh_from_db(fields=["pilot"])
        lent.append(unit)
    return lent


def loan_terms(record: CompanyRecord, system: str) -> LoanTerms | None:
    """Return what the house would lend this company now; None if it needs nothing."""
    rules, rosters = SEASONS.get(system), roster_rules(system, record.release)
    if rules is None or not rules.loan_design:
        return None
    price = rosters.check_design(rosters.published[rules.loan_design].spec).points
    members = [  # any pilot will do, since a pilot lent with a unit costs nothing
        CompanyMember(unit.name, rosters.parse_spec(unit.spec), rules.loan_pilot)
        for unit in record.units.values()
        if unit.status == READY and not _stays_home(record, unit, system)
    ]
    if rules.lends_for_a_game:
        price = 0
        needs = rosters.is_stuck([member.spec for member in members], balance=record.balance, games=record.games)
    else:
        needs = record.balance < price
    count = rules.house_loan("", members) if needs else 0
    return LoanTerms(units=count, price=price) if count else None


def _stays_home(record: CompanyRecord, unit: UnitRecord, system: str) -> bool:
    pilot = record.pilots[unit.pilot] if unit.pilot is not None else None
    return reading_of(system, unit.spec, unit.condition, record.release).stays_home(pilot)


def dice_seed(battle: Battle) -> int:
    """Return the seed of a battle's aftermath, 0 .. 2^64 - 1: fixed by the battle, predictable by nobody.

    If the battle has provably fair dice the seed is theirs, and anyone can check it later.
    """
    if battle.dice is not None:
        return dice_use(dice=battle.dice, purpose="aftermath")
    return int(salted_hmac("campaigns.aftermath", str(battle.key), algorithm="sha256").hexdigest()[:16], 16)


def _unrolled(side: SetupSide, support: Sequence[str]) -> list[str]:
    """Return the support results, less those that were rolled before the game and paid for then."""
    left = list(support)
    for slug in (slug for slug, faces in side.rolled.items() for _ in faces):
        if slug in left:
            left.remove(slug)
    return left


def _units_with_own_pilots(units: Sequence[UnitResult], record: CompanyRecord) -> list[UnitResult]:
    """Return the units whose pilots are still on the roll and not lent for this game, in roster order."""
    return [unit for unit in units if unit.pilot is not None and _is_own(record.pilots[unit.pilot])]


def _is_own(pilot: PilotRecord) -> bool:
    return pilot.status in (ACTIVE, WOUNDED) and not pilot.lent


def _side(battle: Battle, setup: Setup, part: CompanyPart) -> GameSide[object]:
    support = _support(battle, setup, part.side.position)
    return GameSide(
        result=_result(battle, part.side.name),
        flights=tuple(_flight(battle, unit, part.record) for unit in _units_with_own_pilots(part.units, part.record)),
        units=tuple(_units(battle, part)),
        debt=part.record.debt,
        spare=0 if part.record.games else part.record.balance,
        gifts=SEASONS[battle.system].gifts(_unrolled(setup.sides[part.side.position], support)),
        options=setup.options,
        fought=_fought(battle, setup, part.side.position),
    )


def _units(battle: Battle, part: CompanyPart) -> list[UnitBefore[object]]:
    """Return every unit the company still has: those that played in their order, then those that stayed at home."""
    record = part.record
    rules = roster_rules(battle.system, record.release)
    played = {result.unit: result for result in part.units if result.unit is not None}
    pilots = {
        result.unit: str(result.pilot)
        for result in _units_with_own_pilots(part.units, record)
        if result.unit is not None
    }
    return [
        UnitBefore(
            key=str(unit.id),
            spec=rules.parse_spec(unit.spec),
            condition=unit.condition,
            lost=unit.id in played and played[unit.id].fate.is_lost,
            pilot=pilots.get(unit.id, ""),
            lent=unit.lent,
            fate=played[unit.id].fate if unit.id in played else UnitFate(),
        )
        for unit in (record.units[pk] for pk in (*played, *(pk for pk in record.units if pk not in played)))
        if unit.status == READY
    ]


def _flight(battle: Battle, unit: UnitResult, record: CompanyRecord) -> Flight[object]:
    """Return the pilot as before the game; the record already includes the game and its kills."""
    assert unit.pilot is not None
    pilot = record.pilots[unit.pilot]
    return Flight(
        key=str(pilot.id),
        before=Career(
            level=pilot.experience,
            kills=pilot.kills - unit.fate.kills,
            games=pilot.games - 1,
            points=pilot.points,
            skills=(*pilot.skills, *_default_skills(battle.system, record, pilot.id)),
        ),
        spec=roster_rules(battle.system, record.release).parse_spec(
            unit.spec if unit.unit is None else record.units[unit.unit].spec
        ),
        fate=unit.fate,
    )


def _support(battle: Battle, setup: Setup, position: int) -> Sequence[str]:
    """Return the support results that the side used; if the battle's result doesn't say, those of the set-up."""
    used = (battle.result or {}).get("support")
    return used[position] if used else setup.sides[position].support


def _default_skills(system: str, record: CompanyRecord, pilot: int) -> tuple[str, ...]:
    """Return the skills earned before this game that nobody chose: the rules choose them."""
    known, settled = list(record.pilots[pilot].skills), []
    for default in record.pilots[pilot].pending:
        skill = default if default not in known else SEASONS[system].skill_choices(known)[0]
        known.append(skill)
        settled.append(skill)
    return tuple(settled)


def _result(battle: Battle, side: str) -> Result:
    winner = (battle.result or {})["winner"]
    if winner is None:
        return "drawn"
    return "won" if winner == side else "lost"


def _game_facts(battle: Battle, setup: Setup, part: CompanyPart) -> dict[str, object]:
    """Return the facts of the game that the company's ledger keeps besides its income."""
    destroyed, lost, points = game_losses(battle, setup, part.side.name)
    results = battle_rules(battle.system).support_results
    names = [results[slug].name for slug in _support(battle, setup, part.side.position) if slug in results]
    bought = [[unit.name, _unit_cost(battle, unit)] for unit in part.units if unit.unit is None]
    facts: dict[str, object] = {"destroyed": destroyed, "lost": lost, "destroyed_points": points}
    return {**facts, **({"bought": bought} if bought else {}), **({"support": names} if names else {})}


def _unit_cost(battle: Battle, unit: UnitResult) -> int:
    """Return the cost of a unit that was bought for the battle."""
    rules = roster_rules(battle.system, stored_setup(battle.setup).catalogue_release)
    return rules.check_design(rules.parse_spec(unit.spec), battle.setup["options"]).points


def game_scores(battle: Battle, setup: Setup) -> list[int]:
    """Return each side's score in hundredths of a victory point; empty if such points don't decide games."""
    if not set(SCORE_TIE_BREAKERS) & set(SEASONS[battle.system].tie_breakers):
        return []
    sides = [_fought(battle, setup, at) for at in range(len(setup.sides))]
    return list(SEASONS[battle.system].scores(sides, setup.options))


def _fought(battle: Battle, setup: Setup, position: int) -> tuple[Fought, ...]:
    """Return a side's units as the result has them."""
    hand = battle_rules(battle.system).hand
    fates = {unit["key"]: unit for unit in (battle.result or {})["units"]}
    return tuple(
        Fought(points=_points(setup, unit), fate=hand.fate_of(fates[unit.key]))
        for unit in setup.sides[position].units
        if unit.key in fates
    )


def game_losses(battle: Battle, setup: Setup, side: str) -> tuple[int, int, int]:
    """Return enemy units destroyed, own lost, and points of the enemy's destroyed; units without a design "
    "don't count."""
    units = {unit.key: unit for each in setup.sides for unit in each.units if spec_of(setup, unit.design)}
    fallen = [fate for fate in (battle.result or {})["units"] if fate["lost"] and fate["key"] in units]
    theirs = [units[fate["key"]] for fate in fallen if fate["side"] != side]
    return len(theirs), len(fallen) - len(theirs), sum(_points(setup, unit) for unit in theirs)


def _points(setup: Setup, unit: SetupUnit) -> int:
    """Return what the unit cost in that game; 0 without a design."""
    rules, spec = roster_rules(setup.system, setup.catalogue_release), spec_of(setup, unit.design)
    return rules.points_flown(rules.parse_spec(spec), unit.pilot, setup.options) if spec else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillChoice:
    """A skill that a pilot could learn."""

    slug: str
    name: str
    effect: str
    fits: bool  # it is of use in the unit the pilot sits in
    is_default: bool


def skill_choices(company: CompanySheet, pilot: PilotRow) -> tuple[SkillChoice, ...]:
    """Return the skills a pilot can choose from; none unless the pilot has earned one. MM-101, MM-S11."""
    if not pilot.pending or not pilot.is_on_roll:
        return ()
    rules, rosters = season_rules(company.system), roster_rules(company.system, company.catalogue_release)
    unit = company.unit(pilot.seat.id) if pilot.seat else None
    spec = rosters.parse_spec(unit.spec) if unit else None
    return tuple(
        SkillChoice(
            slug=slug,
            name=rosters.skill_names[slug],
            effect=rules.skill_effects[slug],
            fits=spec is None or rules.fits(slug, spec),
            is_default=slug == pilot.pending[0],
        )
        for slug in rules.skill_choices(pilot.skills)
    )
