"""The map of a campaign as a drawing: neighbouring lands touch, others are separated by water."""
