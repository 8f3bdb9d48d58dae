"""Django's own backends with one addition: related reads see the database at one moment."""
