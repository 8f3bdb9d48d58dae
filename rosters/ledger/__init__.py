"""The ledger of a company: the totals calculated from it, and its entries as sentences."""
