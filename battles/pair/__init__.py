"""Dice that two phones commit without a network: made by the phones themselves, checked here once they are online."""
