"""Write the orders and examples of docs/autoplay-orders.md: `python -m tests.tools.autoplay_orders`.

Each example has the odds of a battle without and with an order, from the same number of battles on the same dice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from systems import BATTLES, battle_rules, roster_rules
from systems.reading import read_setup
from systems.setups import Setup
from systems.simulation.odds import tally

PAGE = Path(__file__).resolve().parents[2] / "docs" / "autoplay-orders.md"
BATTLE_COUNT = 100_000


@dataclass(frozen=True, slots=True)
class Field:
    """The game, scenario and terrain of an example."""

    system: str = "meks-and-mercs"
    scenario: str = "zone-battle"
    terrain: str = "plain"
    pilot: Mapping[str, object] | None = None


ZONE = Field(pilot={"experience": "regular"})


@dataclass(frozen=True, slots=True)
class Example:
    """Two small forces, and the orders of a unit or of a whole side."""

    slug: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    whose: str  # the key of a unit, or the name of a side
    order: Mapping[str, str | int]
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
        return battle_rules(setup.system).unit_names(setup).get(self.whose, f"the {self.whose.lower()}")


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
    Example("target", ("draken",), ("saber", "wasp"), "a1", {"target": "dearest"}),
    Example("range", ("viper",), ("saber",), "d1", {"range": "long"}),
    Example("retreat", ("saber",), ("draken",), "a1", {"retreat": 2}),
    Example("start", LANCE, PICKET, "Attacker", {"start": "left"}, CLAIM, 5_000),
    Example("until", PAIR, PAIR, "Attacker", {"move": "hold", "until": 1}, SKIRMISH, 5_000),
    Example("then", TRIO, TRIO, "Attacker", {"move": "hold", "until": 1, "then": "close"}, VERSUS, 5_000),
    Example("preserve", SQUAD, SQUAD, "a2", {"preserve": "pilot"}, PLAIN, 1_000),
)


def block(example: Example) -> str:
    """Return the text of the example on the page: its order, and a table of the odds without and with it."""
    plain, ordered = example.setup(ordered=False), example.setup(ordered=True)
    counts = [tally(setup, 1, 0, example.battles) for setup in (plain, ordered)]
    titles = {"attacker_wins": "attacker wins", "defender_wins": "defender wins", "draws": "draw"}
    rows = {title: [count.battle[field] for count in counts] for field, title in titles.items()}
    for key, name in battle_rules(plain.system).unit_names(plain).items():
        rows[f"{name} is lost"] = [count.units[key]["lost"] for count in counts]
    orders = "order" if len(example.order) == 1 else "orders"
    return "\n".join(
        [
            f"{orders.capitalize()} for {example.whom(ordered)}: {_describe(example)}.",
            "",
            f"| in {example.battles:,} battles | without orders | with the {orders} |",
            "|---|---|---|",
            *(
                f"| {title} | {' | '.join(f'{count / example.battles:.1%}' for count in found)} |"
                for title, found in rows.items()
            ),
        ]
    )


def _describe(example: Example) -> str:
    """Return the orders in the words of the form."""
    declared = {order.name: order for order in BATTLES[example.field.system].autoplay_orders}
    found = []
    for name, value in example.order.items():
        words = dict(declared[name].choices).get(str(value), str(value))
        found.append(f"*{declared[name].label}*: {words[:1].lower()}{words[1:]}")
    return "; ".join(found)


def orders_table() -> str:
    """Return a table of all orders that the games declare."""
    lines = []
    for slug, system in BATTLES.items():
        if not system.autoplay_orders:
            continue
        lines += [f"### {roster_rules(slug).name}", "", "| order | choices | phase | rule |", "|---|---|---|---|"]
        for order in system.autoplay_orders:
            choices = [(value, label) for value, label in order.choices if not re.fullmatch("zone-[2-9]", value)]
            values = "; ".join(f"{label[:1].lower()}{label[1:]} (`{value}`)" for value, label in choices)
            values = re.sub(r"zone 1(.*?) \(`zone-1`\)", r"that zone\1 (`zone-1` to `zone-9`)", values)
            number = f"a whole number, 0 to {order.most}"
            notes = f". {order.about}" if order.about else ""
            lines.append(
                f"| {order.label} (`{order.name}`){notes} | {values or number} | {order.phase} | {order.rule} |"
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
