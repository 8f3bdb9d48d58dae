"""What leaves the site: pictures beside a link, badges, a table in a frame, the list of pages for search engines."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from django.urls import reverse
from fontTools.ttLib import TTFont
from PIL import Image

from battles.models import Battle
from rosters.paper import plates
from rosters.paper.layout.shapes import SIDE, silhouette_outlines
from rosters.paper.plates import HEIGHT, MAX_ROWS, WIDTH, Counter, Plate, Row, drawn
from rosters.views.plates import company_codes
from systems.paper.silhouettes import SHAPES
from tests.battles.builders import duel
from tests.builders import SYSTEM, a_company, a_player, a_unit
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment


@pytest.fixture
def company(db):
    own = a_company(a_player(), name="Iron & Hounds", visibility="public", colour="#8a2c2c")
    a_unit(own, "wasp")
    return own


@pytest.fixture
def campaign(db):
    campaign = a_campaign(a_club(is_public=True), is_public=True)
    for name in ("Axes", "Bears"):
        an_enrolment(campaign, a_mustered_company(name=name))
    return campaign


def properties(client, url):
    html = client.get(url).content.decode()
    return dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', html))


def kept(client, url):
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.headers["Cache-Control"]


def picture_of(answer):
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
    return Image.open(BytesIO(answer.content))


class TestPlates:
    def test_a_plate_has_the_size_that_previews_ask_for_and_is_light_to_send(self):
        plate = Plate("Company", "Ж" * 90, tuple(Row(f"{n}", "9" * 90, "#8a2c2c") for n in range(40)))
        sent = drawn(plate)
        assert Image.open(BytesIO(sent)).size == (WIDTH, HEIGHT) == (1200, 630)
        assert len(sent) < 100_000
        assert drawn(Plate("Company", "Ж" * 90, plate.rows[:MAX_ROWS])) == sent

    @pytest.mark.parametrize(
        "plate", [Plate("", ""), Plate("a", "b", units=(Counter("", ""),)), Plate("a", "\n\0 \u202e")]
    )
    def test_a_plate_is_drawn_of_whatever_somebody_is_called(self, plate):
        assert Image.open(BytesIO(drawn(plate))).size == (WIDTH, HEIGHT)

    @pytest.mark.parametrize("shape", sorted(SHAPES))
    def test_every_silhouette_has_outlines_within_its_square(self, shape):
        outlines = silhouette_outlines(shape)
        assert outlines
        assert all(0 <= at <= SIDE for outline in outlines for point in outline for at in point)


class TestPreviews:
    def test_a_company_is_shown_with_its_own_picture(self, client, company):
        told = properties(client, reverse("rosters:company", args=[company.pk]))
        assert told["og:title"] == "Iron &amp; Hounds"
        assert told["description"] == told["og:description"] == "A company of Meks &amp; Mercs: 1 unit."
        picture = reverse("rosters:company_picture", args=[company.pk])
        assert told["og:image"] == f"http://testserver{picture}"
        assert picture_of(client.get(picture)).size == (WIDTH, HEIGHT)

    def test_a_company_that_is_shared_by_link_is_shown_to_whoever_has_the_link(self, client, company):
        company.visibility = "link"
        company.save()
        url = reverse("rosters:company", args=[company.pk])
        picture = properties(client, f"{url}?key={company.link_key}")["og:image"].removeprefix("http://testserver")
        assert picture_of(client.get(picture)).size == (WIDTH, HEIGHT)
        assert client.get(picture.partition("?")[0]).status_code == 404

    def test_a_battle_is_shown_with_its_own_picture(self, client, db):
        battle = Battle.objects.create(
            system=SYSTEM, title="Red against Blue", setup=duel(), setup_hash="-", seed="1", rules_version=1,
            status="queued", visibility="public",
        )  # fmt: skip
        told = properties(client, reverse("battles:battle", args=[battle.key]))
        picture = reverse("battles:battle_picture", args=[battle.key])
        assert (told["og:title"], told["og:image"]) == ("Red against Blue", f"http://testserver{picture}")
        before = client.get(picture)
        Battle.objects.update(status="done", result={"winner": duel()["sides"][0]["name"], "draw": False, "rounds": 4})
        assert picture_of(client.get(picture)).tobytes() != picture_of(before).tobytes()

    def test_standings_are_shown_with_their_own_picture(self, client, campaign):
        for name in ("campaign", "standings"):
            told = properties(client, reverse(f"campaigns:{name}", args=[campaign.pk]))
            picture = reverse("campaigns:standings_picture", args=[campaign.pk])
            assert told["og:image"] == f"http://testserver{picture}"
        assert picture_of(client.get(picture)).size == (WIDTH, HEIGHT)

    def test_all_other_pages_have_a_description_and_the_picture_of_the_site(self, client, db):
        for url in ("/", "/designs/", "/accounts/login/", "/rules/"):
            told = properties(client, url)
            assert len(told["description"]) > 40
            assert told["og:image"].endswith("/static/img/plate.png")

    def test_who_has_a_picture_already_is_told_so(self, client, company):
        url = reverse("rosters:company_picture", args=[company.pk])
        first = client.get(url)
        assert first.headers["Cache-Control"] == "max-age=600, public"
        assert client.get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304

    def test_pictures_ask_the_database_no_more_often_for_more_units(
        self, client, company, django_assert_max_num_queries
    ):
        url = reverse("rosters:company_picture", args=[company.pk])
        with django_assert_max_num_queries(8) as few:
            client.get(url)
        for _ in range(3):
            a_unit(company, "wasp")
        with django_assert_max_num_queries(8) as many:
            client.get(url)
        assert len(few) == len(many)


class TestElsewhere:
    def test_a_badge_says_what_the_company_did_and_is_safe_to_show(self, client, company):
        answer = client.get(reverse("rosters:company_badge", args=[company.pk]))
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert "<title>Iron &amp; Hounds: 0 won, 0 drawn, 0 lost</title>" in answer.content.decode()

    def test_what_is_not_everybodys_is_kept_by_nobody_else(self, client, company, campaign):
        badge = reverse("rosters:company_badge", args=[company.pk])
        of_company = [badge, reverse("rosters:company_picture", args=[company.pk])]
        names = ("standings_badge", "standings_picture")
        of_campaign = [reverse(f"campaigns:{name}", args=[campaign.pk]) for name in names]
        assert {kept(client, url) for url in (*of_company, *of_campaign)} == {"max-age=600, public"}
        company.visibility = "link"
        company.save()
        assert {kept(client, f"{url}?key={company.link_key}") for url in of_company} == {"max-age=600, private"}
        client.force_login(campaign.club.memberships.get(role="organiser").player)
        for changed in ({"state": "draft"}, {"state": "mustering", "is_public": False}):
            type(campaign).objects.update(**changed)
            assert {kept(client, url) for url in of_campaign} == {"max-age=600, private"}

    def test_a_name_with_brackets_breaks_neither_badge(self, rf, company):
        company.name = "Axe](x) <b>"
        html, markdown = (code for _, code in company_codes(rf.get("/"), company))
        assert r"[![Axe\]\(x\) \<b\>](" in markdown
        assert 'alt="Axe](x) &lt;b&gt;"' in html

    def test_a_campaigns_badge_names_who_leads(self, client, campaign):
        url = reverse("campaigns:standings_badge", args=[campaign.pk])
        assert "<title>Spring War: nobody leads yet</title>" in client.get(url).content.decode()
        ants, bees = campaign.enrolments.all()
        a_match(a_round(campaign), ants, bees, state="confirmed", outcome="defender")
        assert "<title>Spring War: led by Bears, 3 points</title>" in client.get(url).content.decode()

    def test_the_table_may_stand_in_a_frame_of_any_page_and_the_rest_of_the_site_may_not(self, client, campaign):
        answer = client.get(reverse("campaigns:standings_embed", args=[campaign.pk]))
        assert "X-Frame-Options" not in answer.headers
        assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
        html = answer.content.decode()
        assert re.findall(r"\b(Axes|Bears)\b", html) == ["Axes", "Bears"]
        assert '<base target="_top">' in html
        whole = client.get(reverse("campaigns:standings", args=[campaign.pk]))
        assert whole.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in whole.headers["Content-Security-Policy"]

    def test_a_campaign_that_is_not_open_to_all_is_shown_in_no_frame(self, client, campaign):
        html = client.get(reverse("campaigns:standings", args=[campaign.pk])).content.decode()
        assert "/standings/embed/" in html
        campaign.is_public = False
        campaign.save()
        organiser = campaign.club.memberships.get(role="organiser").player
        client.force_login(organiser)
        assert client.get(reverse("campaigns:standings_embed", args=[campaign.pk])).status_code == 404
        html = client.get(reverse("campaigns:standings", args=[campaign.pk])).content.decode()
        assert "/standings/embed/" not in html


class TestSearchEngines:
    def listed(self, client, file: str) -> list[str]:
        return re.findall(r"<loc>http://testserver([^<]+)</loc>", client.get(file).content.decode())

    def test_the_map_of_the_site_lists_what_is_public_and_nothing_else(self, client, campaign, company):
        hidden = a_company(a_player(), name="Nobody's Business")
        files = self.listed(client, "/sitemap.xml")
        locations = [found for file in files for found in self.listed(client, file)]
        assert {"/", reverse("campaigns:standings", args=[campaign.pk])} <= set(locations)
        assert reverse("rosters:company", args=[company.pk]) in locations
        assert reverse("rosters:company", args=[hidden.pk]) not in locations
        assert len(locations) == len(set(locations))
        assert "Sitemap: http://testserver/sitemap.xml" in client.get("/robots.txt").content.decode()

    def test_a_browser_finds_the_icon_where_it_looks_for_it(self, client, db):
        assert client.get("/favicon.ico").headers["Location"].endswith("img/favicon.ico")
        assert 'rel="apple-touch-icon"' in client.get("/").content.decode()


# --- letters that the print fonts lack --------------------------------------------------------------------------------


def drawn_letters(text):
    return "".join(run.text for run in plates._runs(text, "head", 40))


@pytest.mark.parametrize(
    "text", ["كتيبة الصحراء", "גדוד הברזל", "鋼鉄の「狼」部隊", "Железные Псы", "강철 늑대", "Fire 🔥 Ants", "𓀀𓁀"]
)
def test_no_letter_is_drawn_as_a_box(text):
    for run in plates._runs(text, "head", 40):
        cmap = TTFont(run.face.path, lazy=True, fontNumber=run.face.index).getBestCmap()
        assert all(ord(letter) in cmap for letter in run.text), (run.text, run.face.path)
    assert drawn(Plate("Company", text, units=(Counter("medium", text),), rows=(Row(text, text),), foot=text))


def test_letters_of_the_machines_fonts_are_drawn_and_others_are_left_out(monkeypatch):
    dejavu = next((path for path in Path("/usr/share/fonts").rglob("DejaVuSans.ttf")), None)
    if dejavu is None:
        pytest.skip("no DejaVu on this machine")
    monkeypatch.setattr(plates, "font_with", lambda letter, is_bold: (str(dejavu), 0) if letter < "\u3000" else None)
    assert drawn_letters("كتيبة") == "كتيبة"
    assert drawn_letters("Fire 🔥 Ants") == "Fire Ants"
    assert drawn_letters("鋼鉄") == ""
    monkeypatch.setattr(plates, "font_with", lambda letter, is_bold: None)
    assert drawn_letters("كتيبة Ants") == "Ants"


def test_line_that_is_written_from_the_right_is_drawn_from_the_right():
    parts = [(run.text, run.direction) for run in plates._runs("גדוד 7 (Iron)", "head", 40)]
    if not plates.font_with("ג", is_bold=True) or not plates.SHAPES:
        pytest.skip("this machine sets no Hebrew")
    assert parts == [(")", "rtl"), ("Iron", None), ("גדוד 7 (", "rtl")]
