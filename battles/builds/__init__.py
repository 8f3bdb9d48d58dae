"""The best build: which one of so many points does best against an enemy, or in place of a unit of a set-up."""
