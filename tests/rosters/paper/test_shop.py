"""A company's print shop: choices become an order, changes are detected, presets and printers are saved."""

from __future__ import annotations

import hashlib
import importlib
import json
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rosters import hooks
from rosters.jobs import JobStatus
from rosters.ledger.records import company_record
from rosters.models import Company, LedgerEntry, PrinterProfile, PrintJob, PrintPreset
from rosters.printing.orders import PrintOrder
from rosters.printing.view_helpers import counts_of
from rosters.services import company_disband, pilot_edit, undo_last_act, unit_buy, unit_rename, unit_sell
from rosters.services.companies import company_change
from rosters.tasks import print_run
from tests.builders import a_company, a_crewed_unit, a_pilot, a_player, a_unit
from tests.campaigns.builders import a_campaign, an_enrolment
from tests.rosters.paper.forms import form_fields
from tests.rosters.paper.units import SIXTEEN_SKILLS, order, unit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_run, "delay", lambda pk: None)


@pytest.fixture
def owner(client):
    player = a_player("kim")
    client.force_login(player)
    return player


@pytest.fixture
def company(owner):
    row = a_company(owner, points=90)
    for pilot, name in (("Ada", "Ghost"), ("Bea", "Needle"), ("Cyd", "Owl")):
        unit, _ = a_crewed_unit(row, pilot=pilot)
        unit_rename(company=row, by=owner, unit=unit, name=name)
    a_pilot(row, "Dov")
    return row


def page_of(company: Company, query: str = "") -> str:
    return reverse("rosters:print-company", args=[company.pk]) + query


def page_data(client, company: Company, query: str = "", **changed) -> dict:
    """Return what a browser sends of the page as it opens."""
    answer = client.get(page_of(company, query))
    order = [str(line.unit.id) for line in answer.context["lines"]]
    return {"order": order, **form_fields(answer.context["form"], **changed)}


def ask(client, company: Company, query: str = "", **changed) -> PrintJob:
    answer = client.post(page_of(company, query), page_data(client, company, query, **changed))
    assert answer.status_code == 302, answer.context["form"].errors
    return PrintJob.objects.order_by("-pk")[0]


def done(job: PrintJob) -> PrintJob:
    PrintJob.objects.filter(pk=job.pk).update(status=JobStatus.DONE)
    return job


def made_of(job: PrintJob) -> list[tuple[str, str]]:
    """Return each item's product and subject."""
    names = []
    for item in job.content["items"]:
        name = item["unit"]["name"] if "unit" in item else item.get("pilot", {}).get("name", "")
        names.append((item["what"], name))
    return names


def ids(company: Company) -> dict[str, str]:
    return {unit.name: str(unit.pk) for unit in company.units.all()}


# --- the page ---


def test_two_clicks_print_the_cards_of_all_units(client, company):
    job = ask(client, company)
    assert made_of(job) == [("unit-card", "Ghost"), ("unit-card", "Needle"), ("unit-card", "Owl")]
    assert job.content["settings"]["backs"] == "long-edge"
    assert job.company == company


def test_order_follows_the_chosen_products_units_and_copies(client, company):
    of = ids(company)
    job = ask(
        client,
        company,
        products=["unit-card", "pilot-card", "datasheet", "roster"],
        units=[of["Owl"], of["Ghost"]],
        order=[of["Owl"], of["Needle"], of["Ghost"]],
        breaks=[of["Owl"]],
        copies=2,
        paper="letter",
        theme="grey",
        backs="fold-over",
        bleed="2.5",
        blank_slip=3,
    )
    assert made_of(job) == [
        ("unit-card", "Owl"), ("pilot-card", "Owl"), ("break", ""), ("unit-card", "Ghost"), ("pilot-card", "Ghost"),
        ("free-pilot-card", "Dov"), ("datasheet", "Owl"), ("break", ""), ("datasheet", "Ghost"), ("roster", ""),
        ("blank", ""),
    ]  # fmt: skip
    settings = job.content["settings"]
    assert (settings["paper"], settings["theme"], settings["backs"], settings["bleed_mm"]) == (
        "letter", "grey", "fold-over", 2.5,
    )  # fmt: skip
    assert {item["copies"] for item in job.content["items"] if "unit" in item} == {2}


