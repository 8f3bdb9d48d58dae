"""Webhooks, which send a club's news elsewhere: addresses, deliveries, and a log of the responses."""
