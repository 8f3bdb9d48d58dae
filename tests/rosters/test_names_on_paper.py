"""Every name that the rule allows comes out right: on a card, in the feed, in the calendar, in a table of results."""

from __future__ import annotations

import csv
import io
import unicodedata
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from campaigns.results.imported_table import CompanyName, CompanyNames, parse_results
from rosters.models import Company
from rosters.paper.documents import PrintSettings
from rosters.printing.orders import order_of
from rosters.printing.rendering import render_order
from systems.text import normalize_text, text_problem
from tests.campaigns.builders import a_match
from tests.rosters.paper import pdf
from tests.rosters.paper.items import item
from tests.rosters.paper.units import unit

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

MAX_LENGTH = 60
SCRIPTS = [
    "ABCXYZ abcxyz'&<>\"", "ÀÉÎÕÜßøłžğ", "ΑΒΓαβγς", "АБВабвё", "אבגדה", "ابتجحمی", "कखगघािी्", "กขคงาิี", "山猫部隊灰狼", "あいうアイウー", "가나다한글",
    "ልምሳሌ", "თბილისი", "ՀայկԱբ", "ᚠᚢᚦ", "𐌰𐌱𐌲", "𝔄𝔅ℭ", "①②③½⅓", "\u0301\u0308\u0323\u20dd\u0489", "\u200c\u200d\u200e\u200f\u2066\u2067\u2068\u2069",
    "🧙🚀👩♂️🏳🌈🇩🇪🏴\ufe0f\u20e3🏽", ";,:\\=+-@\"'`|%{}", "\u3000\u00a0 \u2003",
]  # fmt: skip
LETTERS = st.one_of(
    *(st.sampled_from(letters) for letters in SCRIPTS), st.characters(exclude_categories=["Cs", "Cc", "Co"])
)
MIXED = st.text(LETTERS, min_size=1, max_size=MAX_LENGTH)
OF_ONE = st.sampled_from(SCRIPTS).flatmap(
    lambda letters: st.text(st.sampled_from(letters), min_size=1, max_size=MAX_LENGTH)
)
NAMES = (
    st.one_of(MIXED, OF_ONE).map(normalize_text).filter(lambda name: len(name) <= MAX_LENGTH and not text_problem(name))
)
LATIN = st.text(st.sampled_from("ABCXYZabcxyzÀÉÎÕÜøłžğ0123"), min_size=1, max_size=12).map(normalize_text)
AS_DRAWN = {"database": None, "deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}
QUICK = settings(max_examples=4, phases=[Phase.generate], **AS_DRAWN)
LONG = settings(max_examples=250, phases=[Phase.generate], **AS_DRAWN)


def check_paper(names: list[str], latin: str, folder: Path) -> None:
    """Check the printed cards of units, and a pilot's, with these names."""
    items = [item("unit-card", unit=unit("wasp", name=name, company=names[0])) for name in [*names, latin]]
    items.append(item("free-pilot-card", system="meks-and-mercs", pilot={"name": names[-1]}, company=latin))
    path = folder / "names.pdf"
    path.write_bytes(render_order(order_of(names[0], PrintSettings(), items)).pdf)
    with pikepdf.open(path) as opened:
        assert not opened.check_pdf_syntax()
        assert opened.docinfo["/Title"]
    text = pdf.text(path)
    assert "\ufffd" not in text
    assert latin.upper() in text.upper().replace(" ", ""), (latin, text)


def check_table(names: list[str]) -> None:
    """Check that a spreadsheet's table with these names is read."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["date", "round", "attacker", "defender", "winner"])
    rows.writerows([["2025-05-01", "1", name, "Steel Rain", "draw"] for name in names])
    companies = {
        number: CompanyName(name=name, player=f"Player {number}") for number, name in enumerate(["Steel Rain", *names])
    }
    table = parse_results(written.getvalue(), CompanyNames(companies), [], date(2026, 1, 1))
    assert [line.cells[2] for line in table.lines] == [" ".join(name.split()) for name in names]


class CampaignFeeds:
    """A campaign whose names are changed, and its feeds."""

    def __init__(self) -> None:
        match = a_match()
        self.campaign, self.company = match.round.campaign, match.attacker.company
        self.client = Client()
        self.client.force_login(self.company.owner)

    def read(self, name: str) -> None:
        type(self.campaign).objects.update(name=name)
        Company.objects.filter(pk=self.company.pk).update(name=name)
        pages = {
            what: self.client.get(reverse(f"campaigns:{what}", args=[self.campaign.pk]))
            for what in ("gazette_feed", "campaign_calendar")
        }
        assert {page.status_code for page in pages.values()} == {200}
        feed = ElementTree.fromstring(pages["gazette_feed"].content)
        assert unicodedata.normalize("NFC", feed.findtext("channel/title") or "").endswith(name)
        calendar = Calendar.from_ical(pages["campaign_calendar"].content)
        assert str(calendar["x-wr-calname"]).startswith(name)
        page = self.client.get(reverse("rosters:company", args=[self.company.pk]))
        assert page.status_code == 200


def check_names(names: list[str], latin: str, folder: Path, served: CampaignFeeds) -> None:
    check_paper(names, latin, folder)
    check_table(names)
    for name in names:
        served.read(name)


def test_few_allowed_names_come_out_right_everywhere(tmp_path):
    served = CampaignFeeds()

    @QUICK
    @given(st.lists(NAMES, min_size=3, max_size=4), LATIN)
    def each(names: list[str], latin: str) -> None:
        check_names(names, latin, tmp_path, served)

    each()


@pytest.mark.proof
def test_allowed_names_come_out_right_everywhere(tmp_path):
    served, seen = CampaignFeeds(), set()

    @LONG
    @given(st.lists(NAMES, min_size=6, max_size=12), LATIN)
    def each(names: list[str], latin: str) -> None:
        seen.update([*names, latin])
        check_names(names, latin, tmp_path, served)

    each()
    print(f"\n{len(seen)} names on cards, in the feed and in the calendar")
