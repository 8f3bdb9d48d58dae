"""Correcting a decided match: planned on the ledgers as they stand, previewed in three ways, done by new entries only."""
