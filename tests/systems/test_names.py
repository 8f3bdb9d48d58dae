"""One rule for all texts by players: only what can be shown and written is accepted, in composed form."""

from __future__ import annotations

import json
import unicodedata
from xml.etree import ElementTree

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils.feedgenerator import Rss201rev2Feed
from hypothesis import example, given
from hypothesis import strategies as st
from icalendar import Calendar, Event

from campaigns.campaign.services import campaign_change
from campaigns.clubs.services import club_change
from campaigns.models import Campaign, Club
from campaigns.results.rulings import match_rule
from campaigns.results.services import match_refuse
from rosters import services
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document
from rosters.models import Company, Design, Pilot, Player, PrinterProfile, Scenario, Unit
from rosters.printing.services import printer_save
from rosters.services import RefusedError, company_change, pilot_hire, unit_rename
from rosters.services.companies import company_create
from systems.documents import DocumentError
from systems.text import printable_text, text_problem
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_player, a_unit
from tests.campaigns.builders import a_campaign, a_match, a_member

ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
PRINTABLE = [
    "Iron Hounds",
    "Žižkův oddíl",
    "كتيبة الحديد",
    "כלבי הברזל",
    "כלבי הברזל (Iron)\u200f!",
    "\u2067כלבי\u2069 Iron",
    "می\u200cخواهم",
    "क्\u200dष",
    "山猫部隊",
    "👩\u200d🚀 Rockets",
    "🏳️\u200d🌈",
    f"{ENGLAND} Lions",
    "1\ufe0f\u20e3 Company",
    "\u2744\ufe0f Snow",
    "\u845b\U000e0100飾",
    "ᠮ\u180bᠣ",
    "e\u0301clair",
    "O'Hara & <b>Sons</b>",
]
UNPRINTABLE = {
    "a non-character": "Iron\ufffeHounds",
    "another non-character": "Iron\U0001ffffHounds",
    "a third": "Iron\ufdd0",
    "a control": "Iron\x07",
    "a line end": "Iron\nHounds",
    "a paragraph end": "Iron\u2029Hounds",
    "a private letter": "Iron\ue000",
    "an override": "Iron\u202eHounds",
    "an override that is closed": "Iron\u202eHounds\u202c",
    "an embedding left open": "\u202bIron",
    "an isolate left open": "Iron\u2066",
    "an end of what never began": "Iron\u2069",
    "a mark that marks nothing": "Iron\u200fHounds",
    "a zero space": "Iron\u200bHounds",
    "a byte order mark": "\ufeffIron",
    "a soft hyphen": "Iron\u00adHounds",
    "a joiner between Latin letters": "Iron\u200dHounds",
    "a joiner at the end": "👩\u200d",
    "tags of no flag": "Iron\U000e0048\U000e0049",
    "a flag left open": "\U0001f3f4\U000e0067\U000e0062",
    "selectors in a row": "A\ufe0f\ufe0f",
    "a selector after a letter": "Iron\ufe0f",
    "an ideographic selector after a letter": "Iron\U000e0100",
    "a selector in front": "\ufe0fIron",
    "a Mongolian selector after a letter": "Iron\u180b",
    "a joiner between Cyrillic letters": "Ир\u200dон",
    "a grapheme joiner": "Iron\u034f",
    "a Hangul filler": "Iron\u3164",
    "a narrow Hangul filler": "Iron\uffa0",
    "a Hangul filler for vowels": "Iron\u1160",
    "a Hangul filler for consonants": "Ir\u115fon",
    "a Khmer vowel that is not written": "Iron\u17b4",
    "another one": "Iron\u17b5",
    "an empty Braille cell": "Iron\u2800Hounds",
    "what is reserved for what can't be seen": "Iron\U000e0080Hounds",
    "more of that": "Iron\U000e0fffHounds",
    "only blanks": "\u3164\u2800",
    "only a mark": "\u200e",
    "only spaces that are no spaces": "\u3000\u00a0",
}


@pytest.mark.parametrize("name", PRINTABLE)
def test_name_in_any_script_is_accepted(name):
    assert text_problem(name) == ""
    assert printable_text(name) == name


@pytest.mark.parametrize("name", UNPRINTABLE.values(), ids=UNPRINTABLE)
def test_name_that_cannot_be_shown_is_refused(name):
    assert text_problem(name)


