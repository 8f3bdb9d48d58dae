"""The roster pages: content, refusals, permissions, number of queries."""

from __future__ import annotations

import html
import json
import re
import uuid
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rosters.ledger.records import company_balance
from rosters.models import AccessToken, Company, Design
from rosters.services import UnitResult, company_apply_result, design_save, designs_and_scenarios
from systems import ROSTERS, roster_rules
from systems.report_fields import UnitFate
from tests.accounts.builders import reauthenticate
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_pilot, a_player, a_unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return a_player("owner")


@pytest.fixture
def mine(client, owner):
    client.force_login(owner)
    return a_company(owner, points=200)


def text_of(response):
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def messages_of(response):
    return " ".join(str(message) for message in response.context["messages"])


def test_founded_company_shows_its_balance(client, owner):
    client.force_login(owner)
    fields = {"name": "Hounds", "system": SYSTEM, "points": 60, "colour": "#112233", "visibility": "private"}
    page = client.post(reverse("rosters:company_create"), fields, follow=True)
    assert "Hounds" in text_of(page)
    assert page.context["company"].balance == 60


def test_company_without_points_starts_with_its_games_default(client, owner):
    client.force_login(owner)
    fields = {"name": "Squad", "system": "hex-core", "points": "", "colour": "#112233", "visibility": "private"}
    page = client.post(reverse("rosters:company_create"), fields, follow=True)
    assert page.context["company"].balance == 480


def test_refused_founding_shows_field_and_keeps_input(client, owner):
    client.force_login(owner)
    fields = {"name": "Hounds", "system": SYSTEM, "points": 5000, "colour": "#112233", "visibility": "private"}
    page = client.post(reverse("rosters:company_create"), fields)
    assert page.status_code == 422
    assert 'value="Hounds"' in page.content.decode()
    assert not Company.objects.exists()


def test_unit_is_bought_and_crewed_through_the_pages(client, mine):
    client.post(reverse("rosters:unit_buy", args=[mine.pk]), {"what": "published:draken", "name": "Ghost"})
    client.post(reverse("rosters:pilot_hire", args=[mine.pk]), {"hire-name": "Ada", "hire-experience": "regular"})
    unit, pilot = mine.units.get(), mine.pilots.get()
    client.post(reverse("rosters:unit_assign", args=[mine.pk, unit.pk]), {"pilot": pilot.pk})
    page = client.get(reverse("rosters:company", args=[mine.pk]))
    (row,) = page.context["company"].units
    assert (row.name, row.pilot.name, page.context["company"].balance) == ("Ghost", "Ada", 171)
    assert page.context["company"].check.legal


def test_refused_purchase_shows_reason(client, owner):
    client.force_login(owner)
    company = a_company(owner, points=5)
    page = client.post(reverse("rosters:unit_buy", args=[company.pk]), {"what": "published:odin"}, follow=True)
    assert "costs 33 points" in messages_of(page)


@pytest.mark.parametrize("what", ["published:nothing", "own:999", "own:x", "", "own:99999999999999999999999"])
def test_bad_purchase_is_refused(client, mine, what):
    page = client.post(reverse("rosters:unit_buy", args=[mine.pk]), {"what": what}, follow=True)
    assert messages_of(page)
    assert not mine.units.exists()


def test_undo_shows_and_makes_the_change(client, mine):
    a_unit(mine, "draken")
    url = reverse("rosters:company_undo", args=[mine.pk])
    page = client.get(url, follow=True)
    assert "New balance: 200" in text_of(page)
    client.post(url, {"act": page.context["undo"].act})
    assert company_balance(mine) == 200


