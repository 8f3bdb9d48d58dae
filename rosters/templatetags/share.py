"""Meta tags of a page for search engines and link previews."""

from __future__ import annotations

from django import template
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from rosters.paper.plates import HEIGHT, WIDTH

register = template.Library()
OF_THE_SITE = (
    "Companies of tabletop mechs and their pilots: build them, print their cards, fight battles with every die shown,"
    " play campaigns with your club."
)
MAX_LENGTH = 200  # of a description; longer ones are cut off anyway


@register.simple_tag(takes_context=True)
def share(context: Context, *said: object, title: str = "", picture: str = "") -> SafeString:
    """Return the page's description and link preview; `picture` is the path of its own preview image."""
    request = context.get("request")
    told = " ".join("".join(map(str, said)).split()) or OF_THE_SITE
    if len(told) > MAX_LENGTH:
        told = f"{told[: MAX_LENGTH - 1].rsplit(' ', 1)[0]}…"
    described = format_html('<meta name="description" content="{}">', told)
    if request is None:
        return described
    properties = (
        ("og:site_name", "Muster"),
        ("og:type", "website"),
        ("og:title", title or "Muster"),
        ("og:description", told),
        ("og:url", request.build_absolute_uri(request.path)),
        ("og:image", request.build_absolute_uri(picture or static("img/plate.png"))),
        ("og:image:width", str(WIDTH)),
        ("og:image:height", str(HEIGHT)),
        ("og:image:alt", title or "Muster"),
    )
    tags = format_html_join("", '<meta property="{}" content="{}">', properties)
    return format_html('{}{}<meta name="twitter:card" content="summary_large_image">', described, tags)
