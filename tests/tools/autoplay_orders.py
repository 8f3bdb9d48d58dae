"""Write the worked examples of docs/standing-orders.md: `python -m tests.tools.autoplay_orders`.

Each is one battle simulated twice on the same dice, without and with orders, from the first difference on: the round in
Meks & Mercs, the turn of a unit or side in the other games. The odds of both follow, over the same number of battles.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from systems import BATTLES, battle_rules, roster_rules
from systems.engine.events import Event
from systems.reading import read_setup
from systems.setups import Setup
from systems.simulation.odds import tally
from systems.simulation.records import Record, resolve
from systems.simulation.summary import share

PAGE = Path(__file__).resolve().parents[2] / "docs" / "standing-orders.md"
BATTLE_COUNT = 100_000


@dataclass(frozen=True, slots=True)
class Field:
    """The game, scenario and terrain of an example."""

    system: str = "meks-and-mercs"
    scenario: str = "zone-battle"
    terrain: str = "plain"
    pilot: Mapping[str, object] | None = None
    by_round: bool = False  # print the whole round


ZONE = Field(pilot={"experience": "regular"}, by_round=True)


@dataclass(frozen=True, slots=True)
class Example:
    """Two small forces, the orders of a unit or of a whole side, and the seed of the battle."""

    slug: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    whose: str  # the key of a unit, or the name of a side
    order: Mapping[str, str | int]
    seed: int
    field: Field = field(default=ZONE)
    battles: int = BATTLE_COUNT

    def setup(self, *, ordered: bool) -> Setup:
        sides = []
        for name, letter, designs in (("Attacker", "a", self.attackers), ("Defender", "d", self.defenders)):
            units: list[dict[str, Any]] = [
                {"key": f"{letter}{at}", "design": design, "pilot": self.field.pilot}
                for at, design in enumerate(designs, start=1)
            ]
            for unit in units:
                if ordered and unit["key"] == self.whose:
                    unit["standing"] = dict(self.order)
            side: dict[str, Any] = {"name": name, "doctrine": "aggressive", "units": units}
            sides.append({**side, "standing": dict(self.order)} if ordered and name == self.whose else side)
        return read_setup(
            {
                "muster": "setup/1",
                "system": self.field.system,
                "scenario": self.field.scenario,
                "terrain": self.field.terrain,
                "sides": sides,
            }
        )

    def whom(self, setup: Setup) -> str:
        """Describe the unit or side that has the orders."""
        name = battle_rules(setup.system).unit_names(setup).get(self.whose)
        return f"{name} ({self.whose})" if name else f"the whole side “{self.whose}”"


PAIR = ("hawker", "skimmer")
TRIO = ("white-asura", "gamma-apollo", "cyclodom")
SQUAD = ("warden", "longbow", "mauler", "wisp")
LANCE = ("heavy-mech", "light-mech", "light-mech", "track")
PICKET = ("heavy-mech", "light-mech", "light-mech", "gun-sentry")
CLAIM = Field("mech-campaign", "claim-dispute", "open")
SKIRMISH = Field("blazing-steel", "skirmish", "standard")
VERSUS = Field("mechastellar", "versus", "standard")
PLAIN = Field("hex-core", "elimination", "open-plain")
EXAMPLES = (
    Example("target", ("draken",), ("saber", "wasp"), "a1", {"target": "dearest"}, 131),
    Example("range", ("viper",), ("saber",), "d1", {"range": "long"}, 1),
    Example("retreat", ("saber",), ("draken",), "a1", {"retreat": 2}, 36),
    Example("start", LANCE, PICKET, "Attacker", {"start": "left"}, 1, CLAIM, 5_000),
    Example("until", PAIR, PAIR, "Attacker", {"move": "hold", "until": 1}, 4, SKIRMISH, 5_000),
    Example("then", TRIO, TRIO, "Attacker", {"move": "hold", "until": 1, "then": "close"}, 14, VERSUS, 5_000),
    Example("preserve", SQUAD, SQUAD, "a2", {"preserve": "pilot"}, 18, PLAIN, 1_000),
)


def block(example: Example) -> str:
    """Return the text of the example on the page."""
    plain, ordered = example.setup(ordered=False), example.setup(ordered=True)
    before, after = resolve(plain, example.seed), resolve(ordered, example.seed)
    at = next(at for at, pair in enumerate(zip(before.events, after.events, strict=False)) if pair[0] != pair[1])
    spans = [_span(example, setup, record, at) for setup, record in ((plain, before), (ordered, after))]
    orders = "order" if len(example.order) == 1 else "orders"
    alike = _lines(plain, before, range(spans[0].start, at))
    return "\n".join(
        [
            f'Seed {example.seed}; {example.whom(ordered)} has `"standing": {json.dumps(dict(example.order))}`.',
            "",
            *([f"{_when(example, plain, before, at)}, as both battles go:", "", *alike, ""] if alike else []),
            f"Without the {orders}:" if alike else f"{_when(example, plain, before, at)}, without the {orders}:",
            "",
            *_lines(plain, before, range(at, spans[0].stop)),
            f"- {_end(before)}",
            "",
            f"With {'it' if len(example.order) == 1 else 'them'}, on the same dice:",
            "",
            *_lines(ordered, after, range(at, spans[1].stop)),
            f"- {_end(after)}",
            "",
            *_odds(example, plain, ordered),
        ]
    )


def _when(example: Example, setup: Setup, record: Record, at: int) -> str:
    """Describe the point where the battles start to differ."""
    if example.field.by_round:
        return f"Round {record.events[at].round}"
    number = record.events[at].round
    title = battle_rules(setup.system).round_title(setup, number) if number else ""
    phase = _phases(setup, record)[at]
    return f"{title}, {phase[:1].lower()}{phase[1:]}" if title else phase


def _phases(setup: Setup, record: Record) -> list[str]:
    """Return the phase of each event."""
    chapter = battle_rules(setup.system).chapters(setup)
    return [chapter(event).phase for event in record.events]


def _span(example: Example, setup: Setup, record: Record, at: int) -> range:
    """Return the events of the round, or of the phase, in which the battles start to differ."""
    rounds = [str(event.round) for event in record.events]
    phases = rounds if example.field.by_round else _phases(setup, record)
    start, stop = at, at
    while start and (phases[start - 1], rounds[start - 1]) == (phases[at], rounds[at]):
        start -= 1
    while stop < len(phases) and (phases[stop], rounds[stop]) == (phases[at], rounds[at]):
        stop += 1
    return range(start, stop)


def _lines(setup: Setup, record: Record, span: range) -> list[str]:
    """Return these events as list items, each with its dice."""
    narrate = battle_rules(setup.system).narrator(setup)
    events = [(event, narrate(event)) for event in record.events]
    return [f"- {_dice(event)}{words}" for event, words in events[span.start : span.stop]]


def _dice(event: Event) -> str:
    return f"`{' '.join(map(str, event.faces))}` " if event.faces else ""


def _end(record: Record) -> str:
    outcome = record.outcome
    lost = [unit["key"] for unit in outcome["units"] if unit["lost"]]
    won = f"{outcome['winner']} wins" if outcome["winner"] else "nobody wins"
    return f"And so on: {won} after {outcome['rounds']} rounds; lost: {', '.join(lost) or 'nobody'}."


def _odds(example: Example, plain: Setup, ordered: Setup) -> list[str]:
    """Return a table of the chances without and with orders, with 95% intervals."""
    battles = example.battles
    counts = [tally(setup, 1, 0, battles) for setup in (plain, ordered)]
    rows = [
        f"| {title} | {' | '.join(_share(count.battle[field], battles) for count in counts)} |"
        for title, field in (
            ("Attacker wins", "attacker_wins"),
            ("Defender wins", "defender_wins"),
            ("Nobody", "draws"),
        )
    ]
    names = battle_rules(plain.system).unit_names(plain)
    rows += [
        f"| {name} ({key}) lost | {' | '.join(_share(count.units[key]['lost'], battles) for count in counts)} |"
        for key, name in names.items()
    ]
    orders = "order" if len(example.order) == 1 else "orders"
    return [f"| of {battles:,} battles, seed 1 | without | with the {orders} |", "|---|---|---|", *rows]


def _share(count: int, total: int) -> str:
    found = share(count, total)
    return f"{100 * found.share:.1f}% ({100 * found.low:.1f} to {100 * found.high:.1f})"


def orders_table() -> str:
    """Return a table of all orders that the games declare."""
    lines = []
    for slug, system in BATTLES.items():
        if not system.autoplay_orders:
            continue
        lines += [f"### {roster_rules(slug).name}", "", "| order | phase | values | rule |", "|---|---|---|---|"]
        for order in system.autoplay_orders:
            choices = [(value, label) for value, label in order.choices if not re.fullmatch("zone-[2-9]", value)]
            values = "; ".join(f"`{value}` {label[:1].lower()}{label[1:]}" for value, label in choices)
            values = re.sub("`zone-1` (.*?)zone 1", r"`zone-1` to `zone-9` \1that zone", values)
            number = f"a whole number, 0 to {order.most}"
            notes = f" {order.about}" if order.about else ""
            lines.append(
                f"| `{order.name}` {order.label}.{notes} | {order.phase} | {values or number} | {order.rule} |"
            )
        lines.append("")
    return "\n".join(lines).rstrip()


def marked_section(text: str, slug: str) -> str:
    """Return the part of the page between the marks of a table or an example."""
    return text.partition(f"<!-- {slug} -->")[2].partition(f"<!-- end of {slug} -->")[0].strip()


def updated_page(text: str) -> str:
    """Return the page with current tables and examples."""
    for slug, found in [("orders", orders_table()), *((example.slug, block(example)) for example in EXAMPLES)]:
        start, end = f"<!-- {slug} -->", f"<!-- end of {slug} -->"
        before, _, after = text.partition(start)
        text = f"{before}{start}\n\n{found}\n\n{end}{after.partition(end)[2]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(updated_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
