"""A company's ledger: the record that is calculated from it, and its entries as sentences."""
