"""A form sent after its session ended is filled in again, for the account that filled it in."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.guests.services import guest_add, link_make
from rosters.models import Company, Description
from rosters.site import kept_forms
from tests.accounts.builders import PASSWORD, add_second_factor, totp_code
from tests.builders import a_company, a_player
from tests.campaigns.builders import a_club
from tests.tools.form_pages import forms_on

pytestmark = pytest.mark.django_db
OUT = "You were signed out."
STILL_HERE = "What you typed is still here: check it and save."
STORY = "The long way home.\n\n<b>All of it</b> & more"


@pytest.fixture
def owner(client):
    cache.clear()
    player = a_player("kim")
    client.force_login(player)
    return player


@pytest.fixture
def words(owner):
    """Return the address to which a company's page sends a story."""
    return reverse("rosters:company_notes", args=[a_company(owner).pk])


def page_with(words):
    """Return the address of the page that has the form for the story."""
    return words.replace("/words/", "/settings/")


def form_on(html, page, path, field=""):
    """Return the first form to `path`, or the first one with this field."""
    found = (form for form in forms_on(html, role="", page=page) if form.path == path)
    return next(form for form in found if not field or field in form.names)


def send_signed_out(client, page, path, *, headers=None, field="", **typed):
    """Return the response to the page's form at `path`, filled in and sent after the session ended."""
    fields = dict(form_on(client.get(page).content.decode(), page, path, field).pairs) | typed
    client.cookies.pop(settings.SESSION_COOKIE_NAME)
    return client.post(path, fields, headers=headers or {"Referer": f"http://testserver{page}"})


def next_of(url):
    """Return the address to go to after signing in."""
    return parse_qs(urlsplit(url).query)["next"][0]


def sign_in(client, url, login="kim"):
    fields = {"login": login, "password": PASSWORD, "next": next_of(url)}
    return client.post(reverse("account_login"), fields, follow=True)


def test_typed_text_is_restored_after_signing_in(client, owner, words):
    answer = send_signed_out(client, page_with(words), words, story=STORY)
    assert answer.url.startswith(reverse("account_login"))
    assert "Sign in again to get back what you typed" in client.get(answer.url).content.decode()
    back = sign_in(client, answer.url)
    address = back.redirect_chain[-1][0]
    assert address.startswith(f"{page_with(words)}?kept=")
    assert f"{OUT} {STILL_HERE}" in " ".join(back.content.decode().split())
    filled = dict(form_on(back.content.decode(), page_with(words), words).pairs)
    assert filled["story"] == STORY
    assert not Description.objects.exists(), "the form isn't sent automatically"
    client.post(words, filled, headers={"Referer": f"http://testserver{address}"})
    assert Description.objects.get().story == STORY
    assert "There’s no saved form to restore." in client.get(address).content.decode()


def test_htmx_button_redirects_to_sign_in_and_back(client, owner):
    company = a_company(owner)
    page = reverse("rosters:company", args=[company.pk])
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{page}?gone=1"}
    answer = send_signed_out(
        client, page, reverse("rosters:unit_buy", args=[company.pk]), headers=headers, field="what"
    )
    assert (answer.status_code, answer.content) == (200, b"")
    back = sign_in(client, answer.headers["HX-Redirect"])
    assert back.redirect_chain[-1][0].startswith(f"{page}?gone=1&kept=")
    assert "Nothing was changed. Please try again." in back.content.decode()
    assert not company.units.exists()


def test_form_refused_at_its_target_returns_to_its_page(client, owner):
    company = a_company(owner)
    page, hire = (reverse(f"rosters:{name}", args=[company.pk]) for name in ("company", "pilot_hire"))
    fields = dict(form_on(client.get(page).content.decode(), page, hire).pairs) | {"hire-name": "x" * 500}
    refused = client.post(hire, fields, headers={"Referer": f"http://testserver{page}"})
    assert refused.status_code == 422
    again = dict(form_on(refused.content.decode(), hire, hire).pairs) | {"hire-name": "Freya Udall"}
    client.cookies.pop(settings.SESSION_COOKIE_NAME)
    answer = client.post(hire, again, headers={"Referer": f"http://testserver{hire}"})
    back = sign_in(client, answer.url)
    assert back.redirect_chain[-1][0].startswith(f"{page}?kept=")
    assert dict(form_on(back.content.decode(), page, hire).pairs)["hire-name"] == "Freya Udall"


def test_another_player_on_the_same_browser_sees_no_form(client, owner, words):
    page = reverse("rosters:company_create")
    answer = send_signed_out(client, page, page, name="Secret Hounds")
    a_player("pat")
    back = sign_in(client, answer.url, "pat")
    assert back.status_code == 200
    assert "Secret Hounds" not in back.content.decode()
    assert "only for the account that filled it in" in back.content.decode()


