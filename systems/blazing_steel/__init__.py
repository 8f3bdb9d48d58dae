"""Blazing Steel: a few Warmechs a side, two players who take turns to lead."""
