"""The design: readable colours, no external files, drawings with texts, and an outbox only for this machine."""

import re
import unicodedata
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.fallback import FallbackStorage
from django.core.mail import EmailMessage as Outgoing
from django.core.mail.backends.filebased import EmailBackend
from django.http import HttpRequest
from django.template import Context, Template
from django.test import RequestFactory
from fontTools.ttLib import TTFont

from battles.replay import boards
from rosters.paper.page_layout import SMALL_TYPE
from rosters.paper.themes import THEMES
from rosters.site.mails import MAX_MAILS, is_local, read_outbox
from rosters.views.reference import styleguide
from systems.legality import Check, Problem

ROOT = Path(settings.BASE_DIR)
TOKENS = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8")
LATIN_FACE = re.compile(
    r'@font-face \{[^}]*?(?:unicode-range: ([^;}]+);\s+)?src: url\("\.\./fonts/(barlow-[\w-]+)\.woff2"\)'
)
TEXT_PAIRS = [
    *(
        (text, ground)
        for text in ("ink", "ink-2", "signal", "good", "bad", "warn", "side-a", "side-b")
        for ground in ("paper", "paper-2", "paper-3")
    ),
    ("on-signal", "signal"),
    ("paper-2", "bad"),
    ("ink", "signal-soft"),
    ("ink-2", "signal-soft"),
    ("on-side-a", "side-a"),
    ("on-side-b", "side-b"),
    ("on-band", "band"),
    ("on-band-2", "band"),
    ("band-signal", "band"),
]
EDGE_PAIRS = [
    ("line-2", "paper"),
    ("line-2", "paper-2"),
    ("line-2", "paper-3"),
    ("focus", "paper"),
    ("focus", "paper-2"),
]


def palette(css: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6});", css))


def palettes() -> dict[str, dict[str, str]]:
    day, night_by_system, night_by_choice = TOKENS.split("@media screen")
    return {
        name: palette(css)
        for name, css in (("day", day), ("night by system", night_by_system), ("night by choice", night_by_choice))
    }


def luminance(colour: str) -> float:
    channels = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def draw(source: str, **context: object) -> str:
    return Template("{% load components %}" + source).render(Context(context))


def test_contrast_is_computed_like_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["day", "night by system", "night by choice"])
def test_text_is_readable_in_both_themes(theme):
    colours = palettes()[theme]
    weak = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in TEXT_PAIRS}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("theme", ["day", "night by system", "night by choice"])
def test_meaningful_edges_stand_out_in_both_themes(theme):
    colours = palettes()[theme]
    weak = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in EDGE_PAIRS}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 3} == {}


def test_night_theme_is_equal_by_choice_and_by_system():
    themes = palettes()
    assert themes["night by system"] == themes["night by choice"]
    assert themes["night by system"].keys() == themes["day"].keys()


def test_every_token_used_in_styles_exists():
    """Screen tokens are in the styles themselves, print tokens in the theme of the print."""
    folder = ROOT / "static/css"
    paper = [path.read_text(encoding="utf-8") for path in folder.glob("print-*.css") if path.name != "print-shop.css"]
    screen = [path.read_text(encoding="utf-8") for path in folder.glob("*.css") if not path.name.startswith("print-")]
    screen.append((folder / "print-shop.css").read_text(encoding="utf-8"))
    assert min(len(paper), len(screen)) > 2
    assert tokens_used(screen) - tokens_of(screen) == set()
    small = {f"--type-{share}" for share in SMALL_TYPE}  # set by the page
    for theme in THEMES.values():
        assert tokens_used(paper) - tokens_of([*paper, theme.css()]) - small == set()


def tokens_of(styles: list[str]) -> set[str]:
    return {name for css in styles for name in re.findall(r"(--[a-z0-9-]+)\s*:", css)}


def tokens_used(styles: list[str]) -> set[str]:
    return {name for css in styles for name in re.findall(r"var\((--[a-z0-9-]+)", css)}