@pytest.mark.parametrize(
    "name", [name for name in UNPRINTABLE.values() if "\n" not in name], ids=range(len(UNPRINTABLE) - 1)
)
@pytest.mark.django_db
def test_every_form_and_api_refuses_unprintable_name(client, name):
    owner = a_player()
    client.force_login(owner)
    company = a_company(owner)
    unit = a_unit(company)
    with pytest.raises(RefusedError):
        company_create(owner=owner, system=SYSTEM, name=name)
    with pytest.raises(RefusedError):
        unit_rename(company=company, by=owner, unit=unit, name=name)
    with pytest.raises(RefusedError):
        pilot_hire(company=company, by=owner, name=name)
    body = json.dumps({"system": SYSTEM, "name": name}, ensure_ascii=False).encode()
    answer = client.post(reverse("api-companies"), body, content_type="application/json")
    assert (answer.status_code in (400, 422), answer.json()["errors"][0]["field"]) == (True, "name")
    page = client.post(reverse("rosters:company_create"), {"system": SYSTEM, "name": name, "points": 60})
    assert page.status_code == 422
    with pytest.raises(DocumentError):
        read_company({**company_document(company), "name": name})
    assert Company.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["Snow\u202ewons", "Snow\ufffe", "Snow\x07"])
def test_campaign_texts_refuse_unprintable_characters(text):
    match = a_match()
    campaign, arbiter = match.round.campaign, a_member(match.round.campaign.club, role="arbiter")
    organiser = campaign.club.memberships.get(role="organiser").player
    several = f"All is well.\n{text}"
    for act in (
        lambda: campaign_change(campaign=campaign, by=organiser, about=several),
        lambda: match_refuse(match=match, side=0, reason=several, by=match.attacker.company.owner),
        lambda: match_rule(match=match, by=arbiter, verdict="void", reason=several),
    ):
        with pytest.raises(RefusedError, match=r"U\+[0-9A-F]{4}"):
            act()


@pytest.mark.django_db
def test_campaign_keeps_old_text_on_other_change():
    campaign = a_campaign(state="draft")
    organiser = campaign.club.memberships.get(role="organiser").player
    Campaign.objects.update(name=OLD, about=f"{OLD}\n{OLD}")
    campaign_change(campaign=campaign, by=organiser, name=OLD, about=f"{OLD}\r\n{OLD}", pace_days=9)
    campaign.refresh_from_db()
    assert (campaign.name, campaign.about, campaign.pace_days) == (OLD, f"{OLD}\n{OLD}", 9)
    club = campaign.club
    Club.objects.update(name=OLD, about=OLD, place=OLD)
    club_change(
        club=club, by=organiser, name=OLD, about=OLD, place=OLD, is_public=not club.is_public, takes_requests=True
    )
    assert Club.objects.get().is_public is not club.is_public


@pytest.mark.django_db
@pytest.mark.parametrize("username", ["\u115f\u1160", "vic\u3164", "vic\uffa0", "vi\u1160c", "\u17b4vic"])
def test_user_name_of_invisible_letters_is_refused(client, username):
    cache.clear()  # it holds the sign-up rate limit
    form = {
        "username": username,
        "email": "x@example.com",
        "password1": "battle-ready",
        "password2": "battle-ready",
    }
    assert "contains an unprintable character" in client.post(reverse("account_signup"), form).content.decode()
    assert not Player.objects.exists()


@pytest.mark.django_db
def test_names_are_stored_in_composed_form(client):
    owner = a_player()
    client.force_login(owner)
    assert a_company(owner, name="E\u0301clair").name == "\u00c9clair"
    body = {"system": SYSTEM, "name": "Z\u030cizka"}
    assert client.post(reverse("api-companies"), body, content_type="application/json").json()["name"] == "\u017dizka"


# --- names stored before the rule
# --------------------------------------------------------------------------------------

OLD = "Iron\u200bHounds\ufffe"
EDITS = {
    "a company's motto": (Company, lambda row, by: company_change(company=row, by=by, name=OLD, motto="Grim")),
    "a pilot's callsign": (
        Pilot,
        lambda row, by: services.pilot_edit(company=row.company, by=by, pilot=row, name=OLD, callsign="Ace"),
    ),
    "who sees a design": (
        Design,
        lambda row, by: services.design_save(
            author=by, system=SYSTEM, name=OLD, spec=row.spec, design=row, visibility="private"
        ),
    ),
    "who sees a scenario": (
        Scenario,
        lambda row, by: services.scenario_save(
            author=by, system=SYSTEM, name=OLD, spec=row.spec, scenario=row, visibility="private"
        ),
    ),
    "a printer's paper": (
        PrinterProfile,
        lambda row, by: printer_save(player=by, name=OLD, paper="letter", printer=row),
    ),
}


