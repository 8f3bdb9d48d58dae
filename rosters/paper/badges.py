"""SVG badges: two labels on a small plate, for a club's website or a forum signature."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.html import escape

from rosters.paper.plates import BAND, KEPT_SECONDS, text_width

SIZE, PAD, HEIGHT = 13, 9, 24
LOOSER = 1.12  # the viewer's font may be wider


def badge_answer(what: str, told: str, colour: str, *, is_public: bool) -> HttpResponse:
    """Return the badge with the subject on the left and what is reported about it on the right."""
    left, right = (round(text_width(text, SIZE) * LOOSER) + 2 * PAD for text in (what, told))
    words = (
        f'<text x="{x}" y="16" textLength="{width - 2 * PAD}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
        for text, x, width in ((what, PAD, left), (told, left + PAD, right))
    )
    said = escape(f"{what}: {told}")
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" role="img" aria-label="{said}">'
        f'<title>{said}</title><rect width="{left}" height="{HEIGHT}" fill="{BAND}"/>'
        f'<rect x="{left}" width="{right}" height="{HEIGHT}" fill="{escape(colour)}"/>'
        f'<g fill="#fff" font-family="Barlow Condensed, Arial Narrow, Arial, sans-serif" font-size="{SIZE}"'
        f' font-weight="600">{"".join(words)}</g></svg>\n'
    )
    answer = HttpResponse(picture, content_type="image/svg+xml")
    patch_cache_control(answer, max_age=KEPT_SECONDS, **({"public": True} if is_public else {"private": True}))
    return answer