def test_unit_and_pilot_are_renamed_sold_and_retired(client, mine):
    unit, pilot = a_crewed_unit(mine)
    client.post(reverse("rosters:unit_rename", args=[mine.pk, unit.pk]), {"name": "Ghost"})
    client.post(reverse("rosters:pilot_edit", args=[mine.pk, pilot.pk]), {"name": "Eva", "callsign": "Owl"})
    assert "Ghost" in text_of(client.get(reverse("rosters:unit", args=[mine.pk, unit.pk])))
    assert "Eva “Owl”" in text_of(client.get(reverse("rosters:pilot", args=[mine.pk, pilot.pk])))
    client.post(reverse("rosters:unit_sell", args=[mine.pk, unit.pk]))
    client.post(reverse("rosters:pilot_retire", args=[mine.pk, pilot.pk]))
    assert company_balance(mine) == 200
    assert "Retired." in text_of(client.get(reverse("rosters:pilot", args=[mine.pk, pilot.pk])))


def test_pilots_page_links_numbers_to_entries(client, mine):
    unit, pilot = a_crewed_unit(mine)
    result = UnitResult(unit=unit.pk, pilot=pilot.pk, fate=UnitFate(kills=1), victims=("Thor",), after={"hits": 1})
    company_apply_result(
        company=mine, act=uuid.uuid4(), cause_ref=str(uuid.uuid4()), by=None, units=[result], title="Pass"
    )
    page = client.get(reverse("rosters:pilot", args=[mine.pk, pilot.pk]))
    assert "Ada destroyed Thor in “Pass”" in text_of(page)
    (row,) = page.context["explained"]["kills"]
    assert row.kind == "kill"
    assert "Repair for 1 points" in text_of(client.get(reverse("rosters:unit", args=[mine.pk, unit.pk])))


# --- permissions ---


def pages_of(company, unit, pilot):
    return [
        reverse("rosters:company", args=[company.pk]),
        reverse("rosters:company", args=[company.pk], query={"show": "ledger"}),
        reverse("rosters:company_export", args=[company.pk]),
        reverse("rosters:unit", args=[company.pk, unit.pk]),
        reverse("rosters:pilot", args=[company.pk, pilot.pk]),
        reverse("api-company", args=[company.pk]),
        reverse("api-company-export", args=[company.pk]),
    ]


@pytest.mark.parametrize("visibility", ["private", "link"])
@pytest.mark.parametrize("signed_in", [False, True])
def test_stranger_gets_404_for_a_hidden_company(client, owner, visibility, signed_in):
    company = a_company(owner, visibility=visibility)
    pages = pages_of(company, *a_crewed_unit(company))
    if signed_in:
        client.force_login(a_player("stranger"))
    for url in pages:
        assert client.get(url).status_code == 404, url
        assert client.get(url, {"key": str(uuid.uuid4())}).status_code == 404, url
        assert client.get(url, {"key": "nonsense"}).status_code == 404, url
    found = client.get(reverse("rosters:companies")).content.decode()
    assert company.name not in found


def test_company_shared_by_link_is_readable_through_its_links(client, owner):
    company = a_company(owner, visibility="link")
    for url in pages_of(company, *a_crewed_unit(company)):
        assert client.get(url, {"key": str(company.link_key)}).status_code == 200, url
    page = client.get(reverse("rosters:company", args=[company.pk]), {"key": str(company.link_key)})
    links = re.findall(r'href="(/companies/\d+/[^"]*)"', page.content.decode())
    assert links
    assert all(str(company.link_key) in link for link in links)


def test_public_company_is_readable_but_not_changeable(client, owner):
    company = a_company(owner, visibility="public")
    unit, pilot = a_crewed_unit(company)
    for url in pages_of(company, unit, pilot):
        assert client.get(url).status_code == 200, url
    client.force_login(a_player("stranger"))
    both, single = [company.pk, unit.pk], [company.pk]
    attempts = [("unit_sell", both), ("unit_rename", both), ("unit_assign", both), ("unit_repair", both)]
    attempts += [("unit_buy", single), ("pilot_hire", single), ("company_disband", single), ("company_undo", single)]
    attempts += [("company_settings", single), ("pilot_retire", [company.pk, pilot.pk])]
    before = company.ledger.count()
    for name, args in attempts:
        assert client.post(reverse(f"rosters:{name}", args=args), {"name": "Mine"}).status_code == 404, name
    assert company.ledger.count() == before


