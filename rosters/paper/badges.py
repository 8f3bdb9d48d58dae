"""SVG badges: two labels on a small plate, for a club's website or a forum signature."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.html import escape

from rosters.paper.plates import BAND, CACHE_SECONDS, text_width

BADGE_TYPE_SIZE, BADGE_PADDING, BADGE_HEIGHT = 13, 9, 24
LOOSER = 1.12  # the viewer's font may be wider


def badge_response(what: str, told: str, colour: str, *, is_public: bool) -> HttpResponse:
    """Return the badge with the subject on the left and what is reported about it on the right."""
    left, right = (round(text_width(text, BADGE_TYPE_SIZE) * LOOSER) + 2 * BADGE_PADDING for text in (what, told))
    words = (
        f'<text x="{x}" y="16" textLength="{width - 2 * BADGE_PADDING}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
        for text, x, width in ((what, BADGE_PADDING, left), (told, left + BADGE_PADDING, right))
    )
    said = escape(f"{what}: {told}")
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{BADGE_HEIGHT}" role="img" aria-label="{said}">'
        f'<title>{said}</title><rect width="{left}" height="{BADGE_HEIGHT}" fill="{BAND}"/>'
        f'<rect x="{left}" width="{right}" height="{BADGE_HEIGHT}" fill="{escape(colour)}"/>'
        f'<g fill="#fff" font-family="Barlow Condensed, Arial Narrow, Arial, sans-serif" font-size="{BADGE_TYPE_SIZE}"'
        f' font-weight="600">{"".join(words)}</g></svg>\n'
    )
    answer = HttpResponse(picture, content_type="image/svg+xml")
    patch_cache_control(answer, max_age=CACHE_SECONDS, **({"public": True} if is_public else {"private": True}))
    return answer