def test_styles_scripts_and_templates_load_no_external_files():
    files = [*ROOT.glob("static/css/*.css"), *ROOT.glob("static/js/*.js"), *ROOT.glob("templates/**/*.html")]
    assert len(files) > 40
    fetches = re.compile(
        r"""(?:src=|<link[^>]*href=|url\(|@import\s|fetch\(|import\s*\()\s*["']?\s*(?:https?:)?//""", re.IGNORECASE
    )
    assert [str(path.relative_to(ROOT)) for path in files if fetches.search(path.read_text(encoding="utf-8"))] == []


def test_templates_have_no_inline_scripts_or_handlers():
    files = [path for path in ROOT.glob("templates/**/*.html") if "print" not in path.parts]
    assert len(files) > 30
    inline = re.compile(
        r"""<script(?![^>]*\b(?:src=|type="application/json"))|\son[a-z]+=["']|href=["']javascript:""", re.IGNORECASE
    )
    assert [str(path.relative_to(ROOT)) for path in files if inline.search(path.read_text(encoding="utf-8"))] == []


def test_every_named_font_exists_with_its_licence():
    fonts = re.findall(r'url\("\.\./fonts/([^"]+)"\)', TOKENS)
    folder = ROOT / "static/fonts"
    assert fonts
    assert {path.name for path in folder.glob("*.woff2")} == set(fonts)
    for font in fonts:
        assert any(font.startswith(licence.name.split(".")[0]) for licence in folder.glob("*.OFL.txt")), font


def codes(text: str) -> set[int]:
    """Return the code points of a `unicode-range`."""
    spans = [part.strip().removeprefix("U+").partition("-") for part in text.split(",")]
    return {code for first, _, last in spans for code in range(int(first, 16), int(last or first, 16) + 1)}


def letters(font: str) -> set[int]:
    return set(TTFont(ROOT / "static/fonts" / f"{font}.woff2").getBestCmap())


def test_each_letter_is_in_its_loaded_font_file():
    sheets = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("static/css/*.css"))]
    faces = [face for sheet in sheets for face in LATIN_FACE.findall(sheet)]
    first = sorted(name for asked, name in faces if not asked)
    assert first == sorted(name.removesuffix("-more") for asked, name in faces if asked)
    further = {(name, asked) for asked, name in faces if asked}
    assert len(further) == len(set(first)), "each font file is used for the same letters everywhere"
    for name, asked in further:
        assert letters(name) <= codes(asked)
        assert not letters(name.removesuffix("-more")) & codes(asked)


def test_standalone_picture_loads_the_second_font_for_its_letters():
    further = {code for code in letters("barlow-condensed-600-more") if "LATIN" in unicodedata.name(chr(code))}
    assert further <= codes(boards.LATIN_EXTENDED_RANGE)
    assert {code for code in range(0x2100) if boards.LATIN_EXTENDED.match(chr(code))} == codes(
        boards.LATIN_EXTENDED_RANGE
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{% hit_boxes 2 5 %}", "2 of 5 Hits left"),
        ("{% hit_boxes 9 5 %}", "5 of 5 Hits left"),
        ("{% die 5 True %}", "5 made"),
        ("{% die 2 False %}", "2 failed"),
        ('{% unit_counter "Thor" "assault" state="destroyed" %}', "destroyed"),
        ('{% unit_counter "Gamma Apollo" "size-0" %}', ">S0<"),
        ('{% unit_counter "Bulwark" "super-heavy" left=3 %}', "(super heavy, 3)"),
        ('{% band_ladder 1 a="Wasp" b="Thor" %}', "Medium"),
        ('{% band_ladder None a="Wasp" b="Thor" broken=True %}', "contact broken"),
        ("{% share_bar 0.5 0.613 0.7 %}", "61.3%"),
        ("{% progress 5 20 %}", "25%"),
    ],
)
def test_drawings_have_texts(source, expected):
    assert expected in draw(source)


