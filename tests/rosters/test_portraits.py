"""Own pictures: redrawn from the upload, visible to readers of the company, unless a club hides them."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import ExifTags, Image, ImageFile

from campaigns.clubs.services import club_change
from rosters import hooks
from rosters.accounts.data_export import PARTS
from rosters.accounts.ownership import companies_erase
from rosters.appearance.services import MAX_BYTES, MAX_SIDE, portrait_remove, portrait_set, reencode_picture
from rosters.models import Portrait
from rosters.services import RefusedError, company_disband
from tests.builders import a_company, a_crewed_unit, a_player
from tests.campaigns.builders import a_campaign, a_club, an_enrolment


def encoded(form: str = "PNG", size: tuple[int, int] = (120, 80), mode: str = "RGB", **options) -> bytes:
    out = BytesIO()
    Image.new(mode, size, 200 if mode in ("L", "P") else None).save(out, form, **options)
    return out.getvalue()


def open_image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


# --- the upload ---


def test_picture_loses_exif_data_and_is_turned_upright():
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6  # the camera was held upright
    exif[ExifTags.Base.Make] = "Nosy Camera"
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitude] = (48.0, 12.0, 0.0)
    lying = Image.new("RGB", (200, 100), "white")
    lying.paste("red", (0, 0, 100, 100))
    out = BytesIO()
    lying.save(out, "JPEG", exif=exif, comment=b"at home")
    drawn = reencode_picture(out.getvalue())
    assert b"Nosy" in out.getvalue()
    assert not any(word in drawn.picture for word in (b"Nosy", b"Exif", b"EXIF", b"at home", b"ICCP", b"XMP"))
    kept = open_image(drawn.picture)
    assert (kept.format, kept.size, dict(kept.getexif())) == ("WEBP", (100, 200), {})
    top, bottom = kept.convert("RGB").getpixel((50, 20)), kept.convert("RGB").getpixel((50, 180))
    assert top[1] < 60 < 200 < bottom[1]


@pytest.mark.parametrize(("form", "mode"), [("JPEG", "RGB"), ("JPEG", "CMYK"), ("JPEG", "L"), ("PNG", "RGBA"), ("PNG", "P"),
                                            ("PNG", "I;16"), ("PNG", "1"), ("WEBP", "RGB")])  # fmt: skip
def test_each_still_format_is_accepted_and_made_smaller(form, mode):
    drawn = reencode_picture(encoded(form, (1920, 480), mode))
    assert (drawn.width, drawn.height) == (MAX_SIDE, MAX_SIDE // 4) == open_image(drawn.picture).size
    assert len(drawn.picture) < 400_000


def test_transparency_is_kept():
    assert open_image(reencode_picture(encoded("PNG", mode="RGBA")).picture).mode == "RGBA"


def decompression_bomb() -> bytes:
    """Return a PNG of a few bytes that claims to be 50,000 by 50,000."""

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = part(b"IHDR", struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + part(b"IDAT", zlib.compress(b"\0" * 1000)) + part(b"IEND", b"")


def moving() -> bytes:
    frames = [Image.new("RGB", (100, 100), colour) for colour in ("red", "blue")]
    out = BytesIO()
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:])
    return out.getvalue()


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"", "empty"),
        (b"\0" * (MAX_BYTES + 1), "larger than 2 MB"),
        (b"not a picture", "isn’t a picture"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "isn’t a picture"),
        (encoded("GIF", mode="P"), "isn’t a picture"),
        (encoded("BMP"), "isn’t a picture"),
        (encoded("JPEG", (800, 800))[:900], "isn’t a picture"),
        (encoded("PNG", (800, 800))[:60], "isn’t a picture"),
        (decompression_bomb(), "24 million|isn’t a picture"),
        (encoded("PNG", (5000, 4900), "1"), "24 million"),
        (moving(), "Animated"),
        (encoded(size=(63, 200)), "too small"),
        (encoded(size=(64, 900)), "long and thin"),
    ],
)  # fmt: skip
def test_bad_picture_is_refused_with_advice(sent, reason, monkeypatch):
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)  # as it is wherever something was printed before
    with pytest.raises(RefusedError, match=reason):
        reencode_picture(sent)


# --- who sees it ---


@pytest.fixture
def company(client, db):
    company = a_company(name="Grey Wolves", visibility="public")
    client.force_login(company.owner)
    return company


def upload_picture(client, url: str, sent: bytes | None = None):
    file = SimpleUploadedFile("<b>me</b>.php", encoded() if sent is None else sent, "text/html")
    return client.post(url, {"picture": file})


def test_own_picture_replaces_the_drawing(client, company):
    unit, pilot = a_crewed_unit(company)
    for name, pk in (("company", ()), ("unit", (unit.pk,)), ("pilot", (pilot.pk,))):
        page = reverse(f"rosters:{name}", args=[company.pk, *pk])
        assert "/portraits/" not in client.get(page).content.decode()
        assert upload_picture(client, reverse(f"rosters:{name}_portrait", args=[company.pk, *pk])).url == page
        html = client.get(page).content.decode()
        (row,) = Portrait.objects.filter(
            unit=unit if name == "unit" else None, pilot=pilot if name == "pilot" else None
        )
        assert f"/companies/{company.pk}/portraits/{row.digest}.webp" in html
        assert "body--large" not in html
    assert "portrait--card" in client.get(reverse("rosters:companies")).content.decode()
    client.logout()
    assert "portrait--card" in client.get(reverse("rosters:companies")).content.decode()


def test_pages_without_own_picture_show_the_drawing(client, company):
    unit, pilot = a_crewed_unit(company)
    for name, pk in (("unit", unit.pk), ("pilot", pilot.pk)):
        assert "body--large" in client.get(reverse(f"rosters:{name}", args=[company.pk, pk])).content.decode()
        url = reverse(f"rosters:{name}_portrait", args=[company.pk, pk])
        upload_picture(client, url)
        own = client.get(url, follow=True).content.decode()
        assert "/portraits/" in own
        assert "body--large" not in own


def test_picture_is_served_as_an_image_only(client, company):
    upload_picture(client, reverse("rosters:company_portrait", args=[company.pk]))
    row = Portrait.objects.get()
    url = reverse("rosters:portrait", args=[company.pk, row.digest])
    answer = client.get(url)
    assert (answer.status_code, answer["Content-Type"], answer["X-Content-Type-Options"]) == (
        200,
        "image/webp",
        "nosniff",
    )
    assert "sandbox" in answer["Content-Security-Policy"]
    assert "private" in answer["Cache-Control"]
    assert "immutable" in answer["Cache-Control"]
    assert answer.content == bytes(row.picture)
    assert client.get(url, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert client.get(reverse("rosters:portrait", args=[company.pk, "0" * 32])).status_code == 404
    other = a_company(owner=company.owner)
    assert client.get(reverse("rosters:portrait", args=[other.pk, row.digest])).status_code == 404


def test_bad_file_is_refused_and_leaves_the_picture(client, company):
    url = reverse("rosters:company_portrait", args=[company.pk])
    upload_picture(client, url)
    before = Portrait.objects.get().digest
    for sent in (b"", b"GIF89a", b"\0" * (MAX_BYTES + 5)):
        page = upload_picture(client, url, sent)
        assert page.status_code == 422
        assert "Not uploaded" in page.content.decode()
    assert client.post(url, {}).status_code == 422
    assert Portrait.objects.get().digest == before


def test_picture_is_replaced_and_deleted_for_good(client, company):
    url = reverse("rosters:company_portrait", args=[company.pk])
    upload_picture(client, url)
    upload_picture(client, url, encoded(size=(200, 200)))
    assert Portrait.objects.get().width == 200
    assert "deletes the photo for good" in client.get(url, follow=True).content.decode()
    assert client.post(url, {"do": "take-down"}).status_code == 302
    assert not Portrait.objects.exists()
    assert client.post(url, {"do": "take-down"}).status_code == 302


def test_stranger_cannot_upload_a_picture(client, company):
    unit, _ = a_crewed_unit(a_company())
    with pytest.raises(RefusedError, match="doesn't belong"):
        portrait_set(company=company, by=company.owner, sent=encoded(), unit=unit)
    with pytest.raises(AssertionError):
        portrait_set(company=company, by=a_player(), sent=encoded())
    company_disband(company=company, by=company.owner)
    with pytest.raises(RefusedError, match="disbanded"):
        portrait_set(company=company, by=company.owner, sent=encoded())


def test_club_can_hide_pictures_during_its_campaign(client, company):
    organiser = a_player()
    club = a_club(organiser)
    url = reverse("rosters:company_portrait", args=[company.pk])
    upload_picture(client, url)
    row = Portrait.objects.get()
    picture = reverse("rosters:portrait", args=[company.pk, row.digest])
    an_enrolment(a_campaign(club, state="running"), company)
    assert client.get(picture).status_code == 200
    given = {field: getattr(club, field) for field in ("name", "about", "place", "is_public", "takes_requests")}
    club_change(club=club, by=organiser, **given, shows_portraits=False)
    assert client.get(picture).status_code == 404
    for page in (reverse("rosters:company", args=[company.pk]), reverse("rosters:companies")):
        assert "/portraits/" not in client.get(page).content.decode()
    assert f"{club.name} only shows the built-in drawings" in client.get(url, follow=True).content.decode()
    assert upload_picture(client, url).status_code == 422
    assert portrait_remove(company=company, by=company.owner)
    club_change(club=club, by=organiser, **given)
    assert hooks.portraits_barred([company.pk])
    club_change(club=club, by=organiser, **given, shows_portraits=True)
    assert not hooks.portraits_barred([company.pk])


def test_pictures_are_exported_and_deleted_with_their_owner(client, company):
    unit, pilot = a_crewed_unit(company)
    for given in ({}, {"unit": unit}, {"pilot": pilot}):
        portrait_set(company=company, by=company.owner, sent=encoded(), **given)
    files = dict(file for part in PARTS for file in part.files(company.owner))
    found = [data for path, data in files.items() if path.startswith("pictures/") and path.endswith(".webp")]
    assert [open_image(data).format for data in found] == ["WEBP"] * 3
    companies_erase(type(company).objects.filter(pk=company.pk))
    assert not Portrait.objects.exists()
