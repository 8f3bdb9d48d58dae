"""The design lab: changes of a build and their costs, repairs, random builds, differences, charts.

It calculates them from a game's bench, through its RosterSystem, and is independent of any game.
"""
