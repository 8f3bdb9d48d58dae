"""Questions beside a forecast: one thing changed in a set-up. Knows no database."""
