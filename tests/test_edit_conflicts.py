"""Every form that edits something sends the value it was filled with, and doesn't overwrite later changes."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.clubs.services import member_set_role
from campaigns.models import Enrolment, Match, Membership
from campaigns.planning.services import match_add, match_change, match_remove
from rosters import services
from rosters.models import PrintPreset
from rosters.printing.services import preset_rename
from tests.builders import SYSTEM, WASP, a_company, a_pilot, a_player, a_unit
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round, an_enrolment
from tests.permissions.routes import table

pytestmark = pytest.mark.django_db

EDITS = {  # by route: the hidden field with the value that was read
    "rosters:company_settings": "as_read",
    "rosters:company_emblem": "as_read",
    "rosters:company_notes": "as_read",
    "rosters:unit_notes": "as_read",
    "rosters:pilot_notes": "as_read",
    "rosters:unit_rename": "as_read",
    "rosters:unit_assign": "as_read",
    "rosters:pilot_edit": "as_read",
    "rosters:design_share": "as_read",
    "rosters:design_save": "read",
    "rosters:scenario_share": "as_read",
    "rosters:scenario_edit": "read",
    "rosters:profile": "as_read",
    "rosters:print-company": "read",
    "rosters:print-preset": "as_read",
    "rosters:print-printer": "as_read",
    "campaigns:club_settings": "as_read",
    "campaigns:member_role": "as_read",
    "campaigns:campaign_settings": "as_read",
    "campaigns:enrolment": "as_read",
    "campaigns:storyline": "as_read",
    "campaigns:cup": "as_read",
    "campaigns:round_act": "as_read",
    "campaigns:season_settings": "as_read",
    "campaigns:phase": "as_read",
    "campaigns:match_forces": "as_read",
    "campaigns:match_report": "read",
    "campaigns:webhook": "as_read",
    "campaigns:notification_settings": "as_read",
    "campaigns:availability": "as_read",
}
NAMES_OBJECT = {  # by route: the object that the form names; refused if a newer one exists
    "campaigns:match_date": "the date that was read",
    "rosters:company_undo": "the act that was shown",
    "campaigns:report_confirm": "the report that was read",
    "campaigns:match_correct": "the preview that was read",
    "campaigns:company_adjust": "the preview that was read",
    "campaigns:campaign_release": "the preview that was read",
    "campaigns:results_entry": "the reports of each match so far",
}
CREATES = [
    "battles:battle-repeat",
    "battles:battle-odds",
    "battles:best-answer-create",
    "battles:best-answer-repeat",
    "battles:best-build-repeat",
    "battles:best-change-repeat",
    "battles:best-change-create",
    "battles:unit-best-build-create",
    "battles:best-builds",
    "battles:record-check",
    "battles:battle-check",
    "battles:curve",
    "battles:fork-repeat",
    "battles:forecast-repeat",
    "battles:forecast-simulate",
    "battles:log-battle",
    "battles:matrices",
    "battles:matrix-repeat",
    "battles:fork-create",
    "battles:quick-battle",
    "battles:join",
    "battles:ready-battle",
    "battles:seat-act",
    "battles:tables",
    "battles:trial-repeat",
    "battles:trials",
    "battles:paired-dice",
    "battles:try",
    "battles:what-if-create",
    "battles:what-if-repeat",
    "battles:print-packet",
    "campaigns:campaign_companies",
    "campaigns:campaign_new",
    "campaigns:club_archive_create",
    "campaigns:club_join_request",
    "campaigns:club_new",
    "campaigns:club_restore",
    "campaigns:device_add",
    "campaigns:friendlies",
    "campaigns:gazette",
    "campaigns:gazette_pdf",
    "campaigns:guests",
    "campaigns:invitations",
    "campaigns:past_results",
    "campaigns:phases",
    "campaigns:print_packet",
    "campaigns:rounds",
    "campaigns:season_new",
    "campaigns:webhooks",
    "campaigns:webhook_test",
    "campaigns:delivery_retry",
    "rosters:company_clone",
    "rosters:company_create",
    "rosters:company_import",
    "rosters:design_clone",
    "rosters:my_data_request",
    "rosters:pilot_hire",
    "rosters:print-accessible",
    "rosters:print-repeat",
    "rosters:print-design",
    "rosters:print-lab",
    "rosters:print-printers",
    "rosters:print-design-published",
    "rosters:print-scenario",
    "rosters:print-scenario-published",
    "rosters:print-test-sheet",
    "rosters:scenario_clone",
    "rosters:scenario_new",
    "rosters:scenario_published_clone",
    "rosters:scenario_upload",
    "rosters:token_create",
    "rosters:unit_buy",
    "campaigns:company_loan",
]  # forms that create something new
REPEATABLE = [
    "campaigns:club_place_renew",
    "campaigns:reserved_place",  # taken once: the second is refused
    "battles:solo-answer",  # its version is sent with each press
    "battles:solo-take-over",
    "campaigns:phase_remove",
    "campaigns:adjustment_undo",
    "battles:battle-cancel",
    "battles:effects",
    "battles:forecast-cancel",
    "battles:seat-prepare-rolls",  # returns the same rolls while some are left
    "battles:seat-log",
    "campaigns:calendar_key_new",
    "campaigns:campaign_delete",
    "campaigns:campaign_move",
    "campaigns:club_hand_over",
    "campaigns:club_leave",
    "campaigns:device_remove",
    "campaigns:device_key",
    "campaigns:club_night",
    "campaigns:feed_key_new",
    "campaigns:guest",
    "campaigns:guest_change",  # makes or ends a link, founds a company, or sets a name
    "campaigns:guest_claim",
    "campaigns:guest_link",
    "campaigns:guest_remove",
    "campaigns:inbox_mark",
    "campaigns:inbox_read",
    "campaigns:mail_unsubscribe",
    "campaigns:invitation_withdraw",
    "campaigns:join",
    "campaigns:match_consent",
    "campaigns:match_dice_replace",
    "campaigns:match_forces_orders",
    "campaigns:match_forces_withdraw",
    "campaigns:match_handicap",
    "campaigns:match_refuse",
    "campaigns:match_table",
    "campaigns:member_remove",
    "campaigns:watch_party",
    "campaigns:report_withdraw",
    "campaigns:join_request_answer",
    "campaigns:release_cancel",
    "campaigns:release_choose",
    "campaigns:release_undo",
    "campaigns:match_ruling",
    "campaigns:enrolments_decide",
    "campaigns:season_act",  # one of its forms sends the value it was filled with
    "campaigns:season_pairing",  # the accepted game is named
    "campaigns:season_part",
    "campaigns:pilot_skill",
    "campaigns:club_display_link",
    "campaigns:webhook_delete",
    "campaigns:webhook_secret",
    "rosters:company_disband",
    "rosters:company_release",
    "rosters:design_delete",
    "rosters:account_deletion_start",
    "rosters:account_deletion_cancel",
    "rosters:company_portrait",
    "rosters:pilot_portrait",
    "rosters:unit_portrait",
    "rosters:pilot_retire",
    "rosters:print-cancel",
    "rosters:pilots_assign",
    "rosters:scenario_delete",
    "rosters:session_end",
    "rosters:token_revoke",
    "rosters:unit_refit",
    "rosters:unit_repair",
    "rosters:unit_sell",
]  # steps that are refused, or have the same result, the second time
READ_ONLY = [
    "battles:quick-battle-part",
    "rosters:lab",
    "rosters:lab_preview",
    "rosters:scenario_preview",
]  # these write nothing


def test_every_posting_page_is_classified():
    posted = {row.route for row in table() for method in row.expected if method.startswith("POST")}
    posted = {route for route in posted if route.startswith(("rosters:", "battles:", "campaigns:"))}
    known = [*EDITS, *NAMES_OBJECT, *CREATES, *REPEATABLE, *READ_ONLY]
    assert sorted(known) == sorted(posted), (
        "a form that edits something uses rosters/site/forms.py, and needs a line in EDITS and a test here"
    )


def form_on(page, route_path: str) -> dict[str, list[str]]:
    """Return what a browser sends for the form with that path, without buttons."""
    html = page.content.decode()
    here = page.request["PATH_INFO"]
    for form in re.findall(r"<form\b.*?</form>", html, re.DOTALL):
        head = form[: form.index(">")]
        action = re.search(r'action="([^"]*)"', head)
        if 'method="post"' in head and (unescape(action[1]) if action else here) == route_path and "read" in form:
            return _fields(form)
    raise AssertionError(f"no form to {route_path} with a mark on {here}")


def _fields(form: str) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        found = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        is_box = found.get("type") in ("checkbox", "radio")
        disabled = is_box and not re.search(r"\schecked", tag)
        if "name" in found and not disabled and not re.search(r"\sdisabled", tag):
            fields.setdefault(found["name"], []).append(unescape(found.get("value", "on" if is_box else "")))
    for name, body in re.findall(r'<select\b[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.DOTALL):
        values = re.findall(r'<option value="([^"]*)"([^>]*)>', body)
        chosen = [value for value, rest in values if "selected" in rest] or [values[0][0]]
        fields[name] = [unescape(chosen[0])]
    return fields


def check_reread(client, url: str, fields: dict[str, list[str]], note: str):
    """Check that the outdated form is refused and shows the current value; return the page."""
    page = client.post(url, fields)
    assert page.status_code == 422
    html = unescape(page.content.decode())
    assert note in html, re.findall(r"By now[^<]*", html)
    return page


@pytest.fixture
def company(client):
    company = a_company()
    client.force_login(company.owner)
    return company


def test_unit_name_changed_meanwhile_is_not_overwritten(client, company):
    unit = a_unit(company)
    page, url = (reverse(f"rosters:{name}", args=[company.pk, unit.pk]) for name in ("unit", "unit_rename"))
    old = form_on(client.get(page), url) | {"name": ["Mine"]}
    services.unit_rename(company=company, by=company.owner, unit=unit, name="Theirs")
    again = check_reread(client, url, old, "Changed meanwhile to “Theirs”. Save again to replace that")
    unit.refresh_from_db()
    assert unit.name == "Theirs"
    assert client.post(url, form_on(again, url)).status_code == 302
    unit.refresh_from_db()
    assert unit.name == "Mine"


def test_emblem_changed_meanwhile_is_not_overwritten(client, company):
    url = reverse("rosters:company_emblem", args=[company.pk])
    old = form_on(client.get(url, {"charge": "f", "dark": "r"}, follow=True), url)
    services.company_change(company=company, by=company.owner, emblem="hatkw")
    again = check_reread(client, url, old, "Changed meanwhile to “tower in white on a black heater”.")
    company.refresh_from_db()
    assert company.emblem == "hatkw"
    assert client.post(url, form_on(again, url)).status_code == 302
    company.refresh_from_db()
    assert company.emblem == old["emblem"][0]


def test_seat_changed_meanwhile_is_not_overwritten(client, company):
    unit, first, second = a_unit(company), a_pilot(company, "Ada"), a_pilot(company, "Bo")
    page, url = (reverse(f"rosters:{name}", args=[company.pk, unit.pk]) for name in ("unit", "unit_assign"))
    old = form_on(client.get(page), url) | {"pilot": [str(first.pk)]}
    services.pilot_assign(company=company, by=company.owner, unit=unit, pilot=second)
    again = check_reread(client, url, old, "Changed meanwhile to “Bo (in WASP)”.")
    assert form_on(again, url)["pilot"] == [str(first.pk)]
    client.post(url, form_on(again, url))
    unit.refresh_from_db()
    assert unit.pilot == first


def test_pilot_name_changed_meanwhile_is_shown_by_field(client, company):
    pilot = a_pilot(company, "Ada")
    page, url = (reverse(f"rosters:{name}", args=[company.pk, pilot.pk]) for name in ("pilot", "pilot_edit"))
    old = form_on(client.get(page), url) | {"name": ["Eva"]}
    services.pilot_edit(company=company, by=company.owner, pilot=pilot, name="Ada", callsign="Owl")
    again = check_reread(client, url, old, "Changed meanwhile to “Owl”, as shown here.")
    fields = form_on(again, url)
    assert (fields["name"], fields["callsign"]) == (["Eva"], ["Owl"])


def a_design(author):
    return services.design_save(author=author, system=SYSTEM, name="Wasp", spec=WASP)


def test_design_visibility_changed_meanwhile_is_not_overwritten(client, company):
    design = a_design(company.owner)
    page, url = reverse("rosters:design", args=[design.pk]), reverse("rosters:design_share", args=[design.pk])
    old = form_on(client.get(page), url) | {"visibility": ["link"]}
    design.visibility = "public"
    design.save()
    check_reread(client, url, old, "Changed meanwhile to “")
    design.refresh_from_db()
    assert design.visibility == "public"


def test_design_rebuilt_meanwhile_is_not_overwritten(client, company):
    design = a_design(company.owner)
    lab = unescape(re.search(r'href="([^"]*lab/\?[^"]*design=[^"]*)"', client.get(
        reverse("rosters:design", args=[design.pk])).content.decode())[1])  # fmt: skip
    services.design_save(author=company.owner, system=SYSTEM, name="Theirs", spec=WASP, design=design)
    url, saved = reverse("rosters:lab"), reverse("rosters:design_save")
    old = form_on(client.get(lab), url) | {"name": ["Mine"]}
    answer = client.post(saved, old)
    page = client.get(answer.url)
    assert "This changed after you opened it: name (“Theirs”)" in page.content.decode()
    design.refresh_from_db()
    assert design.name == "Theirs"
    again = form_on(page, url)
    assert again["name"] == ["Mine"]
    client.post(saved, again)
    design.refresh_from_db()
    assert design.name == "Mine"


def test_scenario_visibility_changed_meanwhile_is_not_overwritten(client, company):
    row = services.scenario_clone(by=company.owner, system=SYSTEM, published="breach")
    page, url = reverse("rosters:scenario", args=[row.pk]), reverse("rosters:scenario_share", args=[row.pk])
    old = form_on(client.get(page), url) | {"visibility": ["link"]}
    row.visibility = "public"
    row.save()
    check_reread(client, url, old, "Changed meanwhile to “")
    row.refresh_from_db()
    assert row.visibility == "public"


def test_preset_renamed_meanwhile_is_not_overwritten(client, company):
    preset = PrintPreset.objects.create(player=company.owner, name="Old", choice={})
    PrintPreset.objects.create(player=company.owner, name="Other", choice={})
    page, url = reverse("rosters:print-presets"), reverse("rosters:print-preset", args=[preset.pk])
    old = form_on(client.get(page), url) | {"name": ["Mine"]}
    preset_rename(preset=preset, player=company.owner, name="Theirs")
    again = check_reread(client, url, old, "Changed meanwhile to “Theirs”.")
    assert form_on(again, url)["name"] == ["Mine"]


def test_preset_content_changed_meanwhile_is_not_overwritten(client, company):
    a_unit(company)
    url = reverse("rosters:print-company", args=[company.pk])
    client.post(url, form_on_shop(client.get(url)) | {"preset_name": ["Mine"], "do": ["save"]})
    preset = PrintPreset.objects.get()
    url += f"?preset={preset.pk}"
    old = form_on_shop(client.get(url)) | {"copies": ["3"], "do": ["update"]}
    client.post(url, form_on_shop(client.get(url)) | {"copies": ["2"], "do": ["update"]})
    page = client.post(url, old)
    assert page.status_code == 422
    assert "“Mine” has changed since you opened this page" in unescape(page.content.decode())
    preset.refresh_from_db()
    assert preset.choice["copies"] == 2
    client.post(url, form_on_shop(page) | {"do": ["update"]})
    preset.refresh_from_db()
    assert preset.choice["copies"] == 3


def form_on_shop(page):
    html = page.content.decode()
    return _fields(max(re.findall(r"<form\b.*?</form>", html, re.DOTALL), key=len))


def test_role_changed_meanwhile_is_not_overwritten(client):
    club = a_club()
    organiser, member = club.memberships.get().player, a_member(club)
    row = Membership.objects.get(player=member)
    client.force_login(organiser)
    page, url = (reverse("campaigns:club_members", args=[club.slug]), reverse("campaigns:member_role", args=[club.slug, row.pk]))  # fmt: skip
    old = form_on(client.get(page), url) | {"role": ["organiser"]}
    member_set_role(club=club, by=organiser, player=member, role="arbiter")
    again = check_reread(client, url, old, "Changed meanwhile to “Arbiter”. Save again to replace that")
    row.refresh_from_db()
    assert row.role == "arbiter"
    client.post(url, form_on(again, url))
    row.refresh_from_db()
    assert row.role == "organiser"


def test_autoplay_orders_changed_meanwhile_are_not_overwritten(client):
    campaign = a_campaign()
    enrolment = an_enrolment(campaign, orders={"doctrine": "balanced"})
    client.force_login(enrolment.company.owner)
    url = reverse("campaigns:enrolment", args=[campaign.pk, enrolment.pk])
    first, second = doctrines()
    old = form_on(client.get(url), url) | {"doctrine": [first], "act": ["orders"]}
    Enrolment.objects.update(orders={"doctrine": second})
    again = check_reread(client, url, old, "Changed meanwhile to “")
    enrolment.refresh_from_db()
    assert enrolment.orders == {"doctrine": second}
    client.post(url, form_on(again, url) | {"act": ["orders"]})
    enrolment.refresh_from_db()
    assert enrolment.orders == {"doctrine": first}


def doctrines() -> tuple[str, str]:
    from systems import battle_rules

    first, second = [slug for slug in battle_rules(SYSTEM).doctrines if slug != "balanced"][:2]
    return first, second


def test_list_submitted_meanwhile_is_not_overwritten(client):
    match = a_match()
    owner = match.attacker.company.owner
    units = list(match.attacker.company.units.values_list("pk", flat=True))
    client.force_login(owner)
    url = reverse("campaigns:match_forces", args=[match.key])
    first, second = doctrines()
    old = form_on(client.get(url), url) | {"units": [str(units[0])], "doctrine": [first]}
    list_submit(match=match, side=0, units=units, doctrine=second, by=owner)
    again = check_reread(client, url, old, "Save again to replace that with what you entered")
    assert match.sealed.get().document["units"] == units
    assert client.post(url, form_on(again, url)).status_code == 302
    assert match.sealed.get().document == {"units": units[:1], "doctrine": first}


def planned():
    round_ = a_round(a_campaign(), state="planned")
    match = a_match(round_, dice=None)
    return round_, match, round_.campaign.club.memberships.get(role="organiser").player


def pairings(client, round_):
    args = [round_.campaign_id, round_.number]
    page, url = reverse("campaigns:round", args=args), reverse("campaigns:round_act", args=args)
    return url, form_on(client.get(page), url) | {"act": ["save"]}


def test_pairing_changed_meanwhile_is_shown_at_its_table(client):
    round_, match, organiser = planned()
    client.force_login(organiser)
    url, old = pairings(client, round_)
    other = an_enrolment(round_.campaign)
    match_change(match=match, by=organiser, attacker=match.attacker, defender=other, scenario=0, terrain=match.terrain)
    again = check_reread(client, url, old, f"Changed meanwhile to “{other.company.name}”, as shown here.")
    match.refresh_from_db()
    assert match.defender == other
    client.post(url, form_on(again, url) | {"act": ["save"]})
    match.refresh_from_db()
    assert match.defender == other


def test_tables_added_or_removed_meanwhile_are_listed(client):
    round_, match, organiser = planned()
    client.force_login(organiser)
    url, old = pairings(client, round_)
    one, other = an_enrolment(round_.campaign), an_enrolment(round_.campaign)
    match_remove(match=match, by=organiser)
    match_add(round_=round_, by=organiser, attacker=one, defender=other)
    page = check_reread(
        client, url, old, f"{match.attacker.company.name} against {match.defender.company.name} was removed"
    )
    assert "Somebody added table" in page.content.decode()
    assert client.post(url, form_on(page, url) | {"act": ["save"]}).status_code == 302


def test_round_plan_changed_meanwhile_is_not_published(client):
    round_, match, organiser = planned()
    client.force_login(organiser)
    url, old = pairings(client, round_)
    match_add(round_=round_, by=organiser, attacker=an_enrolment(round_.campaign), defender=None)
    check_reread(client, url, old | {"act": ["open"]}, "Somebody added table")
    round_.refresh_from_db()
    assert round_.state == "planned"


def test_report_made_meanwhile_is_shown_by_field(client):
    match = lists_reveal(match=a_match())
    client.force_login(match.attacker.company.owner)
    url = reverse("campaigns:match_report", args=[match.key])
    first = form_on(client.get(url), url) | {"r-winner": ["draw"]}
    old = form_on(client.get(url), url) | {"r-winner": ["attacker"]}
    assert client.post(url, first).status_code == 302
    again = check_reread(client, url, old, "your report now says draw")
    assert match.reports.get(is_current=True).content["winner"] == "draw"
    fields = form_on(again, url)
    assert fields["r-winner"] == ["attacker"]
    assert client.post(url, fields).status_code == 302
    assert Match.objects.get().reports.get(is_current=True).content["winner"] == "attacker"


def test_strangers_form_gets_404(client, company):
    unit = a_unit(company)
    client.force_login(a_player("stranger"))
    assert client.post(reverse("rosters:unit_rename", args=[company.pk, unit.pk]), {"name": "Mine"}).status_code == 404