def test_card_has_company_colour_and_the_units_address(client, company, owner):
    company_change(company=company, by=owner, visibility="link", colour="#123456")
    company.refresh_from_db()
    unit = ask(client, company).content["items"][0]["unit"]
    pk = ids(company)["Ghost"]
    path = reverse("rosters:unit", args=[company.pk, pk])
    assert unit["url"] == f"http://testserver{path}?key={company.link_key}"
    assert unit["colour"] == "#123456"
    assert client.get(unit["url"]).status_code == 200


def test_pilot_and_support_cards_have_colour_and_address(client, company, owner, monkeypatch):
    monkeypatch.setattr(hooks.rolled_support, "_connected", [lambda row: ["ambush"]])
    company_change(company=company, by=owner, visibility="public", colour="#123456")
    items = ask(client, company, products=["pilot-card", "support-card"]).content["items"]
    (free,) = [item for item in items if item["what"] == "free-pilot-card"]
    (support,) = [item for item in items if item["what"] == "support-card"]
    pilot = company.pilots.get(name="Dov")
    assert free["url"].endswith(reverse("rosters:pilot", args=[company.pk, pilot.pk]))
    assert support["url"].endswith(reverse("rosters:company", args=[company.pk]))
    assert free["colour"] == support["colour"] == "#123456"


def test_public_companys_code_has_no_key(client, company, owner):
    company_change(company=company, by=owner, visibility="public")
    assert "key=" not in ask(client, company).content["items"][0]["unit"]["url"]


def test_damage_is_printed_or_left_out(client, company):
    _damaged(company, "Ghost")
    assert ask(client, company).content["items"][0]["unit"]["condition"] == {"hits": 1}
    assert ask(client, company, damage=False).content["items"][0]["unit"]["condition"] == {}


@pytest.mark.parametrize(("do", "order"), [("down", ["Needle", "Ghost", "Owl"]), ("up", ["Ghost", "Needle", "Owl"])])
def test_unit_is_moved_by_a_button(client, company, do, order):
    of = ids(company)
    answer = client.post(page_of(company), {**page_data(client, company), "do": f"{do}:{of['Ghost']}"})
    assert [line.unit.name for line in answer.context["lines"]] == order
    assert answer.status_code == 200
    assert not PrintJob.objects.exists()


def test_all_and_none_tick_every_unit_or_none(client, company):
    none = client.post(page_of(company), {**page_data(client, company), "do": "none"})
    assert not any(line.is_chosen for line in none.context["lines"])
    everything = client.post(page_of(company), {**page_data(client, company), "do": "all", "units": []})
    assert all(line.is_chosen for line in everything.context["lines"])


def test_count_is_calculated_on_the_server(client, company):
    fields = page_data(client, company, products=["unit-card", "datasheet"], copies=4)
    answer = client.post(page_of(company), {**fields, "do": "count"}).content.decode()
    assert "12 cards on 2 sheets, front and back, and 12 more pages" in answer
    assert "<html" not in answer


@pytest.mark.slow
def test_count_matches_the_printed_pages(client, company):
    job = ask(client, company, products=["unit-card", "datasheet"], copies=4, backs="none")
    counts = counts_of(PrintOrder.model_validate_json(json.dumps(job.content)))
    print_run(job.pk)
    job.refresh_from_db()
    assert job.pages == counts.sheets + counts.pages


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"units": [], "pilots": []}, "There is nothing to print"),
        ({"products": []}, "There is nothing to print"),
        ({"units": ["987654"]}, "987654 is not one of the available choices"),
        ({"copies": 10_000}, "less than or equal to 100"),
        ({"bleed": "30"}, "less than or equal to 3"),
        ({"paper": "a3"}, "a3 is not one of the available choices"),
        ({"blank_unit-card": 10_000}, "less than or equal to 50"),
        ({"printer": "77"}, "77 is not one of the available choices"),
    ],
)
def test_impossible_print_is_refused_on_the_page(client, company, changed, expected):
    answer = client.post(page_of(company), page_data(client, company, **changed))
    assert answer.status_code == 422
    assert expected in answer.content.decode()
    assert not PrintJob.objects.exists()


def test_ten_thousand_cards_are_refused_with_reason(client, owner):
    row = a_company(owner, points=500)
    for _ in range(10):
        a_unit(row)
    answer = client.post(page_of(row), page_data(client, row, copies=100))
    assert answer.status_code == 422
    assert "1000 cards; one print can have at most 900" in answer.content.decode()


