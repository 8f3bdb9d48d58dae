"""The calculations of the design lab from a game's bench: changes and their costs, repairs, random builds, differences,
charts.

It uses the games through their RosterSystem and is independent of any.
"""