def test_form_is_not_kept_after_a_change_of_account(client, owner, words):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    fields = dict(form_on(strict.get(page_with(words)).content.decode(), page_with(words), words).pairs) | {
        "story": "Secret plan of Kim"
    }
    strict.post(reverse("account_logout"))
    strict.force_login(a_player("pat"))
    strict.get("/")
    answer = strict.post(
        words, fields | {"csrfmiddlewaretoken": "a" * 64}, headers={"Referer": f"http://testserver{page_with(words)}"}
    )
    assert answer.status_code == 403
    assert "This form has expired" in answer.content.decode()
    assert f'href="{page_with(words)}"' in answer.content.decode()
    assert not cache.get(f"kept-forms-2-{owner.pk}")


def test_form_from_before_signing_in_again_is_restored(owner, words):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    fields = dict(form_on(strict.get(page_with(words)).content.decode(), page_with(words), words).pairs) | {
        "story": STORY
    }
    token = {"csrfmiddlewaretoken": "a" * 64}
    answer = strict.post(words, fields | token, headers={"Referer": f"http://testserver{page_with(words)}"})
    assert answer.status_code == 302
    page = strict.get(answer.url).content.decode()
    assert STILL_HERE in page
    assert dict(form_on(page, page_with(words), words).pairs)["story"] == STORY


def test_form_without_a_valid_account_mark_is_not_kept(client, owner, words):
    client.cookies.pop(settings.SESSION_COOKIE_NAME)
    for account in ("", str(owner.pk), f"{owner.pk}:forged"):
        answer = client.post(words, {"story": "Not by Kim", "form_account": account})
        assert "kept" not in answer.url
    assert not cache.get(f"kept-forms-2-{owner.pk}")


def test_form_older_than_any_session_is_not_kept(client, owner, words, monkeypatch):
    fields = dict(form_on(client.get(page_with(words)).content.decode(), page_with(words), words).pairs) | {
        "story": STORY
    }
    later = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE, days=2)
    client.cookies.pop(settings.SESSION_COOKIE_NAME)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert "kept" not in client.post(words, fields).url
    assert not cache.get(f"kept-forms-2-{owner.pk}")


def test_second_factor_leads_back_to_the_form(client, owner, words):
    add_second_factor(owner)
    answer = send_signed_out(client, page_with(words), words, story=STORY)
    asked = sign_in(client, answer.url)
    assert asked.redirect_chain[-1][0].startswith(reverse("mfa_authenticate"))
    back = client.post(reverse("mfa_authenticate"), {"code": totp_code()}, follow=True)
    assert STILL_HERE in back.content.decode()


def test_plain_sign_in_leads_to_the_kept_form(client, owner, words):
    send_signed_out(client, page_with(words), words, story=STORY)
    fresh = Client()
    back = fresh.post(reverse("account_login"), {"login": "kim", "password": PASSWORD}, follow=True)
    assert STILL_HERE in back.content.decode()


def test_passwords_and_files_are_not_kept(client, owner):
    page = reverse("account_change_password")
    passwords = {"oldpassword": PASSWORD, "password1": "another horse", "password2": "another horse"}
    send_signed_out(client, page, page, **passwords)
    scenarios, upload = reverse("rosters:scenarios"), reverse("rosters:scenario_upload")
    client.force_login(owner)
    fields = dict(form_on(client.get(scenarios).content.decode(), scenarios, upload).pairs)
    client.cookies.pop(settings.SESSION_COOKIE_NAME)
    file = SimpleUploadedFile("plan.json", b"never kept")
    answer = client.post(upload, fields | {"file": file}, headers={"Referer": f"http://testserver{scenarios}"})
    forms = cache.get(f"kept-forms-2-{owner.pk}")
    assert [form.fields for form in forms.values()] == [{}, {"text": [""]}]
    assert "horse" not in str(forms)
    assert "never kept" not in str(forms)
    assert "Choose the file again." in sign_in(client, answer.url).content.decode()


def test_player_is_told_to_enter_the_password_again(client, owner):
    page = reverse("account_change_password")
    answer = send_signed_out(client, page, page, oldpassword=PASSWORD, password1="a horse", password2="a horse")
    assert "Enter the password again." in sign_in(client, answer.url).content.decode()


def test_preview_while_typing_is_not_kept(client, owner):
    lab = reverse("rosters:lab")
    fields = dict(form_on(client.get(lab).content.decode(), lab, lab).pairs)
    assert fields[kept_forms.ACCOUNT]
    client.cookies.pop(settings.SESSION_COOKIE_NAME)
    answer = client.post(reverse("rosters:lab_preview"), fields, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers.get("HX-Redirect")) == (200, None)
    assert cache.get(f"kept-forms-2-{owner.pk}") is None


