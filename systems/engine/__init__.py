"""The engine: dice, the two ways of running a system's rules, choices, events. Independent of any system."""