def test_share_is_never_rounded_to_zero_or_hundred_percent():
    assert draw("{{ s|percent }}", s=0.00001) == "&lt; 0.1%"
    assert draw("{{ s|percent }}", s=0.99999) == "&gt; 99.9%"
    assert draw("{{ s|percent }}", s=0.0) == "0.0%"
    assert draw("{{ s|percent }}", s=1.0) == "100.0%"


def test_drawings_escape_player_names():
    nasty = "<script>x</script>"
    drawn = draw(
        "{% unit_counter n n callsign=n left=n right=n %}{% band_ladder 1 a=n b=n %}{% share_bar 0 0 1 label=n %}{% progress 1 2 label=n %}{% rule_chip n %}",
        n=nasty,
    )
    assert "<script" not in drawn


def test_empty_bar_is_drawn_empty():
    assert '<rect class="split__a" x="0" y="0" width="0"' in draw("{% split_bar 0 0 0 %}")


def outbox_request(host: str = "localhost", **meta: Any) -> HttpRequest:
    return RequestFactory().get("/outbox/", HTTP_HOST=host, **{"REMOTE_ADDR": "127.0.0.1", **meta})


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1"])
def test_outbox_opens_on_this_machine(address):
    assert is_local(outbox_request(REMOTE_ADDR=address))
    assert is_local(outbox_request("[::1]:8000", REMOTE_ADDR=address))
    assert is_local(outbox_request("127.0.0.1:8000", REMOTE_ADDR=address))


@pytest.mark.parametrize(
    "address", ["192.168.1.20", "10.0.0.1", "203.0.113.9", "::ffff:203.0.113.9", "fe80::1", "", "unknown"]
)
def test_outbox_is_closed_to_other_machines(address):
    assert not is_local(outbox_request(REMOTE_ADDR=address))


@pytest.mark.parametrize(
    "header",
    [
        "HTTP_X_FORWARDED_FOR",
        "HTTP_FORWARDED",
        "HTTP_X_REAL_IP",
        "HTTP_VIA",
        "HTTP_X_FORWARDED_HOST",
        "HTTP_X_FORWARDED_PROTO",
        "HTTP_X_FORWARDED_PORT",
        "HTTP_CF_CONNECTING_IP",
    ],
)
def test_outbox_is_closed_to_forwarded_requests(header):
    assert not is_local(outbox_request(**{header: "127.0.0.1"}))


@pytest.mark.parametrize("setting", [{"PROXIES": 1}, {"HTTPS": True}])
def test_outbox_is_closed_behind_a_configured_proxy(settings, setting):
    for name, value in setting.items():
        setattr(settings, name, value)
    assert not is_local(outbox_request())


