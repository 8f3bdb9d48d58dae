"""The worked examples of docs/standing-orders.md. `python -m tests.tools.standing_orders` writes them anew.

Each is one battle fought twice on the same dice, without an order and with it, from the round in which the order first
decides something; and the odds of both, from as many battles.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from systems import BATTLES, battle_rules, roster_rules
from systems.engine.events import Event
from systems.engine.odds import share, tally
from systems.engine.resolve import Record, resolve
from systems.reading import read_setup
from systems.setups import Setup

PAGE = Path(__file__).resolve().parents[2] / "docs" / "standing-orders.md"
FOUGHT = 100_000


@dataclass(frozen=True, slots=True)
class Example:
    """A duel in one zone, one order of one unit, and the seed of the battle that is told."""

    slug: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    unit: str
    order: Mapping[str, str | int]
    seed: int

    def setup(self, *, ordered: bool) -> Setup:
        sides = []
        for name, letter, designs in (("Attacker", "a", self.attackers), ("Defender", "d", self.defenders)):
            units: list[dict[str, Any]] = [
                {"key": f"{letter}{at}", "design": design, "pilot": {"experience": "regular"}}
                for at, design in enumerate(designs, start=1)
            ]
            for unit in units:
                if ordered and unit["key"] == self.unit:
                    unit["standing"] = dict(self.order)
            sides.append({"name": name, "doctrine": "aggressive", "units": units})
        return read_setup(
            {
                "muster": "setup/1",
                "system": "meks-and-mercs",
                "scenario": "zone-battle",
                "terrain": "plain",
                "sides": sides,
            }
        )


EXAMPLES = (
    Example("target", ("draken",), ("saber", "wasp"), "a1", {"target": "dearest"}, 131),
    Example("range", ("viper",), ("saber",), "d1", {"range": "long"}, 1),
    Example("retreat", ("saber",), ("draken",), "a1", {"retreat": 2}, 36),
)


def block(example: Example) -> str:
    """What stands on the page between the marks of the example."""
    plain, ordered = example.setup(ordered=False), example.setup(ordered=True)
    before, after = resolve(plain, example.seed), resolve(ordered, example.seed)
    at = next(at for at, pair in enumerate(zip(before.events, after.events, strict=False)) if pair[0] != pair[1])
    number = after.events[at].round
    unit = next(unit for side in ordered.sides for unit in side.units if unit.key == example.unit)
    name = battle_rules(ordered.system).unit_names(ordered)[example.unit]
    return "\n".join(
        [
            f'Seed {example.seed}; {name} ({example.unit}) has `"standing": {json.dumps(unit.standing)}`.',
            "",
            f"Round {number}, as both battles go:",
            "",
            *_lines(plain, before, number, stop=at),
            "",
            "Without the order:",
            "",
            *_lines(plain, before, number, start=at),
            f"- {_end(before)}",
            "",
            "With it, on the same dice:",
            "",
            *_lines(ordered, after, number, start=at),
            f"- {_end(after)}",
            "",
            *_odds(plain, ordered),
        ]
    )


def _lines(setup: Setup, record: Record, number: int, *, start: int = 0, stop: int | None = None) -> list[str]:
    """The events of a round as a list, each with its dice."""
    tell = battle_rules(setup.system).narrator(setup)
    told = [(event, tell(event)) for event in record.events]
    return [f"- {_dice(event)}{words}" for event, words in told[start:stop] if event.round == number]


def _dice(event: Event) -> str:
    return f"`{' '.join(map(str, event.faces))}` " if event.faces else ""


def _end(record: Record) -> str:
    outcome = record.outcome
    lost = [unit["key"] for unit in outcome["units"] if unit["lost"]]
    won = f"{outcome['winner']} wins" if outcome["winner"] else "nobody wins"
    return f"And so on: {won} after {outcome['rounds']} rounds; lost: {', '.join(lost) or 'nobody'}."


def _odds(plain: Setup, ordered: Setup) -> list[str]:
    """Chances of both ways, with 95 % intervals."""
    counts = [tally(setup, 1, 0, FOUGHT) for setup in (plain, ordered)]
    rows = [
        f"| {title} | {' | '.join(_share(count.battle[field]) for count in counts)} |"
        for title, field in (
            ("Attacker wins", "attacker_wins"),
            ("Defender wins", "defender_wins"),
            ("Nobody", "draws"),
        )
    ]
    names = battle_rules(plain.system).unit_names(plain)
    rows += [
        f"| {name} ({key}) lost | {' | '.join(_share(count.units[key]['lost']) for count in counts)} |"
        for key, name in names.items()
    ]
    return [f"| of {FOUGHT:,} battles, seed 1 | without | with the order |", "|---|---|---|", *rows]


def _share(count: int) -> str:
    found = share(count, FOUGHT)
    return f"{100 * found.share:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"


def orders_table() -> str:
    """Every order of every game, as the games declare them."""
    lines = []
    for slug, system in BATTLES.items():
        if not system.standing_orders:
            continue
        lines += [f"### {roster_rules(slug).name}", "", "| order | phase | values | rule |", "|---|---|---|---|"]
        for order in system.standing_orders:
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


def written(text: str) -> str:
    """The page with its tables and examples as they come out now."""
    for slug, found in [("orders", orders_table()), *((example.slug, block(example)) for example in EXAMPLES)]:
        start, end = f"<!-- {slug} -->", f"<!-- end of {slug} -->"
        before, _, after = text.partition(start)
        text = f"{before}{start}\n\n{found}\n\n{end}{after.partition(end)[2]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
