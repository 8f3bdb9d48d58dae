"""The releases of a game's catalogue: what changed, and companies that go over to a newer one."""