def test_visitor_is_sent_to_sign_in_before_a_change(client, owner):
    company = a_company(owner, visibility="public")
    answer = client.post(reverse("rosters:pilot_hire", args=[company.pk]), {"hire-name": "Ada"})
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))


def test_hidden_design_opens_by_its_shared_link_only(client, owner):
    design = design_save(author=owner, system=SYSTEM, name="Secret", spec=WASP)
    url = reverse("rosters:design", args=[design.pk])
    assert client.get(url).status_code == 404
    Design.objects.update(visibility="link")
    assert client.get(url).status_code == 404
    assert client.get(url, {"key": str(design.link_key)}).status_code == 200


def test_copied_design_opens_and_refused_copy_shows_reason(client, owner, monkeypatch):
    design = design_save(author=a_player("smith"), system=SYSTEM, name="Hornet", spec=WASP, visibility="public")
    client.force_login(owner)
    monkeypatch.setattr(designs_and_scenarios, "DESIGN", replace(designs_and_scenarios.DESIGN, most=1))
    copied, refused = (client.post(reverse("rosters:design_clone", args=[design.pk]), follow=True) for _ in range(2))
    copy = Design.objects.get(author=owner)
    assert copied.redirect_chain == [(reverse("rosters:design", args=[copy.pk]), 302)]
    assert messages_of(copied) == "Copied to your designs."
    assert refused.redirect_chain == [(reverse("rosters:designs"), 302)]
    assert messages_of(refused) == "You can keep 1 design at most. Delete one first."


# --- the lab ---


def test_lab_reads_and_checks_a_design_from_its_url(client):
    page = client.get(reverse("rosters:lab"), {"chassis": "light", "weapons": "cannon,ciws,ciws", "systems": "jammer"})
    assert "Legal, 9 points" in text_of(page)
    assert page.context["lab"].spec == WASP


def test_preview_follows_the_form_and_returns_its_address(client):
    fields = {"chassis": "light", "n-cannon": "1", "n-howitzer-cannon": "1", "name": "Toppler"}
    part = client.get(reverse("rosters:lab_preview"), fields)
    assert "MM-005" in text_of(part)
    again = client.get(json.loads(part["HX-Trigger"])["lab-built"]["address"])
    assert again.context["lab"].check.points == part.context["lab"].check.points


def test_lab_steps_work_without_scripts(client):
    page = client.get(reverse("rosters:lab"), {"chassis": "light", "n-ciws": "0", "step": "+ciws*2"}, follow=True)
    assert page.context["lab"].spec["weapons"] == ["ciws", "ciws"]
    page = client.get(reverse("rosters:lab"), {"chassis": "light", "n-ciws": "2", "step": "-ciws*2"}, follow=True)
    assert page.context["lab"].spec["weapons"] == []


def test_sent_form_redirects_to_its_build(client):
    answer = client.post(reverse("rosters:lab"), {"chassis": "light", "n-cannon": "1", "name": "Mine"})
    assert answer.status_code == 302
    assert client.get(answer.url).context["lab"].spec["weapons"] == ["cannon"]
    refused = client.post(reverse("rosters:lab"), {"chassis": "light", "n-cannon": "-1"})
    assert "whole number" in text_of(refused)


def test_parts_keep_their_slots_when_others_change(client):
    fields = {"chassis": "assault", "weapons": "ppc,cannon,ppc", "n-ppc": "2", "n-cannon": "1", "n-laser": "1"}
    page = client.get(reverse("rosters:lab"), fields, follow=True)
    assert page.context["lab"].spec["weapons"] == ["ppc", "cannon", "ppc", "laser"]


