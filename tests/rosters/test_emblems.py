"""A company's emblem: from its name, chosen or rolled, and shown beside the company's name."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.urls import reverse

from rosters.appearance.emblems import chosen, emblem_of, emblem_option_groups, emblem_svg
from rosters.documents.company import read_company
from rosters.documents.import_export import company_import, company_json
from rosters.ledger.records import differences
from rosters.models import Company
from rosters.paper.themes import THEMES
from rosters.products.company_pages import emblem_image
from rosters.services import RefusedError, company_change, company_create, undo_last_act
from systems.documents import DocumentError
from systems.emblems import random_emblem, read_emblem
from tests.builders import SYSTEM, a_company, a_player
from tests.test_edit_conflicts import form_on

WOLF, TOWER = "hafkw", "rqtyb"


def emblems_on(html: str) -> set[str]:
    """Return the emblems on the page: their pictures without their sizes."""
    return {re.sub(r"^.*?>", "", each) for each in re.findall(r'<svg class="emblem[^>]*>.*?</svg>', html)}


def shows(client, url: str, *codes: str) -> bool:
    """Return whether the page shows these emblems, at any size."""
    html = client.get(url).content.decode()
    pictures = emblems_on(html)
    return all(
        pictures & {re.sub(r"^.*?>", "", emblem_svg(read_emblem(code), size)) for size in ("sign", "card", "page")}
        for code in codes
    )


def page_of(company: Company) -> str:
    return reverse("rosters:company_emblem", args=[company.pk])


@pytest.fixture
def company(client, db):
    company = a_company(name="Grey Wolves")
    client.force_login(company.owner)
    return company


def test_company_has_its_names_emblem_until_another_is_chosen(client, company):
    by_name = random_emblem("Grey Wolves").code
    assert emblem_of(company.emblem, company.name).code == by_name
    for name in ("company", "company_settings"):
        assert shows(client, reverse(f"rosters:{name}", args=[company.pk]), by_name)
    assert shows(client, reverse("rosters:companies"), by_name)
    company_change(company=company, by=company.owner, emblem=WOLF)
    assert shows(client, reverse("rosters:company", args=[company.pk]), WOLF)
    assert not shows(client, reverse("rosters:companies"), by_name)


def test_page_shows_the_addresses_emblem_without_saving(client, company):
    arguments = {"shield": "r", "division": "q", "charge": "t", "dark": "b", "light": "y", "ground": "light"}
    html = client.get(page_of(company), arguments, follow=True).content.decode()
    assert unescape(re.search(r'role="status">([^<]*)<', html)[1]) == "Tower in blue on a yellow roundel, quarterly."
    for slug, letter in arguments.items():
        assert re.search(rf'name="{slug}"\s+value="{letter}"\s+id="{slug}-{letter}"\s+checked', html)
    assert len(re.findall(r'type="radio"', html)) == sum(
        len(group.options) for group in emblem_option_groups(read_emblem(TOWER))
    )
    company.refresh_from_db()
    assert company.emblem == ""


def test_saved_emblem_is_undone_from_its_message(client, company):
    answer = client.post(
        page_of(company), form_on(client.get(page_of(company), {"charge": "f"}, follow=True), page_of(company))
    )
    assert answer.status_code == 302
    company.refresh_from_db()
    assert company.emblem == chosen({"charge": "f"}, random_emblem(company.name), company.name).code
    home = client.get(answer.url).content.decode()
    assert "Emblem saved." in home
    assert reverse("rosters:company_undo", args=[company.pk]) in home
    assert not list(differences(company))
    undo_last_act(company=company, by=company.owner)
    company.refresh_from_db()
    assert company.emblem == ""


def test_rolls_differ_but_one_address_keeps_its_roll(client, company):
    rolls = [
        re.search(r'id="roll"\s+href="\?roll=(\w+)"', client.get(page_of(company), follow=True).content.decode())[1]
        for _ in "123"
    ]
    assert len(set(rolls)) == 3
    made = [chosen({"roll": each}, random_emblem("x"), company.name) for each in rolls]
    assert len(set(made)) == 3
    assert made == [chosen({"roll": each}, random_emblem("y"), company.name) for each in rolls]
    assert chosen({"roll": ""}, random_emblem("x"), company.name) == random_emblem(company.name)


@pytest.mark.parametrize(
    "parameters",
    [{"charge": "nothing"}, {"shield": ""}, {"dark": "w"}, {"light": "k"}, {"ground": "\x00"}, {"roll": "\x00" * 500}],
)
def test_unknown_emblem_values_still_show_an_emblem(client, company, parameters):
    assert client.get(page_of(company), parameters, follow=True).status_code == 200


@pytest.mark.parametrize("code", ["zzzzz", "hafkk", "hafk", "<svg>", "HAFKW"])
def test_bad_emblem_code_is_refused(client, company, code):
    fields = form_on(client.get(page_of(company), {"charge": "f"}, follow=True), page_of(company)) | {"emblem": [code]}
    page = client.post(page_of(company), fields)
    assert page.status_code == 422
    company.refresh_from_db()
    assert company.emblem == ""
    with pytest.raises(RefusedError):
        company_create(owner=company.owner, system=SYSTEM, name="Foxes", emblem=code)


def test_renamed_company_keeps_its_emblem(company):
    before = emblem_of(company.emblem, company.name)
    company_change(company=company, by=company.owner, name="Red Foxes")
    company.refresh_from_db()
    assert emblem_of(company.emblem, company.name) == before
    assert not list(differences(company))
    undo_last_act(company=company, by=company.owner)
    company.refresh_from_db()
    assert (company.name, company.emblem) == ("Grey Wolves", "")


def test_ledger_describes_an_emblem_in_words(client, company):
    company_change(company=company, by=company.owner, emblem=WOLF)
    ledger = unescape(
        client.get(reverse("rosters:company", args=[company.pk], query={"show": "ledger"})).content.decode()
    )
    assert "Changed emblem to “wolf in white on a black heater”" in ledger


def test_exported_emblem_is_kept_and_forged_one_refused(company):
    company_change(company=company, by=company.owner, emblem=WOLF)
    company.refresh_from_db()
    document = json.loads(company_json(company))
    copy = company_import(owner=a_player(), document=read_company(json.dumps(document)))
    assert copy.emblem == WOLF
    with pytest.raises(DocumentError, match="doesn't match the ledger"):
        read_company({**document, "emblem": TOWER})
    forged = json.dumps(document).replace(WOLF, "zzzzz")
    with pytest.raises(DocumentError):
        read_company(forged)
    old = {key: value for key, value in document.items() if key != "emblem"}
    old["ledger"] = [entry for entry in old["ledger"] if entry["kind"] != "changed"]
    assert company_import(owner=a_player(), document=read_company(json.dumps(old))).emblem == ""


def test_row_with_a_bad_code_shows_its_names_emblem(client, company):
    Company.objects.filter(pk=company.pk).update(emblem="zzzzz")
    assert shows(client, reverse("rosters:companies"), random_emblem(company.name).code)


def test_api_returns_and_changes_an_emblem(client, company):
    url = f"/api/v1/companies/{company.pk}/"
    assert client.get(url).json()["emblem"] == random_emblem(company.name).code
    tag = client.get(url).headers["ETag"]
    answer = client.patch(url, {"emblem": WOLF}, content_type="application/json", headers={"If-Match": tag})
    assert (answer.status_code, answer.json()["emblem"]) == (200, WOLF)
    refused = client.patch(
        url, {"emblem": "hafkk"}, content_type="application/json", headers={"If-Match": answer.headers.get("ETag", "*")}
    )
    assert refused.status_code in (400, 422)
    assert "one light and one dark" in refused.content.decode()


def test_only_an_emblem_without_name_has_a_label():
    assert 'aria-hidden="true"' in emblem_svg(read_emblem(WOLF))
    assert 'aria-label="Emblem: wolf in white on a black heater"' in emblem_svg(read_emblem(WOLF), is_alone=True)


def test_printed_emblem_uses_its_themes_colours():
    for name, theme in THEMES.items():
        paints = set(re.findall(r"fill%3D%22%23([0-9a-f]{6})", emblem_image("hafrw", theme)))
        assert len(paints) == 2
        assert ("a3241c" in paints) == (name == "colour")
        assert name == "colour" or all(code[:2] == code[2:4] == code[4:] for code in paints)
    assert emblem_image("", THEMES["colour"]) == ""
