"""Correct a decided match: planned on the present ledgers, previewed in three modes, written only as new entries."""
