"""What the design lab works out from a game's bench alone: changes and what they cost, repairs, fillings, differences, charts.

It asks the games through their RosterSystem and knows none of them.
"""
