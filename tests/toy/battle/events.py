"""The events of a battle of toys: one row for each kind of fact."""

from __future__ import annotations

from dataclasses import replace

from systems.engine.events import Fact, Facts, alters, part, shows, then

STEPS = {"start": "Start", "fight": "Fight", "end": "End"}
FACTS = Facts(
    Fact("round-began", "TY-001", "start", "number", "A round begins."),
    Fact("moved", "TY-001", "fight", "unit place", "{unit} walks to {place} inches."),
    Fact(
        "struck", "TY-001", "fight", "unit target face left", "{unit} strikes at {target}: {left} left.",
        effect=shows("target", hits=part("left")),
    ),
    Fact(
        "knocked-out", "TY-002", "fight", "unit target", "{unit} is knocked out by {target}.",
        effect=then(shows(destroyed=True), alters(lambda unit, event: replace(unit, kills=unit.kills + 1), "target")),
    ),
    Fact("ended", "TY-002", "end", "winner reason", "The battle is over."),
)  # fmt: skip
