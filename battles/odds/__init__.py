"""Questions beside a forecast: one thing changed in a set-up. Uses no database."""
