"""Dice that two phones commit without a network: made by the phones themselves, checked here when they are back."""
