"""The campaigns that a new Muster shows around with."""