@pytest.mark.slow
def test_page_query_count_does_not_grow_with_units(client, company):
    done(ask(client, company))
    client.get(page_of(company))

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as caught:
            client.get(page_of(company))
        return len(caught)

    before = queries()
    a_crewed_unit(company, pilot="Eve")
    assert queries() == before < 15


# --- changes since the last print ---


def _damaged(company: Company, name: str) -> None:
    unit = company.units.get(name=name)
    LedgerEntry.objects.create(
        company=company, act="12345678-1234-5678-1234-567812345678", kind="damaged", unit=unit, cause="act",
        facts={"from": {}, "to": {"hits": 1}},
    )  # fmt: skip


def changes(client, company: Company, query: str = "") -> dict[str, str]:
    lines = client.get(page_of(company, query)).context["lines"]
    return {line.unit.name: line.change.text for line in lines if line.change.differs}


def test_page_lists_changes_since_the_last_print(client, company, owner):
    assert set(changes(client, company).values()) == {"not printed yet"}
    done(ask(client, company))
    assert changes(client, company) == {}
    _damaged(company, "Ghost")
    needle = company.units.get(name="Needle")
    unit_rename(company=company, by=owner, unit=needle, name="Pin")
    owl = company.units.get(name="Owl").pilot
    pilot_edit(company=company, by=owner, pilot=owl, name="Cyd", callsign="Boss")
    found = changes(client, company)
    assert found["Ghost"].startswith("damage: ")
    assert found["Pin"] == "was called Needle"
    assert found["Owl"] == "the pilot was Cyd"
    page = client.get(reverse("rosters:company", args=[company.pk])).content.decode()
    assert "3 cards changed since your last print" in page


def test_page_lists_changes_of_a_pilot_without_unit(client, company, owner):
    query = {"products": ["unit-card", "pilot-card"]}
    first = ask(client, company, **query)
    done(first)
    pilot_edit(company=company, by=owner, pilot=company.pilots.get(name="Dov"), name="Dov", callsign="Fox")
    company_change(company=company, by=owner, colour="#123456")
    page = client.get(page_of(company, f"?from={first.key}"))
    (line,) = page.context["pilot_lines"]
    assert line.change.text == "the pilot was Dov; new company colour"
    assert line.change.text.replace("'", "&#x27;") in page.content.decode()


def _everything_but_the_drawing(company: Company, owner) -> None:
    pilot_edit(company=company, by=owner, pilot=company.units.get(name="Owl").pilot, name="Cyd", callsign="Boss")
    company_change(company=company, by=owner, name="Other Dogs")
    _damaged(company, "Ghost")


@pytest.mark.parametrize("product", ["counter", "standee"])
def test_counter_changes_only_with_its_drawing(client, company, owner, product):
    first = done(ask(client, company, products=[product]))
    _everything_but_the_drawing(company, owner)
    assert changes(client, company, f"?from={first.key}") == {}
    page = reverse("rosters:company", args=[company.pk])
    assert "since your last print" not in client.get(page).content.decode()
    unit_rename(company=company, by=owner, unit=company.units.get(name="Ghost"), name="Wraith")
    assert changes(client, company, f"?from={first.key}") == {"Wraith": "was called Ghost"}
    assert "1 card changed since your last print" in client.get(page).content.decode()
    company_change(company=company, by=owner, colour="#123456")
    assert set(changes(client, company, f"?from={first.key}").values()) == {
        "was called Ghost; new company colour", "new company colour",
    }  # fmt: skip


@pytest.mark.parametrize("product", ["counter", "standee"])
def test_new_build_changes_the_counter(client, company, product):
    first = done(ask(client, company, products=[product]))
    ghost = company.units.get(name="Ghost")
    LedgerEntry.objects.create(
        company=company, act="12345678-1234-5678-1234-567812345678", kind="refitted", unit=ghost, cause="act",
        facts={"from": ghost.spec, "to": {**ghost.spec, "weapons": ["laser"]}, "design": ghost.design_name},
    )  # fmt: skip
    assert changes(client, company, f"?from={first.key}") == {"Ghost": "new design"}


