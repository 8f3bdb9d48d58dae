"""Muster on other sites: pictures of links, badges, embedded standings, the sitemap."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from django.urls import reverse
from fontTools.ttLib import TTFont
from PIL import Image

from battles.models import Battle
from rosters import open_graph
from rosters.card_layout.page import SILHOUETTE_SIDE, silhouette_outlines
from rosters.open_graph import HEIGHT, MAX_ROWS, WIDTH, PreviewImage, PreviewRow, PreviewUnit, draw_preview
from rosters.views.company_edit import company_codes
from systems.artwork import SHAPES
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


def meta_properties(client, url):
    html = client.get(url).content.decode()
    return dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', html))


def cache_control(client, url):
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.headers["Cache-Control"]


def picture_of(answer):
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
    return Image.open(BytesIO(answer.content))


class TestPreviewPictures:
    def test_preview_picture_has_the_right_size_and_few_bytes(self):
        preview = PreviewImage("Company", "Ж" * 90, tuple(PreviewRow(f"{n}", "9" * 90, "#8a2c2c") for n in range(40)))
        sent = draw_preview(preview)
        assert Image.open(BytesIO(sent)).size == (WIDTH, HEIGHT) == (1200, 630)
        assert len(sent) < 100_000
        assert draw_preview(PreviewImage("Company", "Ж" * 90, preview.rows[:MAX_ROWS])) == sent

    @pytest.mark.parametrize(
        "preview",
        [PreviewImage("", ""), PreviewImage("a", "b", units=(PreviewUnit("", ""),)), PreviewImage("a", "\n\0 \u202e")],
    )
    def test_preview_picture_draws_any_name(self, preview):
        assert Image.open(BytesIO(draw_preview(preview))).size == (WIDTH, HEIGHT)

    @pytest.mark.parametrize("shape", sorted(SHAPES))
    def test_every_silhouette_has_outlines_within_its_square(self, shape):
        outlines = silhouette_outlines(shape)
        assert outlines
        assert all(0 <= at <= SILHOUETTE_SIDE for outline in outlines for point in outline for at in point)


class TestPreviews:
    def test_company_page_has_its_own_preview_picture(self, client, company):
        meta = meta_properties(client, reverse("rosters:company", args=[company.pk]))
        assert meta["og:title"] == "Iron &amp; Hounds"
        assert meta["description"] == meta["og:description"] == "A Meks &amp; Mercs company with 1 unit."
        picture = reverse("rosters:company_picture", args=[company.pk])
        assert meta["og:image"] == f"http://testserver{picture}"
        assert picture_of(client.get(picture)).size == (WIDTH, HEIGHT)

    def test_picture_of_a_link_company_needs_the_key(self, client, company):
        company.visibility = "link"
        company.save()
        url = reverse("rosters:company", args=[company.pk])
        picture = meta_properties(client, f"{url}?key={company.link_key}")["og:image"].removeprefix("http://testserver")
        assert picture_of(client.get(picture)).size == (WIDTH, HEIGHT)
        assert client.get(picture.partition("?")[0]).status_code == 404

    def test_battle_page_has_its_own_preview_picture(self, client, db):
        battle = Battle.objects.create(
            system=SYSTEM, title="Red against Blue", setup=duel(), setup_hash="-", seed="1", rules_version=1,
            status="queued", visibility="public",
        )  # fmt: skip
        meta = meta_properties(client, reverse("battles:battle", args=[battle.key]))
        picture = reverse("battles:battle_picture", args=[battle.key])
        assert (meta["og:title"], meta["og:image"]) == ("Red against Blue", f"http://testserver{picture}")
        before = client.get(picture)
        Battle.objects.update(status="done", result={"winner": duel()["sides"][0]["name"], "draw": False, "rounds": 4})
        assert picture_of(client.get(picture)).tobytes() != picture_of(before).tobytes()

    def test_standings_have_their_own_preview_picture(self, client, campaign):
        for name in ("campaign", "standings"):
            meta = meta_properties(client, reverse(f"campaigns:{name}", args=[campaign.pk]))
            picture = reverse("campaigns:standings_picture", args=[campaign.pk])
            assert meta["og:image"] == f"http://testserver{picture}"
        assert picture_of(client.get(picture)).size == (WIDTH, HEIGHT)

    def test_other_pages_have_a_description_and_the_sites_picture(self, client, db):
        for url in ("/", "/designs/", "/accounts/login/", "/rules/"):
            meta = meta_properties(client, url)
            assert len(meta["description"]) > 40
            assert meta["og:image"].endswith("/static/img/plate.png")

    def test_unchanged_picture_returns_304(self, client, company):
        url = reverse("rosters:company_picture", args=[company.pk])
        first = client.get(url)
        assert first.headers["Cache-Control"] == "max-age=600, public"
        assert client.get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304

    @pytest.mark.slow
    def test_picture_query_count_does_not_grow_with_units(self, client, company, django_assert_max_num_queries):
        url = reverse("rosters:company_picture", args=[company.pk])
        with django_assert_max_num_queries(8) as few:
            client.get(url)
        for _ in range(3):
            a_unit(company, "wasp")
        with django_assert_max_num_queries(8) as many:
            client.get(url)
        assert len(few) == len(many)


class TestBadgesAndFrames:
    def test_badge_shows_results_and_escapes_the_name(self, client, company):
        answer = client.get(reverse("rosters:company_badge", args=[company.pk]))
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert "<title>Iron &amp; Hounds: 0 won, 0 drawn, 0 lost</title>" in answer.content.decode()

    def test_only_public_badges_and_pictures_are_cached_publicly(self, client, company, campaign):
        badge = reverse("rosters:company_badge", args=[company.pk])
        of_company = [badge, reverse("rosters:company_picture", args=[company.pk])]
        names = ("standings_badge", "standings_picture")
        of_campaign = [reverse(f"campaigns:{name}", args=[campaign.pk]) for name in names]
        assert {cache_control(client, url) for url in (*of_company, *of_campaign)} == {"max-age=600, public"}
        company.visibility = "link"
        company.save()
        assert {cache_control(client, f"{url}?key={company.link_key}") for url in of_company} == {
            "max-age=600, private"
        }
        client.force_login(campaign.club.memberships.get(role="organiser").player)
        for changed in ({"state": "draft"}, {"state": "mustering", "is_public": False}):
            type(campaign).objects.update(**changed)
            assert {cache_control(client, url) for url in of_campaign} == {"max-age=600, private"}

    def test_name_with_brackets_breaks_no_badge_code(self, rf, company):
        company.name = "Axe](x) <b>"
        html, markdown = (code for _, code in company_codes(rf.get("/"), company))
        assert r"[![Axe\]\(x\) \<b\>](" in markdown
        assert 'alt="Axe](x) &lt;b&gt;"' in html

    def test_campaigns_badge_names_the_leader(self, client, campaign):
        url = reverse("campaigns:standings_badge", args=[campaign.pk])
        assert "<title>Spring War: no leader yet</title>" in client.get(url).content.decode()
        ants, bees = campaign.enrolments.all()
        a_match(a_round(campaign), ants, bees, state="confirmed", outcome="defender")
        assert "<title>Spring War: led by Bears, 3 points</title>" in client.get(url).content.decode()

    def test_only_the_embedded_standings_may_be_framed(self, client, campaign):
        answer = client.get(reverse("campaigns:standings_embed", args=[campaign.pk]))
        assert "X-Frame-Options" not in answer.headers
        assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
        html = answer.content.decode()
        assert re.findall(r"\b(Axes|Bears)\b", html) == ["Axes", "Bears"]
        assert '<base target="_top">' in html
        whole = client.get(reverse("campaigns:standings", args=[campaign.pk]))
        assert whole.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in whole.headers["Content-Security-Policy"]

    def test_private_campaign_cannot_be_framed(self, client, campaign):
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
    def locations_of(self, client, file: str) -> list[str]:
        return re.findall(r"<loc>http://testserver([^<]+)</loc>", client.get(file).content.decode())

    def test_sitemap_lists_public_pages_only(self, client, campaign, company):
        hidden = a_company(a_player(), name="Nobody's Business")
        files = self.locations_of(client, "/sitemap.xml")
        locations = [found for file in files for found in self.locations_of(client, file)]
        assert {"/", reverse("campaigns:standings", args=[campaign.pk])} <= set(locations)
        assert reverse("rosters:company", args=[company.pk]) in locations
        assert reverse("rosters:company", args=[hidden.pk]) not in locations
        assert len(locations) == len(set(locations))
        assert "Sitemap: http://testserver/sitemap.xml" in client.get("/robots.txt").content.decode()

    def test_browser_finds_the_icon(self, client, db):
        assert client.get("/favicon.ico").headers["Location"].endswith("img/favicon.ico")
        assert 'rel="apple-touch-icon"' in client.get("/").content.decode()


# --- letters missing from the print fonts ---


def drawn_letters(text):
    return "".join(run.text for run in open_graph._runs(text, "head", 40))


@pytest.mark.parametrize(
    "text", ["كتيبة الصحراء", "גדוד הברזל", "鋼鉄の「狼」部隊", "Железные Псы", "강철 늑대", "Fire 🔥 Ants", "𓀀𓁀"]
)
def test_no_letter_is_drawn_as_a_box(text):
    for run in open_graph._runs(text, "head", 40):
        cmap = TTFont(run.face.path, lazy=True, fontNumber=run.face.index).getBestCmap()
        assert all(ord(letter) in cmap for letter in run.text), (run.text, run.face.path)
    assert draw_preview(
        PreviewImage("Company", text, units=(PreviewUnit("medium", text),), rows=(PreviewRow(text, text),), foot=text)
    )


def test_only_letters_of_installed_fonts_are_drawn(monkeypatch):
    dejavu = next((path for path in Path("/usr/share/fonts").rglob("DejaVuSans.ttf")), None)
    if dejavu is None:
        pytest.skip("DejaVu fonts are not installed")
    monkeypatch.setattr(
        open_graph, "font_with", lambda letter, is_bold: (str(dejavu), 0) if letter < "\u3000" else None
    )
    assert drawn_letters("كتيبة") == "كتيبة"
    assert drawn_letters("Fire 🔥 Ants") == "Fire Ants"
    assert drawn_letters("鋼鉄") == ""
    monkeypatch.setattr(open_graph, "font_with", lambda letter, is_bold: None)
    assert drawn_letters("كتيبة Ants") == "Ants"


def test_right_to_left_line_is_drawn_from_the_right():
    parts = [(run.text, run.direction) for run in open_graph._runs("גדוד 7 (Iron)", "head", 40)]
    if not open_graph.font_with("ג", is_bold=True) or not open_graph.SHAPES:
        pytest.skip("no Hebrew font is installed")
    assert parts == [(")", "rtl"), ("Iron", None), ("גדוד 7 (", "rtl")]
