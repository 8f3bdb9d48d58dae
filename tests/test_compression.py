"""Text is compressed for clients that accept it; other content isn't."""

import gzip

import pytest
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.middleware.csrf import get_token
from django.test import RequestFactory

from config.middleware import CompressionMiddleware

TEXT = "The muster roll of the Iron Hounds. " * 50


def passed(response, **headers):
    request = RequestFactory().get("/", headers={"accept-encoding": "gzip", **headers})
    return CompressionMiddleware(lambda _: response)(request)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/companies/", "/battles/new/", "/api/v1/designs/published/", "/api/schema/"])
def test_pages_and_api_answers_are_compressed_by_half(client, path):
    plain, pressed = client.get(path), client.get(path, headers={"accept-encoding": "gzip"})
    assert (plain.status_code, plain.get("Content-Encoding")) == (200, None)
    assert pressed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in pressed["Vary"]
    assert len(pressed.content) * 2 < len(plain.content)
    assert len(gzip.decompress(pressed.content)) == len(plain.content)


@pytest.mark.parametrize("kind", ["application/pdf", "image/webp", "application/zip", "application/octet-stream"])
def test_prints_and_pictures_are_not_compressed(kind):
    assert not passed(HttpResponse(TEXT, content_type=kind)).has_header("Content-Encoding")


def test_streamed_answers_are_not_compressed(tmp_path):
    file = tmp_path / "roll.txt"
    file.write_text(TEXT)
    for response in (StreamingHttpResponse([TEXT.encode()]), FileResponse(file.open("rb"))):
        assert b"".join(passed(response)) == TEXT.encode()
        assert not response.has_header("Content-Encoding")


def test_compressed_length_varies():
    lengths = {len(passed(HttpResponse(TEXT)).content) for _ in range(40)}
    assert len(lengths) > 5  # of about a hundred paddings


def test_form_token_differs_each_time(rf):
    request = rf.get("/")
    assert get_token(request) != get_token(request)