@pytest.mark.parametrize(
    "query",
    [
        {"chassis": "ligt"},
        {"n-cannon": "40"},
        {"n-cannon": "-1"},
        {"n-cannon": "x"},
        {"n-death-ray": "1"},
        {"weapons": "nul\x00"},
        {"system": "chess"},
        {"design": "9" * 40},
        {"name": "\x00"},
        {"n-cannon": "1", "step": "+"},
    ],
)
def test_bad_lab_address_shows_a_page(client, query):
    assert client.get(reverse("rosters:lab"), query, follow=True).status_code == 200
    assert client.get(reverse("rosters:lab_preview"), query).status_code == 200


def test_visitor_signs_in_and_keeps_their_design(client):
    answer = client.post(reverse("rosters:design_save"), {"chassis": "light", "n-cannon": "1", "name": "Mine"})
    assert answer.url.startswith(reverse("account_login"))
    assert "cannon" in answer.url


def test_design_is_saved_from_the_lab_and_rebuilt(client, owner):
    client.force_login(owner)
    client.post(reverse("rosters:design_save"), {"chassis": "light", "n-cannon": "1", "name": "Mine"})
    design = Design.objects.get()
    fields = {"chassis": "medium", "n-cannon": "2", "name": "Mine", "design": design.pk}
    client.post(reverse("rosters:design_save"), fields)
    design.refresh_from_db()
    assert design.spec == {"chassis": "medium", "weapons": ["cannon", "cannon"], "systems": []}


# --- the player's page ---


def test_token_is_shown_once_and_works_until_revoked(client, owner):
    client.force_login(owner)
    reauthenticate(client)
    token = client.post(reverse("rosters:token_create"), {"name": "Bot", "days": 30}).context["token"]
    assert token not in client.get(reverse("rosters:profile")).content.decode()
    client.logout()
    header = {"authorization": f"Token {token}"}
    assert client.get(reverse("api-designs"), headers=header).status_code == 200
    client.force_login(owner)
    client.post(reverse("rosters:token_revoke", args=[AccessToken.objects.get().token_key]))
    client.logout()
    assert client.get(reverse("api-designs"), headers=header).status_code == 401


@pytest.mark.parametrize("key", ["%00", "nothing1", "%C3%A9"])
def test_unknown_token_cannot_be_revoked(client, owner, key):
    client.force_login(owner)
    assert client.post(f"/profile/tokens/{key}/revoke/").status_code == 404


def test_player_changes_their_profile(client, owner):
    client.force_login(owner)
    client.post(reverse("rosters:profile"), {"name_shown": "Kim", "time_zone": "Europe/Vienna", "paper": "letter"})
    owner.refresh_from_db()
    assert (str(owner), owner.time_zone, owner.paper) == ("Kim", "Europe/Vienna", "letter")


def test_unknown_time_zone_is_refused_on_its_field(client, owner):
    client.force_login(owner)
    page = client.post(reverse("rosters:profile"), {"name_shown": "", "time_zone": "Mars/Olympus", "paper": "a4"})
    assert page.status_code == 422
    assert "Mars/Olympus" in page.context["form"].errors["time_zone"][0]


def test_rules_are_found_by_kind_and_words(client):
    page = client.get(reverse("rosters:rules"), {"kind": "build", "q": "mm-005"})
    assert [rule.id for _slug, _title, rules in page.context["groups"] for rule, _step in rules] == ["MM-005"]
    assert client.get(reverse("rosters:rules", args=["chess"])).status_code == 404


@pytest.mark.parametrize("slug", ROSTERS)
def test_rules_page_shows_source_and_rulings_of_each_rule(client, slug):
    page = html.unescape(client.get(reverse("rosters:rules", args=[slug])).content.decode())
    parts = dict(re.findall(r'<div class="rules__rule" id="([A-Z0-9-]+)">(.*?)</dd>', page, re.DOTALL))
    assert list(parts)
    assert set(parts) == set(ROSTERS[slug].rulebook)
    for rule in ROSTERS[slug].rulebook.values():
        text = " ".join(parts[rule.id].split())
        assert ('<span class="tag">Muster’s own</span>' in text) == rule.is_ours, rule.id
        assert (rule.origin in text) != rule.is_ours, rule.id
        assert text.count("Ruling ") >= len(rule.rulings)
        assert all(ruling.title in text and ruling.text in text for ruling in rule.rulings), rule.id


