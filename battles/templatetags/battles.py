"""Template tags of battles: charts of odds, rows of lists, events of a replay, units of a live table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Literal

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from battles.live.panels import UnitPanel
from battles.models import Battle
from battles.odds.curves import CurveView
from battles.replay.drawing import with_sign
from battles.replay.symbols import Symbol
from battles.selectors.battle_list import battle_end, first_unit_spec
from rosters.appearance.emblems import emblem_of, emblem_svg
from rosters.fragment_cache import render_fragment
from rosters.jobs import JobStatus
from rosters.models import Visibility
from rosters.site.rendering import escape_markup
from rosters.templatetags.components import die, percent
from rosters.templatetags.links import leads_to
from rosters.unit_cache import chit_svg
from systems.simulation.analysis import EventLine
from systems.simulation.odds import Difference
from systems.simulation.summary import Bin, Margins
from systems.text import pluralize, round_half_up

register = template.Library()

LEFT, TOP, WIDTH, HEIGHT = 34, 26, 316, 150  # of the plot, in a drawing of 360 x 216
FLOOR = TOP + HEIGHT
GRIDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
CELL_SHADES = (
    (0.9, "a3", "▲▲▲"), (0.7, "a2", "▲▲"), (0.55, "a1", "▲"), (0.45, "even", "="), (0.3, "b1", "▼"),
    (0.1, "b2", "▼▼"), (0.0, "b3", "▼▼▼"),
)  # fmt: skip


@register.filter
def bin_name(part: Bin) -> str:
    """Format the margins of a bin: "+6 to +10"."""
    return with_sign(part.low) if part.low == part.high else f"{with_sign(part.low)} to {with_sign(part.high)}"


@register.filter
def change(share: float) -> str:
    """Format a change of a chance in percentage points with its sign: +3.2."""
    points = round(100 * share, 1)
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0.0"


@register.filter
def change_from(after: float | Fraction, before: float | Fraction) -> float:
    """Return the change between two chances as rounded on pages, so that before plus change equals after."""
    return float(round_half_up(after * 100, 1) - round_half_up(before * 100, 1)) / 100


@register.filter
def points_of(share: float) -> str:
    """Format the size of a change in percentage points, without its sign."""
    return f"{abs(100 * share):.1f}"


@register.simple_tag
def swing(of: Difference, reach: float) -> SafeString:
    """Return a change of a chance as a bar with its interval, on a line with zero in the middle.

    `reach` is half the line. Hidden from screen readers: the figures are beside it.
    """
    low, at, high = (round(100 + 96 * max(-1.0, min(1.0, each / reach))) for each in (of.low, of.change, of.high))
    return format_html(
        '<svg class="swing" viewBox="0 0 200 16" aria-hidden="true" focusable="false"><path class="swing__bar" d="M100 8H{}"/>'
        '<path class="swing__interval" d="M{} 8H{}M{} 4V12M{} 4V12"/><path class="swing__none" d="M100 0V16"/></svg>',
        at,
        low,
        high,
        low,
        high,
    )


@register.filter
def side_of(points: int) -> str:
    """Return the side that a margin favours: "a", "b", or "" for none."""
    return "a" if points > 0 else "b" if points < 0 else ""


@register.simple_tag
def margin_chart(margins: Margins, name_a: str, name_b: str, mark: int | None = None) -> SafeString:
    """Return the distribution of margins as bars, side B's on the left; `mark` marks one margin."""
    plot = _Plot(margins.bins)
    return format_html(
        '<svg class="chart" viewBox="0 0 360 216" aria-hidden="true" focusable="false">{}{}'
        '<path class="chart__axis" d="M{} {}h{}"></path>{}{}'
        '<text class="chart__side side-b" x="{}" y="{}">◇ {}</text><text class="chart__side side-a" x="{}" y="{}" text-anchor="end">{} ◆</text></svg>',
        plot.grid(),
        plot.bars(),
        LEFT,
        FLOOR,
        WIDTH,
        plot.labels(),
        "" if mark is None else plot.arrow(mark),
        LEFT,
        FLOOR + 34,
        _short(name_b),
        LEFT + WIDTH,
        FLOOR + 34,
        _short(name_a),
    )


