"""Correct decided matches and adjust companies: planned, previewed, written only as new ledger entries."""
