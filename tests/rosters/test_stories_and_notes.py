"""An owner's texts: a story that visitors read, and notes that only the owner reads."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from rosters.accounts.data_export import PARTS
from rosters.accounts.ownership import companies_erase
from rosters.appearance.services import MAX_STORY_LENGTH, description_save
from rosters.documents.import_export import company_json
from rosters.models import Description
from rosters.services import RefusedError, company_disband
from tests.builders import a_company, a_crewed_unit, a_player
from tests.test_edit_conflicts import form_on

pytestmark = pytest.mark.django_db
STORY, NOTES = "Raised at the ford.\n\nNever paid.", "Sell the Viper <b>before</b> round 3"


@pytest.fixture
def company(client):
    company = a_company(name="Grey Wolves", visibility="public")
    client.force_login(company.owner)
    return company


@pytest.fixture
def member(company):
    return a_crewed_unit(company)


def pages(company, unit, pilot) -> dict[str, tuple[str, str]]:
    """Return the page to read and the form to write, of company, unit and pilot."""
    return {
        "company": (reverse("rosters:company", args=[company.pk]), reverse("rosters:company_notes", args=[company.pk])),
        "unit": (
            reverse("rosters:unit", args=[company.pk, unit.pk]),
            reverse("rosters:unit_notes", args=[company.pk, unit.pk]),
        ),
        "pilot": (
            reverse("rosters:pilot", args=[company.pk, pilot.pk]),
            reverse("rosters:pilot_notes", args=[company.pk, pilot.pk]),
        ),
    }


def write(client, url: str, story: str = STORY, notes: str = NOTES):
    return client.post(url, form_on(client.get(url, follow=True), url) | {"story": [story], "notes": [notes]})


@pytest.mark.parametrize("what", ["company", "unit", "pilot"])
def test_visitors_read_the_story_but_not_the_notes(client, company, member, what):
    page, form = pages(company, *member)[what]
    assert write(client, form).url == page
    own = client.get(page).content.decode()
    assert "<p>Raised at the ford.</p>" in own
    assert "Sell the Viper &lt;b&gt;before&lt;/b&gt;" in own
    others = [other for name, (other, _) in pages(company, *member).items() if name != what]
    assert not any("Raised at the ford" in client.get(other).content.decode() for other in others)
    for reader in (a_player(), None):
        client.force_login(reader) if reader else client.logout()
        seen = client.get(page).content.decode()
        assert "Raised at the ford." in seen
        assert "Sell the Viper" not in seen
        assert form not in seen


def test_notes_are_exported_with_their_owner_only(client, company, member):
    for _, form in pages(company, *member).values():
        write(client, form)
    api = f"/api/v1/companies/{company.pk}/"
    documents = [
        client.get(url).content.decode()
        for url in (api, f"{api}export/", reverse("rosters:company_export", args=[company.pk]))
    ]
    documents += [str(company_json(company))]
    assert not any("Sell the Viper" in each for each in documents)
    files = dict(file for part in PARTS for file in part.files(company.owner))
    words = json.loads(files["words.json"])
    assert [(each["company"], each["unit"] is not None, each["pilot"] is not None) for each in words] == [
        ("Grey Wolves", False, False),
        ("Grey Wolves", True, False),
        ("Grey Wolves", False, True),
    ]
    assert {each["notes"] for each in words} == {NOTES}
    assert "words.json" not in dict(file for part in PARTS for file in part.files(a_player()))


def test_emptied_texts_leave_no_row(client, company):
    _, form = reverse("rosters:company", args=[company.pk]), reverse("rosters:company_notes", args=[company.pk])
    write(client, form)
    assert Description.objects.count() == 1
    write(client, form, "  \n ", "")
    assert not Description.objects.exists()


def test_text_changed_meanwhile_is_not_overwritten(client, company):
    form = reverse("rosters:company_notes", args=[company.pk])
    old = form_on(client.get(form, follow=True), form) | {"story": ["Mine"]}
    description_save(company=company, by=company.owner, story="Theirs", notes="")
    page = client.post(form, old)
    assert page.status_code == 422
    assert "Changed meanwhile to “Theirs”" in page.content.decode()
    assert Description.objects.get().story == "Theirs"


def test_bad_text_is_refused_at_its_field(client, company, member):
    form = reverse("rosters:company_notes", args=[company.pk])
    for story in ("x" * (MAX_STORY_LENGTH + 1), "so\x07 it is", "\ud800"[:0] + "a\u202eb"):
        page = write(client, form, story)
        assert page.status_code == 422
        assert "story" in page.context["texts_form"].errors
    assert not Description.objects.exists()
    with pytest.raises(RefusedError, match="doesn't belong"):
        description_save(company=company, by=company.owner, story="x", notes="", unit=a_crewed_unit(a_company())[0])


def test_disbanded_company_takes_no_texts(client, company):
    company_disband(company=company, by=company.owner)
    with pytest.raises(RefusedError, match="disbanded"):
        description_save(company=company, by=company.owner, story="x", notes="")


def test_texts_are_deleted_with_their_company(company, member):
    unit, pilot = member
    for given in ({}, {"unit": unit}, {"pilot": pilot}):
        description_save(company=company, by=company.owner, story="x", notes="y", **given)
    assert Description.objects.count() == 3
    companies_erase(type(company).objects.filter(pk=company.pk))
    assert not Description.objects.exists()
