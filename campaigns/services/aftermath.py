"""What a game changes in the companies that played it, and what their players decide afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.db import transaction
from django.utils.crypto import salted_hmac

from battles.documents import Setup, read_setup
from battles.engine.dice import SeededDice
from battles.models import Battle
from battles.services.afterwards import Logged
from battles.services.battles import cause_of
from battles.services.dice import dice_use
from battles.services.setups import spec_of
from battles.systems import get_system as get_battle_system
from campaigns.systems import SYSTEMS
from campaigns.systems.base import Career, Fate, Flight, FlightAfter, GameSide, Result, SideAfter
from rosters.ledger import ACTIVE, READY, WOUNDED, CompanyRecord
from rosters.models import Company, Player, Unit
from rosters.services import (
    GameBooking,
    PilotAftermath,
    RefusedError,
    UnitResult,
    company_apply_aftermath,
    company_record,
    pilot_assign,
    pilot_hire,
)
from rosters.services.units import unit_buy_spec
from rosters.systems import get_system as get_roster_system
from rosters.systems.base import CompanyMember, PilotSpec


@dataclass(frozen=True, slots=True)
class LoanTerms:
    """What the house lends: so many units, each for so many points of later income."""

    units: int
    price: int


@transaction.atomic
def aftermath_write(battle: Battle, actor: Player | None, logged: Sequence[Logged]) -> None:
    """Writes the aftermath of a battle to the companies it was just logged to. MM-S02.

    The dice are the server's: the same for the same battle however often it is taken back and logged again.
    """
    rules = SYSTEMS.get(battle.system)
    if rules is None:
        return
    setup = read_setup(battle.setup)
    standing = get_roster_system(battle.system).is_standing(setup.options)
    records = [company_record(each.company) for each in logged]
    flown = [_flown(each.units, record) for each, record in zip(logged, records, strict=True)]
    sides = [
        GameSide(
            result=_result(battle, each.side.name),
            flights=tuple(_flight(battle, unit, record) for unit in units),
            debt=record.debt,
            gifts=rules.gifts(_support(battle, setup, each)),
        )
        for each, record, units in zip(logged, records, flown, strict=True)
    ]
    seed = dice_seed(battle)
    results = rules.aftermath(sides, SeededDice(seed), standing=standing)
    for each, record, side, after in zip(logged, records, sides, results, strict=True):
        company_apply_aftermath(
            company=each.company,
            act=each.act,
            cause_ref=str(battle.key),
            cause=cause_of(battle),
            by=actor,
            title=battle.title,
            game=_booking(battle, setup, each, side, after, seed, standing),
            pilots=[_pilot(battle.system, record, flight, seed) for flight in after.flights],
            took_part=[unit.pilot for unit in each.units if unit.pilot is not None],
        )


@transaction.atomic
def loan_take(*, company: Company, by: Player) -> list[Unit]:
    """The units that the house lends, each with a new pilot; refused to who can field or buy one. MM-S10."""
    terms = loan_terms(company_record(company), company.system)
    if terms is None:
        raise RefusedError("company", f"{company.name} can field a Mek or buy one; the house lends to nobody else.")
    rosters = get_roster_system(company.system)
    design = rosters.published[SYSTEMS[company.system].loan_design]
    lent = []
    for _ in range(terms.units):
        unit = unit_buy_spec(
            company=company, by=by, design_name=design.name, spec=rosters.spec_json(design.spec), on_loan=True
        )
        pilot = pilot_hire(company=company, by=by, name=f"Pilot of {unit.name}"[:60])
        lent.append(pilot_assign(company=company, by=by, unit=unit, pilot=pilot))
    return lent


def loan_terms(record: CompanyRecord, system: str) -> LoanTerms | None:
    """What the house would lend this company now; None if it can field a Mek or buy one. MM-S10."""
    rules, rosters = SYSTEMS.get(system), get_roster_system(system)
    if rules is None:
        return None
    price = rosters.check_design(rosters.published[rules.loan_design].spec).points
    members = [  # whoever sits there: a Green for the seat costs nothing
        CompanyMember(unit.name, rosters.parse_spec(unit.spec), PilotSpec("green"))
        for unit in record.units.values()
        if unit.status == READY
    ]
    count = rules.house_loan("", members) if record.balance < price else 0
    return LoanTerms(units=count, price=price) if count else None


def dice_seed(battle: Battle) -> int:
    """The seed of a battle's aftermath: 0 .. 2^64 - 1, fixed by the battle, foreseen by nobody.

    Where the battle has sealed dice it is theirs, and anyone can check it later.
    """
    if battle.dice is not None:
        return dice_use(dice=battle.dice, purpose="aftermath")
    return int(salted_hmac("campaigns.aftermath", str(battle.key), algorithm="sha256").hexdigest()[:16], 16)


def _flown(units: Sequence[UnitResult], record: CompanyRecord) -> list[UnitResult]:
    """The units whose pilots are still on the roll, in roster order."""
    return [unit for unit in units if unit.pilot is not None and record.pilots[unit.pilot].status in (ACTIVE, WOUNDED)]


def _flight(battle: Battle, unit: UnitResult, record: CompanyRecord) -> Flight[Any]:
    """The pilot as he was before the game; the record has its kills and the game already."""
    assert unit.pilot is not None
    pilot = record.pilots[unit.pilot]
    return Flight(
        key=str(pilot.id),
        before=Career(
            level=pilot.experience,
            kills=pilot.kills - unit.kills,
            games=pilot.games - 1,
            skills=(*pilot.skills, *_settled(battle.system, record, pilot.id)),
        ),
        spec=get_roster_system(battle.system).parse_spec(record.units[unit.unit].spec),
        kills=unit.kills,
        lost=unit.lost,
        exploded=unit.exploded,
        fate=cast(Fate | None, unit.fate or None),
    )


def _support(battle: Battle, setup: Setup, each: Logged) -> Sequence[str]:
    """The support results that the side used; of a result that doesn't say, those of the set-up."""
    used = (battle.result or {}).get("support")
    return used[each.side.position] if used else setup.sides[each.side.position].support


