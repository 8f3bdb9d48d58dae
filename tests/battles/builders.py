"""Small set-ups and companies for tests of the battles app."""

from typing import Any

from battles.models import Battle, Forecast
from battles.services.setups import SideChoice, SideForce, UnitChoice, company_choices, setup_document
from battles.tasks import forecast_run
from rosters.jobs import JobStatus
from rosters.models import Company, Player, Visibility
from rosters.services import company_create, pilot_assign, pilot_hire, unit_buy
from systems import roster_rules
from tests.builders import outfit

PASSWORD = "muster-the-company"


def duel(a: str = "wasp", b: str = "draken", *, terrain: str = "plain", doctrine: str = "aggressive") -> dict[str, Any]:
    """Return a setup/1 document of one published Mek against another."""
    sides = [
        SideChoice(name="Red", doctrine=doctrine, units=[UnitChoice(design=a)]),
        SideChoice(name="Blue", doctrine="cautious", units=[UnitChoice(design=b)]),
    ]
    return setup_document(system="meks-and-mercs", terrain=terrain, sides=sides)[0]


def result_of(battle: Battle) -> dict[str, Any]:
    """Return the result of a finished battle."""
    assert battle.result is not None
    return battle.result


def player(name: str = "kim") -> Player:
    """Return the player with that name, created on first use."""
    known = Player.objects.filter(username=name).first()
    return known or Player.objects.create_user(name, f"{name}@example.org", PASSWORD)


def company(owner: Player, *designs: str, name: str = "Iron Dogs", visibility: str = Visibility.PRIVATE) -> Company:
    """Return a company with these published designs, each with a Regular pilot."""
    founded = company_create(owner=owner, system="meks-and-mercs", name=name, points=200, visibility=visibility)
    designs = designs or ("draken",)

    def buy() -> None:
        for number, design in enumerate(designs, start=1):
            unit = unit_buy(company=founded, by=owner, published=design)
            pilot = pilot_hire(company=founded, by=owner, name=f"Pilot {number}", experience="regular")
            pilot_assign(company=founded, by=owner, unit=unit, pilot=pilot)

    outfit(founded, ("regulars", roster_rules(founded.system), designs), buy)
    return founded


def company_battle(own: Company, enemy: str = "wasp") -> tuple[dict[str, Any], tuple[SideForce | None, ...]]:
    """Return the document and the forces of a whole company against one published Mek."""
    sides = [
        SideChoice(name=own.name, doctrine="aggressive", units=company_choices(own), company=own),
        SideChoice(name="Blue", doctrine="cautious", units=[UnitChoice(design=enemy)]),
    ]
    return setup_document(system="meks-and-mercs", terrain="plain", sides=sides)


def count_out(forecast: Forecast) -> Forecast:
    """Simulate a forecast to its end, slice by slice."""
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    while forecast.status == JobStatus.RUNNING:
        forecast_run(forecast.pk, str(forecast.lease))
        forecast.refresh_from_db()
    return forecast
