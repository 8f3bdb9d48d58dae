"""How odds are drawn: the chart of margins, signed figures, the cells of a matrix. Display only."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from rosters.templatetags.face import percent
from systems.engine.odds import Bin, Margins

register = template.Library()

LEFT, TOP, WIDTH, HEIGHT = 34, 26, 316, 150  # of the plot, in a drawing of 360 x 216
GRIDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
SHADES = ((0.9, "a3", "▲▲▲"), (0.7, "a2", "▲▲"), (0.55, "a1", "▲"), (0.45, "even", "="))
REST = ((0.3, "b1", "▼"), (0.1, "b2", "▼▼"), (0.0, "b3", "▼▼▼"))


@register.filter
def margin(points: int) -> str:
    """Points to the good of side A with their sign: +12, -3 with a real minus, 0."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


@register.filter
def bin_name(part: Bin) -> str:
    """The margins of a bin, as far as from zero as they go: +6 to +10."""
    return margin(part.low) if part.low == part.high else f"{margin(part.low)} to {margin(part.high)}"


@register.filter
def change(share: float) -> str:
    """A change of a chance in percentage points, signed: +3.2."""
    points = round(100 * share, 1)
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0.0"


@register.filter
def points_of(share: float) -> str:
    """The size of a change in percentage points, without its sign."""
    return f"{abs(100 * share):.1f}"


@register.filter
def side_of(points: int) -> str:
    """Which side a margin favours: "a", "b", or "" for none."""
    return "a" if points > 0 else "b" if points < 0 else ""


@register.simple_tag
def margin_chart(margins: Margins, name_a: str, name_b: str, mark: int | None = None) -> SafeString:
    """The distribution of margins as bars, side B's to the left; `mark` points out one margin."""
    bins = margins.bins
    top = max(part.share.share for part in bins)
    grid = next(step for step in GRIDS if 3 * step >= top or step == GRIDS[-1])
    roof = max(top, grid)
    slot = WIDTH / len(bins)
    floor = TOP + HEIGHT

    def middle(at: int) -> float:
        return round(LEFT + slot * (at + 0.5), 1)

    def height(share: float) -> float:
        return round(HEIGHT * share / roof, 1)

    levels = [n * grid for n in range(1, int(roof / grid + 1e-9) + 1)]
    lines = format_html_join(
        "",
        '<path class="chart__grid" d="M{} {}h{}"></path><text class="chart__text" x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (LEFT, floor - height(level), WIDTH, LEFT - 5, floor - height(level) + 4, f"{100 * level:g} %")
            for level in levels
        ),
    )
    bars = format_html_join(
        "",
        '<rect class="chart__bar{}" x="{}" y="{}" width="{}" height="{}"></rect>',
        (
            (
                f" side-{side_of(part.low)}" if part.low else "",
                round(LEFT + slot * at + slot * 0.08, 1),
                floor - height(part.share.share),
                round(slot * 0.84, 1),
                height(part.share.share),
            )
            for at, part in enumerate(bins)
            if part.share.count
        ),
    )
    zero = next((at for at, part in enumerate(bins) if part.low == 0), None)
    ticks = [(0, bins[0].low, "start" if len(bins) > 3 else "middle")]
    if len(bins) > 1:
        ticks.append((len(bins) - 1, bins[-1].high, "end" if len(bins) > 3 else "middle"))
    if zero is not None and 2 < zero < len(bins) - 3:
        ticks.append((zero, 0, "middle"))
    edges = {"start": LEFT, "end": LEFT + WIDTH}
    labels = format_html_join(
        "",
        '<text class="chart__text" x="{}" y="{}" text-anchor="{}">{}</text>',
        ((edges.get(anchor, middle(at)), floor + 16, anchor, margin(value)) for at, value, anchor in ticks),
    )
    marked = SafeString("")
    if mark is not None:
        at = next((at for at, part in enumerate(bins) if part.low <= mark <= part.high), None)
        if at is None:
            at = 0 if mark < bins[0].low else len(bins) - 1
        x = middle(at)
        marked = format_html(
            '<path class="chart__mark" d="M{} {}V{}M{} {}l-5 -8h10z"></path>', x, TOP, floor, x, TOP + 2
        )
    return format_html(
        '<svg class="chart" viewBox="0 0 360 216" aria-hidden="true" focusable="false">{}{}'
        '<path class="chart__axis" d="M{} {}h{}"></path>{}{}'
        '<text class="chart__side side-b" x="{}" y="{}">◇ {}</text><text class="chart__side side-a" x="{}" y="{}" text-anchor="end">{} ◆</text></svg>',
        lines,
        bars,
        LEFT,
        floor,
        WIDTH,
        labels,
        marked,
        LEFT,
        floor + 34,
        _short(name_b),
        LEFT + WIDTH,
        floor + 34,
        _short(name_a),
    )


def _short(name: str) -> str:
    return name if len(name) <= 20 else f"{name[:19]}…"


@register.simple_tag
def matrix_cell(wins: int, battles: int, title: str = "") -> SafeString:
    """A cell of the matrix: the chance in whole percent, a symbol, and a shade for both."""
    share = wins / battles if battles else 0.0
    shade, symbol = next((shade, symbol) for least, shade, symbol in (*SHADES, *REST) if share >= least)
    shown = percent(share) if 0 < share < 0.01 or 0.99 < share < 1 else f"{share * 100:.0f} %"
    return format_html(
        '<td class="match match--{}"><span class="num">{}</span><span class="match__mark" aria-hidden="true">{}</span></td>',
        shade,
        shown.replace(" %", ""),
        symbol,
    )


@register.filter
def surplus(number: float) -> str:
    """More or less than expected, signed, with one decimal."""
    shown = f"{abs(number):.1f}"
    return shown if shown == "0.0" else f"+{shown}" if number > 0 else f"−{shown}"