@pytest.fixture
def player_with_old_names():
    """A player whose things all have names that would be refused today."""
    owner = a_player()
    company = a_company(owner)
    a_crewed_unit(company)
    services.design_save(author=owner, system=SYSTEM, name="Wasp", spec=WASP)
    services.scenario_clone(by=owner, system=SYSTEM, published="citadel")
    printer_save(player=owner, name="Laser")
    for model in (Company, Pilot, Unit, Design, Scenario, PrinterProfile):
        model.objects.update(name=OLD)
    Unit.objects.update(design_name=OLD)
    return owner


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "edit"), EDITS.values(), ids=EDITS)
def test_old_name_is_kept_on_other_change(player_with_old_names, model, edit):
    edit(model.objects.get(), player_with_old_names)
    assert model.objects.get().name == OLD


@pytest.mark.django_db
def test_player_with_old_name_can_set_time_zone(client, player_with_old_names):
    Player.objects.update(name_shown=OLD)
    client.force_login(player_with_old_names)
    url = reverse("rosters:profile")
    assert client.post(url, {"name_shown": OLD, "time_zone": "Europe/Berlin", "paper": "a4"}).status_code == 302
    assert Player.objects.get().time_zone == "Europe/Berlin"
    assert client.post(url, {"name_shown": f"{OLD}!", "time_zone": "", "paper": "a4"}).status_code == 422


@pytest.mark.django_db
def test_copy_of_old_name_becomes_printable(player_with_old_names):
    other = a_player("other")
    clone = services.company_clone(company=Company.objects.get(), owner=other)
    assert clone.name == "IronHounds (copy)"
    assert [*clone.pilots.values_list("name"), *clone.units.values_list("name", "design_name")] == [
        ("IronHounds",),
        ("IronHounds", "IronHounds"),
    ]
    assert services.design_clone(design=Design.objects.get(), by=other).name == "IronHounds"
    assert services.scenario_clone(scenario=Scenario.objects.get(), by=other).name == "IronHounds"
    Design.objects.filter(author=other).update(name="\u3164\u200b")
    assert services.design_clone(design=Design.objects.get(author=other), by=other).name == "Unnamed"


LONG = {"in its marks of direction": "\u2067" + "כ" * 58 + "\u2069", "in a flag": "A" * 53 + ENGLAND}


@pytest.mark.django_db
@pytest.mark.parametrize("name", LONG.values(), ids=LONG)
def test_long_name_shortened_for_copy_stays_printable(name):
    owner = a_player()
    company = a_company(owner, name=name)
    design = services.design_save(author=owner, system=SYSTEM, name=name, spec=WASP)
    for _ in range(2):
        services.unit_buy(company=company, by=owner, design=design)
    made = [
        services.company_clone(company=company, owner=owner).name,
        services.design_clone(design=design, by=owner).name,
        *company.units.values_list("name", flat=True),
    ]
    assert [text_problem(each) for each in made] == [""] * 4
    assert read_company(company_document(company)).units[1].name == made[3]


MARKS = '\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufe0f\ufffe\uffff\x00\x0b\x1f\x7f\u2028\U000e0041\U000e007f\U0001f3f4אa ;,:\\"<&\r'
TEXTS = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(MARKS)), max_size=60)


@given(TEXTS)
@example("Iron\ufffeHounds\x07")
@example("=1+1, \u202e]]>")
def test_feed_and_calendar_are_well_formed_for_any_name(name):
    printed_name = printable_text(name)
    assert printable_text(printed_name) == printed_name
    feed = Rss201rev2Feed(title=printed_name, link="/", description=printed_name)
    feed.add_item(title=printed_name, link="/", description=printed_name)
    tree = ElementTree.fromstring(feed.writeString("utf-8"))
    assert tree.find("channel/item") is not None
    calendar, event = Calendar(), Event()
    event.add("uid", "1")
    event.add("summary", printed_name)
    calendar.add_component(event)
    (again,) = Calendar.from_ical(calendar.to_ical()).walk("VEVENT")
    assert "uid" in again


@given(TEXTS.map(lambda text: unicodedata.normalize("NFC", text)).filter(lambda text: not text_problem(text)))
def test_accepted_name_is_shown_unchanged(name):
    assert printable_text(name) == name


@pytest.mark.django_db
def test_feed_and_calendar_survive_old_names(client):
    match = a_match()
    campaign = match.round.campaign
    client.force_login(match.attacker.company.owner)
    Campaign.objects.filter(pk=campaign.pk).update(name="Iron\ufffe\x07\u202eTable")
    feed = client.get(reverse("campaigns:gazette_feed", args=[campaign.pk])).content
    assert ElementTree.fromstring(feed).findtext("channel/title") == "Gazette of IronTable"
    calendar = Calendar.from_ical(client.get(reverse("campaigns:campaign_calendar", args=[campaign.pk])).content)
    assert str(calendar["x-wr-calname"]).startswith("IronTable, ")
