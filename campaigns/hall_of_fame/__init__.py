"""A club's history: medals, records, fallen pilots and biographies, from its matches and ledgers."""