def test_form_missing_from_its_page_shows_its_text(client, owner):
    company = a_company(owner)
    page, hire = (reverse(f"rosters:{name}", args=[company.pk]) for name in ("company", "pilot_hire"))
    answer = send_signed_out(client, page, hire, **{"hire-name": "Freya of the Fens"})
    Company.objects.filter(pk=company.pk).update(disbanded_at="2031-01-01T00:00Z")
    text = sign_in(client, answer.url).content.decode()
    assert "Nothing was changed, and the form you filled in is no longer on this page." in text
    assert "Freya of the Fens" in text


def test_only_recent_forms_within_the_size_limit_are_kept(client, owner, words):
    fields = dict(form_on(client.get(page_with(words)).content.decode(), page_with(words), words).pairs)
    client.cookies.pop(settings.SESSION_COOKIE_NAME)
    for number in range(kept_forms.MAX_FORMS + 2):
        client.post(words, fields | {"story": f"story {number}"})
    forms = list(cache.get(f"kept-forms-2-{owner.pk}").values())
    assert [form.fields["story"][0] for form in forms] == ["story 2", "story 3", "story 4"]
    answer = client.post(
        words,
        fields | {"story": "x" * kept_forms.MAX_BYTES},
        headers={"Referer": f"http://testserver{page_with(words)}"},
    )
    assert "too large to keep" in sign_in(client, answer.url).content.decode()


def test_organiser_without_second_factor_gets_the_form_back(client, owner, settings):
    settings.ORGANISERS_NEED_FACTOR = True
    page = reverse("campaigns:season_new", args=[a_club(owner).slug])
    fields = dict(form_on(client.get(page).content.decode(), page, page).pairs) | {"name": "War of the Fens"}
    answer = client.post(page, fields, headers={"Referer": f"http://testserver{page}"}, follow=True).content.decode()
    address = re.search(r'href="([^"]+)">Back to the form you filled in', answer)[1].replace("&amp;", "&")
    text = client.get(address).content.decode()
    assert dict(form_on(text, page, page).pairs)["name"] == "War of the Fens"
    assert "signed out" not in text


def test_guest_link_leads_to_the_kept_form(client, db):
    cache.clear()
    ann = a_player("ann")
    guest = guest_add(club=a_club(ann), by=ann, name="Alex")
    door = reverse("campaigns:guest_link", args=[link_make(guest=guest, by=ann)])
    client.post(door, {"do": "enter"})
    page = reverse("rosters:company_create")
    send_signed_out(client, page, page, name="Guest Hounds")
    back = client.post(door, {"do": "enter"}, follow=True)
    assert STILL_HERE in back.content.decode()
    assert dict(form_on(back.content.decode(), page, page).pairs)["name"] == "Guest Hounds"


def test_get_on_a_posting_address_shows_a_page(client, owner):
    buy = reverse("rosters:unit_buy", args=[a_company(owner).pk])
    answer = client.get(buy, headers={"Referer": "http://testserver/companies/"})
    text = answer.content.decode()
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert "This address only works when you press a button on another page." in " ".join(text.split())
    assert 'href="/companies/"' in text
    assert "evil" not in client.get(buy, headers={"Referer": "https://evil.example/"}).content.decode()


def test_admin_form_is_restored(client):
    cache.clear()
    operator = a_player("kim")
    operator.is_staff = operator.is_superuser = True
    operator.save()
    add_second_factor(operator)
    client.force_login(operator)
    page = reverse("admin:campaigns_club_change", args=[a_club(operator).pk])
    answer = send_signed_out(client, page, page, name="Club of the Fens")
    sign_in(client, answer.url)
    text = client.post(reverse("mfa_authenticate"), {"code": totp_code()}, follow=True).content.decode()
    assert STILL_HERE in text
    assert dict(form_on(text, page, page).pairs)["name"] == "Club of the Fens"


@pytest.mark.parametrize("path", ["//elsewhere.example/", "/\\elsewhere.example/"])
def test_kept_form_redirects_only_within_the_site(client, owner, words, path):
    answer = send_signed_out(
        client, page_with(words), words, story=STORY, form_page=f"http://testserver{path}", headers={"Accept": "*/*"}
    )
    assert "elsewhere.example" not in answer.url
    refused = Client(enforce_csrf_checks=True).post(words, {"form_page": f"http://testserver{path}"})
    assert refused.status_code == 403
    assert "elsewhere.example" not in refused.content.decode()
