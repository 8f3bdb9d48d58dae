"""The engine: dice, plain and compiled runs of the rules, choices, events. Independent of any system."""
