"""The gallery of units: those of public companies, with their ledger figures; sorted, filtered, in pages."""

import re
from uuid import uuid4

import pytest

from rosters.galleries import unit_sizes
from rosters.models import Company, Unit
from systems import ROSTERS, roster_rules
from tests.builders import SYSTEM, WASP, a_company, a_player, a_unit

pytestmark = pytest.mark.django_db


def names(client, **asked):
    return [unit.name for unit in gallery(client, **asked).context["slice"]]


def gallery(client, **asked):
    return client.get("/designs/", {"show": "units", **asked})


def page_text(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def a_public(name="Ants", **fields):
    return a_company(a_player(), name=name, visibility="public", **fields)


def add_entry(unit, kind, **facts):
    return unit.company.ledger.create(act=uuid4(), kind=kind, unit=unit, facts=facts, cause="result")


def test_only_ready_units_of_public_companies_are_listed(client):
    listed_unit = a_unit(a_public(), name="Seen")
    for visibility in ("private", "link"):
        a_unit(a_company(a_player(), visibility=visibility), name=visibility)
    sold, gone = a_unit(listed_unit.company, name="Sold"), a_unit(a_public(), name="Gone")
    Unit.objects.filter(pk=sold.pk).update(status="sold")
    Company.objects.filter(pk=gone.company_id).update(disbanded_at=gone.company.founded_at)
    assert names(client) == ["Seen"]
    client.force_login(listed_unit.company.owner)
    assert names(client) == ["Seen"]


def test_unit_shows_company_points_and_results(client):
    unit = a_unit(a_public("Iron Ants"), name="Biter")
    add_entry(unit, "fought")
    add_entry(unit, "fought", lost=True)
    add_entry(unit, "kill", count=3, victims=[])
    back = add_entry(unit, "kill", count=5, victims=[])
    unit.company.ledger.create(
        act=uuid4(), kind="reversed", unit=unit, facts={"kind": "kill"}, cause="undo", reverses=back
    )
    answer = gallery(client)
    (row,) = answer.context["slice"]
    assert (row.games, row.kills, row.lost, row.size_name) == (2, 3, 1, "Light")
    assert row.points == roster_rules(SYSTEM).check_design(roster_rules(SYSTEM).published["wasp"].spec).points
    assert "Biter" in page_text(answer)
    assert "2 games 3 kills lost 1 time" in page_text(answer)
    assert f'href="/companies/{unit.company_id}/units/{unit.pk}/"' in answer.content.decode()
    assert 'class="body body--row figure"' in answer.content.decode()


def test_units_are_sorted_by_purchase_name_and_kills(client):
    company = a_public()
    bee, ant, cat = (a_unit(company, name=name) for name in ("Bee", "Ant", "Cat"))
    add_entry(bee, "kill", count=2, victims=[])
    add_entry(cat, "kill", count=1, victims=[])
    add_entry(cat, "kill", count=9, victims=[])
    assert names(client) == ["Cat", "Ant", "Bee"]
    assert names(client, sort="name") == ["Ant", "Bee", "Cat"]
    assert names(client, sort="kills") == ["Cat", "Bee", "Ant"]
    assert names(client, sort="x") == ["Cat", "Ant", "Bee"]
    assert ant.pk


@pytest.mark.parametrize("system", list(ROSTERS))
def test_every_published_design_is_found_by_game_and_frame(client, system):
    rules = roster_rules(system)
    company = Company.objects.create(
        owner=a_player(), system=system, name="All", visibility="public", catalogue_release=rules.catalogue_release
    )
    frames = {}
    for slug, design in rules.published.items():
        spec = rules.spec_json(design.spec)
        company.units.create(name=slug, design_name=design.name, spec=spec)
        editor = rules.editor(design.spec)
        frames[slug] = next(frame.name for frame in editor.frames if frame.slug == editor.frame)
    for name in set(frames.values()):
        expected = {slug for slug, frame in frames.items() if frame == name}
        assert set(names(client, system=system, size=name)) == expected
    assert {name for name, _ in unit_sizes(system)} >= set(frames.values())


def test_empty_gallery_and_empty_filter_say_so(client):
    assert "No units yet" in page_text(gallery(client))
    a_unit(a_public())
    assert "No units found" in page_text(gallery(client, size="Titan"))
    assert len(names(client, size="nonsense", system="nonsense")) == 1


@pytest.mark.parametrize("sort", ["newest", "name", "kills"])
def test_every_order_pages_without_a_gap(client, sort):
    company = a_public()
    units = Unit.objects.bulk_create(
        Unit(company=company, name=f"U {number % 7}", design_name="Wasp", spec=WASP) for number in range(65)
    )
    for unit in units[:20]:
        add_entry(unit, "kill", count=unit.pk % 3, victims=[])
    seen, after = [], ""
    for _ in range(3):
        page = gallery(client, sort=sort, after=after, system=SYSTEM).context["slice"]
        seen += [row.id for row in page]
        after = page.after
    assert after == ""
    assert sorted(seen) == sorted(unit.pk for unit in units)


def test_companies_page_links_to_the_units(client):
    assert 'href="/designs/?show=units"' in client.get("/companies/").content.decode()