def test_update_with_new_silhouettes_changes_no_counter(client, company, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr("rosters.products.counters.drawing_of", lambda unit: None)
        before.setattr("rosters.products.counters.Piece.shows_number", False)
        job = done(ask(client, company, products=["counter"]))
    assert changes(client, company, f"?from={job.key}") == {}


def test_update_with_unit_numbers_changes_no_print(client, company, monkeypatch):
    products = ["unit-card", "counter"]
    with monkeypatch.context() as before:
        before.setattr("rosters.products.counters.Piece.shows_number", False)
        before.setattr("rosters.products.cards.UnitCard.shows_number", False)
        job = done(ask(client, company, products=products))
        assert {item["unit"]["number"] for item in job.content["items"]} == {0}
    assert changes(client, company, f"?from={job.key}") == {}


def test_unit_keeps_its_number_on_all_prints(client, company, owner):
    def numbers(job):
        return {
            (item["what"], item["unit"]["name"], item["unit"]["number"])
            for item in job.content["items"]
            if "unit" in item
        }

    products = ["unit-card", "counter", "standee"]
    first = numbers(ask(client, company, products=products))
    assert {number for _, _, number in first} == {1, 2, 3}
    gone = next(name for _, name, number in first if number == 1)
    unit_sell(company=company, by=owner, unit=company.units.get(name=gone))
    assert numbers(ask(client, company, products=products)) == {row for row in first if row[1] != gone}


def test_number_of_an_undone_purchase_is_not_reused(owner):
    company = a_company(owner, name="Loose Change")
    first, undone = (unit_buy(company=company, by=owner, published="wasp", name=name) for name in ("One", "Two"))
    undo_last_act(company=company, by=owner)
    third = unit_buy(company=company, by=owner, published="wasp", name="Three")
    units = company_record(company).units
    assert [units[each.pk].number for each in (first, undone, third)] == [1, 2, 3]


def test_overfull_card_is_offered_in_a_larger_size(client, company):
    url = reverse("rosters:print-design-published", args=["meks-and-mercs", "odin"])
    page = client.get(url)
    assert not page.context["counts"].larger
    skilled = order([{**unit("odin"), "pilot": {"name": "Ana", "skills": SIXTEEN_SKILLS[:4]}}])
    counts = counts_of(skilled)
    assert (counts.is_least, counts.larger) == (True, "a7")
    for skills, larger in ((9, "tarot"), (16, "a6")):
        assert counts_of(order([{**unit("odin"), "pilot": {"skills": SIXTEEN_SKILLS[:skills]}}])).larger == larger
    answer = client.post(page_of(company), {**page_data(client, company), "do": f"size:{counts.larger}"})
    assert answer.context["form"]["card"].value() == "a7"
    assert answer.status_code == 200


def test_update_changes_no_counter_of_an_earlier_release(client, company):
    job = done(ask(client, company, products=["counter"]))
    for of in job.subjects.values():
        fingerprint, place = of["counter"]
        item = job.content["items"][place]
        del item["copies"], item["unit"]["url"], item["unit"]["number"]
        item["unit"] |= {"condition": {}, "pilot": {"name": item["unit"]["pilot"]["name"]}}
        text = json.dumps(item, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        of["counter"][0] = hashlib.sha256(text.encode()).hexdigest()[:16]
        assert of["counter"][0] != fingerprint
    PrintJob.objects.filter(pk=job.pk).update(subjects=job.subjects)
    assert changes(client, company, f"?from={job.key}") == {}


def test_only_changed_units_are_ticked_and_printed(client, company, owner):
    done(ask(client, company))
    unit_rename(company=company, by=owner, unit=company.units.get(name="Needle"), name="Pin")
    answer = client.post(page_of(company), {**page_data(client, company), "do": "changed"})
    assert [line.unit.name for line in answer.context["lines"] if line.is_chosen] == ["Pin"]
    job = ask(client, company, "?only=changed")
    assert made_of(job) == [("unit-card", "Pin")]
    done(job)
    assert changes(client, company) == {}


def test_product_never_printed_before_is_new(client, company):
    done(ask(client, company))
    fields = page_data(client, company, products=["unit-card", "datasheet"])
    answer = client.post(page_of(company), {**fields, "do": "none"})
    assert {line.change.text for line in answer.context["lines"]} == {"not printed yet"}


def test_failed_or_foreign_print_does_not_count(client, company):
    PrintJob.objects.filter(pk=ask(client, company).pk).update(status=JobStatus.FAILED)
    other = ask(client, company)
    PrintJob.objects.filter(pk=other.pk).update(status=JobStatus.DONE, asked_by=a_player())
    assert set(changes(client, company).values()) == {"not printed yet"}


# --- presets ---


def save_preset(client, company: Company, name: str = "Friday", **changed) -> PrintPreset:
    fields = page_data(client, company, preset_name=name, **changed)
    answer = client.post(page_of(company), {**fields, "do": "save"})
    assert answer.status_code == 302, answer.context["form"].errors
    return PrintPreset.objects.get(name=name)


def test_preset_restores_products_settings_units_and_order(client, company):
    of = ids(company)
    wanted = [of["Owl"], of["Ghost"]]
    preset = save_preset(
        client, company, units=wanted, order=[*wanted, of["Needle"]], products=["counter"], theme="grey"
    )
    answer = client.get(page_of(company, f"?preset={preset.pk}"))
    assert [line.unit.name for line in answer.context["lines"] if line.is_chosen] == ["Owl", "Ghost"]
    job = ask(client, company, f"?preset={preset.pk}")
    assert made_of(job) == [("counter", "Owl"), ("counter", "Ghost")]
    assert job.content["settings"]["theme"] == "grey"


def test_preset_is_overwritten_renamed_and_deleted(client, company):
    preset = save_preset(client, company)
    query = f"?preset={preset.pk}"
    client.post(page_of(company, query), {**page_data(client, company, query, card="a6"), "do": "update"})
    preset.refresh_from_db()
    assert preset.choice["settings"]["card"] == "a6"
    path = reverse("rosters:print-preset", args=[preset.pk])
    client.post(path, {"name": "Saturday"})
    assert PrintPreset.objects.get().name == "Saturday"
    assert "Saturday" in client.get(reverse("rosters:print-presets")).content.decode()
    client.post(path, {"do": "delete"})
    assert not PrintPreset.objects.exists()


def test_bad_preset_name_is_refused(client, company):
    save_preset(client, company)
    for name, reason in (("Friday", "already"), ("😀" * 5000, "at most 60 characters"), ("", "Must not be empty")):
        answer = client.post(page_of(company), {**page_data(client, company), "preset_name": name, "do": "save"})
        assert answer.status_code == 422
        assert reason in answer.content.decode()


def test_preset_of_a_lost_company_omits_its_units(client, company, owner):
    other = a_company(owner, name="Gone Dogs", points=90)
    a_crewed_unit(other)
    first = other.units.first()
    preset = save_preset(client, other, units=[str(first.pk)], theme="ink-saver", breaks=[str(first.pk)])
    company_disband(company=other, by=owner)
    for text in ("disbanded", "which no longer exists"):
        answer = client.get(page_of(company, f"?preset={preset.pk}"))
        assert answer.status_code == 200
        assert text in answer.content.decode()
        assert answer.context["form"]["theme"].value() == "ink-saver"
        assert all(line.is_chosen for line in answer.context["lines"])
        assert client.get(reverse("rosters:print-presets")).status_code == 200
        PrintPreset.objects.update(company=None)  # as the database leaves it when the company's row is deleted


@pytest.mark.parametrize("value", ["999999", "x", "-1", "9" * 40])
def test_unknown_preset_shows_a_message(client, company, value):
    answer = client.get(page_of(company, f"?preset={value}"))
    assert answer.status_code == 200
    assert "these are the defaults" in answer.content.decode()


def test_unreadable_preset_shows_a_message(client, company):
    preset = save_preset(client, company)
    PrintPreset.objects.update(choice={"products": ["poster"]})
    assert "no longer works" in client.get(page_of(company, f"?preset={preset.pk}")).content.decode()


# --- printers ---


def add_printer(client, **fields):
    path = reverse("rosters:print-printers")
    return client.post(path, form_fields(client.get(path, follow=True).context["form"], **{"name": "Laser", **fields}))


def test_default_printer_sets_paper_edge_and_offsets(client, company):
    assert add_printer(
        client, paper="letter", flip="short-edge", front_x="1.2", back_y="-0.7", is_default=True
    ).status_code == 302  # fmt: skip
    settings = ask(client, company).content["settings"]
    assert (settings["paper"], settings["backs"]) == ("letter", "short-edge")
    assert settings["front"] == {"x": 1.2, "y": 0.0}
    assert settings["back"] == {"x": 0.0, "y": -0.7}


@pytest.mark.parametrize("value", ["1000", "-10.1", "NaN", "1e9", "far", "0.05"])
def test_offsets_out_of_bounds_are_refused(client, owner, value):
    answer = add_printer(client, front_x=value)
    assert answer.status_code == 422
    assert not PrinterProfile.objects.exists()


def test_offset_of_a_metre_is_refused_with_advice(client, owner):
    assert "print at actual size" in add_printer(client, back_x="1000").content.decode()


def test_only_one_printer_is_the_default(client, owner):
    add_printer(client, is_default=True)
    add_printer(client, name="Ink", is_default=True)
    assert list(PrinterProfile.objects.filter(is_default=True).values_list("name", flat=True)) == ["Ink"]
    assert add_printer(client, name="Ink").status_code == 422


def test_printer_is_changed_and_deleted(client, owner):
    add_printer(client, front_y="0.3")
    path = reverse("rosters:print-printer", args=[PrinterProfile.objects.get().pk])
    form = client.get(path, follow=True).context["form"]
    client.post(path, form_fields(form, name="Attic", front_x="-2"))
    assert PrinterProfile.objects.values_list("name", "front_x", "front_y").get() == ("Attic", -20, 3)
    client.post(path, {"do": "delete"})
    assert not PrinterProfile.objects.exists()


# --- older prints ---


def old_unit() -> dict:
    spec = {"chassis": "light", "weapons": [], "systems": []}
    return {"muster": "print-unit/1", "system": "meks-and-mercs", "name": "Fox", "design_name": "Wasp", "spec": spec}


def test_migration_turns_old_prints_into_orders():
    wrap = importlib.import_module("rosters.migrations.0006_print_shop").order_of
    old = SimpleNamespace(title="", kind="sheets", paper="letter", duplex=False, content=[old_unit()])
    order = PrintOrder.model_validate_json(json.dumps(wrap(old)))
    assert [item.what for item in order.items] == ["datasheet"]
    assert (order.title, order.settings.paper, order.settings.backs) == ("Print", "letter", "none")


def test_link_of_an_old_print_works(client):
    wrap = importlib.import_module("rosters.migrations.0006_print_shop").order_of
    job = PrintJob.objects.create(title="Old", content=wrap(
        SimpleNamespace(title="Old", kind="cards", paper="a4", duplex=True, content=[old_unit()])
    ))  # fmt: skip
    print_run(job.pk)
    assert client.get(reverse("rosters:print-job", args=[job.key])).status_code == 200
    assert client.get(reverse("rosters:print-file", args=[job.key])).status_code == 200


# --- house rules ---


def test_chosen_house_rules_are_in_every_affected_item(client, company):
    job = ask(client, company, products=["unit-card", "reference", "roster"], **{"rule_tzc-rounds": 3})
    options = {"tzc-rounds": 3}
    items = job.content["items"]
    assert [item["what"] for item in items] == ["unit-card"] * 3 + ["roster", "reference"]
    assert all(item["unit"]["options"] == options for item in items[:3])
    assert items[3]["roster"]["options"] == options
    assert items[4]["options"] == options
    again = client.get(page_of(company, f"?from={job.key}"))
    assert again.context["form"]["rule_tzc-rounds"].value() == 3


def test_print_begins_with_the_campaigns_house_rules(client, company):
    campaign = a_campaign(options={"diagonal-moves": True})
    an_enrolment(campaign, company)
    assert client.get(page_of(company)).context["form"]["rule_diagonal-moves"].value() is True
    assert ask(client, company).content["items"][0]["unit"]["options"] == {"diagonal-moves": True}


def test_design_is_printed_without_house_rules_by_default(client):
    url = reverse("rosters:print-design-published", args=["meks-and-mercs", "odin"])
    form = form_fields(client.get(url).context["form"])
    client.post(url, form)
    client.post(url, form | {"rule_odin-printed-cost": "on"})
    ours, plain = PrintJob.objects.order_by("-pk")[:2]
    assert plain.content["items"][0]["unit"]["options"] == {}
    assert ours.content["items"][0]["unit"]["options"] == {"odin-printed-cost": True}
