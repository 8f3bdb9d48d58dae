"""Figures of ratings and statistics, formatted and drawn."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaigns.balance.counting import ResidualRow
from campaigns.insights.tables import Cell
from campaigns.ratings.rule import START_RATING
from campaigns.ratings.selectors import RatingRow

register = template.Library()


@register.simple_tag
def signed(change: float) -> str:
    """Format a change in whole points, with its sign."""
    whole = round(change)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole < 0 else "0"


@register.simple_tag
def twice(deviation: float, places: int = 0) -> str:
    """Format half the width of the 95 % interval."""
    return f"{deviation * 1.96:.{places}f}"


@register.simple_tag
def interval_bar(cell: Cell) -> SafeString:
    """Return a share from 0 to 1 as a bar: a line as wide as its interval, a dot, and a tick at the odds."""
    tick = (
        format_html('<path class="interval__odds" d="M{} 2v16"/>', round(200 * cell.expected, 1))
        if cell.expected is not None
        else ""
    )
    return format_html(
        '<svg class="interval" viewBox="-4 0 208 20" width="208" height="20" aria-hidden="true" focusable="false">'
        '<path class="interval__scale" d="M0 10h200M0 6v8M100 7v6M200 6v8"/>'
        '<path class="interval__range" d="M{} 10H{}"/>{}<circle class="interval__dot" cx="{}" cy="10" r="4"/></svg>',
        round(200 * cell.low, 1),
        round(200 * cell.high, 1),
        tick,
        round(200 * cell.share, 1),
    )


@register.simple_tag
def residual_bar(line: ResidualRow) -> SafeString:
    """Return a residual from -100 to 100 percent as a bar: a line as wide as its interval, a dot, and a tick at zero."""
    return format_html(
        '<svg class="interval" viewBox="-4 0 208 20" width="208" height="20" aria-hidden="true" focusable="false">'
        '<path class="interval__scale" d="M0 10h200M0 6v8M200 6v8"/><path class="interval__range" d="M{} 10H{}"/>'
        '<path class="interval__odds" d="M100 2v16"/><circle class="interval__dot" cx="{}" cy="10" r="4"/></svg>',
        *(round(100 + 100 * value, 1) for value in (line.low, line.high, line.residual)),
    )


@register.simple_tag
def rating_bar(row: RatingRow, scale: tuple[float, float]) -> SafeString:
    """Return a rating on its list's scale: a line as wide as its interval, a dot, and a tick at the starting rating."""
    low, high = scale

    def across(rating: float) -> float:
        return round(200 * (rating - low) / (high - low), 1)

    return format_html(
        '<svg class="interval" viewBox="-4 0 208 20" width="208" height="20" aria-hidden="true" focusable="false">'
        '<path class="interval__scale" d="M0 10h200M0 6v8M200 6v8"/><path class="interval__range" d="M{} 10H{}"/>'
        '<path class="interval__odds" d="M{} 2v16"/><circle class="interval__dot" cx="{}" cy="10" r="4"/></svg>',
        *map(across, (row.low, row.high, START_RATING, row.rating)),
    )


@register.filter
def signed_percent(share: float) -> str:
    """Format a difference of shares in whole percent, with its sign."""
    whole = round(share * 100)
    return f"+{whole} %" if whole > 0 else f"−{-whole} %" if whole < 0 else "0 %"


@register.filter
def whole_percent(share: float) -> str:
    """Format a share in whole percent."""
    return f"{share * 100:.0f} %"