def test_outbox_is_closed_under_another_host_name(settings):
    settings.ALLOWED_HOSTS = ["muster.example"]
    assert not is_local(outbox_request("muster.example"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "meta", [{"REMOTE_ADDR": "203.0.113.9"}, {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.9"}]
)
def test_stranger_gets_404_for_the_outbox(client, meta, outbox):
    write_mail(outbox, "Reset your password", "http://localhost/accounts/password/reset/key/1-secret/")
    answer = client.get("/outbox/", HTTP_HOST="localhost", **meta)
    assert answer.status_code == 404
    assert b"1-secret" not in answer.content


@pytest.mark.django_db
def test_outbox_shows_a_mail_with_its_link(client, outbox):
    write_mail(outbox, "Reset <b>your</b> password", "Go to http://localhost/accounts/password/reset/key/1-abc/ now.")
    answer = client.get("/outbox/", HTTP_HOST="localhost")
    page = answer.content.decode()
    assert 'href="http://localhost/accounts/password/reset/key/1-abc/"' in page
    assert "<b>your</b>" not in page
    assert "no-store" in answer["Cache-Control"]


@pytest.fixture
def outbox(tmp_path, settings) -> Path:
    """Return an empty folder for kept mails."""
    settings.EMAIL_FILE_PATH = tmp_path
    return tmp_path


def write_mail(folder: Path, subject: str, text: str) -> None:
    EmailBackend(file_path=str(folder)).send_messages(
        [Outgoing(subject, text, "muster@localhost", ["kim@example.org"])]
    )


def test_outbox_shows_the_last_fifty_mails_newest_first(outbox):
    for number in range(MAX_MAILS + 5):
        mail = EmailMessage()
        mail["Subject"], mail["To"] = f"Mail {number}", "kim@example.org"
        mail.set_content("text")
        (outbox / f"20261121-{number:06}-1.log").write_bytes(mail.as_bytes() + b"\n" + b"-" * 79 + b"\n")
    found = read_outbox()
    assert len(found) == MAX_MAILS
    assert found[0].subject == f"Mail {MAX_MAILS + 4}"


def test_two_mails_in_one_file_are_two_mails(outbox):
    backend = EmailBackend(file_path=str(outbox))
    backend.send_messages(
        [
            Outgoing("First", "a", "m@localhost", ["k@example.org"]),
            Outgoing("Second", "é – ű", "m@localhost", ["k@example.org"]),
        ]
    )
    assert [(mail.subject, mail.text) for mail in read_outbox()] == [("Second", "é – ű"), ("First", "a")]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00garbage",
        b"Subject: =?nope?q?x?=\nContent-Type: text/plain; charset=martian\n\nhm",
        b"Date: never\nContent-Type: multipart/mixed\n\n",
    ],
)
def test_damaged_file_in_the_outbox_breaks_nothing(outbox, data):
    (outbox / "20261121-000000-1.log").write_bytes(data)
    write_mail(outbox, "Whole", "text")
    assert "Whole" in [mail.subject for mail in read_outbox()]


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["", "refused"])
def test_style_guide_draws_every_shared_part(client, query, rf):
    request = rf.get("/styleguide/", {query: "1"} if query else {}, HTTP_HOST="localhost")
    request.user, request.session = AnonymousUser(), {}
    request._messages = FallbackStorage(request)
    page = styleguide(request).content.decode()
    used_classes = set(re.findall(r'class="([^"]+)"', page))
    classes = {name for names in used_classes for name in names.split()}
    assert {
        "counter",
        "boxes",
        "die",
        "share",
        "split",
        "progress",
        "ladder",
        "rule",
        "to-hit",
        "illustration",
        "problems",
        "pages",
        "empty",
    } <= classes
    assert ("errorlist" in classes) == ("messages" in classes) == bool(query)
    assert len(re.findall(r'\bid="([^"]+)"', page)) > 20


def test_refused_field_is_linked_to_its_error():
    class Hire(forms.Form):
        name = forms.CharField(help_text="As on the card.")

    drawn = Template('{% include "_form.html" with form=form submit="Hire" %}').render(
        Context({"form": Hire({"name": ""})})
    )
    assert 'aria-invalid="true"' in drawn
    assert 'aria-describedby="id_name_helptext id_name_error"' in drawn
    assert 'id="id_name_helptext"' in drawn
    assert 'id="id_name_error"' in drawn
    assert '<a href="#id_name">Name</a>: This field is required.' in drawn


@pytest.mark.parametrize("problems", [(), (Problem("MM-012", "No mount for the Hammer."),)])
def test_problem_list_takes_a_check_or_its_parts(problems):
    check = Check(points=6, problems=problems, warnings=(Problem("MM-009", "No weapon."),), bill=(), notes=())
    source = Template('{% include "_problem_list.html" %}')
    by_check = source.render(Context({"check": check})).strip()
    assert by_check == source.render(Context({"problems": check.problems, "warnings": check.warnings})).strip()
    assert ("No problems." in by_check) == (not problems)
    assert ("No mount for the Hammer." in by_check) == bool(problems)
    assert "No weapon." in by_check