class _Plot:
    """The parts of the chart above its axis."""

    def __init__(self, bins: Sequence[Bin]) -> None:
        self.bins, self.slot = bins, WIDTH / len(bins)
        top = max(part.share.share for part in bins)
        self.step = next(step for step in GRIDS if 3 * step >= top or step == GRIDS[-1])
        self.roof = max(top, self.step)

    def middle(self, at: int) -> float:
        return round(LEFT + self.slot * (at + 0.5), 1)

    def height(self, share: float) -> float:
        return round(HEIGHT * share / self.roof, 1)

    def grid(self) -> SafeString:
        levels = [n * self.step for n in range(1, int(self.roof / self.step + 1e-9) + 1)]
        tops = [(FLOOR - self.height(level), f"{100 * level:g}%") for level in levels]
        return format_html_join(
            "",
            '<path class="chart__grid" d="M{} {}h{}"></path><text class="chart__text" x="{}" y="{}" text-anchor="end">{}</text>',
            ((LEFT, top, WIDTH, LEFT - 5, top + 4, word) for top, word in tops),
        )

    def bars(self) -> SafeString:
        return format_html_join(
            "",
            '<rect class="chart__bar{}" x="{}" y="{}" width="{}" height="{}"></rect>',
            (
                (
                    f" side-{side_of(part.low)}" if part.low else "",
                    round(LEFT + self.slot * at + self.slot * 0.08, 1),
                    FLOOR - self.height(part.share.share),
                    round(self.slot * 0.84, 1),
                    self.height(part.share.share),
                )
                for at, part in enumerate(self.bins)
                if part.share.count
            ),
        )

    def labels(self) -> SafeString:
        bins = self.bins
        ticks = [(0, bins[0].low, "start" if len(bins) > 3 else "middle")]
        if len(bins) > 1:
            ticks.append((len(bins) - 1, bins[-1].high, "end" if len(bins) > 3 else "middle"))
        zero = next((at for at, part in enumerate(bins) if part.low == 0), None)
        if zero is not None and 2 < zero < len(bins) - 3:
            ticks.append((zero, 0, "middle"))
        edges = {"start": LEFT, "end": LEFT + WIDTH}
        return format_html_join(
            "",
            '<text class="chart__text" x="{}" y="{}" text-anchor="{}">{}</text>',
            ((edges.get(anchor, self.middle(at)), FLOOR + 16, anchor, with_sign(value)) for at, value, anchor in ticks),
        )

    def arrow(self, margin: int) -> SafeString:
        """Return an arrow to the bin of that margin, or to the nearest bin."""
        within = (at for at, part in enumerate(self.bins) if part.low <= margin <= part.high)
        x = self.middle(next(within, 0 if margin < self.bins[0].low else len(self.bins) - 1))
        shape = '<path class="chart__mark" d="M{} {}V{}M{} {}l-5 -8h10z"></path>'
        return format_html(shape, x, TOP, FLOOR, x, TOP + 2)


def _short(name: str) -> str:
    return name if len(name) <= 20 else f"{name[:19]}…"


@register.simple_tag
def matrix_cell(wins: int, battles: int, title: str = "") -> SafeString:
    """Return a matrix cell: the chance in whole percent, with a symbol and a shade."""
    share = wins / battles if battles else 0.0
    shade, symbol = next((shade, symbol) for least, shade, symbol in CELL_SHADES if share >= least)
    percentage = percent(share) if 0 < share < 0.01 or 0.99 < share < 1 else f"{share * 100:.0f}%"
    return format_html(
        '<td class="match match--{}"><span class="num">{}</span><span class="match__mark" aria-hidden="true">{}</span></td>',
        shade,
        percentage.replace("%", ""),
        symbol,
    )


