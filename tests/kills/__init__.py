"""A whole site under load whose servers are killed at random: what it is made of, what is asked of it, what must hold."""
