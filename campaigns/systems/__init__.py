"""The rule systems that campaigns can be played in."""