@register.filter
def surplus(number: float) -> str:
    """Format the difference from the expected number with its sign and one decimal."""
    text = f"{abs(number):.1f}"
    return text if text == "0.0" else f"+{text}" if number > 0 else f"−{text}"


@register.simple_tag
def curve_chart(curve: CurveView) -> SafeString:
    """Return the chances during a battle: side A's from below, side D's from above, draws between them."""
    plot = _Course(curve)
    names = [_short(side.name) for side in curve.setup.sides]
    shape = (
        '<svg class="chart chart--course" viewBox="0 0 {} {}" aria-hidden="true" focusable="false">'
        '<path class="chart__area side-b" d="{}"></path><path class="chart__area side-a" d="{}"></path>{}{}{}'
        '<text class="chart__side side-b" x="{}" y="{}">◇ {}</text><text class="chart__side side-a" x="{}" y="{}">◆ {}</text></svg>'
    )
    left = plot.left
    return format_html(
        shape, plot.width, plot.full_height,
        plot.area([1 - point.d.share for point in curve.points], 1.0),
        plot.area([point.a.share for point in curve.points], 0.0),
        plot.grid(), plot.ticks(), plot.marks(),
        left, plot.top - 8, names[1], left, plot.floor + 36, names[0],
    )  # fmt: skip


class _Course:
    """Coordinates in the drawing of a curve: events to the right, the chance of side A upwards."""

    width, left, top, height = 480, 46, 26, 180
    floor = top + height
    full_height = floor + 46

    def __init__(self, curve: CurveView) -> None:
        self.curve = curve
        self.scale = (self.width - self.left - 4) / max(1, curve.events)

    def x(self, events: int) -> float:
        return round(self.left + self.scale * events, 1)

    def y(self, chance: float) -> float:
        return round(self.floor - self.height * chance, 1)

    def area(self, chances: Sequence[float], base: float) -> str:
        """Return the area from the base to the chances; each chance holds until the next place."""
        points = self.curve.points
        path = [f"M{self.x(points[0].events)} {self.y(base)}"]
        for point, chance in zip(points, chances, strict=True):
            path.append(f"H{self.x(point.events)}V{self.y(chance)}")
        ends = self.x(points[-1].events)
        return "".join([*path, f"H{ends}V{self.y(base)}Z"])

    def grid(self) -> SafeString:
        return format_html_join(
            "",
            '<path class="chart__grid" d="M{} {}H{}"></path><text class="chart__text" x="{}" y="{}" text-anchor="end">{}</text>',
            (
                (self.left, self.y(level), self.width - 4, self.left - 5, self.y(level) + 4, f"{100 * level:.0f}%")
                for level in (0.0, 0.5, 1.0)
            ),
        )

    def ticks(self) -> SafeString:
        """Return a tick for the start of each round, with numbers where there is room."""
        ticks, last = [], -100.0
        for turn in self.curve.turns:
            x = self.x(turn.chances.events)
            has_room = x - last > 22
            last = x if has_room else last
            ticks.append((x, self.top, self.floor + 4, x, self.floor + 16, turn.number if has_room else ""))
        return format_html_join(
            "",
            '<path class="chart__tick" d="M{} {}V{}"></path><text class="chart__text" x="{}" y="{}" text-anchor="middle">{}</text>',
            ticks,
        )

    def marks(self) -> SafeString:
        """Return the turning points, numbered as in the list."""
        return format_html_join(
            "",
            '<circle class="chart__moment" cx="{}" cy="{}" r="8"></circle><text class="chart__number" x="{}" y="{}" text-anchor="middle">{}</text>',
            (
                (x, y, x, y + 4, number)
                for number, moment in enumerate(self.curve.moments, start=1)
                for x, y in [(self.x(moment.after.events), self.y(moment.after.a.share))]
            ),
        )


MARK_WORDS = {"kill": "kills", "critical": "criticals"}


