"""The API of battles and odds: thin endpoints over the services that the pages call."""
