"""The ledger of a company: what may stand in it, what it adds up to, and how it is told."""
