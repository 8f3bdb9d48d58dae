"""Django's database backends, extended by read snapshots (related reads see the same state) and prepared queries."""
