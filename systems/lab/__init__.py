"""The design lab: possible changes to a build and their costs, repairs, random builds, comparisons, charts.

It derives them from a game's editor, through its RosterSystem, and is independent of any game.
"""
