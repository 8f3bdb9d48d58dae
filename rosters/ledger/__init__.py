"""The ledger of a company: its kinds of entries, the totals calculated from it, and its entries as sentences."""
