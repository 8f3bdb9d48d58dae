"""Django's own backends, with one thing more: reads that belong together see the database as it was at one moment."""
