"""Companies of the test builders match those of the services, even when copied."""

from typing import Any

import pytest
from django.db.models import Model

from rosters.ledger.records import differences
from rosters.models import Company, Player
from systems import roster_rules
from tests import builders
from tests.battles.builders import company as a_company_of_regulars
from tests.builders import a_player
from tests.campaigns.builders import a_mustered_company

pytestmark = pytest.mark.django_db

OWN = {"id", "company_id", "act", "created_at"}  # every row has its own


def values_of(rows: Any, pilots: list[int], units: list[int]) -> list[dict[str, Any]]:
    """Return the rows' values, with pilots and units by place, and players by type."""

    def value(row: Model, name: str) -> Any:
        found = getattr(row, name)
        places = {"pilot_id": pilots, "unit_id": units}.get(name)
        return places.index(found) if places and found else type(found) if name == "created_by_id" else found

    return [{f.attname: value(row, f.attname) for f in row._meta.fields if f.attname not in OWN} for row in rows]


def rows_of(company: Company) -> list[list[dict[str, Any]]]:
    pilots, units = (list(rows.order_by("pk")) for rows in (company.pilots, company.units))
    of = [pilot.pk for pilot in pilots], [unit.pk for unit in units]
    return [values_of(rows, *of) for rows in (pilots, units, company.ledger.exclude(kind="founded").order_by("pk"))]


def mustered(owner: Player) -> Company:
    return a_mustered_company(owner, "wasp", "draken")


def of_mech_campaign(owner: Player) -> Company:
    return a_mustered_company(owner, *list(roster_rules("mech-campaign").published)[:2], system="mech-campaign")


def of_regulars(owner: Player) -> Company:
    return a_company_of_regulars(owner, "wasp", "draken")


@pytest.mark.parametrize("make", [mustered, of_mech_campaign, of_regulars])
def test_copied_company_matches_the_services_row_by_row(make: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(builders, "_outfits", {})
    made, copied = make(a_player()), make(a_player())
    assert rows_of(copied) == rows_of(made)
    assert list(differences(copied)) == []
    acts, others = (list(each.ledger.order_by("pk").values_list("act", flat=True)) for each in (made, copied))
    assert [acts.index(act) for act in acts] == [others.index(act) for act in others]
    assert not set(acts) & set(others)
    assert {entry.created_by for entry in copied.ledger.all()} == {copied.owner}