@register.simple_tag
def battle_rows(battles: Iterable[Battle], one_game: object = "") -> SafeString:
    """Return a row for each battle of a list from `with_list_columns`, without the game column if `one_game`.

    Built without a template, for speed. A test compares it with the template.
    """
    return mark_safe("".join(_battle_row(battle, bool(one_game)) for battle in battles))  # all its parts are escaped


def _battle_row(battle: Battle, is_one_game: bool) -> str:
    tags = ' <span class="tag">at the table</span>' if battle.fought_by_hand else ""
    if battle.options:  # type: ignore[attr-defined]
        tags += ' <span class="tag" title="Fought by house rules">house rules</span>'
    if battle.visibility != Visibility.PUBLIC:
        tags += f' <span class="tag">{escape_markup(battle.get_visibility_display())}</span>'
    end = battle_end(battle)
    by = f' <span class="muted">by {escape_markup(battle.asked_by)}</span>' if battle.asked_by else ""
    at = timezone.localtime(battle.queued_at)
    marks = "".join(_mark(mark, number) for mark, number in (("kill", battle.kills), ("critical", battle.criticals)))
    game = "" if is_one_game else f'    <td data-label="Game">{escape_markup(battle.get_system_display())}</td>\n'
    return (
        f'<tr class="leads">\n    <th scope="row"><a class="leads__to" href="{leads_to("battles:battle", battle.key)}">'
        f"{escape_markup(battle.title)}</a>{tags}</th>\n"
        f"{game}"
        f'    <td class="table__named" data-label="Outcome">{_outcome(battle, end)}</td>\n'
        f'    <td data-label="Marks">{marks or "–"}</td>\n'
        f'    <td class="num" data-label="Rounds or turns">{end.get("rounds") or "–"}</td>\n'
        f'    <td data-label="When"><time datetime="{at.isoformat()}">{escape_markup(naturaltime(battle.queued_at))}</time>{by}</td>\n  </tr>'
    )


def _mark(mark: str, number: int | None) -> str:
    """Return the sign of an event and its number in a battle; empty if there was none, or no count."""
    return f'<span class="marked">{_sign(mark)} {pluralize(number, MARK_WORDS[mark])}</span> ' if number else ""


@cache
def _sign(mark: str) -> str:
    return render_to_string("battles/_mark.html", {"mark": mark}).strip()


def _outcome(battle: Battle, end: Mapping[str, object]) -> str:
    if battle.status != JobStatus.DONE:
        return f'<span class="muted">{escape_markup(battle.get_status_display())}</span>'
    return "Draw" if end.get("draw") else f"{_winner_drawn(battle, end)}{escape_markup(end.get('winner', ''))}"


def _winner_drawn(battle: Battle, end: Mapping[str, object]) -> str:
    """Return the winning company's emblem, else the side's first unit; empty if neither can be shown."""
    company = getattr(battle, "won_by", None)
    if company:
        return emblem_svg(emblem_of(company["emblem"], company["name"]))
    spec = first_unit_spec(battle, end.get("winner"))
    return chit_svg(battle.system, spec) if spec else ""


register.filter("signed", with_sign)


@register.simple_tag
def event_dice(line: EventLine) -> SafeString:
    """Return the dice of an event."""
    return format_html_join("", "{}", ((die(face, made),) for face, made in line.dice))


@register.simple_tag
def unit_symbols(symbols: Sequence[Symbol], liveries: Mapping[str, str] | Literal[""]) -> SafeString:
    """Return the units that counters show, each side in its company's colour if known."""
    known = liveries or {}
    return format_html_join("", "{}", ((symbol.svg(known.get(symbol.side, "")),) for symbol in symbols))


@register.simple_tag
def live_unit(unit: UnitPanel, letter: str, is_open: bool) -> SafeString:
    """Return a unit's sheet with its marks, folded or open."""
    context = {"unit": unit, "letter": letter, "is_open": is_open}
    return render_fragment("battles/live/_unit.html", letter, is_open, unit.shows, context=lambda: context)
