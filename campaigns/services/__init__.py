"""Changes to campaigns and their settings."""