def _settled(system: str, record: CompanyRecord, pilot: int) -> tuple[str, ...]:
    """Skills earned before this game that nobody chose: they are what the rules say. MM-S11."""
    known, settled = list(record.pilots[pilot].skills), []
    for default in record.pilots[pilot].pending:
        skill = default if default not in known else SYSTEMS[system].skill_choices(known)[0]
        known.append(skill)
        settled.append(skill)
    return tuple(settled)


def _result(battle: Battle, side: str) -> Result:
    outcome: Mapping[str, Any] = battle.result or {}
    if outcome["winner"] is None:
        return "drawn"
    return "won" if outcome["winner"] == side else "lost"


def _pilot(system: str, record: CompanyRecord, after: FlightAfter, seed: int) -> PilotAftermath:
    pilot, fate, skill = int(after.key), after.fate, after.skill
    rolled = {"seed": str(seed)}
    return PilotAftermath(
        pilot=pilot,
        settled=_settled(system, record, pilot),
        fate=fate.fate if fate else "",
        fate_facts={**rolled, "face": fate.face, "exploded": fate.exploded} if fate else {},
        promoted_from=record.pilots[pilot].experience if after.promoted else "",
        promoted_to=after.after.level if after.promoted else "",
        skill_facts={
            **rolled,
            "face": skill.face,
            "bonus": skill.bonus,
            "needed": skill.needed,
            "gained": skill.gained,
            "default": skill.default,
        }
        if skill
        else {},
    )


def _booking(
    battle: Battle, setup: Setup, each: Logged, side: GameSide[Any], after: SideAfter, seed: int, standing: bool
) -> GameBooking:
    takings = after.takings
    destroyed, lost, points = game_losses(battle, setup, each.side.name)
    results = get_battle_system(battle.system).support_results
    names = [results[slug].name for slug in _support(battle, setup, each) if slug in results]
    return GameBooking(
        result=side.result,
        season_points=takings.season_points,
        income=takings.income,
        repaid=takings.repaid,
        gifts=takings.gifts,
        facts={
            "seed": str(seed),
            "standing": standing,
            "destroyed": destroyed,
            "lost": lost,
            "destroyed_points": points,
            **({"support": names} if names else {}),
        },
    )


def game_losses(battle: Battle, setup: Setup, side: str) -> tuple[int, int, int]:
    """Enemy Meks destroyed, own Meks lost, points of the enemy's destroyed ones; other units don't count. MM-S12."""
    rules = get_roster_system(battle.system)
    specs = {unit.key: spec_of(setup, unit.design) for each in setup.sides for unit in each.units}
    fallen = [
        fate for fate in cast(Mapping[str, Any], battle.result)["units"] if fate["lost"] and specs.get(fate["key"])
    ]
    theirs = [specs[fate["key"]] for fate in fallen if fate["side"] != side]
    points = sum(rules.check_design(rules.parse_spec(spec), setup.options).points for spec in theirs)
    return len(theirs), len(fallen) - len(theirs), points
