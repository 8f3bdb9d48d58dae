"""The engine: dice, the two ways of running a system's rules, events, records, odds. Independent of any system."""