def test_rulings_are_found_by_their_words(client):
    page = client.get(reverse("rosters:rules"), {"q": "Rich Uncle bank"})
    assert "MM-S07" in [rule.id for _slug, _title, rules in page.context["groups"] for rule, _step in rules]


@pytest.mark.parametrize(
    ("rule", "ours"),
    [
        ("HX-092", "CTR"),
        ("HX-104", "the figures of each form"),
        ("HX-121", "the 4 AP"),
        ("HX-151", "five floors a level"),
    ],
)
def test_musters_own_figures_are_marked_in_book_rules(client, rule, ours):
    page = html.unescape(client.get(reverse("rosters:rules", args=["hex-core"])).content.decode())
    part = page.split(f'id="{rule}"', 1)[1].split("</dd>", 1)[0]
    assert "The book: " in part
    assert f"Muster’s own: {ours}" in part


def test_hex_core_rules_explain_status_effects_and_terms(client):
    page = html.unescape(client.get(reverse("rosters:rules", args=["hex-core"])).content.decode())
    for title, address, count in (("Status effects", "status-effects", 9), ("Terms", "terms", 29)):
        assert len(ROSTERS["hex-core"].glossary[title]) == count
        assert f'<a href="#{address}">{title}</a>' in page
        assert all(
            f"<dt>{entry.name}</dt>" in page and entry.text in page for entry in ROSTERS["hex-core"].glossary[title]
        )
    lab = client.get(reverse("rosters:lab"), {"system": "hex-core"}).content.decode()
    assert "/rules/hex-core/#status-effects" in lab


# --- queries ---


@pytest.mark.slow
@pytest.mark.parametrize("name", ["company", "company?show=ledger", "unit", "pilot"])
def test_query_count_does_not_grow_with_units(client, mine, name):
    unit, pilot = a_crewed_unit(mine)
    name, _, query = name.partition("?")
    args = {"company": [mine.pk], "unit": [mine.pk, unit.pk], "pilot": [mine.pk, pilot.pk]}
    url = f"{reverse(f'rosters:{name}', args=args[name])}?{query}"
    with CaptureQueriesContext(
        connection,
    ) as few:
        client.get(url)
    for number in range(4):
        a_crewed_unit(mine, pilot=f"Pilot {number}")
        a_pilot(mine, f"Spare {number}")
    with CaptureQueriesContext(connection) as many:
        client.get(url)
    assert len(many) == len(few) < 15


@pytest.mark.slow
def test_company_list_query_count_does_not_grow(client, mine):
    a_company(visibility="public")
    with CaptureQueriesContext(connection) as few:
        client.get(reverse("rosters:companies"))
    for _ in range(5):
        a_unit(a_company(mine.owner))
        a_company(visibility="public")
    with CaptureQueriesContext(connection) as many:
        client.get(reverse("rosters:companies"))
    assert len(many) == len(few) < 15


@pytest.mark.parametrize("slug", list(roster_rules("meks-and-mercs").published))
def test_published_mek_page_shows_cost_and_data_sheet(client, slug):
    page = client.get(f"/designs/meks-and-mercs/{slug}/")

    assert page.status_code == 200
    assert roster_rules("meks-and-mercs").published[slug].name in page.content.decode()


def test_data_sheet_rounds_numbers(client):
    page = client.get("/designs/meks-and-mercs/odin/").content.decode()

    assert "83.3%" in page  # a save on 2 or more
    assert "1.17 / 1.17 / 0.67" in page  # 7/6, 7/6, 2/3 expected Hits
