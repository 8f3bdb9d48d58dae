"""The best build: which build for some points does best against enemies, or in place of a unit of a set-up."""
