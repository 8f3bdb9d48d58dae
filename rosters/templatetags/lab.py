"""Tags for the design lab: what an option would change, and charts. They only display results."""

from collections.abc import Sequence
from fractions import Fraction

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from rosters.designs.lab import Advice, price_of
from systems.design_editor import Chart, EditorPick
from systems.lab.advice import Price
from systems.text import format_decimal

register = template.Library()

WIDTH, LEFT, TOP, HEIGHT = 360, 40, 12, 130  # of a column chart; the labels are below it
ROW, NAMES, ROOM = 22, 150, 46  # of a bar chart: height of a row, width of the names and of the numbers
FLOOR = TOP + HEIGHT
STEPS = (1, 2, 2.5, 5, 10)
SELECTED = mark_safe(" selected")


@register.simple_tag
def price(advised: Advice | None, field: str, value: str) -> Price | None:
    """Return what the option would change; None if that is not known."""
    return price_of(advised or None, field, value)


@register.filter
def price_class(price: Price, points: int | None = None) -> str:
    """Return the CSS class of a price; it is visually hidden if it only repeats the points shown with the part."""
    if price.breaks:
        return "is-breaking"
    return "vh" if price.is_plain and price.points == points else ""


@register.simple_tag
def lab_options(pick: EditorPick, advised: Advice | None) -> SafeString:
    """Return the options of a choice, each with its points, its description and, if calculated, its effect."""
    nothing = [("", pick.empty or "choose one", "")] if pick.empty or not pick.value else []
    parts = [
        (part.slug, f"{part.name}, {part.points} pt" if part.points else part.name, part.detail)
        for part in pick.choices
    ]
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        (
            (
                slug,
                SELECTED if slug and slug == pick.value else "",
                _describe(name, price_of(advised or None, pick.slug, slug), detail),
            )
            for slug, name, detail in (*nothing, *parts)
        ),
    )


def _describe(name: str, then: Price | None, detail: str) -> str:
    priced = f"{name} ({then.summary})" if then else name
    return f"{priced} · {detail}" if detail else priced


@register.simple_tag
def lab_chart(chart: Chart) -> SafeString:
    """Return a chart: columns side by side for each place, or one bar per place if there is only one series."""
    return _bars(chart) if len(chart.series) == 1 else _columns(chart)


def _columns(chart: Chart) -> SafeString:
    top = max((float(value) for each in chart.series for value in each.values if value), default=1.0)
    step = _step(top)
    scale = HEIGHT / (step * (int(top / step - 1e-9) + 1))
    slot = (WIDTH - LEFT) / len(chart.at)
    wide = slot * 0.8 / len(chart.series)
    bars = (
        (at, round(LEFT + slot * (place + 0.1) + wide * at, 1), float(value) * scale)
        for at, each in enumerate(chart.series)
        for place, value in enumerate(each.values)
        if value
    )
    levels = [number * step for number in range(int(HEIGHT / scale / step + 1e-9) + 1)]
    return format_html(
        '<svg class="plot" viewBox="0 0 {} {}" aria-hidden="true" focusable="false">{}{}{}{}</svg>',
        WIDTH,
        FLOOR + 46,
        format_html_join(
            "",
            '<path class="plot__grid" d="M{} {}H{}"></path><text class="plot__text" x="{}" y="{}" text-anchor="end">{}</text>',
            (
                (LEFT, y, WIDTH, LEFT - 5, y + 4, f"{level:g}")
                for level in levels
                for y in [round(FLOOR - level * scale, 1)]
            ),
        ),
        format_html_join(
            "",
            '<rect class="plot__bar plot__bar--{}" x="{}" y="{}" width="{}" height="{}"></rect>',
            ((at % 6, x, round(FLOOR - high, 1), round(wide, 1), round(high, 1)) for at, x, high in bars),
        ),
        format_html_join(
            "",
            '<text class="plot__text" x="{}" y="{}" text-anchor="middle">{}</text>',
            ((round(LEFT + slot * (at + 0.5), 1), FLOOR + 16, name) for at, name in enumerate(_short(chart.at))),
        ),
        _key([each.name for each in chart.series]),
    )


def _short(places: Sequence[str]) -> list[str]:
    """Return the labels of the places; if there are more than 7, they are shorter ("2 hexes" becomes "2")."""
    return [place.split(" ")[0] if len(places) > 7 else place for place in places]


def _key(names: Sequence[str]) -> SafeString:
    wide = WIDTH / len(names)
    return format_html_join(
        "",
        '<rect class="plot__bar plot__bar--{}" x="{}" y="{}" width="10" height="10"></rect><text class="plot__text" x="{}" y="{}">{}</text>',
        (
            (at % 6, round(wide * at, 1), FLOOR + 28, round(wide * at + 14, 1), FLOOR + 37, name)
            for at, name in enumerate(names)
        ),
    )


def _step(top: float) -> float:
    """Return the distance between grid lines for which there are at most four of them below the top."""
    size = 1e-3
    while True:
        for each in STEPS:
            if each * size * 4 >= top:
                return each * size
        size *= 10


def _bars(chart: Chart) -> SafeString:
    values = [float(value or 0) for value in chart.series[0].values]
    scale = (WIDTH - NAMES - ROOM) / (max(values, default=0) or 1)
    return format_html(
        '<svg class="plot" viewBox="0 0 {} {}" aria-hidden="true" focusable="false">{}</svg>',
        WIDTH,
        ROW * len(values),
        format_html_join(
            "",
            '<text class="plot__text" x="{}" y="{}" text-anchor="end">{}</text>'
            '<rect class="plot__bar plot__bar--0" x="{}" y="{}" width="{}" height="{}"></rect>'
            '<text class="plot__text" x="{}" y="{}">{}</text>',
            (
                (NAMES - 6, ROW * at + 15, _clipped(name), NAMES, ROW * at + 4, round(value * scale, 1), ROW - 8,
                 round(NAMES + value * scale + 5, 1), ROW * at + 15, format_decimal(Fraction(value)))
                for at, (name, value) in enumerate(zip(chart.at, values, strict=True))
            ),
        ),
    )  # fmt: skip


def _clipped(name: str) -> str:
    return name if len(name) <= 24 else f"{name[:23]}…"
