"""Players' availability, the dates they agree on for their matches, and their calendars."""
