"""What happens in a battle of toys: one row for each kind of fact."""

from __future__ import annotations

from systems.engine.facts import Fact, Facts, part, shows

STEPS = {"start": "Start", "fight": "Fight", "end": "End"}
FACTS = Facts(
    Fact("round-began", "TY-001", "start", "number", "A round begins."),
    Fact("moved", "TY-001", "fight", "unit place", "{unit} walks to {place} inches."),
    Fact(
        "struck", "TY-001", "fight", "unit target face left", "{unit} strikes at {target}: {left} left.",
        effect=shows("target", hits=part("left"), destroyed=lambda event: event.number("left") <= 0),
    ),
    Fact("ended", "TY-002", "end", "winner reason", "The battle is over."),
)  # fmt: skip
