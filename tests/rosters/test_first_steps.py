"""A new company's first steps: buy, hire, assign; undo from a message; build in the lab and buy."""

import re
from html import unescape
from urllib.parse import parse_qsl

import pytest
from django.urls import reverse

from rosters.models import Company, Design, Unit
from rosters.services import RefusedError, pilot_assign, pilot_hire, pilots_assign, undo_last_act, unit_buy
from rosters.services.companies import company_disband
from rosters.services.units import readings_of, split_list
from tests.builders import SYSTEM, WASP, a_company, a_pilot, a_player, a_unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client):
    player = a_player("founder")
    client.force_login(player)
    return player


@pytest.fixture
def company(owner):
    return a_company(owner, name="Walkers")


def page_of(answer):
    return answer.content.decode().split('<main id="main"', 1)[1]


def visible_texts(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", page_of(answer)).split())


def undo_form(answer):
    found = re.search(r'class="messages__undo".*?action="([^"]+)".*?name="act" value="([^"]+)"', page_of(answer), re.S)
    return (found[1], found[2]) if found else None


def url(name, company, *more):
    return reverse(f"rosters:{name}", args=[company.pk, *more])


def test_new_company_page_begins_with_next_step_and_shop(client, company):
    page = page_of(client.get(url("company", company)))
    assert 'aria-current="step"' in page
    assert page.index('id="hangar"') < page.index('id="units"')
    unit = a_unit(company)
    assert "1 pilot to hire" in visible_texts(client.get(url("company", company)))
    pilot_assign(company=company, by=company.owner, unit=unit, pilot=a_pilot(company))
    page = page_of(client.get(url("company", company)))
    assert 'aria-label="First steps"' not in page
    assert page.index('id="hangar"') > page.index('id="units"')


def test_pilot_is_hired_into_a_seat_in_one_act(client, company):
    unit = a_unit(company)
    sent = {"hire-name": "Ann", "hire-experience": "green", "hire-unit": str(unit.pk)}
    answer = client.post(url("pilot_hire", company), sent, follow=True)
    assert f"Hired Ann for {unit.name}." in visible_texts(answer)
    unit.refresh_from_db()
    assert str(unit.pilot) == "Ann"
    undo_last_act(company=company, by=company.owner)
    unit.refresh_from_db()
    assert (unit.pilot, company.pilots.get().status) == (None, "undone")


def test_hire_into_a_taken_seat_is_refused(client, company):
    taken, empty = a_unit(company), a_unit(company)
    ann = a_pilot(company, "Ann")
    pilot_assign(company=company, by=company.owner, unit=taken, pilot=ann)
    sent = {"hire-name": "Bo", "hire-callsign": "Rook", "hire-experience": "green", "hire-unit": str(taken.pk)}
    answer = client.post(url("pilot_hire", company), sent)
    assert answer.status_code == 422
    assert "That unit has a pilot now. Choose another unit, or none." in visible_texts(answer)
    assert ('value="Bo"' in page_of(answer), 'value="Rook"' in page_of(answer)) == (True, True)
    pilot_assign(company=company, by=company.owner, unit=empty, pilot=a_pilot(company, "Cy"))
    answer = client.post(url("pilot_hire", company), sent)  # no seat is left to choose from
    assert (answer.status_code, "That unit has a pilot now" in visible_texts(answer)) == (422, True)
    taken.refresh_from_db()
    assert (taken.pilot, company.pilots.count()) == (ann, 2)


def test_second_assignment_to_a_seat_is_refused(company):
    unit, ann, bo = a_unit(company), a_pilot(company, "Ann"), a_pilot(company, "Bo")
    pilots_assign(company=company, by=company.owner, seats=[(unit, ann)])
    refusal = f"^unit: Ann now pilots {unit.name}. Choose another unit, or none."
    with pytest.raises(RefusedError, match=refusal):
        pilot_hire(company=company, by=company.owner, name="Cy", unit=unit)
    with pytest.raises(RefusedError, match=refusal):
        pilots_assign(company=company, by=company.owner, seats=[(unit, bo)])
    other = a_unit(company)
    with pytest.raises(RefusedError, match=f"^pilot: Ann now pilots {unit.name}. Choose another pilot."):
        pilots_assign(company=company, by=company.owner, seats=[(other, ann)])
    assert [Unit.objects.get(pk=each.pk).pilot for each in (unit, other)] == [ann, None]
    assert company.pilots.count() == 2


def test_hire_form_shows_its_errors(client, company):
    sent = {"hire-name": "", "hire-callsign": "Rook", "hire-experience": "green"}
    answer = client.post(url("pilot_hire", company), sent)
    assert (answer.status_code, 'value="Rook"' in page_of(answer)) == (422, True)
    assert "Name : This field is required." in visible_texts(answer)


def forms_of(page):
    """Return what each form that assigns pilots would send: its fields by name, with their chosen values."""
    found = []
    for form in re.findall(r'<form[^>]*action="[^"]*/seat/".*?</form>', page, re.S):
        fields = dict(re.findall(r'<input type="hidden" name="(seats-\d+)" value="(\d+)"', form))
        for name, options in re.findall(r'<select name="(seats-\d+)".*?>(.*?)</select>', form, re.S):
            fields[name] = re.search(r'<option value="(\d*)" selected', options)[1]
        found.append(fields)
    return found


def test_pilot_is_assigned_in_the_row_of_the_unit(client, company):
    units = [a_unit(company, name="Owl"), a_unit(company, name="Rook")]
    ann, bo = a_pilot(company, "Ann"), a_pilot(company, "Bo")
    page = page_of(client.get(url("company", company)))
    rows = [row for row in re.findall(r"<tr[ >].*?</tr>", page, re.S) if 'class="seat"' in row]
    assert [(unit.name in row, f'name="seats-{unit.pk}"' in row) for unit, row in zip(units, rows, strict=True)] == [
        (True, True)
    ] * 2
    first, second, both = forms_of(page)
    assert (first, second) == ({f"seats-{units[0].pk}": str(ann.pk)}, {f"seats-{units[1].pk}": str(bo.pk)})
    assert both == first | second
    answer = client.post(url("pilots_assign", company), {f"seats-{units[1].pk}": str(ann.pk)}, follow=True)
    assert "Ann now pilots Rook." in visible_texts(answer)
    assert [Unit.objects.get(pk=unit.pk).pilot for unit in units] == [None, ann]
    assert forms_of(page_of(answer)) == [{f"seats-{units[0].pk}": str(bo.pk)}]  # one seat: no button for all
    where, act = undo_form(answer)
    client.post(where, {"act": act})
    assert Unit.objects.get(pk=units[1].pk).pilot is None


def test_each_assign_form_has_its_own_key(client, company):
    """Otherwise a second row of the page would look like the first one sent twice."""
    a_unit(company), a_unit(company)
    a_pilot(company, "Ann"), a_pilot(company, "Bo")
    page = page_of(client.get(url("company", company)))
    keys = re.findall(r'action="[^"]*/seat/".*?name="once" value="(\w+)"', page, re.S)
    assert len(set(keys)) == len(keys) == 3


def test_strangers_and_disbanded_companies_see_no_assign_form(client, company):
    a_unit(company), a_pilot(company, "Ann")
    company_disband(company=company, by=company.owner)
    assert 'class="seat"' not in page_of(client.get(url("company", company)))
    theirs = a_company(a_player(), name="Theirs", visibility="public")
    a_unit(theirs), a_pilot(theirs, "Bo")
    assert 'class="seat"' not in page_of(client.get(url("company", theirs)))


def test_all_free_pilots_are_assigned_at_once(client, company):
    units = [a_unit(company), a_unit(company)]
    pilots = [a_pilot(company, "Ann"), a_pilot(company, "Bo")]
    *_, sent = forms_of(page_of(client.get(url("company", company))))
    assert sent == {f"seats-{unit.pk}": str(pilot.pk) for unit, pilot in zip(units, pilots, strict=True)}
    answer = client.post(url("pilots_assign", company), sent, follow=True)
    assert "2 pilots assigned." in visible_texts(answer)
    assert [Unit.objects.get(pk=unit.pk).pilot for unit in units] == pilots
    undo_last_act(company=company, by=company.owner)
    assert [Unit.objects.get(pk=unit.pk).pilot for unit in units] == [None, None]


def test_pilot_in_two_seats_or_of_others_is_refused(client, company):
    units, pilot = [a_unit(company), a_unit(company)], a_pilot(company, "Ann")
    answer = client.post(
        url("pilots_assign", company), {f"seats-{unit.pk}": str(pilot.pk) for unit in units}, follow=True
    )
    assert "A pilot can have only one unit" in visible_texts(answer)
    stranger = a_pilot(a_company(a_player()), "Xan")
    client.post(url("pilots_assign", company), {f"seats-{units[0].pk}": str(stranger.pk)})
    assert not Unit.objects.filter(pk__in=[unit.pk for unit in units], pilot__isnull=False).exists()
    with pytest.raises(RefusedError):
        pilots_assign(company=company, by=company.owner, seats=[(units[0], stranger)])


def test_purchase_is_undone_from_its_message(client, company):
    answer = client.post(url("unit_buy", company), {"what": "published:wasp"}, follow=True)
    where, act = undo_form(answer)
    assert where == url("company_undo", company)
    answer = client.post(where, {"act": act}, follow=True)
    assert "Undone" in visible_texts(answer)
    assert not company.units.filter(status="ready").exists()
    assert undo_form(answer) is None


def test_sale_and_assignment_are_undone_from_their_message(client, company):
    unit, pilot = a_unit(company), a_pilot(company)
    seated = client.post(url("unit_assign", company, unit.pk), {"pilot": str(pilot.pk)}, follow=True)
    where, act = undo_form(seated)
    client.post(where, {"act": act})
    unit.refresh_from_db()
    assert unit.pilot is None
    where, act = undo_form(client.post(url("unit_sell", company, unit.pk), follow=True))
    client.post(where, {"act": act})
    unit.refresh_from_db()
    assert unit.status == "ready"


def test_refusal_offers_no_undo(client, company):
    client.post(url("unit_buy", company), {"what": "published:wasp"})
    client.get(url("company", company))
    answer = client.post(url("unit_buy", company), {"what": "published:nothing"}, follow=True)
    assert undo_form(answer) is None


def test_outdated_undo_message_undoes_nothing(client, company):
    where, act = undo_form(client.post(url("unit_buy", company), {"what": "published:wasp"}, follow=True))
    unit_buy(company=company, by=company.owner, published="wasp")
    answer = client.post(where, {"act": act}, follow=True)
    assert "no longer the last change" in visible_texts(answer)
    assert company.units.filter(status="ready").count() == 2


def test_lab_builds_and_buys_for_its_company(client, company):
    hangar = page_of(client.get(url("company", company)))
    assert f"{reverse('rosters:lab')}?system={SYSTEM}&amp;company={company.pk}" in hangar
    lab = client.get(reverse("rosters:lab"), {"system": SYSTEM, "company": company.pk})
    assert "Save and buy for Walkers" in visible_texts(lab)
    design = Design.objects.create(author=company.owner, system=SYSTEM, name="Owl", spec=WASP)
    page = client.get(reverse("rosters:design", args=[design.pk])).content.decode()
    query = dict(parse_qsl(unescape(re.search(r'designs/lab/\?([^"]*)">Edit in the lab', page)[1])))
    query.pop("design")
    sent = query | {"name": "Owl Two", "company": str(company.pk)}
    answer = client.post(reverse("rosters:design_save"), sent | {"buy": str(company.pk)}, follow=True)
    assert answer.redirect_chain[-1][0] == url("company", company)
    assert "Saved Owl Two." in visible_texts(answer)
    assert company.units.get().design_name == "Owl Two"


def test_lab_ignores_another_players_company(client, owner):
    other = a_company(a_player(), name="Theirs")
    lab = client.get(reverse("rosters:lab"), {"system": SYSTEM, "company": other.pk})
    assert "Theirs" not in visible_texts(lab)


def test_sign_up_returns_to_the_wanted_page(client):
    wanted = reverse("rosters:company_create")
    page = client.get("/").content.decode()
    assert f"{reverse('account_signup')}?next={wanted}" in page
    form = client.get(reverse("account_signup"), {"next": wanted})
    assert f'value="{wanted}"' in form.content.decode()
    sent = {"username": "newcomer", "email": "n@example.org", "next": wanted}
    sent |= dict.fromkeys(("password1", "password2"), "four-horses-and-a-cart")
    answer = client.post(reverse("account_signup"), sent)
    assert (answer.status_code, answer.url) == (302, wanted)
    assert Company.objects.count() == 0


# --- a whole list ---


@pytest.mark.parametrize(
    ("item", "readings"),
    [
        ("2x WASP", [(1, "2x WASP"), (2, "WASP")]),
        ("2 × Wasp (25 points)", [(1, "2 × Wasp (25 points)"), (2, "Wasp")]),
        ("Viper x3", [(1, "Viper x3"), (3, "Viper")]),
        ("Lynx 2", [(1, "Lynx 2")]),
        ("Apex 10", [(1, "Apex 10")]),
        ("3 Kings", [(1, "3 Kings"), (3, "Kings")]),
        ("WASP (ECM)", [(1, "WASP (ECM)")]),
        ("WASP (25)", [(1, "WASP (25)"), (1, "WASP")]),
        ("X-1", [(1, "X-1")]),
    ],
)
def test_list_items_are_read_in_common_spellings(item, readings):
    assert list(readings_of(item)) == readings


def test_list_is_split_at_commas_and_lines():
    assert split_list("- 2x WASP, VIPER;\r\n* Viper x3;\n ,") == ["2x WASP", "VIPER", "Viper x3"]


def test_own_design_is_bought_by_its_whole_name(client, company):
    for name in ("WASP (ECM)", "Viper x2", "2 Wasp"):
        Design.objects.create(author=company.owner, system=company.system, name=name, spec=WASP)
    client.post(url("unit_buy", company), {"list": "WASP (ECM), Viper x2, 2 Wasp"})
    assert sorted(company.units.values_list("design_name", flat=True)) == ["2 Wasp", "Viper x2", "WASP (ECM)"]


def test_pasted_list_is_bought(client, company):
    answer = client.post(url("unit_buy", company), {"list": "2x WASP, viper"}, follow=True)
    assert "Bought" in visible_texts(answer)
    assert sorted(company.units.values_list("design_name", flat=True)) == ["VIPER", "WASP", "WASP"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("WASP, Wiper", "There's no design called “Wiper”. Did you mean “VIPER”? Nothing was bought."),
        ("99x WASP", "A company can have 60 units at most. Sell one first."),
        ("50x WASP", "costs"),
        (" , ", "List what to buy"),
        ("2× WÄSP\n" * 240, "There's no design called “WÄSP”"),
    ],
)
def test_list_with_an_error_is_refused_as_a_whole_and_kept(client, company, text, reason):
    answer = client.post(url("unit_buy", company), {"list": text}, follow=True)
    assert reason in unescape(visible_texts(answer))
    assert not company.units.exists()
    assert answer.status_code == 422
    assert f"{text}</textarea>" in answer.content.decode()
