"""Tags of campaigns for templates of every app."""
